"""The rules of Swap Nine, with the examples of its rule book."""

from __future__ import annotations

import pytest

from ninefold.core.errors import IllegalMove, Unreadable
from ninefold.core.position import O, Outcome, Position, X
from ninefold.games import find_game
from ninefold.games.swap_nine import majority

SWAP_NINE = find_game("swap-nine")
HALFWAY = "X.O/.O./..X X"  # a position with something of everything


def play(position: Position, *names: str) -> Position:
    for name in names:
        position = position.play(SWAP_NINE.move_at(position, SWAP_NINE.parse_move(name)))
    return position


def ending(position: Position) -> Outcome:
    assert position.outcome is not None
    return position.outcome


def refusal(text: str, name: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as refused:
        play(SWAP_NINE.parse(text), name)
    return refused.value


def names(text: str) -> list[str]:
    position = SWAP_NINE.parse(text)
    return [SWAP_NINE.name(move) for move in position.moves()]


# The examples of the rule book.


def test_example_turn() -> None:
    start = SWAP_NINE.begin()
    assert [SWAP_NINE.name(move) for move in start.moves()] == list("123456789")  # nothing to swap
    assert play(start, "5") == SWAP_NINE.parse(".../.X./... O")


def test_example_with_swap() -> None:
    before = SWAP_NINE.parse("X../.O./... X")
    assert play(before, "2x5") == SWAP_NINE.parse("XX./.X./... O")


def test_example_game_conclusion() -> None:
    outcome = ending(SWAP_NINE.parse("XXO/OXX/OOX O"))
    assert (outcome.winner, outcome.reason) == (X, "majority")
    assert SWAP_NINE.describe(outcome) == "X wins: 5 markers to 4."


def test_example_command_line_turns() -> None:
    after = play(SWAP_NINE.begin(), "5", "2x5")
    assert after == SWAP_NINE.parse(".O./.O./... X")


# The rules.


def test_x_starts_unless_it_was_agreed_otherwise() -> None:
    assert SWAP_NINE.begin().turn is X
    assert SWAP_NINE.begin({"first": "O"}).turn is O


def test_there_are_nine_placements_and_twenty_four_with_a_swap() -> None:
    assert len(SWAP_NINE.paths) == 33
    assert [len(path) for path in SWAP_NINE.paths] == [1] * 9 + [2] * 24
    assert SWAP_NINE.name(SWAP_NINE.paths.index((1, 4))) == "2x5"


def test_a_swap_is_optional() -> None:
    assert play(SWAP_NINE.parse("X../.O./... X"), "2") == SWAP_NINE.parse("XX./.O./... O")


def test_only_an_orthogonal_neighbour_of_the_opponents_can_be_taken() -> None:
    assert sorted(names("X../.O./... X")) == sorted(["2", "2x5", "3", "4", "4x5", "6", "6x5", "7", "8", "8x5", "9"])


def test_no_swap_reaches_around_the_edge_of_the_board() -> None:
    assert sorted(names("..O/.../... X")) == sorted(["1", "2", "2x3", "4", "5", "6", "6x3", "7", "8", "9"])


def test_several_markers_can_be_in_reach_and_one_of_them_is_taken() -> None:
    surrounded = ".O./O.O/.O. X"
    assert [name for name in names(surrounded) if name.startswith("5")] == ["5", "5x2", "5x4", "5x6", "5x8"]
    assert play(SWAP_NINE.parse(surrounded), "5x6") == SWAP_NINE.parse(".O./OXX/.O. O")


def test_o_takes_markers_of_x() -> None:
    assert play(SWAP_NINE.parse("X../.../... O"), "4x1") == SWAP_NINE.parse("O../O../... X")


def test_a_marker_taken_can_be_taken_back() -> None:
    assert play(SWAP_NINE.begin(), "5", "2x5", "4x5") == SWAP_NINE.parse(".O./XX./... O")


def test_three_in_a_row_means_nothing_here() -> None:
    assert SWAP_NINE.parse("XXX/OO./... O").outcome is None


def test_the_game_ends_when_all_nine_cells_are_full() -> None:
    position = SWAP_NINE.parse("XOX/OXO/XO. X")
    assert position.outcome is None
    assert play(position, "9").moves() == ()


def test_the_last_move_may_swap_and_the_swap_counts() -> None:
    outcome = ending(play(SWAP_NINE.parse("XOO/OXO/XO. X"), "9x8"))
    assert (outcome.winner, str(outcome.why)) == (X, "5 markers to 4")
    assert ending(play(SWAP_NINE.parse("XOO/OXO/XO. X"), "9")).winner is O


@pytest.mark.parametrize("x", range(10))
def test_more_markers_win_whoever_moved_last(x: int) -> None:
    for last in (X, O):
        outcome = majority(x, 9 - x, last)
        assert (outcome.winner, outcome.reason) == (X if x > 4 else O, "majority")


def test_of_equal_counts_the_player_who_did_not_make_the_last_move_wins() -> None:
    assert majority(4, 4, X).winner is O
    assert majority(4, 4, O).winner is X
    assert majority(4, 4, O).reason == "tie_break"


# Refusals.


def test_an_occupied_cell_is_refused_with_whose_it_is_and_what_is_free() -> None:
    for name in ("5", "5x3"):
        refused = refusal(HALFWAY, name)
        assert refused.reason == "taken"
        assert refused.sentence == "Cell 5 is taken by O."
        assert refused.instead == "Free cells: 2 4 6 7 8."
    assert refusal(HALFWAY, "1").sentence == "Cell 1 is taken by X."


@pytest.mark.parametrize("name", ["7x5", "7x3", "2x8", "7x9", "2x2", "4x3"])
def test_a_marker_that_is_not_adjacent_cannot_be_taken(name: str) -> None:
    refused = refusal(HALFWAY, name)
    assert refused.reason == "not_adjacent"
    assert f"Cell {name[2]} " in refused.sentence
    assert name[0] in refused.sentence
    assert refused.instead


def test_a_refused_swap_says_what_can_be_taken() -> None:
    assert refusal(HALFWAY, "2x9").instead == "From 2 you can take: 3 5."
    assert refusal(HALFWAY, "7x5").instead == "Play 7 without a swap."


@pytest.mark.parametrize("name", ["2x1", "7x8", "8x9"])
def test_ones_own_marker_and_an_empty_cell_cannot_be_taken(name: str) -> None:
    refused = refusal(HALFWAY, name)
    assert refused.reason == "not_opponents"
    assert refused.sentence == f"There is no marker of O on cell {name[2]}."


@pytest.mark.parametrize("name", ["2x5x3", "2x3x5x8"])
def test_more_than_one_swap_is_refused(name: str) -> None:
    refused = refusal(HALFWAY, name)
    assert refused.reason == "two_swaps"
    assert "one" in refused.sentence
    assert refused.instead == "From 2 you can take: 3 5."


@pytest.mark.parametrize("name", ["3,0", "[0,3]", "0,1x3,0"])
def test_coordinates_outside_are_readable_and_refused(name: str) -> None:
    assert refusal(HALFWAY, name).reason == "outside"


@pytest.mark.parametrize("move", [-1, 33, 10**6])
def test_a_move_outside_is_refused(move: int) -> None:
    with pytest.raises(IllegalMove) as refused:
        SWAP_NINE.begin().play(move)
    assert (refused.value.reason, refused.value.sentence) == ("outside", "That is outside the board.")


@pytest.mark.parametrize("name", ["1", "1x2", "3,0"])
def test_in_an_ended_game_that_it_has_ended_is_said_first(name: str) -> None:
    refused = refusal("XXO/OXX/OOX O", name)
    assert (refused.reason, refused.sentence) == ("ended", "The game has ended.")


@pytest.mark.parametrize("name", ["", "0", "x", "2x", "x5", "25", "2X5", "2 x5", "2x٣", "2xx5"])
def test_what_is_not_a_placement_with_or_without_a_swap_cannot_be_read(name: str) -> None:
    with pytest.raises(Unreadable) as refused:
        SWAP_NINE.parse_move(name)
    assert refused.value.reason == "not_a_move"


@pytest.mark.parametrize("text", ["", ".../.../...", ".../.../.. X", ".../.../... X 5", ".../.../... X line_ends=no"])
def test_what_is_no_position_cannot_be_read(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        SWAP_NINE.parse(text)
    assert refused.value.reason == "not_a_position"
