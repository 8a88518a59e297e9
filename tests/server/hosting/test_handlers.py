"""The desk: versions, repeats, talk, offers and endings of a kept match. Pure: nothing is started, nobody waits."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from ninefold.match import actions
from ninefold.match.actions import Action, Kind
from ninefold.server.hosting import handlers as service_desk
from ninefold.server.hosting.commands import Act, ClaimAbsent, HandlerContext, Lease
from ninefold.server.hosting.errors import Problem
from ninefold.server.hosting.handlers import LEASE_MS, MOST_REFUSED, MOST_SAID, SEATS_DO, audited, dispatch, leased
from ninefold.server.hosting.model import Settings
from ninefold.server.hosting.view import lasting
from tests.support.handlers import MINUTE, SECOND, START, TOKENS, Desk, refused, why


def test_a_move_is_acknowledged_with_its_version_index_and_events() -> None:
    desk = Desk()
    assert desk.act(1, Action("move"), text="5") == {
        "version": 1,
        "index": 0,
        "events": [{"index": 0, "event": "moved", "seat": 1, "at": START, "move": 4}],
        "replayed": False,
    }


def test_a_move_with_words_is_one_write_of_two_events() -> None:
    desk = Desk()
    answer = desk.act(1, actions.move(4, say="good luck"))
    assert [event["event"] for event in answer["events"]] == ["moved", "said"]
    assert (answer["version"], answer["index"]) == (1, 0)


def test_nobody_acts_in_a_match_that_is_not_there() -> None:
    with pytest.raises(Problem) as refusal:
        dispatch(None, Act("nothing", TOKENS[1], "r", 0, actions.move(4)), HandlerContext(START, (), b""))
    assert (refusal.value.status, refusal.value.reason) == (404, "no_such_match")


@pytest.mark.parametrize("version", [0, 2, 99])
def test_a_write_for_another_version_is_stale(version: int) -> None:
    desk = Desk()
    desk.play("5")
    assert why(desk, desk.attempt(2, actions.move(0), version=version)) == (409, "stale_version")


def test_what_changes_the_game_has_to_say_for_which_version() -> None:
    desk = Desk()
    assert why(desk, desk.attempt(1, actions.move(0), version=None)) == (422, "no_version")
    assert why(desk, desk.attempt(1, actions.OFFER_DRAW, version=None)) == (422, "no_version")


def test_talk_never_makes_a_move_stale() -> None:
    desk = Desk()
    desk.play("5")
    seen = desk.hosted.match.version
    for seat in (1, 2, 1):
        assert desk.act(seat, actions.say("hm"), version=None)["version"] == seen
    desk.act(2, actions.move(0), version=seen)
    assert desk.kinds() == ["move", "say", "say", "say", "move"]


def test_a_repeat_gets_the_first_answer_and_changes_nothing() -> None:
    desk = Desk()
    first = desk.act(1, actions.move(4), version=0, request="mine")
    desk.play("1", "9")
    desk.now += MINUTE
    before = desk.hosted
    assert desk.act(1, actions.move(4), version=0, request="mine") == {**first, "replayed": True}
    assert desk.hosted is before


def test_a_repeat_of_the_last_move_is_answered_after_the_game_has_ended() -> None:
    desk = Desk()
    desk.play("1", "4", "2", "5")
    winning = desk.attempt(1, actions.move(2))
    first = desk.write(winning)
    assert desk.ended() == ("rules", "1-0")
    assert desk.write(winning) == {**first, "replayed": True}


def test_a_request_id_that_was_used_for_something_else_is_refused() -> None:
    desk = Desk()
    desk.act(1, actions.move(4), version=0, request="mine")
    for other in (
        desk.attempt(1, actions.move(0), version=0, request="mine"),
        desk.attempt(1, actions.move(4), version=1, request="mine"),
        desk.attempt(1, actions.say("hello"), request="mine"),
        ClaimAbsent("match", TOKENS[1], "mine", (0, 0)),
    ):
        assert why(desk, other) == (409, "request_reused")


def test_the_two_seats_may_use_the_same_request_id() -> None:
    desk = Desk()
    desk.act(1, actions.move(4), request="1")
    assert desk.act(2, actions.move(0), request="1")["replayed"] is False


def test_a_refused_request_may_be_tried_again_under_the_same_id() -> None:
    desk = Desk()
    assert why(desk, desk.attempt(1, actions.move(99), request="mine")) == (409, "outside")
    assert desk.act(1, actions.move(4), request="mine")["replayed"] is False


@pytest.mark.parametrize("request_id", ["", "x" * 65, "a b", "a\x00", "a\ud800", "\u0663"])
def test_a_request_id_is_short_and_plain(request_id: str) -> None:
    attempt = Act("match", TOKENS[1], request_id, 0, actions.move(4))
    assert why(Desk(), attempt) == (422, "not_a_request")


def test_an_illegal_move_is_refused_with_the_moves_that_are_possible() -> None:
    desk = Desk()
    desk.play("5")
    problem = refused(desk, desk.attempt(2, Action("move"), text="5"))
    assert (problem.status, problem.reason) == (409, "taken")
    assert problem.extra["moves"] == ["1", "2", "3", "4", "6", "7", "8", "9"]


@pytest.mark.parametrize(
    ("game", "moves", "wrong", "reason"),
    [
        ("classic", "5", "5", "taken"),
        ("agents", "[1,1]", "3,3", "outside"),
        ("squared", "27", "27", "wrong_board"),
        ("swap-nine", "5", "1x5", "not_adjacent"),
    ],
)
def test_moves_are_not_told_where_they_are_not_to_be_shown(game: str, moves: str, wrong: str, reason: str) -> None:
    desk = Desk(game, settings=Settings(show_moves=False))
    desk.play(moves)
    problem = refused(desk, desk.attempt(desk.hosted.match.to_act or 1, Action("move"), text=wrong))
    assert (problem.reason, problem.instead) == (reason, "Choose another move.")
    assert "moves" not in problem.extra
    shown = lasting(desk.hosted)
    assert (shown["show_moves"], shown["moves"]) == (False, [])


@pytest.mark.parametrize("text", ["five", "٣", " 5", "5\n", "\ud800"])
def test_what_cannot_be_read_is_told_apart_from_what_cannot_be_played(text: str) -> None:
    desk = Desk()
    assert why(desk, desk.attempt(1, Action("move"), text=text)) == (422, "not_a_move")
    assert why(desk, desk.attempt(1, Action("move"), text="3,3")) == (409, "outside")


def test_who_is_sent_to_a_board_may_type_the_cell_alone() -> None:
    desk = Desk("squared")
    assert why(desk, desk.attempt(1, Action("move"), text="5")) == (422, "not_a_move")  # of which board?
    desk.act(1, Action("move"), text="52")
    desk.act(2, Action("move"), text="7")
    desk.act(1, Action("move"), text="72")
    problem = refused(desk, desk.attempt(2, Action("move"), text="7"))
    assert (problem.reason, problem.sentence) == ("taken", "Cell 7 of board 2 is taken by O.")
    game = desk.hosted.match.game
    assert [game.name(move) for move in desk.hosted.match.state.moves] == ["52", "27", "72"]


def test_a_seat_does_not_move_for_the_other() -> None:
    assert why(Desk(), Desk().attempt(2, actions.move(4))) == (409, "not_your_turn")


@pytest.mark.parametrize("kind", sorted(set(get_args(Kind)) - set(SEATS_DO)))
def test_a_seat_can_neither_take_back_by_itself_nor_do_what_the_referee_does(kind: Kind) -> None:
    desk = Desk()
    desk.play("5", "1")
    assert why(desk, desk.attempt(1, Action(kind, number=1))) == (422, "no_such_action")


def test_a_move_is_taken_back_when_the_opponent_agrees() -> None:
    desk = Desk()
    desk.play("5", "1")
    desk.act(2, actions.OFFER_TAKE_BACK)
    assert why(desk, desk.attempt(2, actions.ACCEPT)) == (409, "no_offer")
    answer = desk.act(1, actions.ACCEPT)
    assert [event["event"] for event in answer["events"]] == ["accepted", "taken_back"]
    assert desk.hosted.match.state.moves == (4,)
    assert desk.hosted.match.version == 5


def test_an_offer_that_is_declined_changes_nothing_on_the_board() -> None:
    desk = Desk()
    desk.play("5")
    desk.act(1, actions.OFFER_DRAW)
    assert why(desk, desk.attempt(1, actions.OFFER_DRAW)) == (409, "offer_pending")
    desk.act(2, actions.DECLINE)
    assert (desk.ended(), desk.hosted.match.state.offer) == (None, None)


def test_a_draw_is_agreed_by_both() -> None:
    desk = Desk()
    desk.act(2, actions.OFFER_DRAW)
    desk.act(1, actions.ACCEPT)
    assert desk.ended() == ("agreed", "1/2-1/2")


def test_who_resigns_needs_no_version_and_gives_the_game_away() -> None:
    desk = Desk()
    desk.play("5")
    desk.act(1, actions.RESIGN, version=None)
    assert desk.ended() == ("resigned", "0-1")
    assert why(desk, desk.attempt(2, actions.move(0))) == (409, "ended")
    desk.act(2, actions.say("good game"), version=None)


def test_who_has_left_says_nothing_more() -> None:
    desk = Desk()
    leaving = desk.attempt(2, actions.LEAVE, version=None)
    desk.write(leaving)
    assert desk.ended() == ("left", "*")
    assert why(desk, desk.attempt(2, actions.say("hello"))) == (410, "left")
    assert desk.write(leaving)["replayed"] is True
    desk.act(1, actions.say("where are you?"))


def test_a_match_with_an_open_seat_has_not_started_but_can_be_left() -> None:
    desk = Desk("classic", "human", "open")
    assert why(desk, desk.attempt(1, actions.move(4))) == (409, "not_started")
    desk.act(1, actions.say("anybody?"))
    desk.act(1, actions.LEAVE)
    assert desk.hosted.status == "ended"


def test_nobody_can_talk_a_match_to_its_end() -> None:
    desk = Desk()
    for _ in range(MOST_SAID):
        desk.act(1, actions.say("wait"))
    assert why(desk, desk.attempt(1, actions.say("wait"))) == (409, "too_much_talk")
    assert why(desk, desk.attempt(1, actions.move(4, say="wait"))) == (409, "too_much_talk")
    desk.play("5")
    desk.act(2, actions.say("at last"))


def test_a_match_that_has_become_too_long_can_still_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_desk, "MOST_EVENTS", 3)
    desk = Desk()
    desk.play("1", "2", "3")
    assert why(desk, desk.attempt(2, actions.move(4))) == (409, "too_long")
    desk.act(2, actions.RESIGN)
    assert desk.ended() == ("resigned", "1-0")


def test_the_computer_is_asked_for_its_move_for_its_answer_and_for_its_start() -> None:
    assert Desk("classic", "easy", "human").hosted.computer == 1
    desk = Desk("classic", "human", "easy")
    assert desk.hosted.computer == 0
    desk.act(1, actions.OFFER_DRAW)
    assert desk.hosted.computer == 2
    assert Desk("classic", "easy", "open").hosted.computer == 0


def test_who_brings_the_computer_to_its_turn_may_compute_it_first() -> None:
    desk = Desk("classic", "human", "easy")
    before = desk.hosted
    desk.play("5")
    taken = leased(before, desk.hosted, desk.now)
    assert taken.lease_until == desk.now + LEASE_MS
    assert leased(taken, taken._replace(refused=((1, "{}"),)), desk.now + 1).lease_until == taken.lease_until


def test_a_lease_is_given_to_one_and_given_again_when_it_has_run_out() -> None:
    desk = Desk("classic", "easy", "human")
    assert desk.write(Lease("match")) == {"leased": True}
    assert desk.write(Lease("match")) == {"leased": False}
    desk.now += LEASE_MS
    assert desk.write(Lease("match")) == {"leased": True}


def test_nobody_computes_for_a_person() -> None:
    assert Desk().write(Lease("match")) == {"leased": False}


def test_refused_attempts_are_kept_beside_the_log_and_only_the_latest() -> None:
    desk = Desk()
    hosted, problem = desk.hosted, Problem(409, "taken", "")
    for number in range(MOST_REFUSED + 10):
        attempt = desk.attempt(1, Action("move"), version=number, text="9" * 1000)
        hosted = audited(hosted, attempt, problem, START + number * SECOND)
    assert len(hosted.refused) == MOST_REFUSED
    assert [number for number, _ in hosted.refused] == list(range(11, MOST_REFUSED + 11))
    latest = json.loads(hosted.refused[-1][1])
    assert latest | {"text": ""} == {
        "at": START + 209 * SECOND,
        "seat": 1,
        "action": "move",
        "reason": "taken",
        "version": 209,
        "text": "",
    }
    assert len(latest["text"]) == 40
    assert hosted.match is desk.hosted.match


def test_what_was_typed_is_kept_without_what_would_harm_a_terminal() -> None:
    desk = Desk()
    hosted = audited(
        desk.hosted, desk.attempt(1, Action("move"), text="5\x1b[2J\u202e\ud800"), Problem(422, "x", ""), 0
    )
    assert json.loads(hosted.refused[0][1])["text"] == "5[2J"


def test_only_attempts_of_a_seat_are_kept_and_never_with_its_token() -> None:
    desk = Desk()
    problem = Problem(401, "bad_token", "")
    assert audited(desk.hosted, Act("match", "somebody's guess", "r", 0, actions.move(4)), problem, 0) is desk.hosted
    hosted = audited(desk.hosted, desk.attempt(1, actions.move(4, claim=(0, 1, 2))), problem, 0)
    assert TOKENS[1] not in hosted.refused[0][1]
    assert json.loads(hosted.refused[0][1])["cells"] == [0, 1, 2]
