"""The board: what it says before a move is made, and how a move is chosen, taken back and looked back at."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from textual._xterm_parser import XTermParser

from ninefold.core.errors import NotAllowed
from ninefold.match import actions
from ninefold.match.clock import TimeControl
from ninefold.server.hosting.model import HostedMatch
from ninefold.terminal.tui.bars import KeyBar, TitleBar
from ninefold.terminal.tui.board import BoardWidget
from ninefold.terminal.tui.panels import PlayersPanel
from tests.support.async_tests import async_test
from tests.support.tui_person import LARGE, at_match, at_screen, local, run
from tests.support.tui_scenes import SQUARED, StillSession, still


class StillRemote(StillSession):
    """As on a server: taking back a move is offered."""

    shown: Mapping[str, Any] = {"is_remote": True, "seats": (1,)}

    def undo_action(self, seat: int) -> actions.Action:
        del seat
        return actions.OFFER_TAKE_BACK


def at(tmp_path: Path, game: str, moves: str, *keys: str, size: tuple[int, int] = (80, 24)) -> str:
    """What is on the screen after some moves, and after some keys."""

    async def play() -> str:
        async with at_match(tmp_path, still(game, moves), size) as person:
            await person.press(*keys)
            return person.text

    return run(play())


def test_a_taken_cell_is_refused_with_the_reason_and_what_is_possible(tmp_path: Path) -> None:
    seen = at(tmp_path, "classic", "5", "5")
    assert "Cell 5 is taken by X. Free cells: 1 2 3 4 6 7 8 9." in seen


@async_test
async def test_the_digits_of_the_game_or_those_of_the_numpad(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("classic")) as person:
        await person.press("7")
        await person.press("l", "7")
        assert person.moves == ["7", "1"]
        assert "numpad" not in person.lines[-1]
        await person.press("l", "3")
        assert person.moves == ["7", "1", "3"]


@async_test
async def test_every_numpad_is_understood_however_its_terminal_speaks(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("classic")) as person:
        for sent in ("5", "\x1bOq", "\x1b[57401u", "\x1b[57402;;51u"):  # 5 1 2 3
            for key in XTermParser().feed(sent):
                person.app.post_message(key)
            await person.settle()
        assert person.moves == ["5", "1", "2", "3"]


@async_test
async def test_two_digits_name_a_cell_of_the_agents(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("agents")) as person:
        await person.press("1")
        assert "1_" in person.text
        await person.press("2")
        assert person.moves == ["[1,2]"]


@pytest.mark.parametrize(
    ("game", "keys", "said"),
    [
        ("agents", "5", "No cell is called 5. Type [row,col], from [0,0] (top left) to [2,2] (bottom right)."),
        ("agents", "15", "No cell is called 15."),
        ("classic", "0", "No cell is called 0. Type a number from 1 (top left) to 9 (bottom right)."),
        ("classic", "z", "z does nothing here. ? shows all keys."),
    ],
)
def test_digits_and_keys_without_a_meaning_say_so(tmp_path: Path, game: str, keys: str, said: str) -> None:
    assert said in " ".join(at(tmp_path, game, "", *keys).split())


@async_test
async def test_the_cell_under_the_cursor_keeps_its_name_and_its_worth(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5 1 2")) as person:
        await person.press("a")
        await person.sees("exact")
        for square in (3, 5, 6, 7, 8):
            await person.point(square)
            row, column = person.board.fit.corner(square)
            top, left = person.board.corner()
            # The board begins below the title.
            cell = "".join(
                line[left + column + 1 : left + column + person.board.fit.cell_width - 1]
                for line in person.lines[1 + top + row + 1 : 1 + top + row + person.board.fit.cell_height - 1]
            )
            assert "o" in cell
            assert str(square + 1) in cell
            assert person.board.shown.values[square] in cell


def test_a_threat_is_written_on_its_cell_when_that_is_wanted(tmp_path: Path) -> None:
    assert "X wins" not in at(tmp_path, "classic", "5 1 2")
    assert "X wins" in at(tmp_path, "classic", "5 1 2", "t")
    assert "X wins" not in at(tmp_path, "classic", "5 1 2", "t", "t")
    assert "9x" in at(tmp_path, "squared", SQUARED, "t")


def test_the_key_of_the_threats_answers(tmp_path: Path) -> None:
    assert "Cells where a side could win next are marked. t hides the marks." in at(tmp_path, "classic", "5 1 2", "t")
    assert "Nobody can win with the next move. Such cells will be marked." in at(tmp_path, "classic", "5", "t")
    assert "no longer marked." in at(tmp_path, "classic", "5", "t", "t")
    assert "Nobody can win with the next move. Such cells will be marked." in at(tmp_path, "classic", "1 4 2 5 3", "t")


@async_test
async def test_labels_of_threats_stay_as_they_were_chosen_for_the_next_match(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5 1 2")) as person:
        assert not person.app.preferences.current.threats
        await person.press("t")
        assert person.app.preferences.current.threats
        await person.press("e")
        await person.open(still("classic", "5 1 2"))
        assert "X wins" in person.text
        await person.press("t", "e")
        assert not person.app.preferences.current.threats


@async_test
async def test_against_a_person_on_a_server_labels_begin_hidden_and_are_for_that_match(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        person.app.preferences.remember(threats=True)
        await person.open(still("classic", "5 1 2", is_remote=True, seats=(2,)))
        assert "X wins" not in person.text
        await person.press("t")
        assert "X wins" in person.text
        await person.press("t")
        assert person.app.preferences.current.threats


@async_test
async def test_a_threat_is_shown_under_the_cursor_too(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5 1 2")) as person:
        await person.press("t", "down", "down", "right")
        assert person.board.cursor == 7
        assert "X wins" in person.text


@async_test
async def test_the_board_that_a_move_sends_to_is_shown_before_it_is_made(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("squared")) as person:
        await person.press("5")
        assert "╔═5═" in person.text
        await person.point(40 - 4)  # the first cell of the fifth board
        assert person.board.cursor == 36
        assert "╍7╍" in person.text
        assert "O next" in person.lines[6]
        assert person.moves == []
        await person.press("7")
        assert person.moves == ["57"]


@async_test
async def test_escape_goes_back_to_the_choice_of_a_board(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("squared")) as person:
        await person.press("5")
        assert "choose a cell in board 5" in person.text
        await person.press("escape")
        assert "choose a board (7 8 9 4 5 6 1 2 3)" in person.text
        await person.press("3", "u")
        assert "choose a board (7 8 9 4 5 6 1 2 3)" in person.text


def test_the_last_move_and_the_winning_line_are_visible_without_colour(tmp_path: Path) -> None:
    assert "╭         ╮" in at(tmp_path, "classic", "5")
    won = at(tmp_path, "classic", "1 4 2 5 3")
    assert "┏━━━━━━━━━┓│┏━━━━━━━━━┓│┏━━━━━━━━━┓" in won
    boards = at(tmp_path, "ultimate", "92 29 98 84 49 91 16 63 36 61 13 34 43 37 78 81 19 97 79 94 46 64 77")
    assert boards.count("╔═") == 3


@async_test
async def test_an_unplayable_square_is_refused_by_the_rules_of_its_game(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("squared", "55 51"), LARGE) as person:
        await person.click(0)
        assert "You were sent to board 1. Boards that can be played: 1." in person.text


@async_test
async def test_a_refused_move_leaves_no_trace_on_the_board(tmp_path: Path) -> None:
    def refuse(_: HostedMatch) -> None:
        raise NotAllowed("cannot_write", file="'game.log'", why="No space left on device")

    session = still("squared")
    session.store = refuse
    async with at_match(tmp_path, session) as person:
        await person.press("5")
        assert "╔═5═" in person.text
        await person.press("1")
        assert "No space left on device" in person.text
        assert "╔═5═" not in person.text


@async_test
async def test_undo_takes_back_the_last_move_or_ones_own_against_the_computer(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("classic")) as person:
        await person.press("5", "1", "u")
        assert person.moves == ["5"]
    async with at_match(tmp_path, local("classic", o="perfect")) as person:
        await person.press("5")
        await person.until(lambda: len(person.moves) == 2)
        await person.press("u")
        assert person.moves == []


@async_test
async def test_undo_names_the_side_whose_move_is_taken_back(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5 1", "Ann", "Bob")) as person:
        assert "u undo O's move" in person.lines[-1]
        await person.press("u")
        assert "The last move of Bob (O) is taken back." in person.text
        assert "u undo X's move" in person.lines[-1]
    session = local("classic", o="perfect")
    async with at_match(tmp_path, session) as person:
        await person.press("5")
        await person.until(lambda: len(session.match.events) == 2)
        await person.sees("choose a cell")
        await person.press("u")
        assert "2 moves are taken back, from the last move of Player 1 (X) on." in person.text


@async_test
async def test_a_game_that_was_lost_to_the_computer_goes_on_after_an_undo(tmp_path: Path) -> None:
    session = local("classic", o="perfect")
    async with at_match(tmp_path, session) as person:
        for cell in ("1", "2", "4", "6", "8", "9", "3", "7", "5"):
            await person.until(lambda: session.match.to_act in (1, None))
            if session.match.result:
                break
            await person.press(cell)
        assert session.match.result
        ended = list(person.moves)
        assert "u undo X's move" in person.lines[-1]
        await person.press("u")
        assert session.match.result is None
        assert session.state.to_act == 1
        assert person.moves == ended[: len(person.moves)]
        assert person.board.is_live
        assert "are taken back" in person.text


@async_test
async def test_on_a_server_the_end_is_not_taken_back(tmp_path: Path) -> None:
    ended = StillRemote.resume(still("classic", "1 4 2 5 3").match, now=lambda: 0)
    async with at_match(tmp_path, ended) as person:
        assert "u take" not in person.text
        await person.press("u")
        assert "The game has ended. X wins" in person.text


def test_there_is_nothing_to_undo_at_the_start(tmp_path: Path) -> None:
    assert "There is no move of yours to take back yet." in at(tmp_path, "classic", "", "u")


@async_test
async def test_a_hint_speaks_in_the_chosen_digits(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5 1 2")) as person:
        await person.press("h")
        await person.sees("Hint: 8.")
        await person.press("l", "h")
        await person.sees("Hint: 2.")


@pytest.mark.parametrize(("moves", "keys"), [("55 51", ""), ("", "5")], ids=["sent there", "chosen"])
@async_test
async def test_a_hint_names_only_what_is_still_asked_for(tmp_path: Path, moves: str, keys: str) -> None:
    async with at_match(tmp_path, still("squared", moves)) as person:
        await person.press(*keys, "h")
        await person.sees("by search")
        assert "then" not in person.screen.message
        digit = person.screen.message.removeprefix("Hint: ")[0]
        await person.press(digit)
        assert len(person.moves) == len(moves.split()) + 1


@async_test
async def test_the_rules_of_this_game_are_a_key_away(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("swap-nine", "5")) as person:
        await person.press("question_mark")
        assert "decide who starts by agreement or a toss" in person.text
        assert "Advice, not part of the rules:" in person.text
        assert "Swap where it counts" in person.text
        await person.press("escape")
        assert "enter the number of the cell" in person.text


@async_test
async def test_looking_back_changes_nothing(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("classic")) as person:
        await person.press("5", "1", "2", "comma", "comma")
        assert "move 1 of 3" in person.lines[0]
        await person.press("9")
        assert person.moves == ["5", "1", "2"]
        await person.press("home")
        assert "move 0 of 3" in person.lines[0]
        await person.press("full_stop", "end", "9")
        assert person.moves == ["5", "1", "2", "9"]
        assert "move" not in person.lines[0]


@async_test
async def test_a_move_of_somebody_else_returns_to_the_latest_position(tmp_path: Path) -> None:
    session = local("classic")
    async with at_match(tmp_path, session) as person:
        await person.press("5", "1", "2", "comma", "comma")
        session.act(2, actions.say("where are you?"))
        await person.settle()
        assert "move 1 of 3" in person.lines[0]
        session.act(2, actions.move(8))
        await person.settle()
        assert "move" not in person.lines[0]
        assert "choose a cell (3 4 6 7 8)" in person.text


@async_test
async def test_changes_while_the_screen_is_removed_do_no_harm(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("classic", clock=TimeControl(60_000, 0))) as person:
        for part in (KeyBar, TitleBar, PlayersPanel, BoardWidget):
            await person.screen.query_one(part).remove()
            person.screen.refresh_match()
            person.screen.say("news")
            person.screen.show_clocks()


@async_test
async def test_a_narrow_window_shows_the_whole_board_first(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("squared", "55 51", "Ann", "Bob"), (60, 24)) as person:
        assert "Ann" not in "".join(person.lines[1:20])
        for square in (0, 80):
            await person.point(square)
            assert person.board.cursor == square
        await person.resize(80, 24)
        assert "Ann" in person.text


@async_test
async def test_the_window_may_change_in_the_middle_of_a_game(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("squared")) as person:
        await person.press("5", "5", "1")
        for width, height in (LARGE, (200, 60), (80, 24), (60, 15), (20, 5), (80, 24)):
            await person.resize(width, height)
            if width < 80:
                await person.sees("80 x 24 are needed")
            else:
                await person.until(lambda: "80 x 24 are needed" not in person.text)
        await person.click(54)
        assert person.moves == ["55", "51", "17"]
        assert "choose a cell in board 7" in person.text
