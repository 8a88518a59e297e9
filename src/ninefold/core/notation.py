"""What the texts of all positions have in common: marks, whose turn, then options as ``name=value``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.grid import rows
from ninefold.core.position import O, Side, X

LONGEST = 1000


class Parts(NamedTuple):
    marks: tuple[tuple[int, int], ...]  # the cells of X and of O, board by board
    turn: Side
    words: tuple[str, ...]  # what a game adds of its own
    options: dict[str, str]


def split(
    text: str,
    *,
    values: Mapping[str, tuple[str, ...]],
    defaults: Mapping[str, str],
    boards: int = 1,
    more_words: int = 0,
) -> Parts:
    """Take a position's text apart. ``values`` are the options it may name, ``defaults`` fills in the rest."""
    if len(text) > LONGEST:
        raise Unreadable("not_a_position.too_long", most=LONGEST)
    words = text.split()
    if not words:
        raise Unreadable("not_a_position.too_short")
    marks = words[0].replace("/", "")
    if len(marks) != 9 * boards or set(marks) - set("XO."):
        raise Unreadable("not_a_position.marks", expected=9 * boards, found=len(marks))
    if len(words) < 2 or words[1] not in ("X", "O"):
        raise Unreadable("not_a_position.turn")
    named = [word.partition("=")[0] for word in words[2:] if "=" in word]
    if len(set(named)) != len(named):
        raise Unreadable("not_a_position.option_twice")
    options = {name: defaults[name] for name in values}
    plain = []
    for word in words[2:]:
        name, equals, value = word.partition("=")
        if equals and name in values and value in values[name]:
            options[name] = value
        elif equals:
            known = " ".join(
                f"{name}={'|'.join(few) if len(few) < 4 else name.upper()}" for name, few in values.items()
            )
            raise Unreadable("not_a_position.option", word=quoted(word), options=known)
        else:
            plain.append(word)
    if len(plain) != more_words:
        raise Unreadable("not_a_position.words", expected=2 + more_words, found=2 + len(plain))
    pairs = tuple(_masks(marks[start : start + 9]) for start in range(0, len(marks), 9))
    return Parts(pairs, Side[words[1]], tuple(plain), options)


def _masks(marks: str) -> tuple[int, int]:
    x, o = (sum(1 << cell for cell, mark in enumerate(marks) if mark == side.name) for side in (X, O))
    return x, o


def cells_of(x: int, o: int) -> tuple[Side | None, ...]:
    return tuple(X if x >> cell & 1 else O if o >> cell & 1 else None for cell in range(9))


def marks_of(x: int, o: int) -> str:
    return "".join("." if mark is None else mark.name for mark in cells_of(x, o))


def join(marks: str, turn: Side, *words: str, **options: str) -> str:
    """The text of a position: ``XX./OO./... X first=X``."""
    return " ".join([marks, turn.name, *words, *(f"{name}={value}" for name, value in options.items())])


def grid_text(x: int, o: int) -> str:
    return rows(marks_of(x, o))
