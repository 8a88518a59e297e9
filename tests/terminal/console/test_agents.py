"""The agents' game at the console: claims, answers, and the referee's checklist."""

from __future__ import annotations

import re

import pytest

from tests.support.console import O_HAS_THE_TOP, TOP, play
from tests.support.refused_moves import EVERY_REFUSED_MOVE, OPENING, RefusedMove

AGENTS_EMPTY = """
[0,0] | [0,1] | [0,2]
------+-------+------
[1,0] | [1,1] | [1,2]
------+-------+------
[2,0] | [2,1] | [2,2]
"""
LINE_NAMES = ["Row 1", "Row 2", "Row 3", "Col 1", "Col 2", "Col 3", "Diagonal", "Anti-diagonal"]


def checklists(text: str) -> list[list[str]]:
    """The checklists on a screen, each as the names of its lines."""
    names = re.findall(
        r"^  (Row [123]|Col [123]|Diagonal|Anti-diagonal)\b.*(?:three [XO]|broken|not three)$", text, re.MULTILINE
    )
    return [names[start : start + 8] for start in range(0, len(names), 8)]


def verdict(*lines: str) -> tuple[str, str]:
    """The referee's reason code and words for the claim that these lines make."""
    seen = play("agents", *lines)
    assert seen.match.state.verdict
    told = re.search(r"^The referee: (.*)$", seen.text, re.MULTILINE)
    assert told
    return seen.match.state.verdict.reason, told[1]


def test_the_empty_board_of_the_agents_shows_row_and_column() -> None:
    assert AGENTS_EMPTY in play("agents").text


def test_o_goes_first_among_agents() -> None:
    assert "Player 2 (O), place at [row,col], or claim: [1,1]" in play("agents", "[1,1]").text


def test_a_whole_game_a_claim_and_its_confirmation() -> None:
    seen = play("agents", *O_HAS_THE_TOP, f"claim O {TOP}", "confirm")
    assert "Player 2 (O) claims victory with [0,0] [0,1] [0,2]." in seen.text
    assert "Player 1 (X), type confirm, dispute WHY, or withdraw: confirm" in seen.text
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
    assert "A dispute needs a reason, with at least one printable character." in seen.words
    assert seen.text.count(", type confirm, dispute WHY") == 2


@pytest.mark.parametrize("nonsense", ["", "yes", "[1,1]", "Confirm ", "claim X [0,0][0,1][0,2]", "\x1b[2J"])
def test_any_other_line_does_not_answer_a_claim(nonsense: str) -> None:
    seen = play("agents", "[0,0]", f"claim O {TOP}", nonsense, "confirm")
    assert "does not answer a claim. Answers: confirm, dispute WHY, withdraw." in seen.words
    assert "\x1b" not in seen.text.replace(nonsense or "\0", "", 1)


@pytest.mark.parametrize("answer", ["confirm", "dispute no", "withdraw"])
def test_without_a_claim_there_is_nothing_to_answer(answer: str) -> None:
    seen = play("agents", "[0,0]", answer)
    assert "There is no claim to answer. Free cells: [0,1] [0,2] " in seen.words
    assert seen.moves == ["[0,0]"]


def test_a_claim_is_for_x_or_for_o() -> None:
    assert "'Z' is neither X nor O. A claim looks like: claim " in play("agents", f"claim Z {TOP}").words


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
    assert seen.match.state.verdict is None


def test_the_word_claim_alone_asks_for_the_cells() -> None:
    seen = play("agents", "[0,0]", "[1,0]", "claim", "[0,0] [0,1] [0,2]", "dispute no")
    assert "Which three cells? [0,0] [0,1] [0,2]\nPlayer 2 (O) claims victory with [0,0] [0,1] [0,2]." in seen.text


def test_the_cells_may_be_asked_for_and_still_be_given_with_the_word_claim() -> None:
    seen = play("agents", "[0,0]", "claim", f"claim {TOP}", "dispute no")
    assert f"Which three cells? claim {TOP}\nPlayer 1 (X) claims victory with [0,0] [0,1] [0,2]." in seen.text


def test_players_talk_at_their_prompts_and_the_question_is_put_again() -> None:
    seen = play("agents", "say good luck", "[0,0]", f"claim O {TOP}", "say let me see", "dispute no")
    assert "Player 2 (O) says: good luck\nPlayer 2 (O), place at [row,col], or claim: [0,0]" in seen.text
    assert "Player 1 (X) says: let me see\nPlayer 1 (X), type confirm, dispute WHY" in seen.text
    assert seen.moves == ["[0,0]"]


def test_a_message_without_text_is_refused() -> None:
    assert "There is no text in that message." in play("agents", "say  ").text


def test_a_move_is_not_taken_back_past_a_claim() -> None:
    seen = play("agents", "[0,0]", f"claim O {TOP}", "dispute no", "u")
    assert "A claim was made since that move, and claims are not taken back. Play on." in seen.text
    assert seen.moves == ["[0,0]"]


def test_either_player_may_claim_at_a_shared_screen() -> None:
    assert "Player 1 (X) claims victory" in play("agents", f"claim X {TOP}").text
    assert "Player 2 (O) claims victory" in play("agents", "[0,0]", f"claim O {TOP}").text


def test_a_false_claim_bars_its_claimant_until_a_mark_is_placed() -> None:
    seen = play("agents", f"claim {TOP}", "withdraw", f"claim {TOP}", "[0,0]", f"claim O {TOP}", "withdraw")
    assert "Your last claim was false. You may claim again after a mark has been placed." in seen.text
    assert seen.text.count("claims victory") == 2


def test_nobody_claims_for_the_computer() -> None:
    assert "You cannot act for your opponent." in play("agents", f"claim O {TOP}", o="easy").text


def test_nobody_withdraws_for_the_computer() -> None:
    seen = play("agents", "[0,0]", "[0,1]", "withdraw", "confirm", o="perfect", seed=3)
    assert "You cannot act for your opponent." in seen.text
    assert "perfect (O) withdraws" not in seen.text
    assert seen.last_line.startswith("O wins: a true claim")


def test_the_computer_claims_what_it_has_won_and_the_human_confirms() -> None:
    seen = play("agents", "[0,0]", "[0,1]", "confirm", o="perfect", seed=3)
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
def test_an_input_that_is_not_a_cell_is_asked_again(line: str) -> None:
    seen = play("agents", line)
    assert seen.moves == []
    assert seen.text.count("Player 2 (O), place at [row,col], or claim: ") == 2


@EVERY_REFUSED_MOVE
@pytest.mark.parametrize("claim", ["", f" claim {TOP}"], ids=["alone", "with a claim"])
def test_the_console_tells_what_cannot_be_read_from_what_is_not_allowed(refused: RefusedMove, claim: str) -> None:
    seen = play("agents", OPENING, f"{refused.text}{claim}")
    words = {"outside": "That is outside the board.", "taken": "Cell [0,0] is taken by O."}
    assert words.get(refused.reason, " is not [row,col], from [0,0]") in seen.words
    assert seen.moves == [OPENING]
    assert seen.match.state.pending is None
