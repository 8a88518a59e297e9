"""The keys of the moment: all of them are offered, and none of them is refused."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from ninefold.core.messages import text
from ninefold.core.position import Path as Choices
from ninefold.games import all_games
from ninefold.match import actions
from ninefold.terminal.hints import Hint
from ninefold.terminal.tui.analyst import LIMIT, AnalysisReport
from ninefold.terminal.tui.bars import KeyBar
from ninefold.terminal.tui.match_screen import MatchScreen
from ninefold.terminal.tui.session_adapter import LocalScreenSession
from tests.support.async_tests import async_test
from tests.support.tui_person import Person, at_match, at_screen, local
from tests.support.tui_scenes import CLAIMED, SilentAnalyst, StillSession, still

PRESSES = 40
WON = "1 4 2 5 3"
NAMED = {"esc": "escape", ",": "comma", ".": "full_stop", "?": "question_mark", "+": "plus"}
LEAVING = {"e", "f2", "f3", "g"}  # they go to another screen, or change its colours
LOOKED_IN_VAIN = ("timeline.no_moves", "timeline.latest", "timeline.first", "timeline.always_numpad")


class StrictScreen(MatchScreen):
    """Remembers every refusal."""

    def __init__(self, session: LocalScreenSession) -> None:
        super().__init__(session, make_analyst=SilentAnalyst, find_hint=lambda *_: Hint("Hint: none."))
        self.refusals: list[str] = []

    def show_refusal(self, why: str) -> None:
        self.refusals.append(why)
        super().show_refusal(why)

    def path_refused(self, path: Choices) -> None:
        self.refusals.append(f"path {path}")

    def digits_refused(self, digits: str) -> None:
        self.refusals.append(f"digits {digits}")

    def unbound_key(self, key: str) -> None:
        self.refusals.append(f"key {key}")

    def too_many_picked(self) -> None:
        self.refusals.append("too many")


def offered(person: Person) -> list[str]:
    """The keys in the bar as Textual calls them; one for each digit."""
    found: list[str] = []
    for key, _, _ in person.screen.query_one(KeyBar).keys:
        if key == text("key.arrows"):
            found += ["up", "down", "left", "right"]
        else:
            found += [one for word in key.split() for one in _named(word)]
    return found


def _named(word: str) -> list[str]:
    first, dash, last = word.partition("-")
    if dash and first.isdigit():
        return [str(digit) for digit in range(int(first), int(last) + 1)]
    return [NAMED.get(word, word)]


@pytest.mark.parametrize("game", list(all_games()))
@async_test
async def test_no_key_is_offered_that_is_refused(game: str, tmp_path: Path) -> None:
    rng = random.Random(game)
    async with at_screen(tmp_path, (200, 60)) as person:
        screen = StrictScreen(LocalScreenSession(local(game)))
        await person.app.push_screen(screen)
        await person.settle()
        for _ in range(PRESSES):
            await press_offered(person, rng.choice(offered_to_stay(person)))


def offered_to_stay(person: Person) -> list[str]:
    return [key for key in offered(person) if key not in LEAVING]


async def press_offered(person: Person, key: str) -> None:
    """A key that must not be refused. Whatever opens is closed again: a page to read, or a question."""
    screen = person.screen
    await person.press(key)
    if person.app.screen is not screen:
        await person.press("escape")
    assert isinstance(screen, StrictScreen)
    in_vain = [code for code in LOOKED_IN_VAIN if screen.message == text(code)]
    assert (key, screen.refusals, in_vain) == (key, [], [])


def ended_without_an_opponent() -> StillSession:
    session = still("classic", is_remote=True, seats=(1,), open_seats=frozenset({2}))
    session.act(1, actions.RESIGN)
    return session


def offered_a_draw() -> StillSession:
    session = still("classic", "5 1", is_remote=True, seats=(2,))
    session.act(1, actions.OFFER_DRAW)
    return session


def to_pause() -> StillSession:
    return still("classic", "5 1")


@pytest.mark.parametrize(
    "make",
    [lambda: still("classic", WON), ended_without_an_opponent, offered_a_draw, to_pause],
    ids=["ended", "ended without an opponent", "an offer on a server", "a paused analysis"],
)
@async_test
async def test_no_key_that_is_offered_at_a_rarer_moment_is_refused(
    make: Callable[[], StillSession], tmp_path: Path
) -> None:
    """Each of them at that moment, and then one of those that are offered after it."""
    rng, pressed = random.Random(1), set[str]()
    async with at_screen(tmp_path) as person:
        while True:
            screen = StrictScreen(LocalScreenSession(make()))
            await person.app.push_screen(screen)
            await person.settle()
            if make is to_pause:
                await person.press("a")
                screen.analysis.receive(AnalysisReport(screen.history().position, None, {}, LIMIT))
                await person.settle()
                assert "plus" in offered(person)
            left = [key for key in offered_to_stay(person) if key not in pressed]
            if not left:
                break
            pressed.add(left[0])
            await press_offered(person, left[0])
            await press_offered(person, rng.choice(offered_to_stay(person)))
            await person.press("e")


@async_test
async def test_a_barred_player_is_not_offered_a_claim_without_a_move(tmp_path: Path) -> None:
    session = still("agents", CLAIMED)
    session.act(2, actions.claim((0, 1, 4)))
    session.act(1, actions.dispute("no"))
    async with at_match(tmp_path, session) as person:
        await person.press("c", "2")
        assert "o" not in offered(person)  # O is barred
        assert "x" in offered(person)


def taken_seat() -> StillSession:
    return still("classic", "5 1", is_remote=True, seats=(2,))


@pytest.mark.parametrize(
    ("session", "keys", "others"),
    [
        (lambda: still("classic"), "1-9 enter h a s r t f2 f3 l e ?", "u , home y n w g c x o m d"),
        (lambda: still("classic", "5 1"), "u h a , home s r", "d g c"),
        (lambda: still("classic", WON), "g u , home a s", "h r d t"),
        (lambda: still("classic", WON, seats=()), ", home a", "g u h s r"),
        (ended_without_an_opponent, "s a", "g h r d u"),
        (offered_a_draw, "y n", "d"),
        (taken_seat, "s d r ,", "a h 1 enter"),
        (lambda: still("agents", "[1,1]"), "c u h", "y n w x o"),
    ],
    ids=[
        "at the start",
        "in the middle",
        "at the end",
        "watching",
        "nobody to play",
        "an offer",
        "on a server",
        "with claims",
    ],
)
@async_test
async def test_all_keys_of_the_moment_are_offered(session: object, keys: str, others: str, tmp_path: Path) -> None:
    assert callable(session)
    async with at_match(tmp_path, session(), (200, 60)) as person:
        shown = {NAMED.get(key, key) for hint in person.screen.query_one(KeyBar).keys for key in hint.key.split()}
        assert {NAMED.get(key, key) for key in keys.split()} <= shown
        assert shown.isdisjoint(NAMED.get(key, key) for key in others.split())
        row = person.lines[-1]
        missing = [hint for hint in person.screen.query_one(KeyBar).keys if f"{hint.key} {hint.does}" not in row]
        assert [hint.key for hint in missing] in ([], ["home"])  # the last of them, where there is no room


@async_test
async def test_the_keys_of_the_moment_are_on_the_page_behind_the_question_mark(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("swap-nine", "5 2 8 4"), (120, 40)) as person:
        await person.press("7")
        offered = person.screen.query_one(KeyBar).keys
        await person.press("question_mark")
        assert "Keys now" in person.text
        now = person.text.partition("Keys now")[2].partition("Swap Nine")[0]
        assert all(f"{hint.key} {hint.does}" in now for hint in offered)


@async_test
async def test_a_tall_window_has_two_rows_of_keys(tmp_path: Path) -> None:
    async with at_match(tmp_path, still("classic", "5 1"), (100, 50)) as person:
        assert "u undo O" in person.lines[-2]
        assert "f3 colours" in person.lines[-1]
