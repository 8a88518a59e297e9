"""Clocks that are moved by hand."""

from __future__ import annotations


class ManualClock:
    """UTC in milliseconds."""

    def __init__(self, at: int = 1_800_000_000_000) -> None:
        self.at = at

    def __call__(self) -> int:
        return self.at


class ManualSeconds:
    """Seconds since some moment. Who sleeps by this clock moves it."""

    def __init__(self) -> None:
        self.at = 0.0
        self.pauses: list[float] = []

    def __call__(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.at += seconds
