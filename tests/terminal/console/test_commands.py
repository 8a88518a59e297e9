"""The letters that are commands at every prompt: e, u, h and ?."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import struct
import termios
import threading
from io import StringIO

import pytest

from ninefold.client.local import LocalSession
from ninefold.core.errors import Refusal
from ninefold.games import all_games, find_game
from ninefold.match import actions
from ninefold.match.state import HUMAN
from ninefold.server.hosting.commands import ClockRequest, SeatRequest
from ninefold.terminal.console.console import Console
from ninefold.terminal.console.menu import choose
from ninefold.terminal.console.prompt import EndOfInput, Help, PlayerLeft, Terminal, ask_player_1_side
from ninefold.terminal.new_match import local_request
from tests.support.clocks import ManualClock
from tests.support.console import EMPTY, O_HAS_THE_TOP, TOP, X_ON_5, X_WINS_BOARD_7, play, terminal
from tests.support.waiting import PATIENCE, wait_until


def hint_of(text: str) -> str:
    """The first hint on a screen."""
    return text.partition("Hint: ")[2].partition("\n")[0]


def test_undo_between_people_takes_back_one_ply() -> None:
    seen = play("classic", "5", "1", "u")
    assert seen.moves == ["5"]
    assert seen.text.count(X_ON_5) == 2


def test_undo_against_the_computer_takes_back_both_plies() -> None:
    seen = play("classic", "5", "U", o="perfect")
    assert seen.moves == []
    assert seen.text.count(EMPTY) == 2


def test_with_nothing_to_take_back_undo_says_so() -> None:
    nothing = "There is no move of yours to take back yet. Moves so far: 0."
    assert nothing in play("classic", "u").text
    assert nothing in play("squared", "u").text
    assert "Moves so far: 1." in play("classic", "u", x="perfect").text


def test_undo_in_the_middle_of_a_move_takes_back_its_beginning_and_nothing_of_the_opponents() -> None:
    assert play("swap-nine", "5", "2", "u").moves == ["5"]
    seen = play("squared", *X_WINS_BOARD_7, "7", "4", "u", "5", "5")
    assert seen.moves == ["71", "17", "72", "27", "73", "37", "55"]
    assert "to take back" not in play("squared", "2", "u").text


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
    hint = hint_of(play("squared", "5", "5", "h").text)
    assert re.fullmatch(r"[1-46-9] \([+-]\d\.\d\d, by search\)\.", hint)


def test_a_hint_says_what_to_type() -> None:
    assert re.match(r"[1-9], then [1-9] \([+-]", hint_of(play("squared", "h").text))
    assert re.match(r"[1-9] \([+-]", hint_of(play("squared", "5", "h").text))
    only_1x2_wins = ("4", "5", "4", "2", "")
    assert hint_of(play("swap-nine", *only_1x2_wins, "h").text).startswith("1, then 2. The moves")
    assert hint_of(play("swap-nine", *only_1x2_wins, "1", "h").text).startswith("2. The moves")


def test_a_hint_says_when_a_swap_may_as_well_be_declined() -> None:
    hint = hint_of(play("swap-nine", "1", "5", "2", "h").text)
    assert hint == "keep it as it is. The moves with perfect play: win in 7: 2 2x5."


def test_a_hint_in_the_middle_of_a_move_is_about_that_move() -> None:
    hint = hint_of(play("swap-nine", "4", "5", "4", "2", "", "1", "h").text)
    assert hint == "2. The moves with perfect play: win in 6: 1x2; loss in 6: 1."


def test_a_hint_does_not_overlook_a_line_that_can_be_claimed() -> None:
    seen = play("agents", *O_HAS_THE_TOP, "[2,2]", "h")
    assert f"claim {TOP}" in seen.text.partition("Hint: ")[2]


@pytest.mark.parametrize("game", all_games())
def test_a_question_mark_shows_the_rules_on_one_screen(game: str) -> None:
    rules = find_game(game).console_rules
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
    with pytest.raises(PlayerLeft):
        ask_player_1_side(terminal(letter)[0], find_game("classic"))
    for answers in ((), ("1",), ("1", "2"), ("1", "2", "1"), ("3", "1")):
        with pytest.raises(PlayerLeft):
            choose(terminal(*answers, letter)[0])


@pytest.mark.parametrize(("game", "lines"), PROMPTS.values(), ids=PROMPTS.keys())
def test_hint_and_rules_are_answered_at_every_prompt(game: str, lines: tuple[str, ...]) -> None:
    seen = play(game, *lines, "h", "?")
    assert find_game(game).console_rules in seen.text
    assert "There is no hint here." not in seen.text


def test_an_end_of_input_is_not_an_answer() -> None:
    with pytest.raises(EndOfInput):
        terminal()[0].ask("Well? ", Help(str))


@pytest.mark.parametrize(("columns", "widest"), [(0, 79), (40, 39), (80, 79), (90, 89), (200, 100)])
def test_a_refusal_is_as_wide_as_the_terminal_and_not_too_wide(columns: int, widest: int) -> None:
    """0: a terminal that does not know its width."""
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with os.fdopen(master, "rb", buffering=0) as seen, os.fdopen(slave, "w") as screen:
        Terminal(StringIO(), screen).refuse(Refusal.from_text("long", "word " * 60, ""))
        lines = seen.read(4096).decode().split("\r\n")
    assert widest - 5 < max(map(len, lines)) <= widest


def test_input_that_cannot_be_read_ends_and_says_why() -> None:
    class Gone(StringIO):
        def readline(self, _: int = -1, /) -> str:  # type: ignore[override]
            raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(EndOfInput, match=r"The input cannot be read: Input/output error\."):
        Terminal(Gone(), StringIO()).ask("Well? ", Help(str))


def timed(*lines: str) -> tuple[LocalSession, ManualClock, Terminal, StringIO]:
    """A game of two people with a minute each, at a clock that is moved by hand."""
    keyboard, screen = terminal(*lines)
    clock = ManualClock()
    request = local_request("classic", SeatRequest(HUMAN), SeatRequest(HUMAN))._replace(clock=ClockRequest(60))
    return LocalSession.create(request, now=clock), clock, keyboard, screen


def test_in_a_game_with_clocks_every_question_begins_with_the_time_left() -> None:
    session, _, keyboard, screen = timed("5", "e")
    with session:
        Console(keyboard, session).play()
    assert screen.getvalue().count("[X 1:00  O 1:00] Player ") == 2


def test_a_flag_that_falls_interrupts_the_question() -> None:
    session, clock, _, screen = timed()
    master, slave = os.openpty()
    with os.fdopen(slave) as keys, session:
        session.act(1, actions.move(4))
        session.act(2, actions.move(0))  # both clocks have been started now
        player = threading.Thread(target=Console(Terminal(keys, screen), session).play, daemon=True)
        player.start()
        wait_until(lambda: "choose a cell" in screen.getvalue())
        clock.at += 61_000
        wait_until(lambda: "What now" in screen.getvalue())
        os.write(master, b"e\n")
        player.join(PATIENCE)
    os.close(master)
    assert not player.is_alive()
    assert "O wins" in screen.getvalue()
