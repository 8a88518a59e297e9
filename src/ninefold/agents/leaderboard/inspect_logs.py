"""Runs as logs of Inspect, which ``inspect view`` opens: a log for each agent of a run, a sample for each match.

The format is that of Inspect's JSON logs, version 2. It is written here, so that nobody needs Inspect to export.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from ninefold import __version__
from ninefold.agents.evaluation.usage import AgentUsage
from ninefold.agents.leaderboard.runs import RunMatch
from ninefold.agents.leaderboard.standings import Leaderboard
from ninefold.agents.leaderboard.turns import MatchStep, match_steps
from ninefold.analysis.report.metrics import AgentMetrics
from ninefold.core.rendering import picture
from ninefold.match.files import write_text
from ninefold.match.state import UNFINISHED

VERSION = 2
_SCORES = (
    "mistakes", "missed_wins", "illegal_moves", "unreadable", "false_claims", "wrong_confirmations", "wrong_disputes",
    "misreports", "forfeits",
)  # fmt: skip
_ID_LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_CONVERSATION = ("told", "answered")
LogDocument = dict[str, Any]


def write_inspect_logs(folder: Path, boards: Sequence[Leaderboard]) -> int:
    """Write a log for each agent of each run, and return how many."""
    count = 0
    for board in boards:
        for run in dict.fromkeys(one.run for one in board.matches):
            matches = [one for one in board.matches if one.run == run]
            for agent in dict.fromkeys(name for one in matches for name in (one.x, one.o)):
                log = inspect_log(board, run, agent, [one for one in matches if agent in (one.x, one.o)])
                write_text(str(folder / _file_name(log)), json.dumps(log, ensure_ascii=False, indent=1) + "\n")
                count += 1
    return count


def _file_name(log: LogDocument) -> str:
    """As Inspect names its logs: the time, the task and the id."""
    created = log["eval"]["created"].replace(":", "-")
    return f"{created}_{log['eval']['task']}_{log['eval']['eval_id']}.json"


def inspect_log(board: Leaderboard, run: str, agent: str, matches: Sequence[RunMatch]) -> LogDocument:
    """The log of one agent in one run."""
    samples = [sample for one in matches for sample in _samples(one, agent)]
    began, ended = _time(min(_began(one) for one in matches)), _time(max(_ended(one) for one in matches))
    used = board.run_usage.get(run, {}).get(agent)
    usage = {agent: _usage(used)} if used else {}
    return {
        "version": VERSION,
        "status": "success",
        "eval": _spec(board, run, agent, began, samples) | {"metadata": _metadata(board, used)},
        "plan": {"name": "plan", "steps": [{"solver": "ninefold/match", "params": {}}], "config": {}},
        "results": {
            "total_samples": len(samples),
            "completed_samples": len(samples),
            "scores": [_mean(name, samples) for name in ("points", *_SCORES)],
        },
        "stats": {"started_at": began, "completed_at": ended, "model_usage": usage},
        "samples": samples,
    }


def _spec(board: Leaderboard, run: str, agent: str, created: str, samples: Sequence[LogDocument]) -> LogDocument:
    ids = [sample["id"] for sample in samples]
    return {
        "eval_id": _id("eval", run, agent, board.id),
        "run_id": _id("run", run),
        "task_id": _id("task", board.id),
        "created": created,
        "task": f"ninefold-{board.game.id}",
        "task_version": 0,
        "task_args": dict(board.options),
        "dataset": {"name": run, "samples": len(samples), "sample_ids": ids, "shuffled": False},
        "model": agent,
        "config": {"epochs": 1},
        "packages": {"ninefold": __version__},
    }


def _metadata(board: Leaderboard, used: AgentUsage | None) -> LogDocument:
    """The game, and how much of the usage is estimated, for which Inspect has no field."""
    estimates = {"estimated_tokens": used.estimated_tokens, "estimated_cost": used.estimated_price} if used else {}
    return {"game": board.title, **estimates}


def _id(*parts: str) -> str:
    """An id of 22 letters and digits, the same for the same run."""
    number = int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest(), "big")
    return "".join(_ID_LETTERS[number // len(_ID_LETTERS) ** place % len(_ID_LETTERS)] for place in range(22))


def _began(one: RunMatch) -> int:
    return one.match.setup.at or (one.match.events[0].at if one.match.events else 0)


def _ended(one: RunMatch) -> int:
    return max(_began(one), one.match.events[-1].at if one.match.events else 0)


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds // 1000, UTC).isoformat()


def _samples(one: RunMatch, agent: str) -> Iterator[LogDocument]:
    """A sample for each seat of the agent: two where it has played against itself."""
    for seat in (1, 2):
        if one.agent(seat) == agent:
            yield _sample(one, seat)


def _sample(one: RunMatch, seat: int) -> LogDocument:
    side, steps = "XO"[seat - 1], match_steps(one)
    messages = list(_messages(one, seat, steps))
    metrics = one.report.rows[seat - 1].metrics
    question = next((message["content"] for message in messages if message["role"] == "user"), "")
    last = next((message for message in reversed(messages) if message["role"] == "assistant"), None)
    choices = [{"message": last, "stop_reason": "stop"}] if last else []
    return {
        "id": f"{one.number}-{side}",
        "epoch": 1,
        "input": question,
        "target": "win",
        "messages": messages,
        "output": {"model": one.agent(seat), "choices": choices},
        "scores": _sample_scores(one, metrics, steps),
        "metadata": {
            "side": side, "opponent": one.agent(3 - seat), "number": one.number, "run": one.run,
            "moves": " ".join(one.match.game.name(move) for move in one.match.state.moves),
            "score": one.match.result.score if one.match.result else "*",
        },
        "started_at": _time(_began(one)),
        "completed_at": _time(_ended(one)),
        "total_time": (_ended(one) - _began(one)) / 1000,
        "working_time": metrics.milliseconds / 1000,
        "uuid": _id("sample", one.run, str(one.number), side),
    }  # fmt: skip


def _sample_scores(one: RunMatch, metrics: AgentMetrics, steps: Sequence[MatchStep]) -> LogDocument:
    result = one.match.result
    is_finished = result is not None and result.by not in UNFINISHED
    points = {
        "value": metrics.points if is_finished else 0.0,
        "answer": result.score if result else "*",
        "explanation": steps[-1].sentences[-1] if steps[-1].sentences else "",
    }
    return {"points": points} | {name: {"value": getattr(metrics, name)} for name in _SCORES}


def _messages(one: RunMatch, seat: int, steps: Sequence[MatchStep]) -> Iterator[LogDocument]:
    """The conversation with a model; of other agents the boards that they saw, and what they did."""
    told = [words for step in steps for words in step.words if words.seat == seat and words.kind in _CONVERSATION]
    for words in told:
        role = "assistant" if words.kind == "answered" else "system" if words.role == "system" else "user"
        yield {"role": role, "content": words.text}
    for before, step in pairwise(() if told else steps):
        if step.seat == seat:
            drawn = picture(one.match.game, before.position, last=before.last)
            yield {"role": "user", "content": f"```\n{drawn}\n```"}  # viewers show messages as Markdown
            yield {"role": "assistant", "content": "\n".join(step.sentences)}


def _mean(name: str, samples: Sequence[LogDocument]) -> LogDocument:
    mean = sum(sample["scores"][name]["value"] for sample in samples) / len(samples)
    return {
        "name": name, "scorer": name, "scored_samples": len(samples),
        "metrics": {"mean": {"name": "mean", "value": mean}},
    }  # fmt: skip


def _usage(usage: AgentUsage) -> LogDocument:
    return {
        "input_tokens": usage.input_tokens - usage.cached_tokens,  # Inspect counts cached tokens beside the others
        "output_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
        "input_tokens_cache_read": usage.cached_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        **({} if usage.price is None else {"total_cost": usage.price}),
    }
