"""What agents have used in their runs: requests, tokens, price and time, from the accounts of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple


class Usage(NamedTuple):
    """The accounts of one agent. A price is known only if the plan has one; latencies are in milliseconds."""

    requests: int = 0
    failed: int = 0  # requests without a reply
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    price: float | None = None
    latency: int = 0  # the median
    latency_95: int = 0
    models: tuple[str, ...] = ()  # those that have answered


def usage_by_agent(*runs: Iterable[Mapping[str, Any]]) -> dict[str, Usage]:
    """What each agent has used in the accounts of some runs. The later line of a request replaces the earlier one of
    the same run, which was written before the request was sent."""
    requests: dict[object, Mapping[str, Any]] = {}
    for run, entries in enumerate(runs):
        for number, entry in enumerate(entries):
            if isinstance(entry.get("agent"), str):
                key = entry.get("request")
                requests[run, key if isinstance(key, str) else number] = entry
    by_agent: dict[str, list[Mapping[str, Any]]] = {}
    for entry in requests.values():
        by_agent.setdefault(entry["agent"], []).append(entry)
    return {agent: _sum(some) for agent, some in by_agent.items()}


def _sum(requests: Sequence[Mapping[str, Any]]) -> Usage:
    def total(name: str) -> int:
        return sum(_count(one.get(name)) for one in requests)

    prices = [one["price"] for one in requests if isinstance(one.get("price"), int | float)]
    times = sorted(_count(one.get("milliseconds")) for one in requests if one.get("ended", True))
    models = {one["served_model"] for one in requests if isinstance(one.get("served_model"), str)} - {""}
    return Usage(
        len(requests),
        sum(bool(one.get("error")) or one.get("ended") is False for one in requests),
        total("input_tokens"),
        total("output_tokens"),
        total("cached_tokens"),
        total("reasoning_tokens"),
        round(sum(prices), 9) if prices else None,
        times[len(times) // 2] if times else 0,
        times[int(len(times) * 0.95)] if times else 0,
        tuple(sorted(models)),
    )


def _count(value: object) -> int:
    return value if type(value) is int and value >= 0 else 0
