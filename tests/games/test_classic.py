"""The rules of tic-tac-toe, and of the agents' game, in which a line does not end play."""

from __future__ import annotations

import pytest

from ninefold.core.errors import IllegalMove, Unreadable
from ninefold.core.position import O, Outcome, Position, Side, X
from ninefold.games import find_game

CLASSIC = find_game("classic")
AGENTS = find_game("agents")

LINES = [
    "XXX/.../...",
    ".../XXX/...",
    ".../.../XXX",
    "X../X../X..",
    ".X./.X./.X.",
    "..X/..X/..X",
    "X../.X./..X",
    "..X/.X./X..",
]


def cells_in(marks: str, mark: str) -> tuple[int, ...]:
    return tuple(cell for cell, shown in enumerate(marks.replace("/", "")) if shown == mark)


def ending(position: Position) -> Outcome:
    assert position.outcome is not None
    return position.outcome


def refusal(position: Position, move: int) -> IllegalMove:
    with pytest.raises(IllegalMove) as refused:
        position.play(move)
    return refused.value


def test_x_starts_on_an_empty_board_and_may_play_anywhere() -> None:
    start = CLASSIC.begin()
    assert start == CLASSIC.parse(".../.../... X")
    assert start.turn is X
    assert start.moves() == (0, 1, 2, 3, 4, 5, 6, 7, 8)


def test_o_starts_when_the_option_says_so() -> None:
    assert CLASSIC.begin({"first": "O"}).turn is O


def test_a_turn_places_one_mark_and_passes_the_turn() -> None:
    assert CLASSIC.begin().play(4).play(0) == CLASSIC.parse("O../.X./... X")


@pytest.mark.parametrize("mark", ["X", "O"])
@pytest.mark.parametrize("marks", LINES)
def test_three_in_a_row_wins_whichever_cell_comes_last(marks: str, mark: str) -> None:
    line = cells_in(marks, "X")
    for last in line:
        shown = "".join(mark if cell in line and cell != last else "." for cell in range(9))
        outcome = ending(CLASSIC.parse(f"{shown} {mark}").play(last))
        assert (outcome.winner, outcome.reason, outcome.lines) == (Side[mark], "line", (line,))


def test_two_in_a_row_and_a_mark_of_the_opponent_is_no_line() -> None:
    assert CLASSIC.parse("XXO/OO./X.. X").outcome is None


def test_after_a_line_nobody_moves() -> None:
    won = CLASSIC.parse("XX./OO./... X").play(2)
    assert won.moves() == ()


def test_the_last_cell_can_win() -> None:
    outcome = ending(CLASSIC.parse("XOX/OXO/OX. X").play(8))
    assert (outcome.winner, outcome.lines) == (X, ((0, 4, 8),))


def test_the_last_cell_can_complete_two_lines_at_once() -> None:
    outcome = ending(CLASSIC.parse("XX./OOX/OOX X").play(2))
    assert (outcome.winner, outcome.lines) == (X, ((0, 1, 2), (2, 5, 8)))


def test_a_full_board_without_a_line_is_a_draw() -> None:
    outcome = ending(CLASSIC.parse("XOX/XOO/OX. X").play(8))
    assert (outcome.winner, outcome.reason, outcome.lines) == (None, "full", ())


def test_an_outcome_is_told_in_the_numbers_of_the_game() -> None:
    assert CLASSIC.describe(ending(CLASSIC.parse("XX./OO./... X").play(2))).startswith("X wins")
    assert "1 2 3" in CLASSIC.describe(ending(CLASSIC.parse("XX./OO./... X").play(2)))
    assert CLASSIC.describe(ending(CLASSIC.parse("XOX/XOO/OX. X").play(8))).startswith("A draw")


def test_a_taken_cell_is_refused_with_whose_it_is_and_what_is_free() -> None:
    refused = refusal(CLASSIC.parse("X../.O./... X"), 4)
    assert refused.reason == "taken"
    assert refused.sentence == "Cell 5 is taken by O."
    assert refused.instead == "Free cells: 2 3 4 6 7 8 9."
    assert str(refused) == "Cell 5 is taken by O. Free cells: 2 3 4 6 7 8 9."


def test_ones_own_cell_is_taken_too() -> None:
    assert refusal(CLASSIC.parse("X../.O./... X"), 0).sentence == "Cell 1 is taken by X."


@pytest.mark.parametrize("move", [-1, 9, 10**6])
def test_a_cell_outside_the_board_is_refused(move: int) -> None:
    refused = refusal(CLASSIC.parse("X../.O./... X"), move)
    assert (refused.reason, refused.sentence) == ("outside", "That is outside the board.")
    assert refused.instead == "Free cells: 2 3 4 6 7 8 9."


@pytest.mark.parametrize("move", [0, 8, 9, -1])
@pytest.mark.parametrize("marks", ["XXX/OO./... O", "XOX/XOO/OXX O"])
def test_in_an_ended_game_that_it_has_ended_is_said_first(marks: str, move: int) -> None:
    refused = refusal(CLASSIC.parse(marks), move)
    assert (refused.reason, refused.sentence) == ("ended", "The game has ended.")


def test_coordinates_off_the_board_are_readable_and_refused() -> None:
    for text in ("3,0", "0,3", "[0,3]", "[-1,0]"):
        with pytest.raises(IllegalMove) as refused:
            CLASSIC.move_at(CLASSIC.begin(), CLASSIC.parse_move(text))
        assert refused.value.reason == "outside"


@pytest.mark.parametrize("text", ["", "0", "10", "12", " 5", "5 ", "²", "٣", "five", "e"])
def test_what_is_not_one_of_the_nine_numbers_cannot_be_read(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        CLASSIC.parse_move(text)
    assert refused.value.reason == "not_a_move"


def test_moves_are_called_1_to_9_from_the_top_left() -> None:
    assert [CLASSIC.name(move) for move in range(9)] == list("123456789")


@pytest.mark.parametrize(
    "text",
    [
        "", "X", ".../.../...", "...... X", ".../.../.... X", "xx./.../... X", ".../.../... Z", ".../.../... X first=Z",
        ".../.../... X early_draw=yes", ".../.../... X what", "XX./.../... X line_ends=no line=123",
        "XXX/.../... O line_ends=no line=X",
    ],
)  # fmt: skip
def test_what_is_no_position_cannot_be_read(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        CLASSIC.parse(text)
    assert refused.value.reason == "not_a_position"


def test_the_text_of_a_position_names_its_options() -> None:
    assert CLASSIC.parse("XX./OO./... X first=X line_ends=yes") == CLASSIC.parse("XX./OO./... X")
    assert CLASSIC.parse("XX./OO./... X line_ends=no") != CLASSIC.parse("XX./OO./... X")


def test_an_option_nobody_knows_is_refused() -> None:
    for options in ({"second": "X"}, {"first": "Z"}):
        with pytest.raises(Unreadable):
            CLASSIC.begin(options)


# The agents' game.


def test_the_agents_game_is_classic_where_o_starts_and_a_line_does_not_end_play() -> None:
    assert AGENTS.begin() == CLASSIC.begin({"first": "O", "line_ends": "no"})
    assert AGENTS.begin().turn is O
    assert AGENTS.settle_options()["claims"] == "yes"


def test_agents_call_cells_by_row_and_column_from_0() -> None:
    assert [AGENTS.name(move) for move in (0, 4, 5, 6)] == ["[0,0]", "[1,1]", "[1,2]", "[2,0]"]


def test_after_a_line_agents_play_on() -> None:
    position = AGENTS.parse("OO./XX./... O").play(2)
    assert position.outcome is None
    assert position.moves() == (5, 6, 7, 8)


def test_the_line_completed_first_wins_the_full_board_for_its_owner() -> None:
    position = AGENTS.parse("OO./XX./... O")
    for move in (2, 5, 6, 7, 8):  # O completes the top row, then X the middle one
        position = position.play(move)
    outcome = ending(position)
    assert (outcome.winner, outcome.reason, outcome.lines) == (O, "line", ((0, 1, 2),))


def test_the_second_player_can_have_the_first_line() -> None:
    position = AGENTS.parse("OO./XX./O.. X")
    for move in (5, 2, 7, 8):  # X completes the middle row, then O the top one
        position = position.play(move)
    assert ending(position).winner is X


def test_agents_draw_a_full_board_without_a_line() -> None:
    assert ending(AGENTS.parse("OXO/OXX/XO. O").play(8)).winner is None


def test_the_last_cell_can_win_for_an_agent() -> None:
    assert ending(AGENTS.parse("OXO/XOX/XO. O").play(8)).winner is O


def test_which_line_came_first_is_in_the_text_of_a_position() -> None:
    both = "OOO/XXX/... O"
    with pytest.raises(Unreadable):
        AGENTS.parse(both)
    first_o, first_x = AGENTS.parse(f"{both} line=123"), AGENTS.parse(f"{both} line=456")
    assert first_o != first_x
    for move in (6, 7, 8):
        first_o, first_x = first_o.play(move), first_x.play(move)
    assert (ending(first_o).winner, ending(first_x).winner) == (O, X)


def test_a_taken_cell_is_refused_in_the_agents_own_words() -> None:
    position = AGENTS.parse("O../.../... X")
    with pytest.raises(IllegalMove) as refused:
        AGENTS.move_at(position, AGENTS.parse_move("[0,0]"))
    assert refused.value.sentence == "Cell [0,0] is taken by O."
