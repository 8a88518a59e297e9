"""Tables on the first page of a leaderboard about the runs themselves: their agents, and what those have used."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ninefold.agents.evaluation.usage import AgentUsage
from ninefold.agents.leaderboard.html import cells, small_print, table
from ninefold.agents.leaderboard.runs import Run
from ninefold.agents.leaderboard.standings import Leaderboard, Standing
from ninefold.analysis.report.format import time_used
from ninefold.core.messages import text

ACCOUNTS = (
    "requests", "failed", "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "unreported",
    "estimated_tokens", "price", "estimated_price", "latency", "latency_95", "repaired", "models",
)  # fmt: skip


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


def accounts_table(board: Leaderboard) -> str:
    """What the agents of a leaderboard have used; empty if none has used anything."""
    users = [(one, one.usage) for one in board.standings if one.usage]
    if not users:
        return ""
    heads = [text(f"board.{name}") for name in ("agent", *ACCOUNTS)]
    rows = (cells(*account(one, usage)) for one, usage in users)
    found = table("Accounts: what each agent used", heads, rows, style="figures")
    return found + small_print(text("usage.estimates"))


def account(one: Standing, use: AgentUsage) -> list[str]:
    """The row of an agent under ``ACCOUNTS``, its name first."""
    return [
        one.agent, f"{use.requests:,}", f"{use.failed:,}", f"{use.input_tokens:,}", f"{use.cached_tokens:,}",
        f"{use.output_tokens:,}", f"{use.reasoning_tokens:,}", f"{use.unreported:,}", f"{use.estimated_tokens:,}",
        _money(use.price), _money(use.estimated_price), time_used(use.latency), time_used(use.latency_95),
        f"{one.repaired:,}", ", ".join(use.served_models) or "–",
    ]  # fmt: skip


def _money(price: float | None) -> str:
    return "–" if price is None else f"{price:.4f}"
