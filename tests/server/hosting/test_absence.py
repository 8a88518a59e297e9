"""An opponent who has gone can be claimed absent. Pure: nothing is started, nobody waits."""

from __future__ import annotations

from ninefold.match import actions
from ninefold.server.hosting.commands import ClaimAbsent, ClockRequest
from tests.support.handlers import MINUTE, TOKENS, MatchHost, refused, why

DAY = 24 * 60 * MINUTE


def test_an_opponent_who_has_gone_can_be_claimed_out_after_a_while() -> None:
    host = MatchHost(absent_seconds=300)
    host.play("5")
    host.now += 5 * MINUTE - 1
    refusal = refused(host, ClaimAbsent("match", TOKENS[1], "early", (0, 0)))
    assert (refusal.reason, refusal.instead) == ("not_absent", "Ask again in 1 s.")
    assert refusal.details["until"] == host.now + 1
    host.now += 1
    first = host.absent(1, request="gone")
    assert host.ended() == ("gone", "1-0")
    assert host.absent(1, request="gone") == {**first, "replayed": True}


def test_an_opponent_who_was_seen_lately_is_waited_for() -> None:
    host = MatchHost(absent_seconds=300)
    host.play("5")
    host.now += 60 * MINUTE
    assert why(host, ClaimAbsent("match", TOKENS[1], "r", (0, host.now - MINUTE))) == "not_absent"


def test_who_has_to_act_cannot_call_the_other_absent() -> None:
    host = MatchHost()
    host.now += DAY
    assert why(host, ClaimAbsent("match", TOKENS[1], "r", (0, 0))) == "not_absent"


def test_a_computer_is_never_absent_and_an_open_seat_neither() -> None:
    for other in ("easy", "open"):
        host = MatchHost("classic", other, "human")
        host.now += DAY - 1
        assert why(host, ClaimAbsent("match", TOKENS[2], "r", (0, 0))) == "not_absent"


def test_where_a_clock_runs_its_flag_is_waited_for_but_before_the_first_move_none_runs() -> None:
    host = MatchHost(clock=ClockRequest(3600))
    host.now += 6 * MINUTE
    unmoved = host.hosted
    host.absent(2)
    assert host.ended() == ("gone", "0-1")
    host.hosted = unmoved
    host.play("5")
    host.now += 6 * MINUTE
    assert why(host, ClaimAbsent("match", TOKENS[1], "r", (0, 0))) == "not_absent"


def test_calling_an_opponent_absent_settles_a_claim_first() -> None:
    host = MatchHost("agents", claim_seconds=3600, absent_seconds=60)
    host.play("[0,0]")
    host.act(1, actions.claim((0, 1, 2)))
    host.now += MINUTE
    host.absent(1)
    assert host.kinds()[-2:] == ["settle", "gone"]
