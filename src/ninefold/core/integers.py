"""Whole numbers from outside, of Python or of an array library."""

from __future__ import annotations

from contextlib import suppress
from operator import index
from typing import Any


def as_integer(name: str, number: Any) -> int:
    """A Python integer from one of any library, which may be an array without dimensions. ``name`` is for the error.

    >>> as_integer("seed", 1.5)
    Traceback (most recent call last):
        ...
    TypeError: seed must be an integer, not 1.5.
    """
    if not isinstance(number, int):
        with suppress(TypeError):
            return index(number)
    elif not isinstance(number, bool):
        return int(number)
    raise TypeError(f"{name} must be an integer, not {number!r}.")
