"""Who has gone from a match can be called absent, by the desk's rules. Pure: nothing is started, nobody waits."""

from __future__ import annotations

from ninefold.match import actions
from ninefold.server.hosting.commands import ClaimAbsent
from ninefold.server.hosting.model import Settings
from tests.support.handlers import MINUTE, TOKENS, Desk, refused, timed, why

DAY = 24 * 60 * MINUTE


def test_an_opponent_who_has_gone_can_be_claimed_out_after_a_while() -> None:
    desk = Desk(settings=Settings(absent_ms=5 * MINUTE))
    desk.play("5")
    desk.now += 5 * MINUTE - 1
    problem = refused(desk, ClaimAbsent("match", TOKENS[1], "early", (0, 0)))
    assert (problem.reason, problem.instead) == ("not_absent", "Ask again in 1 s.")
    assert problem.extra["until"] == desk.now + 1
    desk.now += 1
    first = desk.absent(1, request="gone")
    assert desk.ended() == ("gone", "1-0")
    assert desk.absent(1, request="gone") == {**first, "replayed": True}


def test_an_opponent_who_was_seen_lately_is_waited_for() -> None:
    desk = Desk(settings=Settings(absent_ms=5 * MINUTE))
    desk.play("5")
    desk.now += 60 * MINUTE
    assert why(desk, ClaimAbsent("match", TOKENS[1], "r", (0, desk.now - MINUTE))) == (409, "not_absent")


def test_who_has_to_act_cannot_call_the_other_absent() -> None:
    desk = Desk()
    desk.now += DAY
    assert why(desk, ClaimAbsent("match", TOKENS[1], "r", (0, 0))) == (409, "not_absent")


def test_a_computer_is_never_absent_and_an_open_seat_neither() -> None:
    for other in ("easy", "open"):
        desk = Desk("classic", other, "human")
        desk.now += DAY - 1
        assert why(desk, ClaimAbsent("match", TOKENS[2], "r", (0, 0))) == (409, "not_absent")


def test_where_a_clock_runs_its_flag_is_waited_for_but_before_the_first_move_none_runs() -> None:
    desk = Desk(settings=timed(60 * MINUTE))
    desk.now += 6 * MINUTE
    unmoved = desk.hosted
    desk.absent(2)
    assert desk.ended() == ("gone", "0-1")
    desk.hosted = unmoved
    desk.play("5")
    desk.now += 6 * MINUTE
    assert why(desk, ClaimAbsent("match", TOKENS[1], "r", (0, 0))) == (409, "not_absent")


def test_calling_an_opponent_absent_settles_a_claim_first() -> None:
    desk = Desk("agents", settings=Settings(claim_ms=60 * MINUTE, absent_ms=MINUTE))
    desk.play("[0,0]")
    desk.act(1, actions.claim((0, 1, 2)))
    desk.now += MINUTE
    desk.absent(1)
    assert desk.kinds()[-2:] == ["settle", "gone"]
