"""Misreports: what a player says that it has played, held against what it has played.

Only plain statements in English are read: "I played 5", "I just took the centre". A message that says nothing about the
player's own moves is no statement, and one that speaks of plans ("I will take 5") is none either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.match.match import Match

_STATEMENT = re.compile(
    r"\bI(?:['’]ve| have)?(?: (?:just|now|also|have))*"
    r" (?:play|played|move|moved|place|placed|put|take|took|taken|mark|marked|choose|chose|chosen|pick|picked|went)\b"
    r"((?:(?!\bI\b)[^.!?;\n])*)",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"\b(?:if|unless|should|could|would|can|will|shall|may|might|must|do|did|had|suppose|what|when|where|which)\W*$",
    re.IGNORECASE,
)
_COUNTED = r"(?! *(?:moves?|games?|times?|turns?|rounds?|marks?|lines?|rows?|points?|more|steps?)\b)"
_PLACES = {
    "top left": 0, "upper left": 0, "top middle": 1, "top centre": 1, "top right": 2, "upper right": 2,
    "middle left": 3, "centre left": 3, "left middle": 3, "middle right": 5, "centre right": 5, "right middle": 5,
    "bottom left": 6, "lower left": 6, "bottom middle": 7, "bottom centre": 7, "bottom right": 8, "lower right": 8,
    "centre": 4, "middle": 4,
}  # fmt: skip


class Statements(NamedTuple):
    """How many messages of a player say what it has played, and how many of those are false."""

    statements: int = 0
    misreports: int = 0


def misreports(match: Match) -> dict[int, Statements]:
    """The statements of both seats. Between a move of the player and the next move they are about that move, else about
    any move of the player."""
    counts = {1: Statements(), 2: Statements()}
    own: dict[int, list[int]] = {1: [], 2: []}
    last = 0  # the seat that has moved last
    for _, seat, action in match.played:
        if isinstance(action.move, int):
            own[seat].append(action.move)
            last = seat
        elif action.kind == "say" and seat in own and (said := stated_moves(match.game, action.text)):
            is_false = own[seat][-1] not in said if last == seat else not set(said) <= set(own[seat])
            total, false = counts[seat]
            counts[seat] = Statements(total + 1, false + is_false)
    return counts


def stated_moves(game: Game, text: str) -> list[int]:
    """The moves that a text says its author has played.

    >>> from ninefold.games import find_game
    >>> classic = find_game("classic")
    >>> stated_moves(classic, "I played 5."), stated_moves(classic, "If I took 5, you could not win.")
    ([4], [])
    """
    return [move for words in _statements(text) if (move := _first_move(game, words)) is not None]


def _statements(text: str) -> Iterator[str]:
    for found in _STATEMENT.finditer(text):
        if not _HYPOTHETICAL.search(text[: found.start()]):
            yield found[1]


def _first_move(game: Game, words: str) -> int | None:
    """The move that is named first; None if none is."""
    pattern, names = _names(game)
    found = pattern.search(words.lower().replace("center", "centre").replace("-", " "))
    return names[re.sub(r"\s*,\s*", ",", found[1])] if found else None


@cache
def _names(game: Game) -> tuple[re.Pattern[str], dict[str, int]]:
    """A pattern for all names of moves, the longest first, and the moves by these names without brackets."""
    names = {re.sub(r"[\[\]]", "", game.name(move)): move for move in range(len(game.paths))}
    if not game.picture.boards:
        names |= {place: game.paths.index((cell,)) for place, cell in _PLACES.items()}
    longest_first = sorted(names, key=len, reverse=True)
    typed = (re.escape(name).replace(",", r"\s*,\s*") for name in longest_first)
    return re.compile(rf"(?<!\w)(?<!\d,)({'|'.join(typed)})(?!\w|,\s*\d){_COUNTED}"), names
