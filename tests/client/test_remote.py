"""Sessions on a server: what is known of the match is of one moment, and the log is downloaded once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from ninefold.client import MatchChange, RemoteMatch, RemoteSeat, Server
from ninefold.client.api import ActionResult
from ninefold.client.errors import no_connection
from ninefold.client.remote import RemoteSession
from ninefold.client.session import SessionState
from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.log import event_fields
from ninefold.match.match import Match, begin
from tests.support.relay import relay
from tests.support.server_process import Serving, refusal, serving
from tests.support.terminals import invited
from tests.support.waiting import PATIENCE

START = begin(find_game("classic"))
PLAYED = START.act(1, actions.move(4))
CLOCK = {"X": 60_000, "O": 60_000, "running": "O", "increment": 0, "at": 0}


def view_of(match: Match, *, names: tuple[str, str] = ("", ""), open_seat: int = 0, **more: Any) -> dict[str, Any]:
    seats = [
        {"seat": seat, "name": name, "player": "open" if seat == open_seat else "person", "present": True}
        for seat, name in enumerate(names, 1)
    ]
    return {"size": len(match.events), "clock": None, "rematch": None, "seats": seats, **more}


def events_of(match: Match, first: int = 0) -> tuple[dict[str, Any], ...]:
    return tuple({"index": n, **event_fields(event)} for n, event in enumerate(match.events[first:], first))


def news(match: Match, first: int = 0, **more: Any) -> MatchChange:
    return MatchChange("events", view_of(match, **more), events_of(match, first))


class Log:
    """The log on a server that does not exist; ``match`` may refuse to be read."""

    def __init__(self, match: Match) -> None:
        self.match: Match | Exception = match
        self.downloads = 0

    def __call__(self) -> Match:
        self.downloads += 1
        if isinstance(self.match, Exception):
            raise self.match
        return self.match


class FakeMatch(RemoteMatch):
    """A match of which these things will be heard, and then nothing more."""

    def __init__(self, *changes: MatchChange | Exception, view: dict[str, Any] | None = None) -> None:
        RemoteMatch.__init__(self, Server("http://nowhere"), "00ff", "token")
        self.log = Log(START)
        self._first_view = view or view_of(START)
        self._coming = changes
        self.heard = threading.Event()

    def match(self) -> Match:
        return self.log()

    def view(self) -> dict[str, Any]:
        return self._first_view

    def changes(self, after: int | None = None, *, views: bool = True) -> Any:  # noqa: ARG002 - nothing is missed here
        return self

    def __iter__(self) -> Iterator[MatchChange]:
        for one in self._coming:
            if isinstance(one, Exception):
                raise one
            yield one
        self.heard.set()


class FakeSeat(FakeMatch, RemoteSeat):
    """Seat 1, whose actions have these results."""

    number = 1

    def __init__(self, *changes: MatchChange | Exception, results: Sequence[object] = (), **more: Any) -> None:
        FakeMatch.__init__(self, *changes, **more)
        self._results = iter(results)

    def act(self, action: Action, version: int | None = None, *, typed: str = "") -> ActionResult:  # noqa: ARG002
        result = next(self._results)
        if isinstance(result, Exception):
            raise result
        assert isinstance(result, Match)
        return ActionResult(result.version, events_of(result, len(result.events) - 1), replayed=False)


def listened(fake: FakeMatch) -> RemoteSession:
    """To the end of what is heard."""
    session = RemoteSession(fake)
    session.start()
    assert fake.heard.wait(PATIENCE)
    return session


def until(session: RemoteSession, holds: Callable[[SessionState], object]) -> SessionState:
    state = session.state
    while not holds(state):
        before = state
        state = session.wait(before, PATIENCE)
        assert state is not before, "nothing happens"
    return state


# What is heard


def test_events_and_the_view_after_them_become_known_together() -> None:
    fake = FakeMatch(news(PLAYED, clock=CLOCK, names=("Ann", "Bob")), view=view_of(START, open_seat=2))
    session = RemoteSession(fake)
    assert (session.state.open_seats, session.state.awaited) == (frozenset({2}), None)
    seen: list[SessionState] = []
    session.subscribe(lambda: seen.append(session.state))
    session.start()
    assert fake.heard.wait(PATIENCE)
    (state,) = seen
    assert state.match.events == PLAYED.events
    assert (state.open_seats, state.awaited, state.match.setup.label(2)) == (frozenset(), 2, "Bob (O)")
    assert state.clock
    assert str(state.clock.read(state.clock.at)) == "X 1:00  O 1:00"
    assert fake.log.downloads == 1


def test_events_without_a_view_are_folded_and_bring_the_clocks() -> None:
    running = {**CLOCK, "O": 30_000}
    alone = MatchChange("events", events=news(PLAYED).events, clock=running)
    fake = FakeMatch(alone, view=view_of(START, clock=CLOCK))
    state = listened(fake).state
    assert state.match.events == PLAYED.events
    assert state.clock
    assert str(state.clock.read(state.clock.at)) == "X 1:00  O 0:30"
    assert fake.log.downloads == 1


def test_events_that_are_known_already_are_passed_over() -> None:
    more = PLAYED.act(2, actions.move(0))
    fake = FakeMatch(news(PLAYED), news(PLAYED), news(more))
    assert listened(fake).match.events == more.events
    assert fake.log.downloads == 1


def test_a_gap_downloads_the_log_again() -> None:
    more = PLAYED.act(2, actions.move(0))
    fake = FakeMatch(news(more, first=1))
    session = RemoteSession(fake)
    fake.log.match = more
    session.start()
    assert fake.heard.wait(PATIENCE)
    assert session.match == more
    assert fake.log.downloads == 2


@pytest.mark.parametrize(
    "event",
    [
        {"index": 0, "event": "moved", "seat": 1, "at": 0, "move": 99},
        {"index": 0, "event": "moved", "seat": 7, "at": 0, "move": 4},
        {"index": 0, "event": "settled", "seat": 0, "at": 0},
        {"index": 0, "event": "taken_back", "seat": 1, "at": 0, "number": 3},
        {"index": 0, "event": "danced"},
        {"index": "first"},
        {},
    ],
)
def test_an_event_that_cannot_be_is_looked_up_in_the_log(event: dict[str, Any]) -> None:
    fake = FakeMatch(MatchChange("events", view_of(PLAYED), (event,)))
    session = RemoteSession(fake)
    fake.log.match = PLAYED
    session.start()
    assert fake.heard.wait(PATIENCE)
    assert session.match == PLAYED


def test_a_log_that_cannot_be_downloaded_now_is_downloaded_at_the_next_change() -> None:
    fake = FakeMatch(news(PLAYED, first=1), MatchChange("lost"), news(PLAYED, first=1))
    session = RemoteSession(fake)
    attempts: Iterator[Exception | Match] = iter([no_connection("http://nowhere"), PLAYED])

    def next_attempt() -> Match:
        found = next(attempts)
        if isinstance(found, Exception):
            raise found
        return found

    fake.log = next_attempt  # type: ignore[assignment]  # it is called in the same way
    session.start()
    assert fake.heard.wait(PATIENCE)
    assert session.match == PLAYED
    assert session.state.is_connected


def test_what_a_server_says_cannot_reach_into_the_terminal() -> None:
    said = PLAYED.act(1, actions.say("hello"))
    said_so = {**events_of(said, 1)[0], "text": "\x1b[2Jhello\u202e"}
    view = view_of(said, names=("\x1b[31mAnn", "Bob"))
    session = listened(FakeMatch(news(PLAYED), MatchChange("events", view, (said_so,))))
    assert session.match.events[-1].action.text == "[2Jhello"
    assert session.match.setup.display_name(1) == "[31mAnn"


def test_a_lost_connection_and_who_is_disconnected_are_known() -> None:
    away = MatchChange("presence", seats={"1": True, "2": False})
    state = listened(FakeMatch(news(PLAYED), away, MatchChange("lost"))).state
    assert not state.is_connected
    assert state.absent_seats == {2}
    assert listened(FakeMatch(news(PLAYED), away, MatchChange("lost"), news(PLAYED))).state.is_connected


def test_a_rematch_that_somebody_asked_for_is_known() -> None:
    assert listened(FakeMatch(news(PLAYED, rematch="00fe"))).state.rematch == "00fe"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (NotAllowed("no_such_match"), "no_such_match"),
        (MatchChange("moved"), "moved"),
        (NotAllowed("bad_token"), "moved"),
        (MatchChange("events", {"size": 1}), "not_a_server"),
        (MatchChange("presence", seats={"left": False}), "not_a_server"),
        (Unreadable("not_a_server.socket"), "not_a_server"),
    ],
    ids=["refused", "moved", "the token is void", "no view", "no seat", "no message"],
)
def test_a_refusal_ends_the_session(change: MatchChange | Exception, reason: str) -> None:
    fake = FakeSeat(change, news(PLAYED))
    session = RemoteSession(fake)
    session.start()
    state = until(session, lambda state: state.ended)
    assert state.ended
    assert state.ended.reason == reason
    assert state.to_act is None


def test_a_defect_is_raised_to_whoever_waits() -> None:
    session = RemoteSession(FakeMatch(RuntimeError("a defect")))
    session.start()
    with pytest.raises(RuntimeError, match="a defect"):
        session.wait(session.state, PATIENCE)


# Acting


def test_the_response_to_an_action_is_enough_to_know_its_events() -> None:
    clock = {"X": 60_000, "O": 60_000, "running": "X", "increment": 5_000, "at": 0}
    base = PLAYED.act(2, actions.move(0))
    mine = base.act(1, actions.move(8))
    fake = FakeSeat(results=[mine], view=view_of(base, clock=clock))
    fake.log.match = base
    session = RemoteSession(fake)
    session.act(1, actions.move(8))
    state = session.state
    assert state.match == mine
    assert fake.log.downloads == 1
    assert state.clock
    assert state.clock.running == mine.position.turn
    assert 60_000 < state.clock.left[0] <= 65_000


def test_the_servers_clock_replaces_the_estimate_but_an_older_one_does_not() -> None:
    mine = START.act(1, actions.move(4))
    late = MatchChange("events", view_of(START, clock={**CLOCK, "X": 1_000}))
    fake = FakeSeat(late, results=[mine], view=view_of(START, clock={**CLOCK, "running": None}))
    session = RemoteSession(fake)
    session.act(1, actions.move(4))
    session.start()
    assert fake.heard.wait(PATIENCE)
    assert session.state.clock
    assert session.state.clock.left == (60_000, 60_000)


@pytest.mark.parametrize(
    ("refused", "reason", "words"),
    [
        (NotAllowed("taken", cell="5", side="X", free="1"), "taken", "Cell 5 is taken by X."),
        (NotAllowed("stale_version", version=3), "stale_version", "Something happened in the meantime."),
        (no_connection("http://nowhere"), "no_connection", "Your last action may not have arrived."),
    ],
)
def test_a_refused_action_changes_nothing(refused: NotAllowed, reason: str, words: str) -> None:
    session = RemoteSession(FakeSeat(results=[refused]))
    before = session.state
    found = refusal(lambda: session.act(1, actions.move(4)))
    assert (found.reason, session.state) == (reason, before)
    assert words in str(found)


def test_nobody_acts_for_the_opponent_or_while_watching() -> None:
    assert refusal(lambda: RemoteSession(FakeSeat()).act(2, actions.RESIGN)).reason == "not_yours"
    assert refusal(lambda: RemoteSession(FakeMatch()).act(1, actions.RESIGN)).reason == "only_watching"
    assert refusal(RemoteSession(FakeMatch()).rematch).reason == "only_watching"


def test_an_offer_of_the_opponent_is_to_be_answered_here() -> None:
    offered = PLAYED.act(2, actions.OFFER_DRAW)
    state = listened(FakeSeat(news(offered))).state
    assert state.is_offered
    assert state.to_act == 1
    assert RemoteSession(FakeSeat()).undo_action(1) == actions.OFFER_TAKE_BACK


# With a real server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


def test_two_sessions_play_a_match_and_a_rematch(server: Serving) -> None:
    ann, invitation = invited(server, clock=(300, 0))
    with (
        RemoteSession(ann) as one,
        RemoteSession(server.client().join(invitation, "Bob")) as two,
    ):
        until(one, lambda state: state.match.setup.display_name(2) == "Bob")
        for ply, move in enumerate("14253"):
            session = (one, two)[ply % 2]
            until(session, lambda state: state.to_act)
            session.act(ply % 2 + 1, Action("move"), move)
        assert until(two, lambda state: state.match.result).match == one.match
        again = one.rematch()
        until(two, lambda state: state.rematch)
        with again, two.rematch() as other:
            until(other, lambda state: state.to_act)
            other.act(2, actions.move(4))
            until(again, lambda state: state.to_act)
            assert again.match == other.match


def test_a_session_goes_on_after_the_server_was_killed(tmp_path: Any) -> None:
    with serving(tmp_path / "data") as server:
        ann, invitation = invited(server)
        bob = server.client().join(invitation, "Bob")
        with RemoteSession(ann) as session:
            until(session, lambda state: state.to_act)
            session.act(1, actions.move(4))
            server.kill()
            until(session, lambda state: not state.is_connected)
            server.start()
            bob.my_turn()
            bob.play("1")
            until(session, lambda state: state.is_connected and len(state.match.state.moves) == 2)


def test_a_response_that_was_lost_is_folded_once(tmp_path: Any) -> None:
    with relay() as between, serving(tmp_path / "data", "--public-url", between.url) as server:
        between.target = server.port
        ann, invitation = invited(server)
        server.client().join(invitation, "Bob")
        seat = RemoteSeat(Server(between.url), ann.id, ann.token or "", 1)
        session = RemoteSession(seat)
        between.swallow = 1
        session.act(1, actions.move(4))
        assert between.swallow == 0
        assert session.match.state.moves == (4,)
        assert len(ann.match().events) == 1
        session.close()
