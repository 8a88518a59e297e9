"""Plans of evaluations, for tests."""

from __future__ import annotations

import json
from pathlib import Path

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
