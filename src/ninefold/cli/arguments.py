"""What the arguments of commands may be: whole numbers, seconds, options of the rules."""

from __future__ import annotations

import argparse
from collections.abc import Callable

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


def option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not NAME=VALUE")
    return name, value
