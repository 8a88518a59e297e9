"""How models write moves and cells: read alike by the tools and by the chat of an evaluation."""

from __future__ import annotations

from collections.abc import Iterable

from ninefold.core.grid import Naming

NO_CELL = 80  # outside a board of nine: the referee refuses it, and the audit has it
NAMES_A_PLAYER = ("not_your_turn", "claim_pending")  # refusals whose second sentence has a name that a player chose


def as_typed(given: object) -> object:
    """Models write [0,1] and 5 where they mean "[0,1]" and "5"."""
    if isinstance(given, list) and all(type(part) is int for part in given):
        return f"[{','.join(map(str, given))}]"
    return str(given) if type(given) is int else given


def parse_cells(naming: Naming, cells: Iterable[str]) -> tuple[int, ...]:
    """Cells by their numbers. A cell that cannot be read is left for the referee to refuse."""
    read = (naming.parse_cells(cell.replace(" ", "")) for cell in cells)
    return tuple(found[0] if found and len(found) == 1 and found[0] >= 0 else NO_CELL for found in read)
