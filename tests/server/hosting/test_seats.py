"""Who sits where: invitations that open a seat once, seats that are carried, private matches, rematches."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ninefold.core.errors import Refusal
from ninefold.core.position import O, X
from ninefold.match import actions
from ninefold.server.hosting.commands import Act, ClaimAbsent, Command, Create, Handover, Join, Rematch, SeatRequest
from ninefold.server.hosting.errors import Problem
from ninefold.server.hosting.model import Settings, Viewer
from ninefold.server.hosting.seats import CODE_MS
from tests.support.handlers import MINUTE, SECOND, SECRETS, START, TOKENS, WATCH, Desk, timed, why

INVITATION = SECRETS[1]


def invited(**facts: Settings) -> Desk:
    return Desk("classic", "human", "open", **facts)


def join(secret: str | None, request: str = "another") -> Join:
    return Join("match", secret, "", request)


def test_a_creator_is_given_tokens_for_human_seats_and_invitations_for_open_ones() -> None:
    assert Desk("classic", "human", "open").created == {
        "match": "match",
        "seats": {1: SECRETS[0]},
        "invitations": {2: SECRETS[1]},
        "watch": None,
    }
    assert Desk("classic", "human", "human").created["seats"] == TOKENS
    assert Desk("classic", "easy", "human").created["seats"] == {2: SECRETS[1]}


def test_only_a_private_match_has_a_secret_for_spectators() -> None:
    assert Desk(settings=Settings(private=True)).created["watch"] == WATCH
    assert Desk().hosted.watch == ""


def test_a_match_that_is_created_again_with_the_same_secrets_is_the_same_match() -> None:
    desk = invited()
    desk.join(INVITATION)
    before = desk.hosted
    again = desk.write(desk.create)
    assert again["match"] == "match"
    assert (again["seats"], again["invitations"]) == ({1: SECRETS[0]}, {2: SECRETS[1]})
    assert desk.hosted is before


def test_only_secrets_that_open_something_are_told_to_who_creates_a_match_again() -> None:
    desk = invited()
    guessed = desk.create._replace(secrets=("some other secret", "and one more", "and a third"))
    assert desk.write(guessed) == {"match": "match", "seats": {}, "invitations": {}, "watch": None}


@pytest.mark.parametrize(
    ("create", "reason"),
    [
        (Create("m", "chess"), "no_such_game"),
        (Create("m", "classic", {"size": "4"}), "no_such_option"),
        (Create("m", "classic", places=(SeatRequest("godlike"), SeatRequest())), "no_such_player"),
        (Create("m", "classic", sides="XX"), "same_side"),
        (Create("m", "classic", first="Z"), "no_such_value"),
        (Create("m", "agents", {"line_ends": "yes"}), "line_ends"),
    ],
)
def test_what_cannot_be_played_is_not_created(create: Create, reason: str) -> None:
    desk = Desk()
    with pytest.raises(Refusal) as refusal:
        desk._write(None, create)
    assert refusal.value.reason == reason


def test_a_toss_is_part_of_the_match() -> None:
    heads, tails = (Desk("swap-nine", first="toss", seed=seed).hosted.match for seed in (0, 1))
    assert {heads.position.turn, tails.position.turn} == {X, O}
    assert heads.setup.toss


def test_seat_1_may_be_o() -> None:
    desk = Desk(sides="OX")
    assert desk.hosted.match.setup.side(1) is O
    assert desk.hosted.match.to_act == 2


def test_who_joins_is_told_seat_side_and_a_new_token() -> None:
    desk = invited()
    joined = desk.join(INVITATION, name="Bob\x1b[2J\u202e")
    assert (joined["seat"], joined["side"]) == (2, "O")
    assert joined["token"] not in SECRETS
    assert desk.hosted.reader(joined["token"]) == Viewer(2)
    assert desk.hosted.match.setup.seats[1].name == "Bob[2J"
    assert desk.hosted.status == "live"


def test_an_invitation_opens_a_seat_once() -> None:
    desk = invited()
    desk.join(INVITATION, "Bob asks")
    assert why(desk, join(INVITATION, "Carl asks")) == (409, "invitation_used")


def test_a_join_whose_answer_was_lost_is_repeated_and_gets_the_same_token() -> None:
    desk = invited()
    first = desk.join(INVITATION, "Bob asks")
    desk.play("5")
    desk.now += MINUTE
    before = desk.hosted
    assert desk.join(INVITATION, "Bob asks") == first
    assert desk.hosted is before


def test_an_invitation_is_no_token() -> None:
    desk = invited()
    assert why(desk, Act("match", INVITATION, "r", None, actions.say("hello"))) == (401, "bad_token")


def test_a_public_match_is_joined_without_a_secret_until_both_seats_are_taken() -> None:
    desk = invited()
    first = desk.join(None, "Bob asks")
    assert desk.join(None, "Bob asks") == first
    assert why(desk, join(None, "Carl asks")) == (409, "no_seat")


def test_two_open_seats_are_taken_one_after_the_other() -> None:
    desk = Desk("classic", "open", "open")
    assert desk.join(None, "Ann asks")["seat"] == 1
    assert desk.join(None, "Bob asks")["seat"] == 2
    assert desk.join(None, "Ann asks")["seat"] == 1


def test_a_secret_of_nothing_opens_no_seat() -> None:
    assert why(invited(), join("made up by somebody")) == (403, "bad_invitation")


def test_nobody_sits_down_at_a_game_that_has_ended() -> None:
    desk = invited()
    desk.act(1, actions.LEAVE)
    assert why(desk, join(INVITATION)) == (409, "ended")


def test_a_seat_is_carried_to_another_device_and_the_old_token_dies() -> None:
    desk = Desk()
    handed = desk.write(Handover("match", TOKENS[1], "carry"))
    assert handed["expires_at"] == START + CODE_MS
    assert desk.hosted.reader(TOKENS[1]) == Viewer(1)
    carried = desk.join(handed["code"])
    assert (carried["seat"], carried["side"]) == (1, "X")
    assert desk.hosted.reader(carried["token"]) == Viewer(1)
    assert why(desk, Act("match", TOKENS[1], "r", 0, actions.move(4))) == (401, "bad_token")
    assert desk.hosted.reader(TOKENS[2]) == Viewer(2)


def test_a_code_carries_a_seat_once_and_its_repeat_gets_the_same_token() -> None:
    desk = Desk()
    code = desk.handover(1)
    first = desk.join(code, "the telephone")
    assert desk.join(code, "the telephone") == first
    assert why(desk, join(code, "a thief")) == (409, "code_used")
    assert desk.hosted.reader(first["token"]) == Viewer(1)


def test_a_code_that_is_too_old_carries_nothing() -> None:
    desk = Desk()
    code = desk.handover(1)
    desk.now += CODE_MS
    assert why(desk, join(code)) == (409, "code_used")
    assert desk.hosted.reader(TOKENS[1]) == Viewer(1)


def test_a_code_whose_answer_was_lost_is_asked_for_again_and_is_the_same() -> None:
    desk = Desk()
    first = desk.write(Handover("match", TOKENS[1], "carry"))
    before = desk.hosted
    desk.now += MINUTE
    assert desk.write(Handover("match", TOKENS[1], "carry")) == first
    assert desk.hosted is before
    assert desk.join(first["code"])["seat"] == 1


def test_a_code_is_told_to_nobody_but_who_holds_the_seat() -> None:
    desk = Desk()
    codes = [desk.handover(seat) for seat in (1, 2)]
    assert len({*codes, *TOKENS.values()}) == 4
    carried = desk.join(codes[0])["token"]
    assert why(desk, Handover("match", TOKENS[1], "carry")) == (401, "bad_token")
    assert desk.write(Handover("match", carried, "carry"))["code"] not in codes


@pytest.mark.parametrize("request_id", ["", "x" * 65, "a b"])
def test_a_code_is_asked_for_with_a_request(request_id: str) -> None:
    assert why(Desk(), Handover("match", TOKENS[1], request_id)) == (422, "not_a_request")


def test_a_newer_code_replaces_the_older_one() -> None:
    desk = Desk()
    older, newer = desk.handover(1, "one"), desk.handover(1, "two")
    assert why(desk, join(older)) == (403, "bad_invitation")
    assert desk.join(newer)["seat"] == 1


def test_a_seat_that_was_left_is_carried_nowhere() -> None:
    desk = Desk()
    desk.act(1, actions.LEAVE)
    assert why(desk, Handover("match", TOKENS[1], "carry")) == (410, "left")
    desk.handover(2)  # is still somebody's


def test_a_used_invitation_does_not_bring_a_carried_seat_back() -> None:
    desk = invited()
    token = desk.join(INVITATION, "Bob asks")["token"]
    code = desk.write(Handover("match", token, "carry"))["code"]
    desk.join(code, "the telephone")
    assert why(desk, join(INVITATION, "Bob asks")) == (409, "invitation_used")


def test_carrying_a_seat_keeps_its_name_and_its_game() -> None:
    desk = Desk()
    desk.play("5")
    match = desk.hosted.match
    desk.join(desk.handover(1))
    assert desk.hosted.match is match


EVERY_WRITE: tuple[Callable[[str | None], Command], ...] = (
    lambda token: Act("match", token, "r", 0, actions.move(4)),
    lambda token: Act("match", token, "r", None, actions.say("hello")),
    lambda token: Handover("match", token, "r"),
    lambda token: ClaimAbsent("match", token, "r", (0, 0)),
    lambda token: Rematch("match", token, "again"),
)


@pytest.mark.parametrize("write", EVERY_WRITE)
def test_every_write_needs_the_token_of_a_seat(write: Callable[[str | None], Command]) -> None:
    desk = Desk()
    assert why(desk, write(None)) == (401, "no_token")
    assert why(desk, write("not a token of anything")) == (401, "bad_token")


@pytest.mark.parametrize("write", EVERY_WRITE)
def test_a_private_match_is_not_there_for_who_has_no_secret(write: Callable[[str | None], Command]) -> None:
    desk = Desk(settings=Settings(private=True))
    for token in (None, "not a token of anything", "half a pair \ud800"):
        assert why(desk, write(token)) == (404, "no_such_match")
    assert why(desk, write(WATCH)) == (403, "spectator")


def test_a_private_match_is_not_there_for_who_wants_to_read_or_to_join_without_a_secret() -> None:
    desk = Desk("classic", "human", "open", settings=Settings(private=True))
    for secret in (None, "not a secret of anything"):
        with pytest.raises(Problem) as refusal:
            desk.hosted.reader(secret)
        assert (refusal.value.status, refusal.value.reason) == (404, "no_such_match")
        assert why(desk, join(secret)) == (404, "no_such_match")
    assert desk.hosted.reader(WATCH) == Viewer()
    assert desk.join(INVITATION)["seat"] == 2


def test_everybody_may_watch_a_public_match() -> None:
    assert Desk().hosted.reader(None) == Viewer()


def test_a_rematch_swaps_the_sides_and_both_tokens_open_it() -> None:
    desk = Desk(settings=timed(5 * MINUTE, 2 * SECOND))
    desk.play("1", "4", "2", "5", "3")
    assert desk.rematch(2) == {"match": "again"}
    again = desk.again
    assert [seat.side for seat in again.match.setup.seats] == [O, X]
    assert [again.reader(TOKENS[seat]).seat for seat in (1, 2)] == [1, 2]
    assert (again.status, again.match.events, again.settings) == ("live", (), desk.hosted.settings)
    assert again.time is not None
    assert again.time.left == (5 * MINUTE, 5 * MINUTE)


def test_two_who_ask_for_a_rematch_get_one() -> None:
    desk = Desk()
    desk.act(1, actions.RESIGN)
    desk.rematch(1, "one")
    assert desk.rematch(2, "another") == {"match": "one"}
    assert desk.rematch(1, "a third") == {"match": "one"}


def test_a_rematch_comes_after_the_game() -> None:
    assert why(Desk(), Rematch("match", TOKENS[1], "again")) == (409, "not_ended")


def test_there_is_no_rematch_with_nobody() -> None:
    desk = invited()
    desk.act(1, actions.LEAVE)
    assert why(desk, Rematch("match", TOKENS[1], "again")) == (409, "nobody")


def test_the_computer_and_the_spectators_come_along_to_a_rematch() -> None:
    desk = Desk("classic", "human", "easy", settings=Settings(private=True))
    desk.act(1, actions.RESIGN)
    desk.rematch(1)
    assert desk.again.computer == 2
    assert desk.again.reader(WATCH) == Viewer()


def test_a_seat_that_was_carried_has_its_newest_token_in_a_rematch() -> None:
    desk = Desk()
    carried = desk.join(desk.handover(1))["token"]
    desk.act(2, actions.RESIGN)
    desk.rematch(2)
    assert desk.again.reader(carried) == Viewer(1)
    with pytest.raises(Problem):
        desk.again.reader(TOKENS[1])
