"""Random choices that are the same in every version of Python: only ``random()`` gives the same numbers in all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from random import Random  # slow to import: not for a game between people

T = TypeVar("T")


def pick(rng: Random, items: Sequence[T]) -> T:
    """One of the items, each with the same probability."""
    return items[int(rng.random() * len(items))]


def shuffle(rng: Random, items: list[T]) -> None:
    """Put the items into a random order, in place."""
    for last in range(len(items) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        items[last], items[other] = items[other], items[last]
