"""Keys that do something, but not now: each is answered with a sentence, and changes nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ninefold.match import actions
from ninefold.match.match import Match
from ninefold.terminal.tui import hinting
from tests.support.hosted_matches import on_a_loop
from tests.terminal.tui.people import PATIENCE, at_table, local, run
from tests.terminal.tui.scenes import CLAIMED, Still, played, still

WATCHING = "You are watching: only who plays can do that."
NO_CLAIMS = "Tic-Tac-Toe has no claims."
BEGIN_A_CLAIM = "That belongs to a claim. c begins one."
OVER = "The game has ended."
NOTHING_TO_ANSWER = "There is nothing to answer now."
NOTHING_TO_WITHDRAW = "There is no claim of yours to withdraw."


def going() -> Still:
    return still("classic", "5 1")


def over() -> Still:
    return still("classic", "1 4 2 5 3")


def with_claims() -> Still:
    return still("agents", CLAIMED)


def claimed() -> Still:
    table = with_claims()
    table.act(2, actions.claim((0, 1, 2)))
    return table


def over_with_claims() -> Still:
    return still("agents", "[0,0] [0,1] [0,2] [1,1] [1,0] [1,2] [2,1] [2,0] [2,2]")


def two_computers() -> Still:
    return Still(played(local("classic", "easy", "easy").match, "1 4 2 5 3"))


@pytest.mark.parametrize(
    ("table", "keys", "sentence"),
    [
        (going, "c x o m", NO_CLAIMS),
        (with_claims, "x o m", BEGIN_A_CLAIM),
        (claimed, "c x o m", "A claim is waiting for its answer."),
        (over_with_claims, "c x o m", OVER),
        (going, "y n", NOTHING_TO_ANSWER),
        (over, "y n", NOTHING_TO_ANSWER),
        (going, "w", NOTHING_TO_WITHDRAW),
        (with_claims, "w", NOTHING_TO_WITHDRAW),
        (going, "g", "The game goes on. Once more is for when it is over."),
        (over, "h r", OVER),
        (two_computers, "u h s r g", WATCHING),
        (going, "full_stop end", "This is the latest position."),
        (lambda: still("classic"), "comma home full_stop end", "No move has been made yet."),
        (going, "z", "z does nothing here. ? shows all keys."),
    ],
)
@on_a_loop
async def test_a_key_that_is_not_for_now_says_why(
    table: Callable[[], Still], keys: str, sentence: str, tmp_path: Path
) -> None:
    async with at_table(tmp_path, table()) as person:
        before, screen = person.match, person.app.screen
        for key in keys.split():
            await person.press("t", "t", "l", "l")  # something else is said in between
            assert person.screen.message != sentence
            await person.press(key)
            assert (key, person.screen.message) == (key, sentence)
            assert sentence in person.text
        assert person.match is before
        assert person.app.screen is screen
        assert person.board.picked is None


@on_a_loop
async def test_at_the_beginning_there_is_no_way_further_back(tmp_path: Path) -> None:
    async with at_table(tmp_path, going()) as person:
        await person.press("home")
        assert person.screen.message == ""
        for key in ("comma", "home"):
            await person.press("full_stop", "comma")
            await person.press(key)
            assert "This is the beginning." in person.text
            assert "move 0 of 2" in person.text


def test_a_second_hint_is_not_looked_for_while_the_first_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Match] = []
    found = threading.Event()

    def slow_hint(match: Match, _: object) -> str:
        asked.append(match)
        found.wait(PATIENCE)
        return "Hint: 9."

    monkeypatch.setattr(hinting, "hint", slow_hint)

    async def press() -> None:
        async with at_table(tmp_path, going()) as person:
            await person.press("h")
            await person.until(lambda: bool(asked))
            await person.press("t", "l", "h")
            assert "Looking for a hint ..." in person.text
            found.set()
            await person.sees("Hint: 9.")
            assert len(asked) == 1

    run(press())
