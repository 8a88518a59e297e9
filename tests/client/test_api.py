"""A running server from Python: whole games, refusals without HTTP in them, and connections that break."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ninefold.cli.main import main
from ninefold.client import MatchChange, RemoteSeat, Server, join, watch
from ninefold.client.errors import refusal_of
from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.core.position import Side
from ninefold.match import actions
from tests.support.fake_server import FakeResponse, fake_server
from tests.support.relay import relay
from tests.support.server_process import SECRET, Serving, refusal, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


@pytest.fixture
def seats(server: Serving) -> tuple[RemoteSeat, RemoteSeat]:
    return two_people(server)


def two_people(server: Serving, game: str = "classic", **more: Any) -> tuple[RemoteSeat, RemoteSeat]:
    """Ann, who made the match, and Bob, whom she invited."""
    created = server.client().create(game, names=("Ann", ""), **more)
    return created.seats[1], server.client().join(created.invitations[2], "Bob")


# Playing


def test_a_whole_game_between_two_seats(seats: tuple[RemoteSeat, RemoteSeat]) -> None:
    ann, bob = seats
    for seat, move in zip((ann, bob, ann, bob, ann), "14253", strict=True):
        assert seat.my_turn()["asked"] == seat.number
        seat.play(move)
    assert bob.my_turn()["result"]["sentence"] == "X wins: three in a row (1 2 3)."
    assert bob.match().result == ann.match().result
    assert '[X "Ann"]' in bob.record()
    assert [event["event"] for event in bob.events(after=3)] == ["moved"]
    assert (ann.side, bob.side) == (Side.X, Side.O)


def test_a_game_against_the_computer(server: Serving) -> None:
    seat = server.client().create("classic", ("human", "perfect")).seats[1]
    while (view := seat.my_turn())["result"] is None:
        seat.play(view["moves"][0]["text"])
    assert view["result"]["winner"] != "X"


def test_moves_are_given_as_text_as_numbers_or_as_paths(server: Serving) -> None:
    ann, bob = two_people(server, "squared")
    ann.play("55")
    bob.my_turn()
    bob.act(actions.move(4 * 9 + 8))
    ann.my_turn()
    ann.act(actions.move((8, 0)))
    assert [move["path"] for move in ann.view()["history"]] == [[4, 4], [4, 8], [8, 0]]


def test_claims_offers_talk_and_resignation_go_the_same_way(server: Serving) -> None:
    ann, bob = two_people(server, "agents", first="X")
    ann.my_turn()
    ann.act(actions.move((0,), claim=(0, 1, 2), say="three!"))
    assert bob.my_turn()["claim"]["cells"] == [0, 1, 2]
    bob.act(actions.dispute("two are empty"))
    bob.say("really")
    bob.view()
    bob.act(actions.OFFER_DRAW)
    ann.view()
    ann.act(actions.DECLINE)
    ann.act(actions.RESIGN)
    kinds = [event.action.kind for event in bob.match().events]
    assert kinds == ["move", "say", "dispute", "settle", "say", "offer", "decline", "resign"]


def test_a_report_is_read_by_link_and_from_the_database(server: Serving, capsys: pytest.CaptureFixture[str]) -> None:
    ann, bob = two_people(server, "agents", first="X")
    ann.act(actions.move((0,), claim=(0, 1, 2)))
    bob.my_turn()
    bob.act(actions.CONFIRM)
    assert refusal(ann.report).reason == "not_ended"
    ann.act(actions.RESIGN)
    told = []
    for name in (f"{server.url}/m/{ann.id}", ann.id):
        assert main(["agents", "report", name, "--data", str(server.data)]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert "Ann (X)" in told[0]
    assert [(one["false_claims"], one["wrong_confirmations"]) for one in ann.report()["agents"]] == [(1, 0), (0, 1)]
    assert main(["agents", "report", "nosuchmatch", "--data", str(server.data)]) == 2
    assert "There is no file or folder 'nosuchmatch', and no match with this id" in capsys.readouterr().err


def test_wait_returns_when_the_game_has_gone_on(seats: tuple[RemoteSeat, RemoteSeat]) -> None:
    ann, bob = seats
    before = bob.view()["version"]
    ann.play("5")
    assert bob.wait(before)["version"] == before + 1
    later = threading.Thread(target=bob.play, args=("1",))
    later.start()
    assert ann.wait()["board"]["cells"][0] == "O"
    later.join()


def test_a_change_that_is_older_than_what_was_seen_is_not_taken_for_the_present(
    seats: tuple[RemoteSeat, RemoteSeat],
) -> None:
    ann, bob = seats
    ann.my_turn()  # from here on changes wait to be read
    ann.play("1")
    bob.play("2")
    ann.view()
    ann.play("3")
    bob.view()
    bob.play("4")
    assert ann.my_turn()["version"] == 4, "after the second move it was her turn too"


def test_a_match_is_listed_joined_by_its_id_and_watched(server: Serving) -> None:
    created = server.client().create("swap-nine", names=("Ann", ""))
    assert created.match in [match["id"] for match in server.client().matches()]
    bob = server.client().join(created.match, "Bob")
    with watch(str(created.watch)) as spectator:
        assert [seat["name"] for seat in spectator.view()["seats"]] == ["Ann", "Bob"]
        assert spectator.match().setup == bob.match().setup


def test_a_private_match_needs_one_of_its_links(server: Serving) -> None:
    created = server.client().create("classic", private=True)
    assert refusal(lambda: server.client().watch(created.match).view()).reason == "no_such_match"
    assert refusal(lambda: server.client().join(created.match)).reason == "no_such_match"
    assert server.client().watch(created.watch).view()["private"]
    assert refusal(lambda: server.client().join(created.watch)).reason == "only_watching"
    assert server.client().join(created.invitations[2]).number == 2


def test_a_rematch_swaps_the_sides(seats: tuple[RemoteSeat, RemoteSeat]) -> None:
    ann, bob = seats
    ann.act(actions.RESIGN)
    assert ann.rematch().side is Side.O
    assert bob.rematch().id == ann.rematch().id


def test_the_games_are_those_of_the_server(server: Serving) -> None:
    assert {"classic", "agents", "squared", "ultimate", "swap-nine"} <= {game["id"] for game in server.client().games()}


# Refusals


def test_a_refusal_of_the_rules_has_their_own_words(seats: tuple[RemoteSeat, RemoteSeat]) -> None:
    ann, bob = seats
    ann.play("5")
    bob.my_turn()
    taken = refusal(lambda: bob.play("5"))
    assert isinstance(taken, NotAllowed)
    assert (taken.reason, taken.sentence) == ("taken", "Cell 5 is taken by X.")
    assert taken.instead == "Free cells: 1 2 3 4 6 7 8 9."
    assert isinstance(refusal(lambda: bob.play("north")), Unreadable)
    assert refusal(lambda: bob.act(actions.move(99))).reason == "not_a_move"


def test_a_move_for_an_older_version_is_stale(seats: tuple[RemoteSeat, RemoteSeat]) -> None:
    ann, bob = seats
    bob.view()
    ann.play("5")
    assert refusal(lambda: bob.play("1")).reason == "stale_version"


@pytest.mark.parametrize(
    ("more", "code", "params"),
    [
        ({"code": "taken.twice", "params": {"cell": "5\x1b", "count": 2}}, "taken.twice", {"cell": "5", "count": 2}),
        ({}, "taken", {}),  # of an earlier version
        ({"code": "other", "params": {"cell": "5"}}, "taken", {}),
    ],
)
def test_a_refusal_keeps_the_code_and_the_parameters_of_its_message(
    more: dict[str, Any], code: str, params: dict[str, object]
) -> None:
    found = refusal_of(409, {"reason": "taken", "detail": "Cell 5 is taken.", "instead": "", **more})
    assert (type(found), found.reason, found.code, found.params) == (NotAllowed, "taken", code, params)
    assert str(found) == "Cell 5 is taken."


@pytest.mark.parametrize("more", [{"params": 5}, {"params": ["cell"]}, {"params": None}])
def test_a_refusal_with_wrong_parameters_has_its_status(more: dict[str, Any]) -> None:
    found = refusal_of(409, {"reason": "taken", "detail": "Cell 5 is taken.", "instead": "", **more})
    assert (found.code, found.params) == ("refused", {"status": 409})


def test_a_link_of_another_server_is_refused(server: Serving) -> None:
    assert refusal(lambda: server.client().join(f"http://elsewhere/m/00ff#invite={SECRET}")).reason == "another_server"


def test_an_invitation_opens_one_seat_once(server: Serving) -> None:
    created = server.client().create("classic")
    join(str(created.invitations[2])).close()
    assert refusal(lambda: join(str(created.invitations[2]))).reason == "invitation_used"


# Connections


@contextlib.contextmanager
def client_of(*responses: FakeResponse) -> Iterator[Server]:
    """A client of a server that sends these responses."""
    with fake_server(*responses) as running:
        client = Server(running.url, timeout=5)
        try:
            yield client
        finally:
            client.close()


def test_a_response_that_was_lost_is_requested_again_and_nothing_is_done_twice(tmp_path: Path) -> None:
    with relay() as between, serving(tmp_path / "data", "--public-url", between.url) as server:
        between.target = server.port
        ann, bob = two_people(server)
        seat = RemoteSeat(Server(between.url), ann.id, ann.token or "", 1)
        seat.view()
        between.swallow = 2
        assert seat.play("5").replayed
        assert between.swallow == 0
        assert len(bob.match().events) == 1
        seat.close()


def test_a_server_that_stays_busy_says_why() -> None:
    words = json.dumps({"reason": "full", "detail": "Full.", "instead": "Wait."}).encode()
    with client_of(FakeResponse(503, words, {"Retry-After": "60"})) as client:
        assert refusal(client.games).reason == "full"


def test_a_server_that_does_not_run_is_not_waited_for() -> None:
    assert refusal(Server("http://127.0.0.1:1").games).reason == "no_connection"


@pytest.mark.parametrize("body", [b"<html>", b"", b"\xff", b"[" * 100_000])
def test_a_response_that_is_not_one_of_ninefold_is_refused(body: bytes) -> None:
    with client_of(FakeResponse(200, body)) as client:
        assert refusal(client.games).reason == "not_a_server"
    with client_of(FakeResponse(404, body)) as client:
        assert str(refusal(client.games)) == "The server refuses this (404). Check the address, and try again."


def test_a_response_that_is_too_large_is_refused() -> None:
    with client_of(FakeResponse(200, b" " * (8 * 2**20 + 1))) as client:
        assert "is larger than 8 MiB." in str(refusal(client.games))


def test_the_words_of_a_server_cannot_reach_into_the_terminal() -> None:
    bad = {"reason": "bad", "detail": "\x1b[2JGone\u202e", "instead": "\x07"}
    with client_of(FakeResponse(409, json.dumps(bad).encode())) as client:
        assert str(refusal(client.games)) == "[2JGone"


def events_of(change: MatchChange) -> list[int]:
    return [event["index"] for event in change.events]


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_change_stream_reconnects_after_a_restart_and_misses_nothing(tmp_path: Path, how: str) -> None:
    with serving(tmp_path / "data") as server:
        ann, bob = two_people(server)
        ann.play("5")
        changes = ann.changes(after=-1)
        heard = iter(changes)
        assert events_of(next(heard)) == [0]
        getattr(server, how)()
        while next(heard).kind != "lost":
            pass
        server.start()
        bob.my_turn()
        bob.play("1")
        seen: list[int] = []
        while 1 not in seen:
            seen += events_of(next(heard))
        assert seen == [1]
        changes.close()
        assert next(heard, None) is None
        ann.close()
        bob.close()


def test_a_seat_that_was_moved_to_another_device_says_so(seats: tuple[RemoteSeat, RemoteSeat]) -> None:
    ann, bob = seats
    heard = iter(changes := bob.changes())
    next(heard)
    carried = join(str(bob.handover()))
    while next(heard).kind != "moved":
        pass
    changes.close()
    assert carried.number == 2
    ann.play("5")
    assert refusal(lambda: bob.say("hello")).reason == "bad_token"
    carried.my_turn()
    carried.play("1")
    carried.close()


def test_a_private_match_says_that_the_seat_was_moved_and_nothing_more(server: Serving) -> None:
    ann = server.client().create("classic", ("human", "human"), private=True).seats[1]
    heard = iter(ann.changes())
    next(heard)
    carried = join(str(ann.handover()))
    assert [change.kind for change in heard if change.kind != "presence"] == ["moved"]
    carried.close()


def test_changes_of_a_match_that_does_not_exist_are_refused(server: Serving) -> None:
    with server.client().watch("00ff") as nothing:
        assert refusal(nothing.wait).reason == "no_such_match"
        assert refusal(lambda: next(iter(nothing.changes()))).reason == "no_such_match"


def test_players_who_are_connected_are_reported(seats: tuple[RemoteSeat, RemoteSeat]) -> None:
    ann, bob = seats
    heard = iter(changes := ann.changes())
    next(heard)
    bob.wait(-1)
    while not (change := next(heard)).seats.get("2"):
        pass
    assert change.kind == "presence"
    changes.close()
    bob.close()
