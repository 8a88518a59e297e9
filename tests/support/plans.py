"""Plans of evaluations, and what comes of them, for tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ninefold.cli.main import main

if TYPE_CHECKING:
    import pytest

Run = Callable[..., tuple[int, dict[str, Any]]]

PLAYERS = {"perfect": {"player": "perfect"}, "easy": {"player": "easy"}}


def write_plan(**told: object) -> str:
    """A plan in the folder where we are; what is not told is as in most tests."""
    facts = {"game": "agents", "agents": PLAYERS} | told
    Path("plan.toml").write_text("".join(f"{name} = {toml(value)}\n" for name, value in facts.items()))
    return "plan.toml"


def toml(value: object) -> str:
    """JSON is nearly TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)} = {toml(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def model(url: str, **more: object) -> dict[str, object]:
    return {"chat": url, "model": "a-model", **more}


def evaluations(capsys: pytest.CaptureFixture[str]) -> Run:
    """Evaluates a plan in the folder where we are: the exit code, and what is reported as JSON."""

    def run(**told: object) -> tuple[int, dict[str, Any]]:
        code = main(["agents", "evaluate", write_plan(**told), "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out else {"error": said.err}

    return run


def figures(told: dict[str, Any], agent: str) -> dict[str, Any]:
    return next(row for row in told["agents"] if row["agent"] == agent)
