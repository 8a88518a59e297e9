"""What the texts of all positions share."""

from __future__ import annotations

import pytest

from ninefold.core.errors import Unreadable
from ninefold.core.notation import cells_of, grid_text, join, marks_of, split
from ninefold.core.position import O, X

VALUES, DEFAULTS = {"first": ("X", "O")}, {"first": "X"}


def test_a_text_is_taken_apart_and_slashes_are_for_the_eye() -> None:
    marks = ((0b11, 0b11000),)
    assert split("XX./OO./... X first=O", values=VALUES, defaults=DEFAULTS) == (marks, X, (), {"first": "O"})
    assert split("XX.OO.... X", values=VALUES, defaults=DEFAULTS) == (marks, X, (), {"first": "X"})


def test_marks_are_written_as_they_are_read() -> None:
    assert marks_of(0b11, 0b11000) == "XX.OO...."
    assert grid_text(0b11, 0b11000) == "XX./OO./..."
    assert cells_of(0b11, 0b11000)[:4] == (X, X, None, O)
    assert join("XX./OO./...", X, "*", first="O") == "XX./OO./... X * first=O"


@pytest.mark.parametrize(
    "text",
    [
        "", "XX./OO./...", "XX./OO./.. X", "XX./OO./.... X", "XY./OO./... X", "XX./OO./... Z", "XX./OO./... x",
        "XX./OO./... X first", "XX./OO./... X first=Z", "XX./OO./... X second=X", "XX./OO./... X first=X first=O",
        "XX./OO./... X first=",
        "XX./OO./... X 7", "X" * 2000,
    ],
)  # fmt: skip
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        split(text, values=VALUES, defaults=DEFAULTS)
    assert refused.value.reason == "not_a_position"
