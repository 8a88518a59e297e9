"""How models write moves and cells, understood alike by the tools and by the chat; and what not to repeat to them."""

from __future__ import annotations

from collections.abc import Iterable

from ninefold.core.grid import Naming

NOWHERE = 80  # no cell of a board of nine: the referee refuses it, and keeps that in the audit
NAMES_SOMEBODY = ("not_your_turn", "claim_pending")  # what is possible there is told with a name that players choose


def as_typed(given: object) -> object:
    """Models write [0,1] and 5 where they mean "[0,1]" and "5"."""
    if isinstance(given, list) and all(type(part) is int for part in given):
        return f"[{','.join(map(str, given))}]"
    return str(given) if type(given) is int else given


def cells_of(naming: Naming, cells: Iterable[str]) -> tuple[int, ...]:
    """Cells by their numbers. What cannot be read is left for the referee to refuse."""
    read = (naming.parse_cells(cell.replace(" ", "")) for cell in cells)
    return tuple(found[0] if found and len(found) == 1 and found[0] >= 0 else NOWHERE for found in read)
