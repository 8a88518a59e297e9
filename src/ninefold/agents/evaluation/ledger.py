"""The accounts of a run: a line for every request to an endpoint, and the budgets that stop an agent or the run.

The file is written request by request, before each is sent and when it has ended, so that what was used is known
after a crash too. The later line of a request replaces the earlier one.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.agents.evaluation.loop import TurnForfeited
from ninefold.agents.evaluation.plan_tables import BudgetSpec, PriceSpec
from ninefold.agents.evaluation.usage import COUNTS, RequestUsage, Tokens, price_of, read_usage
from ninefold.client.http import is_ok
from ninefold.core.errors import NotAllowed


class BudgetUsedUp(NotAllowed):
    """The budget of the run is used up: it stops, and may be resumed with a larger one."""


class Spent(NamedTuple):
    """What counts for a budget: tokens and money, and how much of both is only estimated."""

    tokens: int = 0
    price: float = 0.0
    estimated_tokens: int = 0
    estimated_price: float = 0.0

    def plus(self, one: RequestUsage, price: float | None) -> Spent:
        tokens, price = one.charged.total, price or 0.0
        of_estimate = (tokens, price) if one.is_unreported else (0, 0.0)
        return Spent(
            self.tokens + tokens,
            self.price + price,
            self.estimated_tokens + of_estimate[0],
            self.estimated_price + of_estimate[1],
        )

    def used_up(self, most_tokens: int | None, most_price: float | None) -> str:
        """The part of a budget that is used up, in words; empty if there is some left."""
        if most_tokens is not None and self.tokens >= most_tokens:
            part = f", {self.estimated_tokens:,} of them estimated" if self.estimated_tokens else ""
            return f"{self.tokens:,} of {most_tokens:,} tokens{part}"
        if most_price is not None and self.price >= most_price:
            part = f", {self.estimated_price:.4f} of it estimated" if self.estimated_price else ""
            return f"{self.price:.4f} of {most_price:g}{part}"
        return ""


class UsageLedger:
    """The accounts of a run. All matches share it."""

    budget: BudgetSpec

    def __init__(self, file: Path, prices: Mapping[str, PriceSpec], budget: BudgetSpec) -> None:
        self._file, self._prices, self.budget = file, prices, budget
        self._lock = threading.Lock()
        self._used = Spent()
        self._answered: set[str] = set()  # agents whose endpoint has answered
        for one in read_usage(file):
            self._charge(one)

    def price_of(self, one: RequestUsage) -> float | None:
        return price_of(one.charged, self._prices.get(one.model))

    def write(self, one: RequestUsage) -> None:
        """Write a line. Only one that has ended is charged."""
        data = (json.dumps(one._asdict(), ensure_ascii=False) + "\n").encode(errors="replace")
        with self._lock:
            self._append(data)
            if one.ended:
                self._charge(one)

    def check(self) -> None:
        """Refuse a request if the budget of the run is used up."""
        with self._lock:
            if used := self._used.used_up(self.budget.run_tokens, self.budget.run_price):
                raise BudgetUsedUp("budget_used_up.run", used=used)

    def has_answered(self, agent: str) -> bool:
        """True if the endpoint of an agent has answered in this run, so that its key and its settings were right."""
        with self._lock:
            return agent in self._answered

    def _charge(self, one: RequestUsage) -> None:
        self._used = self._used.plus(one, self.price_of(one))
        if one.ended and is_ok(one.status):
            self._answered.add(one.agent)

    def _append(self, data: bytes) -> None:
        """One write for a line, so that a crash cuts at most one; what is left of such a line is closed first. The line
        is on the disk before the request is sent, or its reply is used."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("ab+", buffering=0) as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                data = data if file.read(1) == b"\n" else b"\n" + data
            file.write(data)
            os.fsync(file.fileno())


class SeatAccount:
    """The requests of one agent in one match, as it is played this time."""

    def __init__(self, ledger: UsageLedger, match: int, seat: int, agent: str, model: str) -> None:
        self._ledger, self._facts = ledger, (match, seat, agent, model)
        self._turn = (0, 0)
        self._used = Spent()

    def ask(self, ply: int, refusals: int) -> None:
        """The next requests are about this turn."""
        self._turn = (ply, refusals)

    def begin(self, attempt: int, estimate: int) -> RequestUsage:
        """Write that a request is sent, unless a budget is used up. ``estimate`` is the number of its tokens."""
        self._ledger.check()
        budget = self._ledger.budget
        if used := self._used.used_up(budget.match_tokens, budget.match_price):
            raise TurnForfeited("budget_used_up.match", used=used)
        one = self._priced(RequestUsage(secrets.token_hex(8), _now(), *self._facts, *self._turn, attempt, estimate))
        self._ledger.write(one)
        return one

    def end(self, begun: RequestUsage, tokens: Tokens | None, **facts: Any) -> RequestUsage:
        """Write how a request has ended."""
        counts: dict[str, Any] = dict(zip(COUNTS, tokens, strict=True)) if tokens else {}
        one = self._priced(begun._replace(ended=True, **counts, **facts))
        self._used = self._used.plus(one, one.price)
        self._ledger.write(one)
        return one

    def _priced(self, one: RequestUsage) -> RequestUsage:
        price = self._ledger.price_of(one)
        return one._replace(price=None if price is None else round(price, 9))


def _now() -> int:
    return time.time_ns() // 1_000_000
