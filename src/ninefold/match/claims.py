"""The referee of claims: what a claim is, whether it is true, and why not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ninefold.core.errors import Unreadable
from ninefold.core.grid import CELLS, LINE_NAMES, LINES, Naming
from ninefold.core.messages import Message, message, translated
from ninefold.core.position import Side

Cells = tuple[int, ...]


class Claim(NamedTuple):
    """A side says that these three cells are its line."""

    side: Side
    cells: Cells


class Verdict(NamedTuple):
    """``reason`` is "true", or the code of what is wrong with the claim."""

    reason: str
    claim: Claim
    held: int  # how many of the claimed cells were the claimant's

    @classmethod
    def of(cls, reason: str, claim: Claim, marks: Sequence[Side | None]) -> Verdict:
        return cls(reason, claim, sum(marks[cell] is claim.side for cell in claim.cells))

    @property
    def true(self) -> bool:
        return self.reason == "true"

    def message(self, naming: Naming) -> Message:
        side, cells = self.claim
        code = f"verdict.{self.reason}"
        if self.reason == "only_two":  # or even fewer
            code += (".none", ".one", "")[self.held]
        return message(code, cells=naming.format(cells), side=side, other=side.other)

    def sentence(self, naming: Naming) -> str:
        return str(self.message(naming))


class LineCheck(NamedTuple):
    """One line of the checklist: who holds all three cells, and whether both sides are on it."""

    name: str
    cells: Cells
    marks: tuple[Side | None, ...]

    @property
    def label(self) -> str:
        """The name in the language of this process."""
        return translated(f"line.{self.name}", self.name)

    @property
    def holder(self) -> Side | None:
        return self.marks[0] if len(set(self.marks)) == 1 else None

    @property
    def broken(self) -> bool:
        return {Side.X, Side.O} <= set(self.marks)

    @property
    def message(self) -> Message:
        """The meaning of the marks on the line."""
        if self.holder is not None:
            return message("line.three", side=self.holder)
        return message("line.broken" if self.broken else "line.not_three")


def read_claim(cells: Iterable[object]) -> Cells:
    """Three distinct cells on the board, ascending; anything else is no claim."""
    named = list(cells)
    if len(named) != 3 or len(set(named)) != 3 or not all(type(cell) is int and cell in CELLS for cell in named):
        raise Unreadable("not_a_claim")
    return tuple(sorted(cell for cell in named if isinstance(cell, int)))


def judge(marks: Sequence[Side | None], claim: Claim) -> Verdict:
    """The first thing that is wrong with a claim, or that it is true."""
    side, cells = claim
    held = [marks[cell] for cell in cells]
    if cells not in LINES:
        reason = "not_a_line"
    elif held == [side] * 3:
        reason = "true"
    elif held == [side.other] * 3:
        reason = "all_opponents"
    elif side.other in held:
        reason = "broken"
    elif held == [side, None, side]:
        reason = "gap"
    else:
        reason = "only_two"
    return Verdict.of(reason, claim, marks)


def checklist(marks: Sequence[Side | None]) -> tuple[LineCheck, ...]:
    """All eight lines, one by one, under the checklist's own names."""
    return tuple(
        LineCheck(name, line, tuple(marks[cell] for cell in line)) for name, line in zip(LINE_NAMES, LINES, strict=True)
    )
