"""Positions of small games: what follows from one is computed once, and the positions that play has met are shared."""

from __future__ import annotations

from functools import cached_property
from operator import index
from typing import Any, ClassVar, Never, Self

from ninefold.core.position import Outcome, ShownPosition

MOST_SHARED = 100_000  # of one class: more than play can reach, fewer than texts from outside could ask for


class SmallPosition(ShownPosition):
    """A game derives its position from a ``NamedTuple`` of its fields and from this. It says what is so, by
    ``find_outcome``, ``find_moves`` and ``find_after``; here it is remembered, so that a game played again costs a few
    lookups."""

    _shared: ClassVar[dict[Any, Any]]

    def __init_subclass__(cls) -> None:
        cls._shared = {}

    def find_outcome(self) -> Outcome | None:
        """The end of the game, or None while it goes on."""
        raise NotImplementedError

    def find_moves(self) -> tuple[int, ...]:
        """The legal moves, ascending."""
        raise NotImplementedError

    def find_after(self, move: int) -> Self:
        """The position after a move; raises IllegalMove with the reason."""
        raise NotImplementedError

    @cached_property
    def outcome(self) -> Outcome | None:
        """The end of the game, or None while it goes on."""
        return self.find_outcome()

    @cached_property
    def _moves(self) -> tuple[int, ...]:
        return self.find_moves()

    @cached_property
    def _after(self) -> dict[int, Self]:
        return {}

    def moves(self) -> tuple[int, ...]:
        """The legal moves, ascending; empty exactly when the position is final."""
        return self._moves

    def play(self, move: int) -> Self:
        """The position after a move; raises IllegalMove with the reason."""
        try:
            return self._after[move]
        except KeyError:
            after = self.find_after(index(move))
        known = self._shared
        after = known.setdefault(after, after) if len(known) < MOST_SHARED else known.get(after, after)
        self._after[move] = after
        return after

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"A position does not change; {name} cannot be set.")

    def __getstate__(self) -> None:
        """What is remembered is neither pickled nor copied."""
