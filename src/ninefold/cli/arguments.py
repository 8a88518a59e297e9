"""What the arguments of commands may be: whole numbers, seconds, hypotheses, options of the rules."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from re import ASCII, fullmatch

from ninefold.core.errors import quoted


def whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 20 and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number from {low} to {high}")
        return int(text)

    return read


def seconds(text: str) -> float:
    whole, _, part = text.partition(".")
    if not all(digits.isascii() and digits.isdigit() for digits in (whole, part or "0")) or len(text) > 6:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a number of seconds")
    return float(text)


def hypotheses(text: str) -> tuple[float, float]:
    """Two differences of Elo, such as ``0,10``."""
    words = text.split(",")
    if len(words) != 2 or not all(fullmatch(r"[+-]?\d{1,3}(\.\d{1,3})?", word, ASCII) for word in words):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not two differences of Elo, as in 0,10")
    low, high = map(float, words)
    if low >= high:
        raise argparse.ArgumentTypeError(f"in {quoted(text)} the first difference is not the smaller one")
    return low, high


def error_rate(text: str) -> float:
    if not fullmatch(r"0?\.\d{1,6}", text, ASCII) or not 0 < float(text) < 0.5:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a probability between 0 and 0.5")
    return float(text)


def share(text: str) -> float:
    if not fullmatch(r"[01]?\.\d{1,6}|[01]", text, ASCII) or not 0 <= float(text) <= 1:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a number from 0 to 1")
    return float(text)


def option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not NAME=VALUE")
    return name, value
