"""Clocks and due times of a kept match, in a time that is moved by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.core.position import O, X
from ninefold.match import actions
from ninefold.server.hosting.commands import Tick
from ninefold.server.hosting.deadlines import IDLE_MS, OPEN_MS, Outages, charged, due, later, remaining, settle_due
from ninefold.server.hosting.errors import Problem
from ninefold.server.hosting.model import Settings
from tests.support.handlers import MINUTE, SECOND, START, Desk, timed, why


def left(desk: Desk) -> tuple[int, int] | None:
    """What the clocks of X and O show now."""
    return remaining(desk.hosted, desk.now, desk.outages)


def test_the_first_move_is_free_and_starts_the_clocks() -> None:
    desk = Desk(settings=timed(MINUTE, 2 * SECOND))
    desk.now += 10 * MINUTE
    assert left(desk) == (MINUTE, MINUTE)
    desk.play("5")
    assert left(desk) == (MINUTE, MINUTE)
    desk.now += 7 * SECOND
    assert left(desk) == (MINUTE, MINUTE - 7 * SECOND)


def test_a_move_is_charged_and_rewarded_with_the_increment() -> None:
    desk = Desk(settings=timed(MINUTE, 2 * SECOND))
    desk.play("5")
    desk.now += 7 * SECOND
    desk.play("1")
    assert left(desk) == (MINUTE, MINUTE - 5 * SECOND)
    desk.now += 10 * SECOND
    assert left(desk) == (MINUTE - 10 * SECOND, MINUTE - 5 * SECOND)


def test_talk_does_not_touch_the_clocks() -> None:
    desk = Desk(settings=timed(MINUTE, 2 * SECOND))
    desk.play("5")
    for _ in range(5):
        desk.now += SECOND
        desk.act(2, actions.say("let me think"))
    assert left(desk) == (MINUTE, MINUTE - 5 * SECOND)


def test_an_offer_brings_no_time() -> None:
    desk = Desk(settings=timed(MINUTE, 2 * SECOND))
    desk.play("5")
    desk.now += 5 * SECOND
    desk.act(2, actions.OFFER_DRAW)
    desk.now += 5 * SECOND
    desk.act(1, actions.DECLINE)
    assert left(desk) == (MINUTE, MINUTE - 10 * SECOND)


def test_a_take_back_does_not_rewind_the_clocks() -> None:
    desk = Desk(settings=timed(MINUTE))
    desk.play("5")
    desk.now += 20 * SECOND
    desk.play("1")
    desk.now += 5 * SECOND
    desk.act(2, actions.OFFER_TAKE_BACK)
    desk.act(1, actions.ACCEPT)
    assert desk.hosted.match.position.turn is O
    assert left(desk) == (MINUTE - 5 * SECOND, MINUTE - 20 * SECOND)
    desk.now += 10 * SECOND
    assert left(desk) == (MINUTE - 5 * SECOND, MINUTE - 30 * SECOND)


def test_both_clocks_stand_while_a_claim_is_pending() -> None:
    desk = Desk("agents", settings=timed(5 * MINUTE, claim_ms=MINUTE))
    desk.play("[0,0]", "[1,1]")
    desk.now += 10 * SECOND
    desk.act(1, actions.claim((0, 1, 2)))
    before = left(desk)
    assert before == (5 * MINUTE, 5 * MINUTE - 10 * SECOND)
    desk.now += 30 * SECOND
    assert left(desk) == before
    desk.act(2, actions.dispute("no"))
    desk.now += 5 * SECOND
    assert left(desk) == (5 * MINUTE, 5 * MINUTE - 15 * SECOND)


def test_a_flag_falls_by_itself_when_time_has_run_out() -> None:
    desk = Desk(settings=timed(MINUTE))
    desk.play("5")
    desk.now += MINUTE - 1
    desk.write(Tick("match"))
    assert desk.ended() is None
    desk.now += 1
    desk.write(Tick("match"))
    assert desk.ended() == ("flagged", "1-0")
    assert left(desk) == (MINUTE, 0)


def test_a_late_move_finds_the_flag_fallen() -> None:
    desk = Desk(settings=timed(MINUTE))
    desk.play("5")
    late = desk.attempt(2, actions.move(0))
    desk.now += MINUTE
    with pytest.raises(Problem) as refusal:
        desk.write(late)
    assert refusal.value.reason == "ended"
    assert desk.kinds() == ["move", "flag"]


def test_a_move_in_the_last_millisecond_is_in_time() -> None:
    desk = Desk(settings=timed(MINUTE))
    desk.play("5")
    desk.now += MINUTE - 1
    desk.play("1")
    assert desk.ended() is None
    assert left(desk) == (MINUTE, 1)


def test_a_repeat_of_a_move_made_in_time_is_answered_although_the_flag_has_fallen() -> None:
    desk = Desk(settings=timed(MINUTE))
    desk.play("5")
    move = desk.attempt(2, actions.move(0))
    first = desk.write(move)
    desk.now += MINUTE
    assert desk.write(move) == {**first, "replayed": True}
    assert desk.ended() == ("flagged", "0-1")


def test_a_flag_beats_ones_own_unclaimed_line() -> None:
    desk = Desk("agents", settings=timed(MINUTE))
    desk.play("[0,0]", "[1,0]", "[0,1]", "[1,1]", "[0,2]", "[2,2]")
    assert desk.hosted.match.position.turn is O
    desk.now += MINUTE
    desk.write(Tick("match"))
    assert desk.ended() == ("flagged", "1-0")


def test_a_claim_that_is_not_answered_is_settled_by_the_referee() -> None:
    desk = Desk("agents", settings=Settings(claim_ms=30 * SECOND))
    desk.play("[0,0]")
    desk.act(1, actions.claim((0, 1, 2)))
    desk.now += 20 * SECOND
    desk.act(2, actions.say("let me see"))
    assert due(desk.hosted, ()) == (START + 30 * SECOND, actions.SETTLE)
    desk.now += 10 * SECOND
    desk.write(Tick("match"))
    assert desk.kinds()[-1] == "settle"
    assert desk.hosted.match.state.barred == {desk.hosted.match.setup.side(1)}


def test_a_true_claim_that_is_not_answered_has_won() -> None:
    desk = Desk("agents", settings=Settings(claim_ms=30 * SECOND))
    desk.play("[0,0]", "[1,0]", "[0,1]", "[1,1]", "[0,2]")
    desk.act(2, actions.claim((0, 1, 2)))
    desk.now += 30 * SECOND
    confirm = desk.attempt(1, actions.CONFIRM)
    with pytest.raises(Problem, match="has ended"):
        desk.write(confirm)
    assert desk.ended() == ("claim", "0-1")


def test_clocks_go_on_after_a_claim_was_settled_by_the_referee() -> None:
    desk = Desk("agents", settings=timed(5 * MINUTE, claim_ms=30 * SECOND))
    desk.play("[0,0]")
    desk.act(1, actions.claim((0, 1, 2)))
    desk.now += 30 * SECOND
    desk.write(Tick("match"))
    desk.now += 5 * SECOND
    assert desk.hosted.match.position.turn is X
    assert left(desk) == (5 * MINUTE - 5 * SECOND, 5 * MINUTE)


def test_an_open_seat_and_a_match_that_stands_still_expire() -> None:
    for players, wait in ((("human", "open"), OPEN_MS), (("human", "human"), IDLE_MS)):
        desk = Desk("classic", *players)
        desk.now += wait - 1
        desk.write(Tick("match"))
        assert desk.ended() is None
        desk.now += 1
        desk.write(Tick("match"))
        assert desk.ended() == ("expired", "*")


def test_every_action_keeps_a_match_from_expiring_but_talk_does_not() -> None:
    desk = Desk()
    desk.now += IDLE_MS - 1
    desk.act(1, actions.say("still here"))
    assert due(desk.hosted, ()) == (START + IDLE_MS, actions.EXPIRE)
    desk.play("5")
    assert due(desk.hosted, ()) == (desk.now + IDLE_MS, actions.EXPIRE)


def test_time_while_the_server_was_down_is_charged_to_nobody() -> None:
    desk = Desk(settings=timed(MINUTE))
    desk.play("5")
    desk.now += 10 * SECOND
    desk.outages.append((desk.now, desk.now + 60 * MINUTE))
    desk.now += 60 * MINUTE
    assert left(desk) == (MINUTE, MINUTE - 10 * SECOND)
    desk.now += 10 * SECOND
    desk.play("1")
    assert left(desk) == (MINUTE, MINUTE - 20 * SECOND)


def test_claims_absence_and_idle_matches_wait_for_a_server_that_was_down() -> None:
    outage = (START + SECOND, START + 20 * 24 * 60 * MINUTE)
    down = outage[1] - outage[0]
    desk = Desk("agents", settings=Settings(claim_ms=MINUTE))
    assert due(desk.hosted, [outage]) == (START + IDLE_MS + down, actions.EXPIRE)
    desk.play("[0,0]")
    desk.act(1, actions.claim((0, 1, 2)))
    assert due(desk.hosted, [outage]) == (START + MINUTE + down, actions.SETTLE)


def test_nothing_is_due_any_more_in_a_match_that_has_ended() -> None:
    desk = Desk(settings=timed(MINUTE))
    desk.play("1", "4", "2", "5", "3")
    assert due(desk.hosted, ()) is None
    desk.now += 100 * IDLE_MS
    assert settle_due(desk.hosted, desk.now, ()) is desk.hosted
    assert why(desk, desk.attempt(2, actions.move(8))) == (409, "ended")


@st.composite
def outages(draw: st.DrawFn) -> Outages:
    """Some that do not overlap, as they come."""
    bounds = sorted(draw(st.sets(st.integers(0, 1000), max_size=8)))
    return list(zip(bounds[::2], bounds[1::2], strict=False))


@given(st.integers(0, 1000), st.integers(0, 2000), outages())
def test_later_is_the_moment_when_so_much_has_been_charged(since: int, wait: int, outages: Outages) -> None:
    moment = later(since, wait, outages)
    assert charged(since, moment, outages) == wait
    assert wait == 0 or charged(since, moment - 1, outages) == wait - 1


@given(st.integers(0, 1000), st.integers(0, 2000), outages())
def test_charged_time_never_runs_backwards(since: int, wait: int, outages: Outages) -> None:
    assert charged(since, since + wait, outages) <= charged(since, since + wait + 1, outages) <= wait + 1
    assert charged(since, since - wait, outages) == 0
