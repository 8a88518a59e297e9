"""What the requests to endpoints have used: tokens, time and money, as the file of a run has it and by agent."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.agents.evaluation.plan_tables import PriceSpec
from ninefold.core.errors import Unreadable, quoted

CHARACTERS_PER_TOKEN = 4  # of an estimate, where an endpoint does not report
COUNTS = ("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")
_MILLION = 1_000_000


class Tokens(NamedTuple):
    """Tokens as an endpoint reports them."""

    input: int = 0
    output: int = 0
    cached: int = 0  # of the input
    reasoning: int = 0  # of the output

    @property
    def total(self) -> int:
        return self.input + self.output

    def plus(self, other: Tokens) -> Tokens:
        return Tokens(*(one + two for one, two in zip(self, other, strict=True)))


def read_tokens(usage: object) -> Tokens | None:
    """The tokens in the ``usage`` of a response; None if it has none. Endpoints use one of a few names."""
    if not isinstance(usage, Mapping):
        return None
    given = _count(usage, "prompt_tokens", "input_tokens")
    answered = _count(usage, "completion_tokens", "output_tokens")
    if given is None and answered is None:
        return None
    cached = _detail(usage, ("prompt_tokens_details", "input_tokens_details"), "cached_tokens")
    cached = cached or _count(usage, "prompt_cache_hit_tokens", "cached_tokens") or 0
    reasoning = _detail(usage, ("completion_tokens_details", "output_tokens_details"), "reasoning_tokens")
    given, answered = given or 0, answered or 0
    if reasoning and _count(usage, "total_tokens") == given + answered + reasoning:
        answered += reasoning  # some endpoints count reasoning beside the answer, not in it
    return Tokens(given, answered, min(cached, given), min(reasoning, answered))


def _count(usage: Mapping[Any, Any], *names: str) -> int | None:
    """The first of these numbers that is there and can be a count."""
    found = (usage.get(name) for name in names)
    return next((count for count in found if type(count) is int and 0 <= count < 2**53), None)


def _detail(usage: Mapping[Any, Any], tables: Iterable[str], name: str) -> int:
    found = (usage.get(table) for table in tables)
    return next((_count(table, name) or 0 for table in found if isinstance(table, Mapping)), 0)


def price_of(tokens: Tokens, price: PriceSpec | None) -> float | None:
    """What tokens cost; None without a price."""
    if price is None:
        return None
    cached = price.input if price.cached is None else price.cached
    cost = (tokens.input - tokens.cached) * price.input + tokens.cached * cached + tokens.output * price.output
    return cost / _MILLION


class RequestUsage(NamedTuple):
    """One request to an endpoint. docs/evaluate.md describes the fields."""

    request: str
    at: int = 0
    match: int = 0
    seat: int = 0
    agent: str = ""
    model: str = ""
    ply: int = 0
    refusals: int = 0
    attempt: int = 1
    estimate: int = 0
    ended: bool = False
    status: int = 0
    milliseconds: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    price: float | None = None
    served_model: str = ""
    finish_reason: str = ""
    error: str = ""

    @property
    def tokens(self) -> Tokens | None:
        """The tokens that the endpoint has reported."""
        if self.input_tokens is None:
            return None
        return Tokens(self.input_tokens, self.output_tokens or 0, self.cached_tokens or 0, self.reasoning_tokens or 0)

    @property
    def is_unreported(self) -> bool:
        """True if tokens may have been used of which nothing is known: the endpoint was silent, or we were stopped."""
        return self.tokens is None and (not self.ended or self.status in (0, 200))

    @property
    def charged(self) -> Tokens:
        """The tokens that count for budgets: an estimate where none were reported but some may have been used."""
        return self.tokens or Tokens(input=self.estimate if self.is_unreported else 0)


def read_usage(file: Path) -> list[RequestUsage]:
    """The requests in a file of accounts, in their order; none if there is no such file. The later line of a request
    replaces the earlier one. A line that was cut short by a crash, or that is no request of an agent, is left out."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Unreadable("no_such_file", file=quoted(str(file), 100), why=error.strerror) from None
    found = (one for line in lines if (one := _parse_request(line)))
    return list({one.request: one for one in found}.values())


def _parse_request(line: str) -> RequestUsage | None:
    """The request in a line; None if it is none."""
    try:
        entry = json.loads(line)
        one = RequestUsage(**{name: entry[name] for name in RequestUsage._fields if name in entry})
    except (ValueError, TypeError, RecursionError):
        return None
    texts, numbers = (one.request, one.agent), (one.milliseconds, one.estimate, *(getattr(one, it) for it in COUNTS))
    is_sound = all(type(text) is str and text for text in texts) and all(
        number is None or (type(number) is int and number >= 0) for number in numbers
    )
    return one if is_sound and isinstance(one.price, int | float | None) else None


class AgentUsage(NamedTuple):
    """What an agent has used in some runs, in matches that were interrupted too. The tokens are those that endpoints
    have reported. The price has estimates too, for requests of which no tokens are known."""

    requests: int = 0
    failed: int = 0  # requests without a reply
    unreported: int = 0  # requests of which no tokens are known although some may have been used
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    estimated_tokens: int = 0  # of the prompts of unreported requests: not in the numbers above
    price: float | None = None
    estimated_price: float | None = None  # the part of the price that is estimated
    milliseconds: int = 0
    latency: int = 0  # the median, in milliseconds
    latency_95: int = 0
    served_models: tuple[str, ...] = ()
    finish_reasons: Mapping[str, int] = {}


def usage_by_agent(requests: Iterable[RequestUsage]) -> dict[str, AgentUsage]:
    by_agent: dict[str, list[RequestUsage]] = {}
    for one in requests:
        by_agent.setdefault(one.agent, []).append(one)
    return {agent: _sum(some) for agent, some in sorted(by_agent.items())}


def _sum(requests: list[RequestUsage]) -> AgentUsage:
    tokens = reduce(Tokens.plus, (one.tokens or Tokens() for one in requests))
    unreported = [one for one in requests if one.is_unreported]
    times = sorted(one.milliseconds for one in requests if one.ended)
    return AgentUsage(
        requests=len(requests),
        failed=sum(bool(one.error) or not one.ended for one in requests),
        unreported=len(unreported),
        **dict(zip(COUNTS, tokens, strict=True)),
        estimated_tokens=sum(one.estimate for one in unreported),
        price=_price(requests),
        estimated_price=_price(unreported),
        milliseconds=sum(times),
        latency=times[len(times) // 2] if times else 0,
        latency_95=times[int(len(times) * 0.95)] if times else 0,
        served_models=tuple(sorted({one.served_model for one in requests} - {""})),
        finish_reasons=dict(Counter(one.finish_reason for one in requests if one.finish_reason)),
    )


def _price(requests: Iterable[RequestUsage]) -> float | None:
    """The sum of the prices that are known; None if there are none."""
    prices = [one.price for one in requests if one.price is not None]
    return round(sum(prices), 9) if prices else None
