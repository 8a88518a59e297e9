"""The suites of openings: legal, not decided, none symmetric to another, and each says how it was made."""

from __future__ import annotations

import pytest

from ninefold.analysis.engine import LINE_VALUE, Engine
from ninefold.arena.opening_suite import (
    FOLDER,
    SUITES,
    image,
    play_opening,
    read_suite,
    suite_name,
    suite_openings,
    symmetric_key,
)
from ninefold.arena.openings import openings
from ninefold.core.grid import SYMMETRIES
from ninefold.games import find_game
from scripts.openings import make_suite


@pytest.mark.parametrize("name", SUITES)
def test_openings_are_legal_undecided_and_different_under_symmetry(name: str) -> None:
    game, options = SUITES[name]
    start = find_game(game).begin(options)
    book = read_suite(name)
    assert len(book) == 1000
    assert all(play_opening(start, opening).outcome is None for opening in book)
    assert len({symmetric_key(start, opening) for opening in book}) == len(book)


@pytest.mark.parametrize("name", SUITES)
def test_openings_are_balanced(name: str) -> None:
    """A sample, and less strictly than when the suite was made, because the engine changes."""
    game, options = SUITES[name]
    engine = Engine(2**20)
    for opening in read_suite(name)[::100]:
        engine.clear()
        best = engine.search(play_opening(find_game(game).begin(options), opening), nodes=20_000).lines[0]
        assert not best.proven
        assert abs(best.score) < LINE_VALUE / 4


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_names_the_command_that_made_it(name: str) -> None:
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert f"# Made by: python -m scripts.openings {name}\n" in written
    assert make_suite(name, 3).count("\n") == 6


def test_a_symmetry_keeps_lines_and_the_place_of_a_board_in_the_whole() -> None:
    assert len(set(SYMMETRIES)) == 8
    assert all(goes[4] == 4 and sorted(goes) == list(range(9)) for goes in SYMMETRIES)
    lines = {frozenset(line) for line in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8))}
    assert all({frozenset(goes[cell] for cell in line) for line in lines} == lines for goes in SYMMETRIES)
    assert image((0, 1), 1) == (SYMMETRIES[1][0] * 10, SYMMETRIES[1][0] * 9 + SYMMETRIES[1][1])


def test_the_rules_decide_the_suite_and_who_starts_does_not() -> None:
    assert suite_name(find_game("ultimate").begin({"tie_break": "boards", "first": "O"})) == "ultimate-boards"
    assert suite_name(find_game("squared").begin({"drawn": "nobody"})) == "ultimate"
    assert suite_name(find_game("classic").begin()) == ""


def test_after_all_openings_come_their_images_and_a_seed_changes_the_order() -> None:
    many = suite_openings("squared", 8000, 5)
    assert len(set(many)) > 7900  # an opening may be its own image
    assert many[1000] == image(many[0], 1)
    assert suite_openings("squared", 3, 6) != many[:3]


def test_rules_without_a_suite_have_random_openings_and_start_has_none() -> None:
    classic = find_game("classic")
    assert openings(classic, {}, 3, 1, "suite") == openings(classic, {}, 3, 1)
    assert openings(classic, {}, 2, 1, "start") == [(), ()]
