"""Claims in the agents' game: made, answered, withdrawn, and settled with the checklist of eight lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.core.grid import LINE_NAMES
from tests.support.async_tests import async_test
from tests.support.tui_person import Person, at_match, kinds, local
from tests.support.tui_scenes import CLAIMED, still

TABLE = "[0,0] [1,1] [0,1] [1,2]"  # O is to move, and completes the top row with [0,2]


async def claim_line(person: Person, line: int, side: str) -> None:
    await person.press("c", str(line), side.lower())


@async_test
async def test_a_true_claim_wins_whatever_the_answer_is(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("agents", CLAIMED)) as person:
        await claim_line(person, 1, "O")
        assert "is [0,0] [0,1] [0,2] a line of O?" in person.text
        await person.press("n")
        await person.paste("no")
        await person.press("enter")
        await person.sees("O wins: a true claim")
        assert "disputes: no. The referee: the claim is true." in person.text
        assert kinds(person.match)[-3:] == ["claim", "dispute", "settle"]


@async_test
async def test_a_hint_says_how_to_answer_a_claim(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("agents", CLAIMED)) as person:
        await claim_line(person, 2, "X")
        await person.press("h")
        await person.sees("Hint: dispute. Only two of [1,0] [1,1] [1,2] are X's.")
        await person.press("y")
        await claim_line(person, 1, "O")
        await person.press("h")
        await person.sees("Hint: confirm. [0,0] [0,1] [0,2] is a line of O.")


@async_test
async def test_the_checklist_shows_all_eight_lines_by_their_names(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("agents", CLAIMED)) as person:
        await person.press("c")
        assert all(name in person.text for name in LINE_NAMES)
        assert "three O" in person.text
        assert person.text.count("broken") == 4
        await person.press("escape")
        assert "Anti-diagonal" not in person.text


@async_test
async def test_a_false_claim_is_settled_and_bars_its_claimant(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("agents", CLAIMED)) as person:
        await claim_line(person, 2, "X")
        await person.press("y")
        assert "X's claim was false" in person.text
        assert "The referee: the claim is false." in person.text
        await claim_line(person, 2, "X")
        assert "Your last claim was false." in person.text
        assert person.match.result is None


@async_test
async def test_the_claimant_may_withdraw(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("agents", CLAIMED)) as person:
        await claim_line(person, 2, "X")
        await person.press("w")
        assert kinds(person.match)[-3:] == ["claim", "withdraw", "settle"]
        assert person.match.result is None


@async_test
async def test_a_claim_goes_with_a_move(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("agents", TABLE)) as person:
        await person.press("c", "1", "up", "right", "right")
        assert person.board.cursor == 2
        await person.press("m")
        assert "place [0,2], and claim [0,0] [0,1] [0,2]" in person.text
        await person.press("o", "y")
        await person.sees("O wins: a true claim")
        assert person.match.events[-3].action.cells == (0, 1, 2)


@async_test
async def test_cells_are_picked_and_lines_chosen_with_the_mouse(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("agents", CLAIMED)) as person:
        await person.press("c")
        await person.pilot.click("#checklist", offset=(5, 7))
        assert person.board.picked == frozenset({0, 4, 8})
        await person.click(4)
        await person.click(1)
        assert person.board.picked == frozenset({0, 1, 8})


@async_test
async def test_the_keys_show_the_digits_and_how_to_cancel(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("agents", CLAIMED)) as person:
        assert person.lines[-1].startswith(" enter play [1,0]  1 2 row  ")
        assert "e leave" in person.lines[-1]
        await person.press("1")
        assert person.lines[-1].startswith(" enter play [1,0]  0 column  ")
        await person.press("escape", "c", "right")
        assert "esc cancel" in person.lines[-1]
        assert "m move here" not in person.lines[-1]  # the cursor is on a taken cell
        await person.press("left")
        assert "esc cancel  m move here" in person.lines[-1]
        await person.press("1")
        assert "esc cancel  m move here" in person.lines[-1]
        await person.press("escape", "l")
        assert person.lines[-1].startswith(" enter play 4  1-4 play  ")


@pytest.mark.parametrize("picked", [(), ("enter",), ("enter", "right", "enter")], ids=["none", "one", "two"])
@async_test
async def test_an_unfinished_claim_can_be_completed(tmp_path: Path, picked: tuple[str, ...]) -> None:
    async with at_match(tmp_path, still("agents", CLAIMED)) as person:
        await person.press("c", *picked)
        before = person.board.picked
        await person.press("o")
        assert "A claim is three cells. Pick them, or a line by its number." in person.text
        assert kinds(person.match) == ["move"] * 5
        assert person.board.picked == before
        await person.press("1", "o")
        assert kinds(person.match) == ["move"] * 5 + ["claim"]


@async_test
async def test_a_claim_never_has_four_cells(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("agents", CLAIMED)) as person:
        await person.press("c", "1")
        assert person.board.cursor not in (0, 1, 2)
        await person.press("space")
        assert "A claim is three cells." in person.text
        assert person.board.picked == frozenset({0, 1, 2})
        await person.press("up", "space")
        assert len(person.board.picked or ()) == 2


@async_test
async def test_enter_makes_the_claim_when_its_line_is_picked(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("agents", x="easy", options={"first": "O"})) as person:
        await person.press("c", "1")
        assert person.lines[-1].startswith(" enter claim it")
        await person.press("enter")
        await person.sees("The referee: the claim is false.")
        assert person.board.picked is None


@async_test
async def test_two_people_are_asked_whose_line_it_is(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("agents", CLAIMED)) as person:
        await person.press("c", "1", "enter")
        assert "Whose line is it? x claims it for X, o for O." in person.text
        assert "x X claims it  o O claims it" in person.lines[-1]
        assert kinds(person.match) == ["move"] * 5


@async_test
async def test_a_refused_claim_can_be_corrected(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("agents", CLAIMED)) as person:
        await claim_line(person, 2, "X")
        await person.press("y")
        await claim_line(person, 2, "X")
        assert "Your last claim was false." in person.text
        await person.press("1", "enter")
        assert len(person.moves) == 5
        await person.press("escape")
        assert person.board.picked is None


@async_test
async def test_the_computer_answers_claims_and_nobody_acts_for_it(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("agents", x="easy", options={"first": "O"})) as person:
        await person.press("c", "1", "x")
        assert "You cannot act for your opponent." in person.text
        await person.press("c")
        await person.sees("The referee: the claim is false.")
        assert kinds(person.match) == ["claim", "dispute", "settle"]


@async_test
async def test_a_full_board_is_settled_with_the_checklist(tmp_path: Path) -> None:
    moves = "[0,0] [0,1] [0,2] [1,1] [1,0] [1,2] [2,1] [2,0] [2,2]"
    async with at_match(tmp_path, still("agents", moves)) as person:
        assert "The referee's checklist" in person.text
        assert "A draw" in person.text


@async_test
async def test_there_are_no_claims_in_other_games(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5")) as person:
        await person.press("c")
        assert person.board.picked is None
