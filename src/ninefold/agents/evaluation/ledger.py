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
from typing import Any

from ninefold.agents.evaluation.loop import TurnForfeited
from ninefold.agents.evaluation.plan_tables import BudgetSpec, PriceSpec
from ninefold.agents.evaluation.usage import COUNTS, RequestUsage, Tokens, price_of, read_usage
from ninefold.core.errors import NotAllowed


class BudgetUsedUp(NotAllowed):
    """The budget of the run is used up: it stops, and may be resumed with a larger one."""


class UsageLedger:
    """The accounts of a run. All matches share it."""

    def __init__(self, file: Path, prices: Mapping[str, PriceSpec], budget: BudgetSpec) -> None:
        self._file, self._prices, self.budget = file, prices, budget
        self._lock = threading.Lock()
        self._tokens, self._price = 0, 0.0
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
            if used := used_up(self._tokens, self._price, self.budget.run_tokens, self.budget.run_price):
                raise BudgetUsedUp("budget_used_up.run", used=used)

    def _charge(self, one: RequestUsage) -> None:
        self._tokens += one.charged.total
        self._price += self.price_of(one) or 0.0

    def _append(self, data: bytes) -> None:
        """One write for a line, so that a crash cuts at most one; what is left of such a line is closed first."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("ab+", buffering=0) as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                data = data if file.read(1) == b"\n" else b"\n" + data
            file.write(data)


def used_up(tokens: int, price: float, most_tokens: int | None, most_price: float | None) -> str:
    """The part of a budget that is used up, in words; empty if there is some left."""
    if most_tokens is not None and tokens >= most_tokens:
        return f"{tokens:,} of {most_tokens:,} tokens"
    if most_price is not None and price >= most_price:
        return f"{price:.4f} of {most_price:g}"
    return ""


class SeatAccount:
    """The requests of one agent in one match, as it is played this time."""

    def __init__(self, ledger: UsageLedger, match: int, seat: int, agent: str, model: str) -> None:
        self._ledger, self._facts = ledger, (match, seat, agent, model)
        self._turn = (0, 0)
        self._tokens, self._price = 0, 0.0

    def ask(self, ply: int, refusals: int) -> None:
        """The next requests are about this turn."""
        self._turn = (ply, refusals)

    def begin(self, attempt: int, estimate: int) -> RequestUsage:
        """Write that a request is sent, unless a budget is used up. ``estimate`` is the number of its tokens."""
        self._ledger.check()
        budget = self._ledger.budget
        if used := used_up(self._tokens, self._price, budget.match_tokens, budget.match_price):
            raise TurnForfeited("budget_used_up.match", used=used)
        one = RequestUsage(secrets.token_hex(8), _now(), *self._facts, *self._turn, attempt, estimate)
        self._ledger.write(one)
        return one

    def end(self, begun: RequestUsage, tokens: Tokens | None, **facts: Any) -> RequestUsage:
        """Write how a request has ended."""
        counts: dict[str, Any] = dict(zip(COUNTS, tokens, strict=True)) if tokens else {}
        one = begun._replace(ended=True, **counts, **facts)
        price = self._ledger.price_of(one)
        one = one._replace(price=None if price is None else round(price, 9))
        self._tokens += one.charged.total
        self._price += price or 0.0
        self._ledger.write(one)
        return one


def _now() -> int:
    return time.time_ns() // 1_000_000
