"""Seats: invitations that open a seat once, seats handed over, private matches, rematches."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ninefold.core.errors import Refusal
from ninefold.core.position import O, X
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.server.hosting.commands import (
    Act,
    Arrive,
    ClaimAbsent,
    ClockRequest,
    Command,
    Create,
    HandlerContext,
    Handover,
    Identity,
    Join,
    MatchRequest,
    Rematch,
    SeatRequest,
)
from ninefold.server.hosting.deadlines import DAY_MS
from ninefold.server.hosting.model import Viewer
from ninefold.server.hosting.seats import CODE_MS, create, invited_seat
from tests.support.handlers import MINUTE, SECRETS, START, TOKENS, WATCH, MatchHost, match_request, refused, why

INVITATION = SECRETS[1]


def invited() -> MatchHost:
    return MatchHost("classic", "human", "open")


def join(secret: str | None, request: str = "another") -> Join:
    return Join("match", secret, "", request)


def test_asking_what_an_invitation_opens_takes_no_seat_and_is_refused_as_joining_is() -> None:
    host, private = invited(), MatchHost("classic", "human", "open", private=True)
    assert invited_seat(host.hosted, INVITATION) == 2
    with pytest.raises(Refusal, match="opens no seat"):
        invited_seat(host.hosted, SECRETS[0])
    with pytest.raises(Refusal, match="no such match"):
        invited_seat(private.hosted, SECRETS[0])
    host.join(INVITATION)
    with pytest.raises(Refusal, match="has been used"):
        invited_seat(host.hosted, INVITATION)


def test_a_creator_is_given_tokens_for_human_seats_and_invitations_for_open_ones() -> None:
    assert MatchHost("classic", "human", "open").created == {
        "match": "match",
        "seats": {1: SECRETS[0]},
        "invitations": {2: SECRETS[1]},
        "watch": None,
    }
    assert MatchHost("classic", "human", "human").created["seats"] == TOKENS
    assert MatchHost("classic", "easy", "human").created["seats"] == {2: SECRETS[1]}


def test_only_a_private_match_has_a_secret_for_spectators() -> None:
    assert MatchHost(private=True).created["watch"] == WATCH
    assert MatchHost().hosted.watch == ""


def test_a_repeated_creation_with_the_same_secrets_returns_the_same_match() -> None:
    host = invited()
    host.join(INVITATION)
    before = host.hosted
    again = host.write(host.create)
    assert again["match"] == "match"
    assert (again["seats"], again["invitations"]) == ({1: SECRETS[0]}, {2: SECRETS[1]})
    assert host.hosted is before


def test_a_repeated_creation_with_other_secrets_returns_no_secrets() -> None:
    host = invited()
    guessed = host.create._replace(secrets=("some other secret", "and one more", "and a third"))
    assert host.write(guessed) == {"match": "match", "seats": {}, "invitations": {}, "watch": None}


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (MatchRequest("chess"), "no_such_game"),
        (MatchRequest("classic", {"size": "4"}), "no_such_option"),
        (MatchRequest("classic", seats=(SeatRequest("godlike"), SeatRequest())), "no_such_player"),
        (match_request(sides="XX"), "same_side"),
        (match_request(first="Z"), "no_such_value"),
        (MatchRequest("agents", {"line_ends": "yes"}), "line_ends"),
    ],
)
def test_what_cannot_be_played_is_not_created(wanted: MatchRequest, reason: str) -> None:
    with pytest.raises(Refusal) as refusal:
        create(None, Create("m", wanted), MatchHost().context)
    assert refusal.value.reason == reason


def test_a_toss_is_part_of_the_match() -> None:
    host = MatchHost("swap-nine", first="toss")
    matches = [
        create(None, host.create._replace(match=f"match{number}"), host.context).matches[0].match for number in range(9)
    ]
    assert {match.position.turn for match in matches} == {X, O}
    assert matches[0].setup.toss


def test_without_a_server_the_seed_decides_the_toss() -> None:
    tossed = Create("match", match_request("swap-nine", first="toss", seed=0))
    for seed, side in ((0, X), (1, O)):
        command = tossed._replace(request=tossed.request._replace(seed=seed))
        assert create(None, command, HandlerContext(0)).matches[0].match.position.turn is side


def test_seat_1_may_be_o() -> None:
    host = MatchHost(sides="OX")
    assert host.hosted.match.setup.side(1) is O
    assert host.hosted.match.to_act == 2


def test_joining_returns_the_seat_its_side_and_a_new_token() -> None:
    host = invited()
    joined = host.join(INVITATION, name="Bob\x1b[2J\u202e")
    assert (joined["seat"], joined["side"]) == (2, "O")
    assert joined["token"] not in SECRETS
    assert host.hosted.viewer(joined["token"]) == Viewer(2)
    assert host.hosted.match.setup.seats[1].name == "Bob[2J"
    assert host.hosted.status == "live"


def test_an_invitation_opens_a_seat_once() -> None:
    host = invited()
    host.join(INVITATION, "Bob asks")
    assert why(host, join(INVITATION, "Carl asks")) == "invitation_used"


def test_a_repeated_join_gets_the_same_token() -> None:
    host = invited()
    first = host.join(INVITATION, "Bob asks")
    host.play("5")
    host.now += MINUTE
    before = host.hosted
    assert host.join(INVITATION, "Bob asks") == first
    assert host.hosted is before


def test_an_invitation_is_not_a_token() -> None:
    host = invited()
    assert why(host, Act("match", INVITATION, "r", None, actions.say("hello"))) == "bad_token"


def test_a_public_match_is_joined_without_a_secret_until_both_seats_are_taken() -> None:
    host = invited()
    first = host.join(None, "Bob asks")
    assert host.join(None, "Bob asks") == first
    assert why(host, join(None, "Carl asks")) == "no_seat"


def test_two_open_seats_are_taken_one_after_the_other() -> None:
    host = MatchHost("classic", "open", "open")
    assert host.join(None, "Ann asks")["seat"] == 1
    assert host.join(None, "Bob asks")["seat"] == 2
    assert host.join(None, "Ann asks")["seat"] == 1


def test_an_unknown_secret_opens_no_seat() -> None:
    assert why(invited(), join("made up by somebody")) == "bad_invitation"


def test_a_game_that_has_ended_cannot_be_joined() -> None:
    host = invited()
    host.act(1, actions.LEAVE)
    assert why(host, join(INVITATION)) == "ended"


def test_a_seat_is_handed_over_to_another_device_and_the_old_token_is_void() -> None:
    host = MatchHost()
    handed = host.write(Handover("match", TOKENS[1], "carry"))
    assert handed["expires_at"] == START + CODE_MS
    assert host.hosted.viewer(TOKENS[1]) == Viewer(1)
    carried = host.join(handed["code"])
    assert (carried["seat"], carried["side"]) == (1, "X")
    assert host.hosted.viewer(carried["token"]) == Viewer(1)
    assert why(host, Act("match", TOKENS[1], "r", 0, actions.move(4))) == "bad_token"
    assert host.hosted.viewer(TOKENS[2]) == Viewer(2)


def test_a_code_hands_a_seat_over_once_and_its_repeat_gets_the_same_token() -> None:
    host = MatchHost()
    code = host.handover(1)
    first = host.join(code, "the telephone")
    assert host.join(code, "the telephone") == first
    assert why(host, join(code, "a thief")) == "code_used"
    assert host.hosted.viewer(first["token"]) == Viewer(1)


def test_an_expired_code_is_refused() -> None:
    host = MatchHost()
    code = host.handover(1)
    host.now += CODE_MS
    assert why(host, join(code)) == "code_used"
    assert host.hosted.viewer(TOKENS[1]) == Viewer(1)


def test_a_repeated_handover_returns_the_same_code() -> None:
    host = MatchHost()
    first = host.write(Handover("match", TOKENS[1], "carry"))
    before = host.hosted
    host.now += MINUTE
    assert host.write(Handover("match", TOKENS[1], "carry")) == first
    assert host.hosted is before
    assert host.join(first["code"])["seat"] == 1


def test_each_seat_and_each_token_has_its_own_code() -> None:
    host = MatchHost()
    codes = [host.handover(seat) for seat in (1, 2)]
    assert len({*codes, *TOKENS.values()}) == 4
    carried = host.join(codes[0])["token"]
    assert why(host, Handover("match", TOKENS[1], "carry")) == "bad_token"
    assert host.write(Handover("match", carried, "carry"))["code"] not in codes


@pytest.mark.parametrize("request_id", ["", "x" * 65, "a b"])
def test_a_handover_needs_a_request_id(request_id: str) -> None:
    assert why(MatchHost(), Handover("match", TOKENS[1], request_id)) == "not_a_request"


def test_a_newer_code_replaces_the_older_one() -> None:
    host = MatchHost()
    older, newer = host.handover(1, "one"), host.handover(1, "two")
    assert why(host, join(older)) == "bad_invitation"
    assert host.join(newer)["seat"] == 1


def test_a_seat_that_was_left_cannot_be_handed_over() -> None:
    host = MatchHost()
    host.act(1, actions.LEAVE)
    assert why(host, Handover("match", TOKENS[1], "carry")) == "left"
    host.handover(2)  # is still somebody's


def test_a_used_invitation_does_not_bring_a_handed_over_seat_back() -> None:
    host = invited()
    token = host.join(INVITATION, "Bob asks")["token"]
    code = host.write(Handover("match", token, "carry"))["code"]
    host.join(code, "the telephone")
    assert why(host, join(INVITATION, "Bob asks")) == "invitation_used"


def test_a_handover_changes_neither_the_name_nor_the_game() -> None:
    host = MatchHost()
    host.play("5")
    match = host.hosted.match
    host.join(host.handover(1))
    assert host.hosted.match is match


EVERY_WRITE: tuple[Callable[[str | None], Command], ...] = (
    lambda token: Act("match", token, "r", 0, actions.move(4)),
    lambda token: Act("match", token, "r", None, actions.say("hello")),
    lambda token: Handover("match", token, "r"),
    lambda token: ClaimAbsent("match", token, "r", (0, 0)),
    lambda token: Rematch("match", token, "again"),
)


@pytest.mark.parametrize("write", EVERY_WRITE)
def test_every_command_needs_the_token_of_a_seat(write: Callable[[str | None], Command]) -> None:
    host = MatchHost()
    assert why(host, write(None)) == "no_token"
    assert why(host, write("not a token of anything")) == "bad_token"


@pytest.mark.parametrize("write", EVERY_WRITE)
def test_a_private_match_is_not_found_without_a_secret(write: Callable[[str | None], Command]) -> None:
    host = MatchHost(private=True)
    for token in (None, "not a token of anything", "half a pair \ud800"):
        assert why(host, write(token)) == "no_such_match"
    assert why(host, write(WATCH)) == "spectator"


def test_a_private_match_can_neither_be_read_nor_joined_without_a_secret() -> None:
    host = MatchHost("classic", "human", "open", private=True)
    for secret in (None, "not a secret of anything"):
        with pytest.raises(Refusal) as refusal:
            host.hosted.viewer(secret)
        assert refusal.value.reason == "no_such_match"
        assert why(host, join(secret)) == "no_such_match"
    assert host.hosted.viewer(WATCH) == Viewer()
    assert host.join(INVITATION)["seat"] == 2


def test_anybody_may_watch_a_public_match() -> None:
    assert MatchHost().hosted.viewer(None) == Viewer()


def test_a_rematch_swaps_the_sides_and_both_tokens_open_it() -> None:
    host = MatchHost(clock=ClockRequest(300, 2))
    host.play("1", "4", "2", "5", "3")
    assert host.rematch(2) == {"match": "again"}
    again = host.again
    assert [seat.side for seat in again.match.setup.seats] == [O, X]
    assert [again.viewer(TOKENS[seat]).seat for seat in (1, 2)] == [1, 2]
    assert (again.status, again.match.events, again.settings) == ("open", (), host.hosted.settings)
    assert again.clock is not None
    assert again.clock.left == (5 * MINUTE, 5 * MINUTE)


def test_two_requests_for_a_rematch_create_one_match() -> None:
    host = MatchHost()
    host.act(1, actions.RESIGN)
    host.rematch(1, "one")
    assert host.rematch(2, "another") == {"match": "one"}
    assert host.rematch(1, "a third") == {"match": "one"}


def offered() -> MatchHost:
    """A match on a clock that has ended, and the rematch that seat 1 has asked for; seat 2 starts in it."""
    host = MatchHost(clock=ClockRequest(60))
    host.act(2, actions.RESIGN)
    host.rematch(1)
    return host


def test_a_rematch_is_an_offer_in_which_nobody_plays_before_it_is_accepted() -> None:
    host = offered()
    host.hosted = host.again
    assert (host.hosted.status, host.hosted.seat_holder(2).is_reserved) == ("open", True)
    assert host.hosted.viewer(TOKENS[2]) == Viewer(2)
    assert refused(host, host.attempt(1, Action("move"), text="5")).code == "not_started.rematch"
    assert why(host, Join("match", None, "a stranger", "the first to ask")) == "no_seat"
    host.now += 10 * MINUTE
    assert host.accept_rematch(2) == {"seat": 2, "status": "live"}
    assert host.ended() is None


def test_who_declines_a_rematch_leaves_it_and_it_can_be_offered_anew() -> None:
    host = offered()
    first, host.hosted = host.hosted, host.again
    host.act(2, actions.LEAVE)
    assert host.ended() == ("left", "*")
    assert why(host, Arrive("again", TOKENS[1])) == "ended"
    host.hosted = first
    assert host.rematch(2, "later") == {"match": "again"}
    assert host.rematch(2, "later", replaces="again") == {"match": "later"}
    assert host.hosted.rematch == "later"


def test_a_rematch_on_a_clock_that_is_accepted_late_waits_for_the_one_who_has_gone() -> None:
    host = offered()
    assert host.accept_rematch(2, (False, True)) == {"seat": 2, "status": "open"}
    assert why(host, host.attempt(2, Action("move"), text="5")) == "not_started"
    host.now += 10 * MINUTE
    assert host.write(Arrive("again", TOKENS[1]))["status"] == "live"
    host.play("5")
    assert host.kinds() == ["move"]


def test_whoever_plays_in_a_rematch_has_accepted_it() -> None:
    host = offered()
    host.hosted = host.again
    host.act(2, Action("move"), text="5")
    assert host.hosted.status == "live"


@pytest.mark.parametrize("banned", ["a profile", "an address"])
def test_a_rematch_that_was_offered_before_a_ban_is_not_accepted_after_it(banned: str) -> None:
    host = offered()
    seat = host.again.seat_holder(2)._replace(profile="a profile")
    host.hosted = host.again.with_seat_holder(2, seat)
    host.bans = {banned: host.now + MINUTE}
    moved = host.attempt(2, Action("move"), text="5")._replace(address="an address")
    arrived = Arrive("again", TOKENS[2], address="an address")
    assert [refused(host, command).code for command in (moved, arrived)] == ["banned.until"] * 2
    for left, days in ((MINUTE, 1), (DAY_MS, 1), (DAY_MS + 1, 2)):
        host.bans = {banned: host.now + left}
        assert refused(host, arrived).params["count"] == days
    host.bans = {banned: host.now + MINUTE}
    assert host.hosted.status == "open"
    host.act(2, actions.say("hello"))  # a banned player may say so, and leave
    host.now += MINUTE
    assert host.write(arrived)["status"] == "live"
    host.bans = {banned: None}
    host.write(moved)  # a match that has begun goes on


@pytest.mark.parametrize("banned", ["a profile", "an address"])
def test_a_banned_player_offers_no_rematch(banned: str) -> None:
    host = MatchHost()
    host.act(1, actions.RESIGN)
    host.hosted = host.hosted.with_seat_holder(2, host.hosted.seat_holder(2)._replace(profile="a profile"))
    host.bans = {banned: None}
    assert why(host, Rematch("match", TOKENS[2], "again", address="an address")) == "banned"
    assert host.rematch(1)["match"] == "again"


@pytest.mark.parametrize("banned", ["a profile", "an address"])
def test_a_banned_player_joins_no_match_but_moves_a_seat_to_another_device(banned: str) -> None:
    host = invited()
    host.profiles = ["a profile"]
    joining = Join("match", INVITATION, "", "request", identity=Identity("a profile", "Ann"), address="an address")
    host.write(joining)
    host.bans = {banned: None}
    host.write(joining)  # a repeat
    host.write(Join("match", host.handover(1), "", "other", address="an address"))
    late = invited()
    late.profiles, late.bans = host.profiles, host.bans
    assert why(late, joining) == "banned"


def test_a_rematch_is_refused_while_the_game_goes_on() -> None:
    assert why(MatchHost(), Rematch("match", TOKENS[1], "again")) == "not_ended"


def test_a_rematch_needs_an_opponent() -> None:
    host = invited()
    host.act(1, actions.LEAVE)
    assert why(host, Rematch("match", TOKENS[1], "again")) == "nobody"


def test_a_rematch_keeps_the_computer_and_the_secret_for_spectators() -> None:
    host = MatchHost("classic", "human", "easy", private=True)
    host.act(1, actions.RESIGN)
    host.rematch(1)
    assert host.again.computer_to_act == 2
    assert host.again.viewer(WATCH) == Viewer()


def test_a_handed_over_seat_has_its_newest_token_in_a_rematch() -> None:
    host = MatchHost()
    carried = host.join(host.handover(1))["token"]
    host.act(2, actions.RESIGN)
    host.rematch(2)
    assert host.again.viewer(carried) == Viewer(1)
    with pytest.raises(Refusal):
        host.again.viewer(TOKENS[1])


@pytest.mark.parametrize("first", ["X", "O", "toss"])
def test_in_swap_nine_a_rematch_changes_who_starts_and_not_the_signs(first: str) -> None:
    host = MatchHost("swap-nine", first=first, seed=1)
    started = host.hosted.match.position.turn
    host.act(1, actions.RESIGN)
    host.rematch(2)
    again = host.again.match
    assert [again.setup.label(seat) for seat in (1, 2)] == ["Player 1 (X)", "Player 2 (O)"]
    assert again.position.turn is started.other
    assert again.to_act == (1 if started is O else 2)
    assert again.events == ()  # nothing is carried over, and no score is kept


def test_in_swap_nine_player_1_is_x_and_whoever_wants_o_takes_seat_2() -> None:
    host = MatchHost("swap-nine", "human", "open", sides="OX")
    assert [seat.side for seat in host.hosted.match.setup.seats] == [X, O]
    assert host.created["seats"] == {2: TOKENS[2]}
    assert host.join(host.created["invitations"][1]) | {"token": ""} == {"seat": 1, "side": "X", "token": ""}
