"""The console, game by game, with the examples of the rule documents as transcripts."""

from __future__ import annotations

import re

import pytest

from console import play, terminal
from ninefold.core import Side
from ninefold.games import all_games, find_game
from ninefold.render import Look, picture
from ninefold.terminal.menu import ask_sign, choose, pick
from ninefold.terminal.prompt import EndOfInput, Left

EMPTY = "1 | 2 | 3\n4 | 5 | 6\n7 | 8 | 9\n"
X_ON_5 = "1 | 2 | 3\n4 | X | 6\n7 | 8 | 9\n"


# Classic


def test_the_empty_grid_shows_the_numbers_of_its_cells() -> None:
    assert EMPTY in play("classic").text


def test_the_first_chance_played_on_cell_5_puts_an_x_there() -> None:
    assert X_ON_5 in play("classic", "5").text


@pytest.mark.parametrize(("typed", "sign"), [("X", Side.X), ("O", Side.O), ("x", Side.X), ("o", Side.O)])
def test_player_1_selects_a_sign(typed: str, sign: Side) -> None:
    assert ask_sign(terminal(typed)[0], find_game("classic")) is sign


def test_a_sign_that_is_neither_x_nor_o_is_asked_again() -> None:
    keyboard, screen = terminal("Z", " X", "", "XO", "O")
    assert ask_sign(keyboard, find_game("classic")) is Side.O
    assert screen.getvalue().count("is neither X nor O") == 4


def test_player_2_gets_the_other_sign_and_x_starts() -> None:
    seen = play("classic", "5", player_1=Side.O)
    assert "Player 2 (X), choose a cell (1 2 3 4 5 6 7 8 9): 5" in seen.text
    assert "Player 1 (O), choose a cell (1 2 3 4 6 7 8 9): " in seen.text


INVALID = {
    "space before": " 5", "space after": "5 ", "two digits": "10", "superscript": "²", "other digits": "٣", "empty": "",
    "a letter": "a", "negative": "-1", "zero": "0", "row and column": "1,1", "plus": "+5", "special": "#", "tab": "5\t",
    "very long": "5" * 10_000,
}  # fmt: skip


@pytest.mark.parametrize("line", INVALID.values(), ids=INVALID.keys())
def test_an_invalid_input_is_asked_again_and_changes_nothing(line: str) -> None:
    seen = play("classic", line)
    assert seen.moves == []
    assert seen.text.count("Player 1 (X), choose a cell") == 2
    assert "is not a number from 1 (top left) to 9 (bottom right)." in seen.text
    assert len(seen.text.replace(line, "", 1)) < 500


def test_a_very_long_line_is_one_answer_not_many() -> None:
    assert play("classic", "1" * 100_000, "5").moves == ["5"]


def test_a_taken_cell_is_refused_with_its_owner_and_the_free_cells() -> None:
    seen = play("classic", "5", "5")
    assert "Cell 5 is taken by X. Free cells: 1 2 3 4 6 7 8 9." in seen.text
    assert seen.moves == ["5"]


def test_the_closing_line_says_who_won_and_why() -> None:
    assert play("classic", "1", "4", "2", "5", "3").last_line == "X wins: three in a row (1 2 3)."


def test_the_last_cell_can_win() -> None:
    seen = play("classic", "1", "2", "3", "4", "5", "6", "8", "7", "9", options={"early_draw": "no"})
    assert seen.last_line == "X wins: three in a row (1 5 9)."
    assert len(seen.moves) == 9


def test_a_full_board_without_a_line_is_a_draw() -> None:
    seen = play("classic", "1", "5", "9", "8", "2", "3", "7", "4", "6", options={"early_draw": "no"})
    assert seen.last_line == "A draw: the board is full and nobody has three in a row."


def test_an_early_draw_is_announced_with_one_line_that_says_why() -> None:
    seen = play("classic", "1", "5", "9", "8", "2", "3", "7", "4")
    assert seen.last_line == "A draw: nobody can win any more."
    assert seen.text.count("nobody can win any more") == 1
    assert len(seen.moves) < 9


# Squared

SQUARED_EMPTY = """\
       #       #
  ...  #  ...  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
#######################
       #       #
  ...  #  ...  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
#######################
       #       #
  ...  #  ...  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
"""

SENT_TO_THE_TOP_LEFT = r"""
 /---\ #       #
 |...| #  ...  #  ...
 |...| #  ...  #  ...
 |...| #  ...  #  ...
 \---/ #       #
#######################
       #       #
  ...  #  ...  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
#######################
       #       #
  ...  #  X..  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
"""

BOARD_2_SELECTED = r"""
       #       #
  ...  #  ...  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
#######################
       #       #
  ...  #  ...  #  ...
  ...  #  ...  #  ...
  ...  #  ...  #  ...
       #       #
#######################
       # /---\ #
  ...  # |...| #  ...
  ...  # |...| #  ...
  ...  # |...| #  ...
       # \---/ #
"""

FRAMED_ROW = r"""
 /---\ # /---\ # /---\
 |...| # |...| # |...|
 |...| # |...| # |...|
 |...| # |...| # |...|
 \---/ # \---/ # \---/
"""
X_WINS_BOARD_7 = ("7", "1", "7", "2", "7", "3")  # O answers on boards 1 and 2, each time with cell 7


def without_frames(text: str) -> str:
    """The picture with its frames wiped off, and what trails on a line then."""
    return "\n".join(re.sub(r"[/\\|-]", " ", line).rstrip() for line in text.split("\n"))


def test_at_the_start_every_board_may_be_played_and_is_framed() -> None:
    start = "#######################".join([FRAMED_ROW] * 3)
    assert play("squared").text.startswith(start)
    assert without_frames(start).lstrip("\n") == SQUARED_EMPTY


def test_a_chosen_board_becomes_the_only_selected_board() -> None:
    seen = play("squared", "2")
    assert BOARD_2_SELECTED in seen.text
    assert "Player 1 (X), choose a cell in board 2 (7 8 9 4 5 6 1 2 3): e" in seen.text


def test_board_2_cell_7_sends_player_2_to_the_top_left_board() -> None:
    seen = play("squared", "2", "7")
    assert seen.moves == ["27"]
    assert SENT_TO_THE_TOP_LEFT in seen.text


def test_the_board_is_not_asked_for_when_only_one_can_be_played() -> None:
    seen = play("squared", "2", "7", "5")
    assert seen.moves == ["27", "75"]
    assert seen.text.count("choose a board") == 1


def test_a_dead_board_stands_in_its_owners_marks() -> None:
    seen = play("squared", *X_WINS_BOARD_7)
    assert seen.moves == ["71", "17", "72", "27", "73"]
    top = picture(seen.match.game, seen.match.position).split("\n")[:5]
    assert [line[:8] for line in top] == ["XXXXXXX#", "X ... X#", "X ... X#", "X XXX X#", "XXXXXXX#"]


def test_a_drawn_board_of_squared_shows_both_owners_and_of_ultimate_neither() -> None:
    marks = "/".join(["XOXXOOOXX", *["........."] * 8])
    for game, corner in (("squared", "XOXOXOX"), ("ultimate", "=======")):
        position = find_game(game).parse(f"{marks} O *")
        assert picture(find_game(game), position).startswith(corner)


def test_sent_to_a_dead_board_the_player_chooses_any_live_one() -> None:
    seen = play("squared", *X_WINS_BOARD_7, "7", "7", "4")
    assert "Player 1 (X), choose a board (8 9 4 5 6 1 2 3): 7\nBoard 7 is dead: it was won by X." in seen.text
    assert "Player 1 (X), choose a cell in board 4" in seen.text


def test_a_taken_cell_of_a_board_is_asked_again_in_the_same_board() -> None:
    seen = play("squared", "5", "5", "5")
    assert "Cell 5 of board 5 is taken by X. Free cells in board 5: 7 8 9 4 6 1 2 3." in seen.text
    assert seen.text.count("Player 2 (O), choose a cell in board 5") == 2


# Swap Nine

SWAP_EMPTY = """
 1 | 2 | 3
-----------
 4 | 5 | 6
-----------
 7 | 8 | 9
"""
SWAP_X_ON_5 = """
 1 | 2 | 3
-----------
 4 | X | 6
-----------
 7 | 8 | 9
"""
SWAP_2_TAKES_5 = """
 1 | O | 3
-----------
 4 | O | 6
-----------
 7 | 8 | 9
"""
DASHES_EMPTY = """
 - | - | -
-----------
 - | - | -
-----------
 - | - | -
"""
DASHES_X_ON_5 = """
 - | - | -
-----------
 - | X | -
-----------
 - | - | -
"""
DASHES_BEFORE_SWAP = """
 X | - | -
-----------
 - | O | -
-----------
 - | - | -
"""
DASHES_AFTER_SWAP = """
 X | X | -
-----------
 - | X | -
-----------
 - | - | -
"""
PLAYER_1 = "Player 1 (X), enter the number of the cell where you want to place your marker:"
PLAYER_2 = "Player 2 (O), enter the number of the cell where you want to place your marker:"
DASHES = Look(blank="-")


def test_swap_nine_starts_asks_and_swaps_as_its_document_shows() -> None:
    seen = play("swap-nine", "5", "2", "5")
    shown = [SWAP_EMPTY, f"{PLAYER_1} 5\n", SWAP_X_ON_5, f"{PLAYER_2} 2\n", SWAP_2_TAKES_5, f"{PLAYER_1} e"]
    places = [seen.text.find(part) for part in shown]
    assert -1 not in places
    assert places == sorted(places)
    assert seen.moves == ["5", "2x5"]


def test_the_example_turn_with_dashes_has_no_swap_to_ask_for() -> None:
    seen = play("swap-nine", "5", look=DASHES)
    assert DASHES_EMPTY in seen.text
    assert DASHES_X_ON_5 in seen.text
    assert "marker to swap" not in seen.text


def test_the_example_with_swap_with_dashes() -> None:
    seen = play("swap-nine", "1", "5", "2", "5", look=DASHES)
    assert DASHES_BEFORE_SWAP in seen.text
    assert DASHES_AFTER_SWAP in seen.text
    assert seen.text.count("marker to swap") == 1


def test_the_swap_question_names_the_markers_that_can_be_taken() -> None:
    assert (
        "Player 2 (O), enter the number of the marker to swap (5), or press Enter" in play("swap-nine", "5", "2").text
    )


def test_an_empty_line_declines_the_swap() -> None:
    seen = play("swap-nine", "5", "2", "")
    assert seen.moves == ["5", "2"]
    assert " 1 | O | 3\n-----------\n 4 | X | 6\n" in seen.text


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("9", "Cell 9 is not directly above, below, left or right of 2."),
        ("1", "There is no marker of X on cell 1."),
        ("2", "Cell 2 is not directly above, below, left or right of 2."),
        ("x", "'x' is not a number from 1 (top left) to 9 (bottom right)."),
        (" ", "' ' is not a number from 1 (top left) to 9 (bottom right)."),
    ],
)
def test_a_wrong_swap_is_refused_and_asked_again(wrong: str, why: str) -> None:
    seen = play("swap-nine", "5", "2", wrong, "5")
    assert why in seen.text
    assert seen.text.count("marker to swap") == 2
    assert seen.moves == ["5", "2x5"]


def test_an_occupied_cell_must_be_chosen_again() -> None:
    seen = play("swap-nine", "5", "5", "1")
    assert "Cell 5 is taken by X. Free cells: 1 2 3 4 6 7 8 9." in seen.text
    assert seen.moves == ["5", "1"]


def test_an_empty_line_declines_nothing_where_a_cell_is_asked_for() -> None:
    assert play("swap-nine", "", "5").moves == ["5"]


def test_the_final_grid_of_the_document_wins_for_player_1_with_5_markers() -> None:
    seen = play("swap-nine", "1", "3", "2", "", "4", "", "5", "", "7", "", "6", "", "8", "", "9", "")
    assert " X | X | O\n-----------\n O | X | X\n-----------\n O | O | X\n" in seen.text
    assert seen.last_line == "X wins: 5 markers to 4."


# The agents' game

AGENTS_EMPTY = """
[0,0] | [0,1] | [0,2]
------+-------+------
[1,0] | [1,1] | [1,2]
------+-------+------
[2,0] | [2,1] | [2,2]
"""
TOP = "[0,0][0,1][0,2]"
LINE_NAMES = ["Row 1", "Row 2", "Row 3", "Col 1", "Col 2", "Col 3", "Diagonal", "Anti-diagonal"]
O_HAS_THE_TOP = ("[0,0]", "[1,0]", "[0,1]", "[1,1]", "[0,2]")


def checklists(text: str) -> list[list[str]]:
    """The checklists on a screen, each as the names of its lines."""
    names = re.findall(
        r"^  (Row [123]|Col [123]|Diagonal|Anti-diagonal)\b.*(?:three [XO]|broken|not three)$", text, re.MULTILINE
    )
    return [names[start : start + 8] for start in range(0, len(names), 8)]


def verdict(*lines: str) -> tuple[str, str]:
    """The referee's reason code and words for the claim that these lines make."""
    seen = play("agents", *lines)
    assert seen.match.state.last_claim
    told = re.search(r"^The referee: (.*)$", seen.text, re.MULTILINE)
    assert told
    return seen.match.state.last_claim[1], told[1]


def test_the_empty_board_of_the_agents_shows_row_and_column() -> None:
    assert AGENTS_EMPTY in play("agents").text


def test_o_goes_first_among_agents() -> None:
    assert "Player 2 (O), place at [row,col], or claim: [1,1]" in play("agents", "[1,1]").text


def test_a_whole_game_a_claim_and_its_confirmation() -> None:
    seen = play("agents", *O_HAS_THE_TOP, f"claim O {TOP}", "confirm")
    assert "Player 2 (O) claims victory with [0,0] [0,1] [0,2]." in seen.text
    assert "Player 1 (X), type confirm, or dispute and why (the claimant may withdraw): confirm" in seen.text
    assert seen.last_line == "O wins: a true claim ([0,0] [0,1] [0,2])."
    assert checklists(seen.text) == [LINE_NAMES]


def test_a_line_that_nobody_claims_does_not_end_the_game() -> None:
    seen = play("agents", *O_HAS_THE_TOP, "[2,2]")
    assert len(seen.moves) == 6


@pytest.mark.parametrize(
    ("moves", "cells", "code", "words"),
    [
        (("[0,0]", "[0,1]", "[0,2]"), TOP, "broken", "X breaks the line"),
        (("[0,0]", "[1,0]", "[0,1]"), TOP, "only_two", "Only two"),
        (("[0,0]", "[1,0]", "[0,2]"), TOP, "gap", "gap in the middle"),
        (("[0,0]", "[0,1]", "[1,1]", "[0,2]", "[2,0]"), "[0,0][1,1][2,0]", "not_a_line", "not a line"),
        (("[1,0]", "[0,0]", "[1,1]", "[0,1]", "[2,2]", "[0,2]"), TOP, "all_opponents", "are X's"),
    ],
    ids=["O X O", "O O _", "O _ O", "[0,0] [1,1] [2,0]", "X X X"],
)
def test_an_invalid_win_is_refused_with_its_own_reason(
    moves: tuple[str, ...], cells: str, code: str, words: str
) -> None:
    found, told = verdict(*moves, f"claim O {cells}", "dispute that is no line of yours")
    assert found == code
    assert told.startswith("the claim is false.")
    assert words in told


@pytest.mark.parametrize("answer", ["confirm", "dispute no", "withdraw"])
def test_a_false_claim_never_stands_whatever_the_answer(answer: str) -> None:
    seen = play("agents", "[0,0]", f"claim O {TOP}", answer, "[1,1]")
    assert seen.moves == ["[0,0]", "[1,1]"]
    assert checklists(seen.text) == [LINE_NAMES]


@pytest.mark.parametrize("answer", ["confirm", "dispute I see none", "withdraw"])
def test_a_true_claim_wins_whatever_the_answer(answer: str) -> None:
    seen = play("agents", *O_HAS_THE_TOP, f"claim O {TOP}", answer)
    assert seen.last_line.startswith("O wins")
    assert checklists(seen.text) == [LINE_NAMES]


def test_a_dispute_needs_a_reason_and_is_asked_for_it() -> None:
    seen = play("agents", "[0,0]", f"claim O {TOP}", "dispute", "only one mark is there")
    assert "Why? only one mark is there\nPlayer 1 (X) disputes: only one mark is there\n" in seen.text


def test_an_empty_reason_leaves_the_claim_waiting() -> None:
    seen = play("agents", "[0,0]", f"claim O {TOP}", "dispute", "", "confirm")
    assert "There is no text in that message." in seen.text
    assert seen.text.count("type confirm") == 2


@pytest.mark.parametrize("nonsense", ["", "yes", "[1,1]", "Confirm ", "claim X [0,0][0,1][0,2]", "\x1b[2J"])
def test_anything_else_is_no_answer_to_a_claim(nonsense: str) -> None:
    seen = play("agents", "[0,0]", f"claim O {TOP}", nonsense, "confirm")
    assert "is no answer to a claim. Answers: confirm, dispute WHY, withdraw." in seen.text
    assert "\x1b" not in seen.text.replace(nonsense or "\0", "", 1)


def test_a_claim_may_travel_with_a_move() -> None:
    seen = play("agents", *O_HAS_THE_TOP[:-1], f"[0,2] claim {TOP}", "confirm")
    assert "Player 2 (O): [0,2], and claims victory with [0,0] [0,1] [0,2]" in seen.text
    assert seen.last_line.startswith("O wins")


def test_a_readable_false_claim_lets_its_move_stand() -> None:
    seen = play("agents", f"[1,1] claim {TOP}", "dispute no")
    assert seen.moves == ["[1,1]"]


@pytest.mark.parametrize(
    "line", [f"[0,0] claim {TOP}", "[1,1] claim [0,0][0,1]", "[1,1] claim [0,0][0,0][0,1]", "[1,1] claim nonsense"]
)
def test_an_illegal_move_or_an_unreadable_claim_makes_both_void(line: str) -> None:
    seen = play("agents", "[0,0]", line)
    assert seen.moves == ["[0,0]"]
    assert seen.match.state.last_claim is None


def test_the_word_claim_alone_asks_for_the_cells() -> None:
    seen = play("agents", "[0,0]", "[1,0]", "claim", "[0,0] [0,1] [0,2]", "dispute no")
    assert "Which three cells? [0,0] [0,1] [0,2]\nPlayer 2 (O) claims victory with [0,0] [0,1] [0,2]." in seen.text


def test_either_player_may_claim_at_a_shared_screen() -> None:
    assert "Player 1 (X) claims victory" in play("agents", f"claim X {TOP}").text
    assert "Player 2 (O) claims victory" in play("agents", "[0,0]", f"claim O {TOP}").text


def test_a_false_claim_bars_its_claimant_until_a_mark_is_placed() -> None:
    seen = play("agents", f"claim {TOP}", "withdraw", f"claim {TOP}", "[0,0]", f"claim O {TOP}", "withdraw")
    assert "Your last claim was false. You may claim again after a mark has been placed." in seen.text
    assert seen.text.count("claims victory") == 2


def test_nobody_claims_for_the_computer() -> None:
    assert "The computer speaks for itself." in play("agents", f"claim O {TOP}", o="easy").text


def test_nobody_withdraws_for_the_computer() -> None:
    seen = play("agents", "[2,2]", "[2,1]", "withdraw", "confirm", o="perfect", seed=3)
    assert "perfect (O) withdraws" not in seen.text
    assert seen.last_line.startswith("O wins: a true claim")


def test_the_computer_claims_what_it_has_won_and_the_human_confirms() -> None:
    seen = play("agents", "[2,2]", "[2,1]", "confirm", o="perfect", seed=3)
    assert "perfect (O)" in seen.text
    assert "claims victory with" in seen.text
    assert seen.last_line.startswith("O wins: a true claim")


def test_the_computer_disputes_a_false_claim_honestly() -> None:
    seen = play("agents", f"claim X {TOP}", o="perfect")
    assert "perfect (O) disputes:" in seen.text
    assert checklists(seen.text) == [LINE_NAMES]


def test_a_full_board_is_settled_with_all_eight_lines_shown() -> None:
    """RULES: every answer, and the referee's own check, reports all eight lines."""
    full = ("[0,0]", "[1,1]", "[2,2]", "[2,1]", "[0,1]", "[0,2]", "[2,0]", "[1,0]", "[1,2]")
    seen = play("agents", *full)
    assert seen.last_line == "A draw: the board is full and nobody has three in a row."
    assert checklists(seen.text) == [LINE_NAMES]


def test_leaving_while_a_true_claim_waits_has_lost_and_shows_the_check() -> None:
    seen = play("agents", *O_HAS_THE_TOP, f"claim O {TOP}", "e")
    assert seen.last_line.startswith("O wins")
    assert checklists(seen.text) == [LINE_NAMES]


@pytest.mark.parametrize(
    "line", ["", " [0,0]", "[0,0] ", "0,0", "[0, 0]", "[3,0]", "[-1,0]", "5", "[٣,0]", "[0,0][0,1]", "claimed"]
)
def test_what_is_no_cell_of_the_agents_board_is_asked_again(line: str) -> None:
    seen = play("agents", line)
    assert seen.moves == []
    assert seen.text.count("Player 2 (O), place at [row,col], or claim: ") == 2


# Commands at every prompt


def test_undo_between_people_takes_back_one_ply() -> None:
    seen = play("classic", "5", "1", "u")
    assert seen.moves == ["5"]
    assert seen.text.count(X_ON_5) == 2


def test_undo_against_the_computer_takes_back_both_plies() -> None:
    seen = play("classic", "5", "U", o="perfect")
    assert seen.moves == []
    assert seen.text.count(EMPTY) == 2


def test_with_nothing_to_take_back_undo_says_so() -> None:
    assert "There is no move of yours to take back." in play("classic", "u").text
    assert "There is no move of yours to take back." in play("classic", "u", x="perfect").text


def test_undo_in_the_middle_of_a_move_takes_back_its_beginning_and_nothing_of_the_opponents() -> None:
    assert play("swap-nine", "5", "2", "u").moves == ["5"]
    seen = play("squared", *X_WINS_BOARD_7, "7", "4", "u", "5", "5")
    assert seen.moves == ["71", "17", "72", "27", "73", "37", "55"]
    assert "There is no move of yours to take back." not in play("squared", "2", "u").text


def test_nothing_is_taken_back_while_a_claim_is_pending() -> None:
    seen = play("agents", "[0,0]", f"claim O {TOP}", "u", "dispute no")
    assert "O's claim is waiting for its answer." in seen.text
    assert seen.moves == ["[0,0]"]


def test_a_hint_gives_the_exact_value_of_every_move() -> None:
    """X wins with 3, blocks O's row with 6 and then draws; anything else loses to O on 6."""
    seen = play("classic", "1", "4", "2", "5", "h")
    assert "Hint: 3. The moves with perfect play: win in 1: 3; draw: 6; loss in 2: 7 8 9.\n" in seen.text
    assert seen.moves == ["1", "4", "2", "5"]


def test_every_first_move_of_classic_is_a_draw() -> None:
    assert "draw: 1 2 3 4 5 6 7 8 9." in play("classic", "H").text


def test_a_hint_in_a_big_game_does_not_call_itself_exact() -> None:
    hint = play("squared", "5", "5", "h").text.partition("Hint: ")[2]
    assert re.match(r"5[1-46-9] \(about \d+% of the points, by search\)\.", hint)


def test_a_hint_in_the_middle_of_a_move_is_about_that_move() -> None:
    hint = play("swap-nine", "1", "5", "2", "h").text.partition("Hint: ")[2].partition("\n")[0]
    assert set(re.findall(r"\b\d(?:x\d)?\b", hint.rpartition(": ")[2])) == {"2", "2x5"}
    assert play("squared", "7", "h").text.partition("Hint: ")[2].startswith("7")


def test_a_hint_does_not_overlook_a_line_that_can_be_claimed() -> None:
    seen = play("agents", *O_HAS_THE_TOP, "[2,2]", "h")
    assert f"claim {TOP}" in seen.text.partition("Hint: ")[2]


@pytest.mark.parametrize("game", all_games())
def test_a_question_mark_shows_the_rules_on_one_screen(game: str) -> None:
    rules = find_game(game).rules
    assert rules in play(game, "?").text
    assert len(rules.split("\n")) <= 24
    assert max(map(len, rules.split("\n"))) <= 80


PROMPTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "cell": ("classic", ("5",)),
    "board": ("squared", ()),
    "cell of a board": ("squared", ("5",)),
    "swap": ("swap-nine", ("5", "2")),
    "agents' cell": ("agents", ("[0,0]",)),
    "answer": ("agents", ("[0,0]", f"claim O {TOP}")),
    "reason": ("agents", ("[0,0]", f"claim O {TOP}", "dispute")),
    "cells of a claim": ("agents", ("[0,0]", "claim")),
}


@pytest.mark.parametrize("letter", ["e", "E"])
@pytest.mark.parametrize(("game", "lines"), PROMPTS.values(), ids=PROMPTS.keys())
def test_e_leaves_at_every_prompt_without_a_winner(game: str, lines: tuple[str, ...], letter: str) -> None:
    seen = play(game, *lines, letter, "never read")
    assert seen.match.result
    assert seen.match.result.score == "*"
    assert re.fullmatch(r".*No winner: [XO] left the game\.", seen.last_line)


@pytest.mark.parametrize("letter", ["e", "E"])
def test_e_leaves_at_the_sign_question_and_at_the_menu(letter: str) -> None:
    with pytest.raises(Left):
        ask_sign(terminal(letter)[0], find_game("classic"))
    for answers in ((), ("1",), ("1", "2"), ("1", "2", "1"), ("5", "1")):
        with pytest.raises(Left):
            choose(terminal(*answers, letter)[0])


@pytest.mark.parametrize(("game", "lines"), PROMPTS.values(), ids=PROMPTS.keys())
def test_hint_and_rules_are_answered_at_every_prompt(game: str, lines: tuple[str, ...]) -> None:
    seen = play(game, *lines, "h", "?")
    assert find_game(game).rules in seen.text
    assert "There is no hint here." not in seen.text


def test_an_end_of_input_is_not_an_answer() -> None:
    with pytest.raises(EndOfInput):
        terminal()[0].ask("Well? ")


# The menu


def test_the_menu_asks_for_the_game_the_players_and_the_level() -> None:
    choice = choose(terminal("1", "2", "4", "O")[0])
    assert (choice.game.id, choice.x, choice.o) == ("classic", "perfect", "human")


def test_the_menu_asks_who_starts_where_the_players_agree_on_it() -> None:
    assert choose(terminal("5", "1", "3")[0]).first == "toss"


def test_u_in_the_menu_starts_again() -> None:
    assert choose(terminal("1", "u", "3", "1")[0]).game.id == "squared"


@pytest.mark.parametrize("line", ["0", "3", " 1", "1 ", "", "one", "²", "٢", "-1", "1.0"])
def test_a_wrong_number_is_asked_again(line: str) -> None:
    keyboard, screen = terminal(line, "2")
    assert pick(keyboard, "Which", ["this", "that"]) == 1
    assert "is not a number from 1 to 2." in screen.getvalue()


# Computers


@pytest.mark.parametrize("game", ["classic", "agents", "swap-nine"])
def test_the_same_seed_gives_the_same_game(game: str) -> None:
    first, second = (play(game, x="easy", o="medium", seed=7) for _ in range(2))
    assert first.text == second.text
    assert first.match.result


def test_other_seeds_give_other_games() -> None:
    assert len({tuple(play("classic", x="easy", o="easy", seed=seed).moves) for seed in range(10)}) > 1


def test_two_perfect_players_draw_classic() -> None:
    assert play("classic", x="perfect", o="perfect").last_line.startswith("A draw: ")


# Colour

STYLED = re.compile(r"\x1b\[([0-9;]*)m([XO])\x1b\[0m")


def test_without_colour_nothing_is_painted() -> None:
    assert "\x1b" not in play("classic", "1", "4", "2", "5", "3").text


def test_with_colour_the_last_move_is_marked() -> None:
    board = play("classic", "1", "5", "9", look=Look(colour=True)).text.rpartition("choose a cell")[0]
    first, _, last = STYLED.findall(board)[-3:]
    assert (first[1], last[1]) == ("X", "X")
    assert first[0] != last[0]


def test_with_colour_the_winning_line_is_marked() -> None:
    board = play("classic", "1", "4", "2", "5", "9", "6", look=Look(colour=True)).text
    *top, four, five, six, nine = STYLED.findall(board)[-6:]
    assert four == five == six
    assert four[0] != nine[0]
    assert [mark for _, mark in top] == ["X", "X"]


def test_with_colour_a_claimed_line_is_marked() -> None:
    board = play("agents", *O_HAS_THE_TOP, f"claim O {TOP}", "confirm", look=Look(colour=True)).text
    styled = re.findall(r"\x1b\[([0-9;]*)m +([XO]) +\x1b\[0m", board)[-5:]
    assert [mark for _, mark in styled] == ["O", "O", "O", "X", "X"]
    assert len({style for style, mark in styled if mark == "O"}) == 1
    assert "7" in styled[0][0].split(";")


def test_colour_takes_no_room() -> None:
    plain = play("squared", *X_WINS_BOARD_7).text
    painted = play("squared", *X_WINS_BOARD_7, look=Look(colour=True)).text
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain
