"""Keys that do nothing now: each says why, and changes nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ninefold.match import actions
from ninefold.match.match import Match
from ninefold.terminal.hints import Hint
from tests.support.async_tests import async_test
from tests.support.tui_person import at_match, run
from tests.support.tui_scenes import CLAIMED, StillSession, still
from tests.support.waiting import PATIENCE

WATCHING = "You are watching: only players can do that. e leaves."
NO_CLAIMS = "Tic-Tac-Toe has no claims. The rules decide by themselves: play on."
BEGIN_A_CLAIM = "This key belongs to a claim. c begins one."
OVER = "The game has ended. g asks for a rematch, e leaves."
NOTHING_TO_ANSWER = "There is nothing to answer now. y and n answer a claim or an offer."
NOTHING_TO_WITHDRAW = "There is no claim of yours to withdraw. w is for a claim that waits."


def going() -> StillSession:
    return still("classic", "5 1")


def over() -> StillSession:
    return still("classic", "1 4 2 5 3")


def with_claims() -> StillSession:
    return still("agents", CLAIMED)


def claimed() -> StillSession:
    session = with_claims()
    session.act(2, actions.claim((0, 1, 2)))
    return session


def claimed_by_us() -> StillSession:
    session = claimed()
    session.shown = {"is_remote": True, "seats": (2,)}
    return session


def over_with_claims() -> StillSession:
    return still("agents", "[0,0] [0,1] [0,2] [1,1] [1,0] [1,2] [2,1] [2,0] [2,2]")


def two_computers() -> StillSession:
    return still("classic", "1 4 2 5 3", seats=())


@pytest.mark.parametrize(
    ("session", "keys", "sentence"),
    [
        (going, "c x o m", NO_CLAIMS),
        (with_claims, "x o m", BEGIN_A_CLAIM),
        (claimed, "c x o m", "A claim is waiting. Answer it with y or n."),
        (claimed_by_us, "c x o m", "Your claim is waiting for its answer. w withdraws it."),
        (over_with_claims, "c x o m", OVER),
        (going, "y n", NOTHING_TO_ANSWER),
        (over, "y n", NOTHING_TO_ANSWER),
        (going, "w", NOTHING_TO_WITHDRAW),
        (with_claims, "w", NOTHING_TO_WITHDRAW),
        (going, "g", "The game has not ended. A rematch comes after it."),
        (over, "h r", OVER),
        (two_computers, "u h s r g", WATCHING),
        (going, "full_stop end", "This is the latest position."),
        (lambda: still("classic"), "comma home full_stop end", "No move has been made yet."),
        (going, "z", "z does nothing here. ? shows all keys."),
    ],
)
@async_test
async def test_a_key_that_is_not_for_now_says_why(
    session: Callable[[], StillSession], keys: str, sentence: str, tmp_path: Path
) -> None:
    async with at_match(tmp_path, session()) as person:
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


@async_test
async def test_at_the_first_position_nothing_comes_before(tmp_path: Path) -> None:
    async with at_match(tmp_path, going()) as person:
        await person.press("home")
        assert person.screen.message == ""
        for key in ("comma", "home"):
            await person.press("full_stop", "comma")
            await person.press(key)
            assert "This is the first position." in person.text
            assert "move 0 of 2" in person.text


def test_one_hint_is_looked_for_at_a_time(tmp_path: Path) -> None:
    asked: list[Match] = []
    found = threading.Event()

    def slow_hint(match: Match, _: object) -> Hint:
        asked.append(match)
        found.wait(PATIENCE)
        return Hint("Hint: 9.", (8,))

    async def press() -> None:
        async with at_match(tmp_path, going(), find_hint=slow_hint) as person:
            await person.press("h")
            await person.until(lambda: bool(asked))
            await person.press("t", "t", "h")
            assert "Looking for a hint ..." in person.text
            found.set()
            await person.sees("Hint: 9.")
            assert len(asked) == 1

    run(press())
