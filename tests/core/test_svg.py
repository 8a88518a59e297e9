"""A position as a picture: its marks, the boards that may be played, the winning line."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from ninefold.core.palette import LIGHT
from ninefold.core.svg import svg
from ninefold.games import all_games, find_game

X_COLOUR, O_COLOUR, ON_SIDE = LIGHT.x, LIGHT.o, LIGHT.on_side


def shapes(game: str, text: str, *last: int) -> list[dict[str, str]]:
    """The attributes of everything that is drawn, after its tag."""
    root = ET.fromstring(svg(find_game(game), find_game(game).parse(text), last=last))  # noqa: S314 (our own text)
    return [{"tag": shape.tag.rpartition("}")[2], **shape.attrib} for shape in root.iter() if shape is not root]


def titles(game: str, text: str) -> list[str | None]:
    root = ET.fromstring(svg(find_game(game), find_game(game).parse(text)))  # noqa: S314 (our own text)
    return [shape.text for shape in root.iter() if shape.tag.endswith("}title")]


def count(found: list[dict[str, str]], tag: str, colour: str) -> int:
    return sum(shape["tag"] == tag and shape.get("stroke") == colour for shape in found)


@pytest.mark.parametrize("game", all_games())
def test_every_start_is_a_picture_without_marks(game: str) -> None:
    found = shapes(game, str(find_game(game).begin()))
    assert count(found, "path", X_COLOUR) == count(found, "circle", O_COLOUR) == 0


def test_a_cross_for_every_x_and_a_circle_for_every_o() -> None:
    found = shapes("classic", "XX./OO./X.. O")
    assert (count(found, "path", X_COLOUR), count(found, "circle", O_COLOUR)) == (3, 2)


def test_the_winning_line_goes_from_its_first_cell_to_its_last() -> None:
    (line,) = [shape for shape in shapes("classic", "XXX/OO./... O") if shape.get("stroke") == LIGHT.ink]
    assert line["d"] == "M17.5 17.5L77.5 17.5"
    assert not [shape for shape in shapes("classic", "XX./OO./... X") if shape.get("stroke") == LIGHT.ink]


def test_the_last_move_is_marked() -> None:
    assert sum(shape.get("fill") == LIGHT.last for shape in shapes("classic", "X../.../... O", 0)) == 1


def filled(found: list[dict[str, str]], colour: str) -> int:
    """How many squares have this colour."""
    return sum(shape["tag"] == "rect" and shape.get("fill") == colour for shape in found)


def test_the_boards_that_may_be_played_and_a_won_one_have_the_colour_of_their_side() -> None:
    boards = ["XXX......", "OO......."] + ["........."] * 7
    sent, free = (shapes("squared", f"{'/'.join(boards)} O {board}") for board in ("8", "*"))
    assert (filled(sent, O_COLOUR), filled(free, O_COLOUR)) == (1, 8)
    assert filled(sent, X_COLOUR) == 1
    assert count(sent, "path", ON_SIDE) == 3 + 1  # its marks, and a big one over the board


DRAWN = "/".join(["XOXXOOOXX", *["........."] * 8]) + " X 8"


def test_a_drawn_board_that_counts_for_both_has_the_colours_and_marks_of_both() -> None:
    found = shapes("squared", DRAWN)
    assert sum(shape.get("fill") == O_COLOUR for shape in found) == 1
    assert (count(found, "path", ON_SIDE), count(found, "circle", ON_SIDE)) == (5 + 1, 4 + 1)  # a big one each
    assert titles("squared", DRAWN) == ["drawn, counts for X and O"]


def test_a_drawn_board_that_counts_for_nobody_is_grey_and_crossed_out() -> None:
    found = shapes("ultimate", DRAWN)
    assert filled(found, LIGHT.grid) == 1
    assert (count(found, "path", ON_SIDE), count(found, "circle", ON_SIDE)) == (5, 4)
    assert count(found, "path", LIGHT.ink) == 1
    assert titles("ultimate", DRAWN) == ["drawn, counts for nobody"]


def test_a_won_board_says_by_whom() -> None:
    boards = ["XXX......", "OO......."] + ["........."] * 7
    assert titles("squared", f"{'/'.join(boards)} O 8") == ["won by X"]
