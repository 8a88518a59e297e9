"""Tables on the first page of a leaderboard about the runs themselves, and their agents as the plans describe them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ninefold.agents.leaderboard.html import cells, table
from ninefold.agents.leaderboard.runs import Run
from ninefold.core.messages import text


def runs_table(runs: Sequence[Run]) -> str:
    heads = ["run", "game", "matches", "planned", "crashed", "void", "isolation of programs", "version"]
    rows = (
        cells(
            run.name, run.about.get("game", ""), len(run.results), run.planned, run.crashed, run.void,
            _started(run, "isolation"), _started(run, "versions", "ninefold"),
        )
        for run in runs
    )  # fmt: skip
    return table("The runs", heads, rows)


def _started(run: Run, *path: str) -> str:
    """What a run says about each time that it was started, where it says it."""
    found: dict[str, None] = {}
    starts = run.manifest.get("starts")
    for start in starts if isinstance(starts, list) else ():
        value: object = start
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, str):
            found[value] = None
    return ", ".join(found) or "–"


def agents_table(runs: Sequence[Run]) -> str:
    """The agents as their plans describe them. Plans have no secrets."""
    specs = {agent: spec for run in runs for agent, spec in run.specs.items()}
    if not specs:
        return ""
    rows = (cells(agent, json.dumps(_given(spec), ensure_ascii=False)) for agent, spec in specs.items())
    return table("The agents, as their plans describe them", [text("board.agent"), "in the plan"], rows)


def _given(spec: object) -> object:
    """A description without what is empty."""
    return {name: value for name, value in spec.items() if value} if isinstance(spec, dict) else spec
