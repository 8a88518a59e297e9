"""The picture of what was tried in the search shows what the table says."""

from __future__ import annotations

from ninefold.arena.plot import plot
from scripts.search_plot import PAGE, PICTURE, read_tests


def test_a_row_without_a_name_belongs_to_the_change_above_it() -> None:
    page = (
        "| change, and what it was tested against | rules | pairs | LLR | Elo | test | kept |\n|---|---|\n"
        "| one | ultimate | 10 | +1.0 | +5 (-3 to +13) | H1 | yes |\n"
        "| | squared | 20 | -1.0 | 0 (-2 to +2) | H0 | no |\n\n| x |"
    )
    one, other = read_tests(page)
    assert (one.player, one.elo, one.low, one.high, one.games) == ("ultimate: one", 5, -3, 13, 20)
    assert (other.player, other.games) == ("squared: one", 40)


def test_the_picture_is_that_of_the_table() -> None:
    drawn = plot(list(read_tests(PAGE.read_text())), "Elo of each change of the search, with 95% intervals")
    assert PICTURE.read_text() == drawn
