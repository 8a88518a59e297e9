"""Plans of evaluations for tests, and what comes of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ninefold.agents.evaluation.agents import Timing
from ninefold.agents.evaluation.endpoint import RETRY
from ninefold.cli.commands.evaluate import RunSettings, run_plan
from ninefold.core.errors import Refusal

if TYPE_CHECKING:
    import pytest

Run = Callable[..., tuple[int, dict[str, Any]]]

PLAYERS = {"perfect": {"player": "perfect"}, "easy": {"player": "easy"}}
AT_ONCE = RETRY._replace(first_pause=0.0, longest_pause=0.0)  # requests to endpoints are repeated without a pause
QUICK = RunSettings(timing=Timing(retry=AT_ONCE))


def write_plan(**settings: object) -> str:
    """Write a plan to the current folder."""
    plan = {"game": "agents", "agents": PLAYERS} | settings
    Path("plan.toml").write_text("".join(f"{name} = {toml(value)}\n" for name, value in plan.items()))
    return "plan.toml"


def toml(value: object) -> str:
    """A value in TOML, which is nearly JSON."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)} = {toml(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def model(url: str, **more: object) -> dict[str, object]:
    return {"chat": url, "model": "a-model", **more}


def evaluations(capsys: pytest.CaptureFixture[str], settings: RunSettings = QUICK) -> Run:
    """A function that evaluates a plan in the current folder: the exit code and the report, as from the command."""

    def run(*, with_settings: RunSettings = settings, **plan: object) -> tuple[int, dict[str, Any]]:
        try:
            code = run_plan(write_plan(**plan), as_json=True, settings=with_settings)
        except Refusal as refusal:
            return 2, {"error": str(refusal)}
        return code, json.loads(capsys.readouterr().out)

    return run


def run_command(plan: str, *, as_json: bool = False, settings: RunSettings = QUICK) -> int:
    """What ``ninefold agents evaluate`` does, but requests to endpoints are repeated without a pause."""
    try:
        return run_plan(plan, as_json=as_json, settings=settings)
    except Refusal as refusal:
        print(f"ninefold: {refusal}", file=sys.stderr)
        return 2


def figures(report: dict[str, Any], agent: str) -> dict[str, Any]:
    return next(row for row in report["agents"] if row["agent"] == agent)
