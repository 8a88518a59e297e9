"""Sessions in this process: the same rules as on a server, computers and clocks in the background, and a store."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from ninefold.client.local import LocalSession
from ninefold.client.session import Session, SessionState
from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.position import Side
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.clock import ClockState, TimeControl
from ninefold.match.match import Match, begin
from ninefold.match.state import HUMAN, Seat, Setup
from ninefold.server.hosting.commands import ClockRequest, MatchRequest, SeatRequest
from ninefold.server.hosting.model import HostedMatch
from tests.support.clocks import ManualClock
from tests.support.server_process import refusal
from tests.support.waiting import PATIENCE

MINUTE = 60_000
YEARS = 10 * 365 * 24 * 60 * MINUTE
THREE = (actions.move(0), actions.move(3), actions.move(1), actions.move(4), actions.move(2))  # X wins


def request(game: str = "classic", one: str = HUMAN, two: str = HUMAN, **more: Any) -> MatchRequest:
    return MatchRequest(game, seats=(SeatRequest(one), SeatRequest(two)), seed=1, **more)


def moves(session: Session) -> list[str]:
    return [session.match.game.name(move) for move in session.match.state.moves]


def kinds(session: Session) -> list[str]:
    return [event.action.kind for event in session.match.events]


def until(session: Session, holds: Callable[[SessionState], object]) -> SessionState:
    """The first state for which something holds."""
    state = session.state
    while not holds(state):
        before = state
        state = session.wait(before, PATIENCE)
        assert state is not before, "nothing happens"
    return state


@pytest.fixture
def started() -> Iterator[Callable[[LocalSession], LocalSession]]:
    """Starts sessions, which are closed after the test."""
    with ExitStack() as stack:
        yield stack.enter_context


Start = Callable[[LocalSession], LocalSession]


class BlockedComputer:
    """Plays the last legal move, once it may."""

    def __init__(self) -> None:
        self.may_play = threading.Event()
        self.asked: list[int] = []

    def __call__(self, setup: Setup, seat: int, is_wanted: Callable[[], bool]) -> Callable[[Match], Action]:  # noqa: ARG002
        def play(match: Match) -> Action:
            self.asked.append(seat)
            self.may_play.wait(PATIENCE)
            return actions.move(match.position.moves()[-1])

        return play


# Acting


def test_two_people_at_one_screen_play_to_the_end() -> None:
    session = LocalSession.create(request())
    for action in THREE:
        seat = session.state.to_act
        assert seat
        session.act(seat, action)
    assert session.state.to_act is None
    assert session.match.result
    assert str(session.match.result.outcome.winner) == "X"


def test_a_move_may_be_given_as_players_type_it() -> None:
    session = LocalSession.create(request("squared"))
    session.act(1, Action("move"), "55")
    session.act(2, Action("move"), "1")  # the board is settled
    assert moves(session) == ["55", "51"]


def test_a_refused_action_changes_nothing() -> None:
    session = LocalSession.create(request())
    session.act(1, actions.move(4))
    before = session.state
    assert refusal(lambda: session.act(2, actions.move(4))).reason == "taken"
    assert refusal(lambda: session.act(1, actions.move(0))).reason == "not_your_turn"
    assert session.state is before


def test_refused_attempts_are_in_the_audit() -> None:
    session = LocalSession.create(request())
    refusal(lambda: session.act(2, actions.move(4)))
    session.note(1, "move", "not_an_answer")
    assert ['"not_your_turn"' in session.hosted.refused[0][1], '"not_an_answer"' in session.hosted.refused[1][1]] == [
        True,
        True,
    ]


def test_only_people_are_acted_for() -> None:
    session = LocalSession.create(request(two="easy"))
    assert refusal(lambda: session.act(2, actions.RESIGN)).reason == "not_yours"
    assert refusal(lambda: LocalSession.create(request(one="easy", two="easy")).act(1, actions.RESIGN)).reason == (
        "only_watching"
    )


def test_a_computer_that_cannot_play_the_game_is_refused() -> None:
    assert refusal(lambda: LocalSession.create(request("squared", two="perfect"))).reason == "no_such_player"
    seats = (Seat(Side.X), Seat(Side.O, player="perfect"))
    assert refusal(lambda: LocalSession.resume(begin(find_game("squared"), None, seats))).reason == "no_such_player"


def test_between_people_the_last_move_is_taken_back() -> None:
    session = LocalSession.create(request())
    session.act(1, actions.move(4))
    session.act(2, actions.move(0))
    session.act(1, session.undo_action(1))
    assert moves(session) == ["5"]
    assert session.state.to_act == 2
    session.act(2, session.undo_action(2))
    assert refusal(lambda: session.act(1, session.undo_action(1))).reason == "nothing_to_undo"


def test_against_the_computer_ones_own_last_move_is_taken_back(started: Start) -> None:
    session = started(LocalSession.create(request(two="perfect")))
    session.act(1, actions.move(4))
    until(session, lambda state: state.to_act == 1)
    session.act(1, session.undo_action(1))
    assert moves(session) == []


def test_a_program_rules_where_a_seat_does_not_answer() -> None:
    session = LocalSession.create(request("agents", first="X"))
    session.act(1, actions.move((0,), claim=(0, 1, 2)))
    session.referee(actions.SETTLE)
    session.referee(actions.gone(2))
    assert kinds(session) == ["move", "settle", "gone"]


# The store


def test_a_change_is_stored_before_anybody_sees_it() -> None:
    seen: list[tuple[int, int]] = []

    def store(hosted: HostedMatch) -> None:
        seen.append((len(hosted.match.events), len(session.match.events)))

    session = LocalSession.create(request(), store=store)
    session.act(1, actions.move(4))
    session.act(2, session.undo_action(2))
    refusal(lambda: session.act(2, actions.move(4)))
    assert seen == [(1, 0), (2, 1)]


def test_what_cannot_be_stored_has_not_happened() -> None:
    def fail(_: HostedMatch) -> None:
        raise NotAllowed("cannot_write", file="'game.log'", why="No space left on device")

    session = LocalSession.create(request(), store=fail)
    before = session.state
    assert refusal(lambda: session.act(1, actions.move(4))).reason == "cannot_write"
    assert session.state is before
    session.store = None
    session.act(1, actions.move(4))
    assert moves(session) == ["5"]


def test_a_computers_move_that_cannot_be_stored_ends_the_session(started: Start) -> None:
    def fail(hosted: HostedMatch) -> None:
        if len(hosted.match.events) > 1:
            raise NotAllowed("cannot_write", file="'game.log'", why="No space left on device")

    session = started(LocalSession.create(request(two="easy"), store=fail))
    session.act(1, actions.move(4))
    ended = until(session, lambda state: state.ended).ended
    assert isinstance(ended, Refusal)
    assert ended.reason == "cannot_write"
    assert moves(session) == ["5"]
    assert refusal(lambda: session.act(1, actions.RESIGN)) is ended


# Computers


def test_the_computer_answers_in_the_background(started: Start) -> None:
    session = started(LocalSession.create(request(two="perfect")))
    session.act(1, actions.move(0))
    until(session, lambda state: state.to_act == 1)
    assert moves(session) == ["1", "5"]


def test_a_computer_that_starts_does_so_when_the_session_is_started(started: Start) -> None:
    session = LocalSession.create(request(one="easy"))
    assert session.state.awaited == 1
    started(session)
    until(session, lambda state: state.to_act == 2)


def test_two_computers_play_by_themselves(started: Start) -> None:
    session = started(LocalSession.create(request(one="perfect", two="perfect")))
    state = until(session, lambda state: state.match.result)
    assert state.seats == ()
    assert state.match.status == "draw"


def test_a_computer_disputes_a_false_claim(started: Start) -> None:
    session = started(LocalSession.create(request("agents", two="easy", first="X")))
    session.act(1, actions.claim((0, 1, 2)))
    until(session, lambda state: state.to_act == 1)
    assert kinds(session) == ["claim", "dispute", "settle"]


def test_a_thought_is_dropped_when_the_move_before_it_is_taken_back(started: Start) -> None:
    computer = BlockedComputer()
    session = started(LocalSession.create(request(two="easy"), computer=computer))
    session.act(1, actions.move(4))
    session.act(1, session.undo_action(1))
    session.act(1, actions.move(8))
    computer.may_play.set()
    until(session, lambda state: state.to_act == 1 or state.ended)
    assert moves(session) == ["9", "8"]
    assert session.state.ended is None


def test_taking_back_gives_the_turn_back_although_the_computer_has_just_moved(started: Start) -> None:
    computer = BlockedComputer()
    session = started(LocalSession.create(request(two="easy"), computer=computer))
    session.act(1, actions.move(4))
    undo = session.undo_action(1)
    computer.may_play.set()
    until(session, lambda state: state.to_act == 1)
    session.act(1, undo)
    assert moves(session) == []
    assert session.state.to_act == 1


def test_talk_does_not_interrupt_a_thought(started: Start) -> None:
    computer = BlockedComputer()
    session = started(LocalSession.create(request(two="easy"), computer=computer))
    session.act(1, actions.move(4))
    session.act(1, actions.say("take your time"))
    computer.may_play.set()
    until(session, lambda state: state.to_act == 1)
    assert computer.asked == [2]


def test_a_closed_session_hears_of_no_thought(started: Start) -> None:
    computer = BlockedComputer()
    session = started(LocalSession.create(request(one="easy"), computer=computer))
    session.close()
    computer.may_play.set()
    assert session.wait(session.state, PATIENCE) is session.state
    assert moves(session) == []


def test_a_defect_in_the_background_is_raised_to_whoever_waits(started: Start) -> None:
    def broken(*_: object) -> Callable[[Match], Action]:
        raise RuntimeError("a defect")

    called = threading.Event()
    session = LocalSession.create(request(one="easy"), computer=broken)
    session.subscribe(called.set)
    started(session)
    with pytest.raises(RuntimeError, match="a defect"):
        session.wait(session.state, PATIENCE)
    assert called.wait(PATIENCE)
    assert isinstance(session.error, RuntimeError)


# Time


def test_at_one_screen_a_claim_waits_for_ever_and_no_match_expires(started: Start) -> None:
    time = ManualClock()
    session = started(LocalSession.create(request("agents", first="X"), now=time))
    session.act(1, actions.move((0,), claim=(0, 1, 2)))
    time.at += YEARS
    session.act(2, actions.say("hm"))
    assert session.match.state.pending
    session.act(2, actions.CONFIRM)
    time.at += YEARS
    session.act(2, actions.move((1,)))
    assert session.match.result is None


def test_with_timers_a_claim_is_settled_as_on_a_server() -> None:
    time = ManualClock()
    session = LocalSession.create(request("agents", first="X"), now=time, timers=True)
    session.act(1, actions.move((0,), claim=(0, 1, 2)))
    time.at += MINUTE
    assert refusal(lambda: session.act(2, actions.CONFIRM)).reason == "stale_version"
    assert kinds(session) == ["move", "settle"]


def test_a_flag_falls_while_nobody_acts(started: Start) -> None:
    time = ManualClock()
    session = started(LocalSession.create(request(clock=ClockRequest(60)), now=time))
    session.act(1, actions.move(4))
    assert session.clock()
    time.at += MINUTE
    state = until(session, lambda state: state.match.result)
    assert state.match.events[-1].action == actions.flag(2)
    assert state.ended is None


def test_a_flag_falls_in_a_game_that_was_over_and_is_open_again(started: Start) -> None:
    time = ManualClock()
    session = started(LocalSession.create(request(clock=ClockRequest(60)), now=time))
    for number, move in enumerate(THREE):
        session.act(1 + number % 2, move)
    assert session.match.result
    for thread in threading.enumerate():
        if thread.name == "ninefold-clock":
            thread.join(PATIENCE)  # nobody watches the clocks of a game that is over
    session.act(1, session.undo_action(1))
    assert session.state.to_act == 1
    time.at += MINUTE
    state = until(session, lambda state: state.match.result)
    assert state.match.events[-1].action == actions.flag(1)


def test_a_flag_falls_while_the_computer_thinks(started: Start) -> None:
    time, computer = ManualClock(), BlockedComputer()
    session = started(LocalSession.create(request(two="easy", clock=ClockRequest(60)), now=time, computer=computer))
    session.act(1, actions.move(4))
    time.at += MINUTE
    state = until(session, lambda state: state.match.result)
    computer.may_play.set()
    session.close()
    assert state.match.events[-1].action == actions.flag(2)
    assert session.state is state


def test_clocks_run_from_the_first_move_on_and_a_move_adds_its_increment() -> None:
    time = ManualClock()
    session = LocalSession.create(request(clock=ClockRequest(60, 2)), now=time)
    time.at += 5_000
    assert str(session.clock()) == "X 1:00  O 1:00"
    session.act(1, actions.move(4))
    time.at += 10_000
    assert str(session.clock()) == "X 1:00  O 0:50"
    session.act(2, actions.move(0))
    assert str(session.clock()) == "X 1:00  O 0:52"


def test_the_clocks_of_a_saved_match_go_on_from_where_they_stood() -> None:
    time = ManualClock()
    match = begin(find_game("classic")).act(1, actions.move(4))
    session = LocalSession.resume(match, TimeControl(300_000, 5_000), ClockState((250_000, 7_000)), now=time)
    time.at += 1_000
    assert str(session.clock()) == "X 4:10  O 0:06.0"
    session.act(2, actions.move(0))
    assert str(session.clock()) == "X 4:10  O 0:11"
    assert session.hosted.clock


# Afterwards


def test_a_rematch_swaps_sides_and_has_no_store() -> None:
    stored: list[HostedMatch] = []
    session = LocalSession.create(request(clock=ClockRequest(60)), store=stored.append, now=ManualClock())
    assert refusal(session.rematch).reason == "not_ended"
    session.act(1, actions.RESIGN)
    stored.clear()
    again = session.rematch()
    assert [seat.side for seat in again.match.setup.seats] == [Side.O, Side.X]
    assert again.state.to_act == 2
    again.act(2, actions.move(4))
    assert stored == []
    assert str(again.clock()) == "X 1:00  O 1:00"


def test_in_swap_nine_player_1_stays_x_in_every_rematch() -> None:
    session = LocalSession.create(MatchRequest("swap-nine", seats=(SeatRequest(), SeatRequest()), sides="OX"))
    for first in (1, 2, 1):
        assert [session.match.setup.label(seat) for seat in (1, 2)] == ["Player 1 (X)", "Player 2 (O)"]
        assert session.state.to_act == first
        session.act(first, actions.RESIGN)
        session = session.rematch()


def test_spectators_cannot_ask_for_a_rematch(started: Start) -> None:
    session = started(LocalSession.create(request(one="perfect", two="perfect")))
    until(session, lambda state: state.match.result)
    assert refusal(session.rematch).reason == "only_watching"


def test_a_match_that_has_ended_is_looked_at() -> None:
    match = begin(find_game("classic"))
    for action in THREE:
        match = match.act(match.to_act or 0, action)
    session = LocalSession.resume(match)
    assert (session.match, session.state.to_act) == (match, None)


def test_callbacks_are_called_after_every_change_until_they_are_not_wanted() -> None:
    session = LocalSession.create(request())
    seen: list[list[str]] = []
    unsubscribe = session.subscribe(lambda: seen.append(moves(session)))
    session.act(1, actions.move(4))
    unsubscribe()
    session.act(2, actions.move(0))
    assert seen == [["5"]]


def test_waiting_ends_with_its_time() -> None:
    session = LocalSession.create(request())
    assert session.wait(session.state, 0.0) is session.state
