"""The rules of Tic-Tac-Toe Squared, and of ultimate tic-tac-toe, its sibling."""

from __future__ import annotations

import random
from typing import cast

import pytest

from ninefold.core.errors import IllegalMove, Unreadable
from ninefold.core.game import Game
from ninefold.core.position import BoardOfBoards, O, Outcome, Position, X
from ninefold.games import find_game

SQUARED = find_game("squared")
ULTIMATE = find_game("ultimate")
BOTH_GAMES = pytest.mark.parametrize("game", [SQUARED, ULTIMATE], ids=["squared", "ultimate"])

# A small board for a letter: won, drawn, empty, with one mark in its corner 7, or waiting for a last mark in its
# corner 3: x is won there by X, o by O, w by X with the board's very last cell, d is drawn whoever plays there.
SMALL = {
    "X": "XXX......", "O": "OOO......", "D": "XOXXOOOXX", ".": ".........", "a": "X........",
    "x": "X...X....", "o": "O...O....", "w": "XOXOXOOX.", "d": "XOXXOOOX.",
}  # fmt: skip


def text(boards: str, turn: str = "X", sent: str = "*", options: str = "") -> str:
    """A position's text from nine letters, as one looks at the big board: ``XX./.../...``."""
    return f"{'/'.join(SMALL[letter] for letter in boards.replace('/', ''))} {turn} {sent} {options}"


def play(position: Position, *names: str) -> Position:
    for name in names:
        position = position.play(SQUARED.move_at(position, SQUARED.parse_move(name)))
    return position


def playable(position: Position) -> set[str]:
    """The boards that may be played in, by their numpad numbers."""
    return {SQUARED.name(move)[0] for move in position.moves()}


def owners(position: Position) -> tuple[str, ...]:
    return cast("BoardOfBoards", position).owners


def ending(position: Position) -> Outcome:
    assert position.outcome is not None
    return position.outcome


def refusal(position: Position, name: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as refused:
        play(position, name)
    return refused.value


# Where one may play.


@BOTH_GAMES
def test_x_starts_anywhere(game: Game) -> None:
    assert game.begin().turn is X
    assert game.begin().moves() == tuple(range(81))


def test_boards_and_cells_are_numbered_as_on_the_numpad() -> None:
    assert [SQUARED.name(move) for move in (0, 7 * 9 + 0, 80)] == ["77", "27", "33"]
    assert SQUARED.parse_move("27") == (7, 0)


@BOTH_GAMES
def test_the_cell_sends_the_opponent_to_the_board_in_that_place(game: Game) -> None:
    position = play(game.begin(), "27")  # the example of the document
    assert position.turn is O
    assert playable(position) == {"7"}
    assert len(position.moves()) == 9
    assert playable(play(position, "76")) == {"6"}


def test_a_player_can_be_sent_to_the_board_just_played_in() -> None:
    position = play(SQUARED.begin(), "55")
    assert [SQUARED.name(move) for move in position.moves()] == [f"5{cell}" for cell in "78946123"]


@BOTH_GAMES
@pytest.mark.parametrize("dead", ["X", "O", "D"])
def test_sent_to_a_dead_board_you_may_play_anywhere(game: Game, dead: str) -> None:
    position = play(game.parse(text(f"{dead}../.../...", "X", "5")), "57")
    assert playable(position) == set("89456123")


@BOTH_GAMES
@pytest.mark.parametrize("dying", ["x", "w", "d"])
def test_sent_to_the_board_this_very_move_killed_you_may_play_anywhere(game: Game, dying: str) -> None:
    position = play(game.parse(text(f".../.../..{dying}", "X", "3")), "33")
    assert playable(position) == set("78945612")


def test_anywhere_is_every_free_cell_of_every_live_board() -> None:
    position = SQUARED.parse(text("XO./D.a/..."))
    assert playable(position) == set("956123")
    assert [SQUARED.name(move) for move in position.moves() if move // 9 == 5] == [f"6{cell}" for cell in "89456123"]


def test_a_dead_board_shows_who_owns_it() -> None:
    assert owners(SQUARED.parse(text("XOD/a../..."))) == ("X", "O", "XO", "", "", "", "", "", "")
    assert owners(ULTIMATE.parse(text("XOD/a../..."))) == ("X", "O", "=", "", "", "", "", "", "")


@pytest.mark.parametrize(
    ("board", "turn", "owner"), [("x", "X", "X"), ("o", "O", "O"), ("w", "X", "X"), ("d", "O", "XO")]
)
def test_a_board_dies_with_its_line_or_its_last_cell(board: str, turn: str, owner: str) -> None:
    assert owners(play(SQUARED.parse(text(f"{board}../.../...", turn, "7")), "73"))[0] == owner


def test_the_opponents_mark_on_the_third_cell_wins_nothing() -> None:
    assert owners(play(SQUARED.parse(text("x../.../...", "O", "7")), "73"))[0] == ""


# How the game ends.


@BOTH_GAMES
def test_three_won_boards_in_a_row_win(game: Game) -> None:
    outcome = ending(play(game.parse(text("XXx/OO./...", "X", "9")), "93"))
    assert (outcome.winner, outcome.reason, outcome.lines) == (X, "lines", ((0, 1, 2),))


@BOTH_GAMES
def test_o_wins_by_boards_in_a_row_as_well(game: Game) -> None:
    assert ending(play(game.parse(text("OXX/.O./..o", "O", "3")), "33")).winner is O


@BOTH_GAMES
def test_one_board_can_complete_two_lines(game: Game) -> None:
    outcome = ending(play(game.parse(text("XXx/..X/..X", "X", "9")), "93"))
    assert (outcome.winner, outcome.lines) == (X, ((0, 1, 2), (2, 5, 8)))


@BOTH_GAMES
def test_after_the_end_nobody_moves(game: Game) -> None:
    over = play(game.parse(text("XXx/OO./...", "X", "9")), "93")
    assert over.moves() == ()
    assert cast("BoardOfBoards", over).open_boards == ()


def test_in_squared_a_drawn_board_counts_for_x_and_for_o() -> None:
    assert ending(play(SQUARED.parse(text("XDx/.../...", "X", "9")), "93")).winner is X
    assert ending(play(SQUARED.parse(text("ODo/.../...", "O", "9")), "93")).winner is O


def test_in_ultimate_a_drawn_board_counts_for_nobody() -> None:
    assert play(ULTIMATE.parse(text("XDx/.../...", "X", "9")), "93").outcome is None
    assert play(ULTIMATE.parse(text("XXd/..O/..O", "X", "9")), "93").outcome is None


def test_drawing_a_board_can_complete_ones_own_line() -> None:
    assert ending(play(SQUARED.parse(text("XXd/O../...", "X", "9")), "93")).winner is X


def test_the_player_who_just_moved_can_lose_by_that_move() -> None:
    outcome = ending(play(SQUARED.parse(text("OOd/X../...", "X", "9")), "93"))
    assert (outcome.winner, outcome.reason, outcome.lines) == (O, "lines", ((0, 1, 2),))


@pytest.mark.parametrize("mover", ["X", "O"])
def test_of_lines_completed_at_the_same_time_more_win_whoever_moved(mover: str) -> None:
    outcome = ending(play(SQUARED.parse(text("XXd/.OO/O.O", mover, "9")), "93"))
    assert (outcome.winner, outcome.lines) == (O, ((2, 5, 8), (2, 4, 6)))


@pytest.mark.parametrize("mover", ["X", "O"])
@pytest.mark.parametrize("options", ["", "tie_break=boards"])
def test_equal_lines_are_a_draw(mover: str, options: str) -> None:
    outcome = ending(play(SQUARED.parse(text("XXd/..O/X.O", mover, "9", options)), "93"))
    assert (outcome.winner, outcome.reason) == (None, "equal_lines")
    assert set(outcome.lines) == {(0, 1, 2), (2, 5, 8)}


def test_three_drawn_boards_in_a_row_are_a_line_for_both_and_a_draw() -> None:
    assert ending(play(SQUARED.parse(text("DDd/.../...", "X", "9")), "93")).reason == "equal_lines"
    assert play(ULTIMATE.parse(text("DDd/.../...", "X", "9")), "93").outcome is None


@BOTH_GAMES
@pytest.mark.parametrize("last", ["x", "d"])
def test_all_boards_dead_without_a_line_is_a_draw(game: Game, last: str) -> None:
    outcome = ending(play(game.parse(text(f"XOX/XOO/OX{last}", "X", "3")), "33"))
    assert (outcome.winner, outcome.reason, outcome.lines) == (None, "full", ())


@BOTH_GAMES
def test_with_tie_break_boards_the_player_with_more_boards_wins_the_dead_board(game: Game) -> None:
    more_x = ending(play(game.parse(text("XOX/XOO/OXx", "X", "3", "tie_break=boards")), "33"))
    more_o = ending(play(game.parse(text("OXO/OXX/XOo", "O", "3", "tie_break=boards")), "33"))
    assert (more_x.winner, more_x.reason) == (X, "boards")
    assert (more_o.winner, more_o.reason) == (O, "boards")


@BOTH_GAMES
def test_with_tie_break_boards_equally_many_boards_are_a_draw(game: Game) -> None:
    assert ending(play(game.parse(text("XOX/XOO/OXd", "X", "3", "tie_break=boards")), "33")).winner is None


@BOTH_GAMES
def test_the_tie_break_waits_until_all_boards_are_dead_and_a_line_beats_it(game: Game) -> None:
    assert game.parse(text("XOX/XO./...", "X", "*", "tie_break=boards")).outcome is None
    assert ending(play(game.parse(text("OOo/X.X/XX.", "O", "9", "tie_break=boards")), "93")).winner is O


def test_squared_and_ultimate_are_one_set_of_rules_with_a_parameter() -> None:
    assert SQUARED.begin({"drawn": "nobody"}) == ULTIMATE.begin()
    assert ULTIMATE.begin({"drawn": "both"}) == SQUARED.begin()


def test_an_outcome_is_told_in_numpad_numbers() -> None:
    told = SQUARED.describe(ending(play(SQUARED.parse(text("XXx/OO./...", "X", "9")), "93")))
    assert told.startswith("X wins")
    assert "7 8 9" in told


# Refusals.


@pytest.mark.parametrize(("dead", "why"), [("X", "won by X"), ("O", "won by O"), ("D", "drawn")])
def test_a_dead_board_is_refused_with_how_it_died(dead: str, why: str) -> None:
    refused = refusal(SQUARED.parse(text(f"{dead}../.../...")), "73")
    assert refused.reason == "dead_board"
    assert "Board 7 is dead" in refused.sentence
    assert why in refused.sentence
    assert "8 9 4 5 6 1 2 3" in refused.instead


def test_another_board_than_the_one_sent_to_is_refused() -> None:
    refused = refusal(SQUARED.parse(text(".../.../...", "X", "5")), "77")
    assert refused.reason == "wrong_board"
    assert refused.sentence == "You were sent to board 5."
    assert refused.instead == "Boards that can be played: 5."


def test_a_taken_cell_is_refused_with_whose_it_is_and_what_is_free() -> None:
    refused = refusal(SQUARED.parse(text(".../..a/...", "O", "6")), "67")
    assert refused.reason == "taken"
    assert refused.sentence == "Cell 7 of board 6 is taken by X."
    assert refused.instead == "Free cells in board 6: 8 9 4 5 6 1 2 3."


@pytest.mark.parametrize("move", [-1, 81, 10**6])
def test_a_move_outside_is_refused(move: int) -> None:
    with pytest.raises(IllegalMove) as refused:
        SQUARED.begin().play(move)
    assert refused.value.reason == "outside"
    assert refused.value.sentence == "That is outside the board."


@pytest.mark.parametrize("name", ["[3,0][0,0]", "[0,0][0,3]", "0,03,0"])
def test_coordinates_outside_are_readable_and_refused(name: str) -> None:
    assert refusal(SQUARED.begin(), name).reason == "outside"


@pytest.mark.parametrize("name", ["73", "11", "[3,0][0,0]"])
def test_in_an_ended_game_that_it_has_ended_is_said_first(name: str) -> None:
    refused = refusal(SQUARED.parse(text("XXX/.../...", "O")), name)
    assert (refused.reason, refused.sentence) == ("ended", "The game has ended.")


@pytest.mark.parametrize("name", ["", "5", "555", "07", "5x5", "5 5", "55 ", "٣٣"])
def test_what_is_not_a_board_and_a_cell_cannot_be_read(name: str) -> None:
    with pytest.raises(Unreadable) as refused:
        SQUARED.parse_move(name)
    assert refused.value.reason == "not_a_move"


@pytest.mark.parametrize(
    "wrong",
    [
        text("X../.../...", "X", "7"),  # nobody is sent to a dead board
        text(".../.../...", "X", "0"),
        text(".../.../...", "X", ""),
        text(".../.../...", "X", "5 5"),
        text(".../.../...", "X", "5", "drawn=half"),
        text(".../.../...").replace(SMALL["."], "XXXOOO...", 1),  # one board with two lines
        ".../.../... X *",
    ],
)
def test_what_is_no_position_cannot_be_read(wrong: str) -> None:
    with pytest.raises(Unreadable) as refused:
        SQUARED.parse(wrong)
    assert refused.value.reason == "not_a_position"


def test_a_position_that_cannot_arise_says_why() -> None:
    assert SQUARED.impossible is not None
    assert SQUARED.impossible(SQUARED.begin()) is None
    assert SQUARED.impossible(play(SQUARED.begin(), "27", "76")) is None
    assert SQUARED.impossible(SQUARED.parse(text("a../.../...", "X", "7")))  # X would have moved twice in a row
    assert SQUARED.impossible(SQUARED.parse(text(".../.../...", "X", "5")))  # nobody has sent X there
    assert SQUARED.impossible(SQUARED.parse(text("a../.../...", "O", "5")))  # cell 7 sends to board 7


# The document once more, read plainly: marks in lists, everything looked up again at every turn.

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def lines_of(scoring: list[str], mark: str) -> int:
    return sum(all(mark in scoring[place] for place in row) for row in ROWS)


def scored(board: list[str], drawn: str) -> str:
    for mark in "XO":
        if lines_of(board, mark):
            return mark
    return drawn if all(board) else ""


def verdict(boards: list[list[str]], drawn: str) -> str | None:
    """X, O or = (a draw), or None while the game goes on."""
    big = [scored(board, drawn) for board in boards]
    x, o = lines_of(big, "X"), lines_of(big, "O")
    if not x and not o and not all(big):
        return None
    return "X" if x > o else "O" if o > x else "="


@pytest.mark.parametrize("seed", range(60))
@BOTH_GAMES
def test_random_games_go_as_a_plain_reading_of_the_rules_says(game: Game, seed: int) -> None:
    drawn = "XO" if game is SQUARED else "-"
    rng = random.Random(seed)
    position, boards, sent, turn = game.begin(), [[""] * 9 for _ in range(9)], -1, "X"
    while verdict(boards, drawn) is None:
        live = [board for board in range(9) if not scored(boards[board], drawn)]
        legal = [
            (board, cell)
            for board in ([sent] if sent in live else live)
            for cell in range(9)
            if not boards[board][cell]
        ]
        assert [game.paths[move] for move in position.moves()] == legal
        assert position.turn.name == turn
        board, cell = legal[int(rng.random() * len(legal))]
        boards[board][cell], sent, turn = turn, cell, "O" if turn == "X" else "X"
        position = position.play(game.paths.index((board, cell)))
    winner = ending(position).winner
    assert ("=" if winner is None else winner.name) == verdict(boards, drawn)
