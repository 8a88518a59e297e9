"""Clocks and deadlines of a hosted match, with a clock that is moved by hand."""

from __future__ import annotations

import pytest

from ninefold.core.errors import Refusal
from ninefold.core.position import O, X
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.server.hosting.commands import ClockRequest, Tick
from ninefold.server.hosting.deadlines import IDLE_MS, OPEN_MS, apply_due, next_deadline, read_clock
from tests.support.handlers import MINUTE, SECOND, START, MatchHost, why


def left(host: MatchHost) -> tuple[int, int] | None:
    """What the clocks of X and O show now."""
    reading = read_clock(host.hosted, host.now, host.outages)
    return reading and reading.left


def test_the_first_move_is_free_and_starts_the_clocks() -> None:
    host = MatchHost(clock=ClockRequest(60, 2))
    host.now += 10 * MINUTE
    assert left(host) == (MINUTE, MINUTE)
    host.play("5")
    assert left(host) == (MINUTE, MINUTE)
    host.now += 7 * SECOND
    assert left(host) == (MINUTE, MINUTE - 7 * SECOND)


def test_a_move_is_charged_and_rewarded_with_the_increment() -> None:
    host = MatchHost(clock=ClockRequest(60, 2))
    host.play("5")
    host.now += 7 * SECOND
    host.play("1")
    assert left(host) == (MINUTE, MINUTE - 5 * SECOND)
    host.now += 10 * SECOND
    assert left(host) == (MINUTE - 10 * SECOND, MINUTE - 5 * SECOND)


def test_talk_does_not_touch_the_clocks() -> None:
    host = MatchHost(clock=ClockRequest(60, 2))
    host.play("5")
    for _ in range(5):
        host.now += SECOND
        host.act(2, actions.say("let me think"))
    assert left(host) == (MINUTE, MINUTE - 5 * SECOND)


def test_an_offer_brings_no_time() -> None:
    host = MatchHost(clock=ClockRequest(60, 2))
    host.play("5")
    host.now += 5 * SECOND
    host.act(2, actions.OFFER_DRAW)
    host.now += 5 * SECOND
    host.act(1, actions.DECLINE)
    assert left(host) == (MINUTE, MINUTE - 10 * SECOND)


def test_a_take_back_does_not_rewind_the_clocks() -> None:
    host = MatchHost(clock=ClockRequest(60))
    host.play("5")
    host.now += 20 * SECOND
    host.play("1")
    host.now += 5 * SECOND
    host.act(2, actions.OFFER_TAKE_BACK)
    host.act(1, actions.ACCEPT)
    assert host.hosted.match.position.turn is O
    assert left(host) == (MINUTE - 5 * SECOND, MINUTE - 20 * SECOND)
    host.now += 10 * SECOND
    assert left(host) == (MINUTE - 5 * SECOND, MINUTE - 30 * SECOND)


def test_both_clocks_stand_while_a_claim_is_pending() -> None:
    host = MatchHost("agents", clock=ClockRequest(300), claim_seconds=60)
    host.play("[0,0]", "[1,1]")
    host.now += 10 * SECOND
    host.act(1, actions.claim((0, 1, 2)))
    before = left(host)
    assert before == (5 * MINUTE, 5 * MINUTE - 10 * SECOND)
    host.now += 30 * SECOND
    assert left(host) == before
    host.act(2, actions.dispute("no"))
    host.now += 5 * SECOND
    assert left(host) == (5 * MINUTE, 5 * MINUTE - 15 * SECOND)


def test_a_flag_falls_by_itself_when_time_has_run_out() -> None:
    host = MatchHost(clock=ClockRequest(60))
    host.play("5")
    host.now += MINUTE - 1
    host.write(Tick("match"))
    assert host.ended() is None
    host.now += 1
    host.write(Tick("match"))
    assert host.ended() == ("flagged", "1-0")
    assert left(host) == (MINUTE, 0)


def test_a_late_move_finds_the_flag_fallen() -> None:
    host = MatchHost(clock=ClockRequest(60))
    host.play("5")
    late = host.attempt(2, actions.move(0))
    host.now += MINUTE
    with pytest.raises(Refusal) as refusal:
        host.write(late)
    assert refusal.value.reason == "ended"
    assert host.kinds() == ["move", "flag"]


def test_a_move_in_the_last_millisecond_is_in_time() -> None:
    host = MatchHost(clock=ClockRequest(60))
    host.play("5")
    host.now += MINUTE - 1
    host.play("1")
    assert host.ended() is None
    assert left(host) == (MINUTE, 1)


def test_a_repeat_of_a_move_made_in_time_is_answered_although_the_flag_has_fallen() -> None:
    host = MatchHost(clock=ClockRequest(60))
    host.play("5")
    move = host.attempt(2, actions.move(0))
    first = host.write(move)
    host.now += MINUTE
    assert host.write(move) == {**first, "replayed": True}
    assert host.ended() == ("flagged", "0-1")


def test_a_flag_beats_ones_own_unclaimed_line() -> None:
    host = MatchHost("agents", clock=ClockRequest(60))
    host.play("[0,0]", "[1,0]", "[0,1]", "[1,1]", "[0,2]", "[2,2]")
    assert host.hosted.match.position.turn is O
    host.now += MINUTE
    host.write(Tick("match"))
    assert host.ended() == ("flagged", "1-0")


def test_a_claim_that_is_not_answered_is_settled_by_the_referee() -> None:
    host = MatchHost("agents", claim_seconds=30)
    host.play("[0,0]")
    host.act(1, actions.claim((0, 1, 2)))
    host.now += 20 * SECOND
    host.act(2, actions.say("let me see"))
    assert next_deadline(host.hosted, ()) == (START + 30 * SECOND, actions.SETTLE)
    host.now += 10 * SECOND
    host.write(Tick("match"))
    assert host.kinds()[-1] == "settle"
    assert host.hosted.match.state.barred == {host.hosted.match.setup.side(1)}


def test_a_true_claim_that_is_not_answered_has_won() -> None:
    host = MatchHost("agents", claim_seconds=30)
    host.play("[0,0]", "[1,0]", "[0,1]", "[1,1]", "[0,2]")
    host.act(2, actions.claim((0, 1, 2)))
    host.now += 30 * SECOND
    confirm = host.attempt(1, actions.CONFIRM)
    with pytest.raises(Refusal, match="has ended"):
        host.write(confirm)
    assert host.ended() == ("claim", "0-1")


def test_clocks_go_on_after_a_claim_was_settled_by_the_referee() -> None:
    host = MatchHost("agents", clock=ClockRequest(300), claim_seconds=30)
    host.play("[0,0]")
    host.act(1, actions.claim((0, 1, 2)))
    host.now += 30 * SECOND
    host.write(Tick("match"))
    host.now += 5 * SECOND
    assert host.hosted.match.position.turn is X
    assert left(host) == (5 * MINUTE - 5 * SECOND, 5 * MINUTE)


def test_an_open_seat_and_a_match_that_stands_still_expire() -> None:
    for players, wait in ((("human", "open"), OPEN_MS), (("human", "human"), IDLE_MS)):
        host = MatchHost("classic", *players)
        host.now += wait - 1
        host.write(Tick("match"))
        assert host.ended() is None
        host.now += 1
        host.write(Tick("match"))
        assert host.ended() == ("expired", "*")


def test_every_action_keeps_a_match_from_expiring_but_talk_does_not() -> None:
    host = MatchHost()
    host.now += IDLE_MS - 1
    host.act(1, actions.say("still here"))
    assert next_deadline(host.hosted, ()) == (START + IDLE_MS, actions.EXPIRE)
    host.play("5")
    assert next_deadline(host.hosted, ()) == (host.now + IDLE_MS, actions.EXPIRE)


def test_time_while_the_server_was_down_is_charged_to_nobody() -> None:
    host = MatchHost(clock=ClockRequest(60))
    host.play("5")
    host.now += 10 * SECOND
    host.outages.append((host.now, host.now + 60 * MINUTE))
    host.now += 60 * MINUTE
    assert left(host) == (MINUTE, MINUTE - 10 * SECOND)
    host.now += 10 * SECOND
    host.play("1")
    assert left(host) == (MINUTE, MINUTE - 20 * SECOND)


def test_claims_absence_and_idle_matches_wait_for_a_server_that_was_down() -> None:
    outage = (START + SECOND, START + 20 * 24 * 60 * MINUTE)
    down = outage[1] - outage[0]
    host = MatchHost("agents", claim_seconds=60)
    assert next_deadline(host.hosted, [outage]) == (START + IDLE_MS + down, actions.EXPIRE)
    host.play("[0,0]")
    host.act(1, actions.claim((0, 1, 2)))
    assert next_deadline(host.hosted, [outage]) == (START + MINUTE + down, actions.SETTLE)


def test_nothing_is_due_any_more_in_a_match_that_has_ended() -> None:
    host = MatchHost(clock=ClockRequest(60))
    host.play("1", "4", "2", "5", "3")
    assert next_deadline(host.hosted, ()) is None
    host.now += 100 * IDLE_MS
    assert apply_due(host.hosted, host.now, ()) is host.hosted
    assert why(host, host.attempt(2, actions.move(8))) == "ended"


def timed_move(host: MatchHost, text: str, ms: int, lag: int) -> None:
    """A move after a time, some of which the network took."""
    host.now += ms
    seat = host.hosted.match.to_act or 1
    host.write(host.attempt(seat, Action("move"), text=text)._replace(lag=lag))


def test_measured_lag_is_given_back_once_and_only_as_far_as_time_was_charged() -> None:
    host = MatchHost(clock=ClockRequest(300))
    timed_move(host, "5", 5 * SECOND, lag=400)  # the clock did not run yet
    timed_move(host, "1", 2 * SECOND, lag=400)
    assert left(host) == (300 * SECOND, 298 * SECOND + 400)
    timed_move(host, "2", 100, lag=400)
    assert left(host) == (300 * SECOND, 298 * SECOND + 400)


def test_lag_is_given_back_within_a_quota_that_each_move_fills_again() -> None:
    host = MatchHost("squared", clock=ClockRequest(60))
    gain = 150 + 60 * 4
    moves = iter(("55", "51", "11", "15", "52", "21", "12", "25", "53", "31"))
    timed_move(host, next(moves), 0, 0)
    time, quota = 60 * SECOND, 3 * gain
    for _ in range(4):
        timed_move(host, next(moves), 5 * SECOND, lag=10 * SECOND)
        time += min(quota, 5 * SECOND) - 5 * SECOND
        quota = min(7 * gain, quota - min(quota, 5 * SECOND) + gain)
        assert left(host) == (60 * SECOND, time)
        timed_move(host, next(moves), 0, 0)


def test_a_side_without_lag_saves_its_quota_up_to_a_bound() -> None:
    host = MatchHost("squared", clock=ClockRequest(60))
    for move in ("55", "51", "11", "15", "52", "21", "12", "25", "53", "31", "14", "45", "54", "41", "13", "35"):
        timed_move(host, move, 10, lag=0)
    assert host.hosted.clock
    assert max(host.hosted.clock.lag_quotas) == 7 * (150 + 60 * 4)
