"""Handlers: versions, repeats, messages, offers and endings of a hosted match. Pure: nothing is started."""

from __future__ import annotations

import hashlib
import json
import sys
from types import FrameType
from typing import TYPE_CHECKING, get_args

import pytest

from ninefold.core.errors import Refusal
from ninefold.match import actions
from ninefold.match.actions import SEAT_ACTIONS, Action, Kind
from ninefold.server.hosting.commands import Act, ClaimAbsent, HandlerContext, Lease, MatchLimits
from ninefold.server.hosting.handlers import LEASE_MS, MOST_REFUSED, dispatch, execute, with_lease
from ninefold.server.hosting.view import stored_view
from tests.support.handlers import MINUTE, SECOND, START, TOKENS, MatchHost, refused, why

if TYPE_CHECKING:
    from _typeshed import TraceFunction


def test_a_move_is_acknowledged_with_its_version_index_and_events() -> None:
    host = MatchHost()
    assert host.act(1, Action("move"), text="5") == {
        "version": 1,
        "index": 0,
        "events": [{"index": 0, "event": "moved", "seat": 1, "at": START, "move": 4}],
        "replayed": False,
    }


def lines_run(host: MatchHost, seat: int, action: Action) -> int:
    """How many lines of code an action takes; what runs through all events runs its line for each of them."""
    lines = 0

    def count(_: FrameType, event: str, __: object) -> TraceFunction:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        host.act(seat, action)
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("game", ["classic", "squared"])
def test_an_action_takes_the_same_work_however_long_the_match_is(game: str) -> None:
    host, found = MatchHost(game), list[tuple[int, ...]]()
    for _ in range(60):
        tried = (1, actions.move(40 if game == "squared" else 4)), (1, actions.OFFER_TAKE_BACK), (2, actions.ACCEPT)
        found.append(tuple(lines_run(host, seat, action) for seat, action in tried))
    assert len(host.hosted.match.events) == 240
    assert found[-1] == found[5]  # the first ones fill caches


def test_a_move_with_words_is_one_write_of_two_events() -> None:
    host = MatchHost()
    answer = host.act(1, actions.move(4, say="good luck"))
    assert [event["event"] for event in answer["events"]] == ["moved", "said"]
    assert (answer["version"], answer["index"]) == (1, 0)


def test_an_action_in_an_unknown_match_is_refused() -> None:
    with pytest.raises(Refusal) as refusal:
        dispatch(None, Act("nothing", TOKENS[1], "r", 0, actions.move(4)), HandlerContext(START, (), b""))
    assert refusal.value.reason == "no_such_match"


@pytest.mark.parametrize("version", [0, 2, 99])
def test_an_action_for_another_version_is_stale(version: int) -> None:
    host = MatchHost()
    host.play("5")
    assert why(host, host.attempt(2, actions.move(0), version=version)) == "stale_version"


def test_an_action_that_changes_the_game_needs_a_version() -> None:
    host = MatchHost()
    assert why(host, host.attempt(1, actions.move(0), version=None)) == "no_version"
    assert why(host, host.attempt(1, actions.OFFER_DRAW, version=None)) == "no_version"


def test_messages_never_make_a_move_stale() -> None:
    host = MatchHost()
    host.play("5")
    seen = host.hosted.match.version
    for seat in (1, 2, 1):
        assert host.act(seat, actions.say("hm"), version=None)["version"] == seen
    host.act(2, actions.move(0), version=seen)
    assert host.kinds() == ["move", "say", "say", "say", "move"]


def test_a_repeat_gets_the_first_answer_and_changes_nothing() -> None:
    host = MatchHost()
    first = host.act(1, actions.move(4), version=0, request="mine")
    host.play("1", "9")
    host.now += MINUTE
    before = host.hosted
    assert host.act(1, actions.move(4), version=0, request="mine") == {**first, "replayed": True}
    assert host.hosted is before


def test_the_digest_of_a_request_is_the_one_that_earlier_releases_have_stored() -> None:
    """Else a request that is repeated after an upgrade would be refused."""
    host = MatchHost()
    host.act(1, actions.move(4, say="hm"), version=0, request="mine")
    (stored,) = host.hosted.responses.values()
    asked = "(0, Action(kind='move', move=4, cells=None, text='hm', number=None), '')"
    assert stored.body == hashlib.sha256(asked.encode()).hexdigest()


def test_a_repeat_of_the_last_move_is_answered_after_the_game_has_ended() -> None:
    host = MatchHost()
    host.play("1", "4", "2", "5")
    winning = host.attempt(1, actions.move(2))
    first = host.write(winning)
    assert host.ended() == ("rules", "1-0")
    assert host.write(winning) == {**first, "replayed": True}


def test_a_request_id_that_was_used_for_something_else_is_refused() -> None:
    host = MatchHost()
    host.act(1, actions.move(4), version=0, request="mine")
    for other in (
        host.attempt(1, actions.move(0), version=0, request="mine"),
        host.attempt(1, actions.move(4), version=1, request="mine"),
        host.attempt(1, actions.say("hello"), request="mine"),
        ClaimAbsent("match", TOKENS[1], "mine", (0, 0)),
    ):
        assert why(host, other) == "request_reused"


def test_the_two_seats_may_use_the_same_request_id() -> None:
    host = MatchHost()
    host.act(1, actions.move(4), request="1")
    assert host.act(2, actions.move(0), request="1")["replayed"] is False


def test_a_refused_request_may_be_tried_again_under_the_same_id() -> None:
    host = MatchHost()
    assert why(host, host.attempt(1, actions.move(99), request="mine")) == "outside"
    assert host.act(1, actions.move(4), request="mine")["replayed"] is False


@pytest.mark.parametrize("request_id", ["", "x" * 65, "a b", "a\x00", "a\ud800", "\u0663"])
def test_a_request_id_is_short_and_plain(request_id: str) -> None:
    attempt = Act("match", TOKENS[1], request_id, 0, actions.move(4))
    assert why(MatchHost(), attempt) == "not_a_request"


def test_an_illegal_move_is_refused_with_the_moves_that_are_possible() -> None:
    host = MatchHost()
    host.play("5")
    refusal = refused(host, host.attempt(2, Action("move"), text="5"))
    assert refusal.reason == "taken"
    assert refusal.details["moves"] == ["1", "2", "3", "4", "6", "7", "8", "9"]


@pytest.mark.parametrize(
    ("game", "moves", "wrong", "reason"),
    [
        ("classic", "5", "5", "taken"),
        ("agents", "[1,1]", "3,3", "outside"),
        ("squared", "27", "27", "wrong_board"),
        ("swap-nine", "5", "1x5", "not_adjacent"),
    ],
)
def test_a_refusal_names_no_legal_moves_where_they_are_hidden(game: str, moves: str, wrong: str, reason: str) -> None:
    host = MatchHost(game, show_moves=False)
    host.play(moves)
    refusal = refused(host, host.attempt(host.hosted.match.to_act or 1, Action("move"), text=wrong))
    assert (refusal.reason, refusal.instead) == (reason, "Choose another move.")
    assert "moves" not in refusal.details
    shown = stored_view(host.hosted)
    assert (shown["show_moves"], shown["moves"]) == (False, [])


@pytest.mark.parametrize("show_lines", [True, False])
def test_a_match_may_hide_the_marks_of_the_lines_from_those_who_check_a_claim(show_lines: bool) -> None:
    host = MatchHost("agents", show_lines=show_lines)
    host.play("[0,0]")
    host.act(2, actions.claim((0, 1, 2)))
    shown = stored_view(host.hosted)
    assert shown["claim"]
    assert (shown["show_lines"], len(shown["claim"]["lines"])) == (show_lines, 8 if show_lines else 0)
    host.act(1, actions.CONFIRM)
    shown = stored_view(host.hosted)
    assert shown["claim"]
    assert (shown["claim"]["verdict"], len(shown["claim"]["lines"])) == ("only_two", 8 if show_lines else 0)


@pytest.mark.parametrize("text", ["five", "٣", " 5", "5\n", "\ud800"])
def test_unreadable_moves_and_illegal_moves_have_different_reasons(text: str) -> None:
    host = MatchHost()
    assert why(host, host.attempt(1, Action("move"), text=text)) == "not_a_move"
    assert why(host, host.attempt(1, Action("move"), text="3,3")) == "outside"


def test_a_player_who_is_sent_to_a_board_may_type_the_cell_alone() -> None:
    host = MatchHost("squared")
    assert why(host, host.attempt(1, Action("move"), text="5")) == "not_a_move"  # of which board?
    host.act(1, Action("move"), text="52")
    host.act(2, Action("move"), text="7")
    host.act(1, Action("move"), text="72")
    refusal = refused(host, host.attempt(2, Action("move"), text="7"))
    assert (refusal.reason, refusal.sentence) == ("taken", "Cell 7 of board 2 is taken by O.")
    game = host.hosted.match.game
    assert [game.name(move) for move in host.hosted.match.state.moves] == ["52", "27", "72"]


def test_a_seat_cannot_move_for_the_other_seat() -> None:
    assert why(MatchHost(), MatchHost().attempt(2, actions.move(4))) == "not_your_turn"


@pytest.mark.parametrize("kind", sorted(set(get_args(Kind)) - set(SEAT_ACTIONS)))
def test_a_seat_cannot_take_back_alone_or_act_as_the_referee(kind: Kind) -> None:
    host = MatchHost()
    host.play("5", "1")
    assert why(host, host.attempt(1, Action(kind, number=1))) == "no_such_action"


def test_a_move_is_taken_back_when_the_opponent_agrees() -> None:
    host = MatchHost()
    host.play("5", "1")
    host.act(2, actions.OFFER_TAKE_BACK)
    assert why(host, host.attempt(2, actions.ACCEPT)) == "no_offer"
    answer = host.act(1, actions.ACCEPT)
    assert [event["event"] for event in answer["events"]] == ["accepted", "taken_back"]
    assert host.hosted.match.state.moves == (4,)
    assert host.hosted.match.version == 5


def test_an_offer_that_is_declined_changes_nothing_on_the_board() -> None:
    host = MatchHost()
    host.play("5")
    host.act(1, actions.OFFER_DRAW)
    assert why(host, host.attempt(1, actions.OFFER_DRAW)) == "offer_pending"
    host.act(2, actions.DECLINE)
    assert (host.ended(), host.hosted.match.state.offer) == (None, None)


def test_a_draw_is_agreed_by_both() -> None:
    host = MatchHost()
    host.act(2, actions.OFFER_DRAW)
    host.act(1, actions.ACCEPT)
    assert host.ended() == ("agreed", "1/2-1/2")


def test_resigning_needs_no_version_and_loses_the_game() -> None:
    host = MatchHost()
    host.play("5")
    host.act(1, actions.RESIGN, version=None)
    assert host.ended() == ("resigned", "0-1")
    assert why(host, host.attempt(2, actions.move(0))) == "ended"
    host.act(2, actions.say("good game"), version=None)


def test_a_player_who_has_left_can_do_nothing_more() -> None:
    host = MatchHost()
    leaving = host.attempt(2, actions.LEAVE, version=None)
    host.write(leaving)
    assert host.ended() == ("left", "*")
    assert why(host, host.attempt(2, actions.say("hello"))) == "left"
    assert host.write(leaving)["replayed"] is True
    host.act(1, actions.say("where are you?"))


def test_a_match_with_an_open_seat_has_not_started_but_can_be_left() -> None:
    host = MatchHost("classic", "human", "open")
    assert why(host, host.attempt(1, actions.move(4))) == "not_started"
    host.act(1, actions.say("anybody?"))
    host.act(1, actions.LEAVE)
    assert host.hosted.status == "ended"


def test_messages_of_one_seat_are_limited() -> None:
    host = MatchHost()
    for _ in range(MatchLimits().messages):
        host.act(1, actions.say("wait"))
    assert why(host, host.attempt(1, actions.say("wait"))) == "too_much_talk"
    assert why(host, host.attempt(1, actions.move(4, say="wait"))) == "too_much_talk"
    host.play("5")
    host.act(2, actions.say("at last"))


def test_a_match_that_has_become_too_long_can_still_be_ended() -> None:
    host = MatchHost(limits=MatchLimits(events=3))
    host.play("1", "2", "3")
    assert why(host, host.attempt(2, actions.move(4))) == "too_long"
    host.act(2, actions.RESIGN)
    assert host.ended() == ("resigned", "1-0")


def test_the_computer_has_to_move_and_to_answer_offers() -> None:
    assert MatchHost("classic", "easy", "human").hosted.computer_to_act == 1
    host = MatchHost("classic", "human", "easy")
    assert host.hosted.computer_to_act == 0
    host.act(1, actions.OFFER_DRAW)
    assert host.hosted.computer_to_act == 2
    assert MatchHost("classic", "easy", "open").hosted.computer_to_act == 0


def test_the_command_that_makes_it_the_computers_turn_takes_the_lease() -> None:
    host = MatchHost("classic", "human", "easy")
    before = host.hosted
    host.play("5")
    taken = with_lease(before, host.hosted, host.now)
    assert taken.lease_until == host.now + LEASE_MS
    assert with_lease(taken, taken._replace(refused=((1, "{}"),)), host.now + 1).lease_until == taken.lease_until


def test_a_lease_is_given_once_until_it_has_run_out() -> None:
    host = MatchHost("classic", "easy", "human")
    assert host.write(Lease("match")) == {"until": host.now + LEASE_MS}
    assert host.write(Lease("match")) == {"until": None}
    host.now += LEASE_MS
    assert host.write(Lease("match")) == {"until": host.now + LEASE_MS}


def test_only_who_has_a_lease_renews_it() -> None:
    host = MatchHost("classic", "easy", "human")
    held = host.write(Lease("match"))["until"]
    host.now += 1
    assert host.write(Lease("match", held - 1)) == {"until": None}
    renewed = host.write(Lease("match", held))["until"]
    assert renewed == host.now + LEASE_MS
    assert host.write(Lease("match", held)) == {"until": None}  # another worker's
    assert host.write(Lease("match", renewed, 60_000)) == {"until": host.now + 60_000}


def test_there_is_no_lease_while_a_person_is_to_act() -> None:
    assert MatchHost().write(Lease("match")) == {"until": None}


def test_the_audit_holds_the_latest_refused_attempts() -> None:
    host = MatchHost()
    hosted, match = host.hosted, host.hosted.match
    for number in range(MOST_REFUSED + 10):
        host.now = START + number * SECOND
        attempt = host.attempt(1, Action("move"), version=number + 1, text="9" * 1000)
        (hosted,) = execute(hosted, attempt, host.context).matches
    assert len(hosted.refused) == MOST_REFUSED
    assert [number for number, _ in hosted.refused] == list(range(11, MOST_REFUSED + 11))
    latest = json.loads(hosted.refused[-1][1])
    assert latest | {"text": ""} == {
        "at": START + 209 * SECOND,
        "seat": 1,
        "action": "move",
        "reason": "stale_version",
        "version": 210,
        "text": "",
    }
    assert len(latest["text"]) == 40
    assert hosted.match is match


def audited(host: MatchHost, attempt: Act) -> list[str]:
    """The audit after an attempt that is refused."""
    result = execute(host.hosted, attempt, host.context)
    assert result.refusal
    return [entry for _, entry in result.matches[0].refused]


def test_the_audit_holds_typed_text_without_control_characters() -> None:
    host = MatchHost()
    (entry,) = audited(host, host.attempt(1, Action("move"), text="5\x1b[2J\u202e\ud800"))
    assert json.loads(entry)["text"] == "5[2J"


def test_the_audit_holds_only_attempts_of_a_seat_and_never_a_token() -> None:
    host = MatchHost()
    assert audited(host, Act("match", "somebody's guess", "r", 0, actions.move(4))) == []
    (entry,) = audited(host, host.attempt(1, actions.move(4, claim=(0, 1, 2)), version=7))
    assert TOKENS[1] not in entry
    assert json.loads(entry)["cells"] == [0, 1, 2]
