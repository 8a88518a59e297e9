"""The tables of a leaderboard as rows of plain values: agents, pairs, matches and turns. Exports are made of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Literal

from ninefold.agents.evaluation.usage import AgentUsage
from ninefold.agents.leaderboard.runs import RunMatch
from ninefold.agents.leaderboard.standings import Leaderboard, Meeting, Standing
from ninefold.agents.leaderboard.turns import MatchStep, match_steps
from ninefold.analysis.report.endings import CAUSES
from ninefold.analysis.report.metrics import AgentMetrics

RowValue = str | int | float | None
Row = dict[str, RowValue]
TableName = Literal["agents", "pairs", "matches", "turns"]
_NOT_REPEATED = ("matches", "won", "drawn", "lost")  # they are in the tally, and crashes differ
_OF_A_SEAT = (
    "mistakes", "judged", "illegal_moves", "unreadable", "false_claims", "missed_wins", "wrong_confirmations",
    "wrong_disputes", "statements", "misreports", "forfeits", "milliseconds",
)  # fmt: skip
_OF_USAGE = tuple(name for name in AgentUsage._fields if name not in ("served_models", "finish_reasons"))


def tables(boards: Sequence[Leaderboard]) -> dict[TableName, list[Row]]:
    return {
        "agents": [agent_row(board, one) for board in boards for one in board.standings],
        "pairs": [pair_row(board, met) for board in boards for met in board.meetings],
        "matches": [match_row(board, one) for board in boards for one in board.matches],
        "turns": [row for board in boards for one in board.matches for row in turn_rows(board, one)],
    }


def agent_row(board: Leaderboard, one: Standing) -> Row:
    metrics = one.metrics._asdict()
    row: Row = {
        "game": board.id,
        "agent": one.agent,
        "group": next(number for number, group in enumerate(board.groups, 1) if one.agent in group),
        "elo": round(one.rating.elo, 1),
        "elo_low": round(one.rating.low, 1),
        "elo_high": round(one.rating.high, 1),
        "games": one.total.games,
        "points": one.total.points,
        "won": one.total.won,
        "drawn": one.total.drawn,
        "lost": one.total.lost,
    }
    sides = {"x": one.by_side["X"], "o": one.by_side["O"], **one.by_turn}
    for name, tally in sides.items():
        row |= {f"{name}_games": tally.games, f"{name}_points": tally.points}
    row |= {name: metrics[name] for name in AgentMetrics._fields if name not in _NOT_REPEATED}
    row |= {f"lost_{cause}": one.endings.get(cause, 0) for cause in CAUSES}
    row["forfeit_reasons"] = json.dumps(dict(one.forfeit_reasons), sort_keys=True)
    row["refused"] = json.dumps(dict(one.refused), sort_keys=True)
    row["repaired"] = one.repaired
    row["crashes"] = one.crashes
    models = ", ".join(one.usage.served_models if one.usage else ())
    return row | {f"usage_{name}": getattr(one.usage, name, None) for name in _OF_USAGE} | {"models": models}


def pair_row(board: Leaderboard, met: Meeting) -> Row:
    return {
        "game": board.id,
        "one": met.one,
        "two": met.two,
        **dict(zip(("won", "drawn", "lost"), met.tally, strict=True)),
        **{f"pairs_{place}": count for place, count in enumerate(met.counts)},
        "elo": round(met.estimate.elo, 1),
        "elo_low": round(met.estimate.low, 1),
        "elo_high": round(met.estimate.high, 1),
        "pairs_better": met.test.better,
        "pairs_equal": met.test.equal,
        "pairs_worse": met.test.worse,
        "p_value": round(met.test.p_value, 6),
        "games_needed": met.needed,
    }


def match_row(board: Leaderboard, one: RunMatch) -> Row:
    match = one.match
    result = match.result
    loss = next(iter(one.endings.values()), None)
    row: Row = {
        "game": board.id,
        "run": one.run,
        "number": one.number,
        "x": one.x,
        "o": one.o,
        "score": result.score if result else "*",
        "ended_by": result.by if result else "",
        "loss_cause": loss.cause if loss else "",
        "forfeit_reason": loss.reason if loss else "",
        "plies": len(match.state.moves),
        "moves": " ".join(match.game.name(move) for move in match.state.moves),
        "options": json.dumps(dict(match.setup.options), sort_keys=True),
        "seed": match.setup.seed,
        "started_at": match.setup.at,
    }
    for side, report in zip("xo", one.report.rows, strict=True):
        row |= {f"{side}_{name}": getattr(report.metrics, name) for name in _OF_A_SEAT}
    return row


def turn_rows(board: Leaderboard, one: RunMatch) -> Iterator[Row]:
    for step in match_steps(one)[1:]:
        yield {
            "game": board.id,
            "run": one.run,
            "number": one.number,
            "step": step.number,
            "at": step.at,
            "side": "XO"[step.seat - 1] if step.seat else "",
            "agent": one.agent(step.seat) if step.seat else "",
            "move": step.move,
            "position": str(step.position),
            "happened": "\n".join(step.sentences),
            "said": step.said,
            "told": _words(step, "told"),
            "answered": _words(step, "answered"),
            "refused": _words(step, "refused"),
        }


def _words(step: MatchStep, kind: str) -> str:
    """All of one kind that belong to a step, as a JSON list of texts with their sides."""
    found = [
        {"side": "XO"[one.seat - 1], **({"role": one.role} if one.role else {}), "text": one.text}
        for one in step.words
        if one.kind == kind
    ]
    return json.dumps(found, ensure_ascii=False)
