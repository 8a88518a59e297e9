"""The socket of a match: its contract, and that nobody is hurt by somebody else's garbage."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.client import ClientProtocol
from websockets.uri import parse_uri

from ninefold.server.http.config import Bounds
from tests.support.http_server import API, PLENTY, Running, Talking, act, running

BOUNDS = PLENTY._replace(hello_seconds=0.5, send_seconds=0.7, beat_seconds=0.4)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("sockets"), BOUNDS) as server:
        yield server


def test_a_welcome_says_who_you_are_and_shows_the_match(server: Running) -> None:
    match = server.create()
    talking, welcome = server.welcome(match["match"], match["seats"]["2"])
    with talking:
        assert (welcome["role"], welcome["seat"]) == ("2", 2)
        assert welcome["view"]["id"] == match["match"]
        assert welcome["view"]["seats"][1]["present"] is True
        assert "events" not in welcome


def test_without_a_token_one_is_a_spectator(server: Running) -> None:
    talking, welcome = server.welcome(server.create()["match"])
    with talking:
        assert (welcome["role"], welcome["seat"]) == ("spectator", None)


def test_everybody_sees_a_move_and_only_the_mover_gets_the_answer(server: Running) -> None:
    match = server.create()
    one, _ = server.welcome(match["match"], match["seats"]["1"])
    other, _ = server.welcome(match["match"])
    with one, other:
        answer = one.ask(act("m1", 0, kind="move", move="5"))
        assert (answer["type"], answer["request"], answer["version"], answer["replayed"]) == ("answer", "m1", 1, False)
        for talking in (one, other):
            told = talking.hear("events")
            while not told["events"]:
                told = talking.hear("events")
            assert [event["event"] for event in told["events"]] == ["moved"]
            assert told["view"]["board"]["cells"][4] == "X"


def test_a_repeated_request_gets_the_first_answer(server: Running) -> None:
    match = server.create()
    talking, _ = server.welcome(match["match"], match["seats"]["1"])
    with talking:
        first = talking.ask(act("same", 0, kind="move", move=[4]))
        again = talking.ask(act("same", 0, kind="move", move=[4]))
        assert again == first | {"replayed": True}
        assert talking.ask(act("same", 0, kind="move", move=[0]))["reason"] == "request_reused"


def test_whoever_comes_back_is_told_what_was_missed_and_no_more(server: Running) -> None:
    match = server.create()
    for version, move in enumerate("159"):
        assert server.move(match["match"], match["seats"]["12"[version % 2]], version, move).status_code == 200
    talking, welcome = server.welcome(match["match"], match["seats"]["1"], after=0)
    with talking:
        assert [event["index"] for event in welcome["events"]] == [1, 2]
        server.move(match["match"], match["seats"]["2"], 3, "2")
        told = talking.hear("events")
        while not told["events"]:
            told = talking.hear("events")
        assert [event["index"] for event in told["events"]] == [3]


def test_a_stale_action_is_refused_with_the_match_as_it_is(server: Running) -> None:
    match = server.create()
    server.move(match["match"], match["seats"]["1"], 0, "5")
    talking, _ = server.welcome(match["match"], match["seats"]["2"])
    with talking:
        refused = talking.ask(act("late", 0, kind="move", move="1"))
        assert (refused["type"], refused["request"], refused["status"]) == ("refused", "late", 409)
        assert (refused["reason"], refused["match"]["version"]) == ("stale_version", 1)


def test_an_illegal_move_is_refused_with_the_legal_ones(server: Running) -> None:
    match = server.create()
    server.move(match["match"], match["seats"]["1"], 0, "5")
    talking, _ = server.welcome(match["match"], match["seats"]["2"])
    with talking:
        refused = talking.ask(act("taken", 1, kind="move", move="5"))
        assert (refused["reason"], refused["moves"]) == ("taken", ["1", "2", "3", "4", "6", "7", "8", "9"])


def test_presence_is_told(server: Running) -> None:
    match = server.create()
    one, _ = server.welcome(match["match"], match["seats"]["1"])
    with one:
        assert one.hear("presence")["seats"] == {"1": True, "2": False}
        other, _ = server.welcome(match["match"], match["seats"]["2"])
        assert one.hear("presence")["seats"] == {"1": True, "2": True}
        other.close()
        assert one.hear("presence")["seats"] == {"1": True, "2": False}
        spectator, _ = server.welcome(match["match"])
        with spectator:
            assert one.hear("presence")["watching"] == 1


def test_a_ping_is_answered_and_the_server_beats(server: Running) -> None:
    talking, _ = server.welcome(server.create()["match"])
    with talking:
        talking.say({"type": "ping"})
        assert talking.hear("pong") == {"type": "pong"}
        assert abs(talking.hear("beat")["now"] - time.time() * 1000) < 5000


def test_who_does_not_say_hello_is_sent_away(server: Running) -> None:
    with server.socket(server.create()["match"]) as talking:
        assert talking.hear()["reason"] == "no_hello"
        assert talking.code() == 1008


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        ('{"type": "ping"}', "no_hello"),
        ('{"type": "hello", "token": "short"}', "wrong_field"),
        ('{"type": "hello", "token": "0123456789abcdef0123456789abcdef"}', "bad_token"),
        ('{"type": "hello", "after": true}', "wrong_field"),
        ("nonsense", "not_json"),
        (b"\x00\x01", "not_json"),
    ],
)
def test_a_first_message_that_is_no_hello_ends_the_talk(server: Running, first: str | bytes, reason: str) -> None:
    with server.socket(server.create()["match"]) as talking:
        talking.say(first)
        assert talking.hear()["reason"] == reason
        assert talking.code() == 1008


def test_a_match_that_is_not_there_is_refused(server: Running) -> None:
    for match in ("0123456789abcdef", "no-such%00match", "%F0%9F%92%A9"):
        with server.socket(match) as talking:
            talking.say({"type": "hello"})
            assert talking.hear()["status"] == 404
            assert talking.code() == 1008


GARBAGE: list[str | bytes] = [
    "", "null", "[]", "{", '{"type": "act"}', '{"type": ["act"]}', '{"type": "hello"}', '{"type":"ping","more":1}',
    '{"type": "act", "request": "r", "version": 0, "action": {"kind": "move", "move": 4}}',
    '{"type": "act", "request": "r", "version": 0.0, "action": {"kind": "move", "move": "5"}}',
    '{"type": "act", "request": "r", "version": false, "action": {"kind": "move", "move": "5"}}',
    '{"type": "act", "request": "r", "version": NaN, "action": {"kind": "move", "move": "5"}}',
    '{"type": "act", "request": "r", "version": 1e999, "action": {"kind": "move", "move": "5"}}',
    '{"type": "act", "request": "\\ud800", "version": 0, "action": {"kind": "move", "move": "5"}}',
    '{"type": "act", "request": "r", "action": {"kind": "say", "text": "\\udfff"}}',
    '{"type": "act", "request": "r", "action": {"kind": "settle"}}',
    '{"type": "act", "request": "r", "request": "s", "action": {"kind": "resign"}}',
    '{"type": "act", "request": "r", "version": 0, "action": {"kind": "confirm", "move": "5"}}',
    "[" * 15_000, '{"a":' * 3_000, "9" * 16_000, b"\xff\xfe", b"",
]  # fmt: skip


def test_garbage_is_refused_and_hurts_nobody_else(server: Running) -> None:
    match = server.create()
    good, _ = server.welcome(match["match"], match["seats"]["1"])
    with contextlib.ExitStack() as open_sockets:
        open_sockets.push(good)
        for number, garbage in enumerate(GARBAGE):
            if number % 8 == 0:
                bad, _ = server.welcome(match["match"], match["seats"]["2"])
                open_sockets.push(bad)
            bad.say(garbage)
            assert bad.hear("refused")["status"] in (400, 422), garbage
        assert good.ask(act("fine", 0, kind="move", move="5"))["type"] == "answer"
        assert server.get(f"/matches/{match['match']}").json()["version"] == 1


def test_a_wrong_message_is_refused_under_its_own_request(server: Running) -> None:
    match = server.create()
    talking, _ = server.welcome(match["match"], match["seats"]["1"])
    with talking:
        assert talking.ask({"type": "act", "request": "mine", "action": {"kind": "fly"}})["request"] == "mine"
        assert talking.ask({"type": "act", "request": 5, "action": {"kind": "fly"}})["request"] is None


def test_ten_bad_messages_in_a_row_end_the_talk(server: Running) -> None:
    talking, _ = server.welcome(server.create()["match"])
    with talking:
        for _ in range(9):
            talking.say("x")
        talking.say({"type": "ping"})
        talking.hear("pong")
        for _ in range(10):
            talking.say("x")
        assert talking.code() == 1008


def test_a_message_that_is_too_long_ends_the_talk(server: Running) -> None:
    talking, _ = server.welcome(server.create()["match"])
    with talking:
        talking.say('{"type": "ping", "x": "' + "y" * 20_000 + '"}')
        assert talking.code() == 1009


def test_a_seat_that_was_carried_elsewhere_is_watched_only(server: Running) -> None:
    match = server.create()
    old, _ = server.welcome(match["match"], match["seats"]["1"])
    with old:
        code = server.post(
            f"/matches/{match['match']}/handover", {"request": "carry"}, token=match["seats"]["1"]
        ).json()["code"]
        joined = server.post(f"/matches/{match['match']}/join", {"code": code}).json()
        assert joined["seat"] == 1
        old.hear("moved")
        assert old.ask(act("ghost", 0, kind="move", move="5"))["status"] == 401
    new, welcome = server.welcome(match["match"], joined["token"])
    with new:
        assert welcome["seat"] == 1
        assert new.ask(act("mine", 0, kind="move", move="5"))["type"] == "answer"


def test_a_seat_of_a_private_match_that_was_carried_elsewhere_is_told_so_and_closed(server: Running) -> None:
    match = server.create(private=True)
    old, _ = server.welcome(match["match"], match["seats"]["1"])
    with old:
        code = server.post(
            f"/matches/{match['match']}/handover", {"request": "carry"}, token=match["seats"]["1"]
        ).json()["code"]
        server.post(f"/matches/{match['match']}/join", {"code": code})
        assert old.hear("moved", "refused") == {"type": "moved"}
        assert old.code() == 1000


def test_a_match_has_only_so_many_spectators(tmp_path: Path) -> None:
    with running(tmp_path, Bounds(spectators=2)) as server:
        match = server.create()
        sockets = [server.welcome(match["match"])[0] for _ in range(2)]
        with server.socket(match["match"]) as third:
            third.say({"type": "hello"})
            assert third.hear()["status"] == 429
            assert third.code() == 1013
        sockets.append(server.welcome(match["match"], match["seats"]["1"])[0])
        for talking in sockets:
            talking.close()


def test_somebody_who_does_not_read_is_dropped_and_nobody_waits(server: Running) -> None:
    match = server.create()
    raw = socket.create_connection(("127.0.0.1", server.port))
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow = server.socket(match["match"], sock=raw, max_queue=1)
    slow.say({"type": "hello"})
    slow.hear("welcome")

    def watching() -> int:
        return int(server.get(f"/matches/{match['match']}").json()["watching"])

    fast, _ = server.welcome(match["match"], match["seats"]["1"])
    with fast:
        assert watching() == 1
        for number in range(60):
            assert fast.ask(act(f"s{number}", None, kind="say", text="x" * 250))["type"] == "answer"
        until = time.monotonic() + 5
        while watching() and time.monotonic() < until:
            time.sleep(0.05)
        assert watching() == 0
        assert fast.ask(act("after", 0, kind="move", move="5"))["type"] == "answer"
    assert slow.code() == 1006, "cut off, not closed: a farewell would never arrive"
    slow.close()


def lifeless(server: Running, match: str, token: str) -> socket.socket:
    """A player whose machine has gone without a word: it says hello, and never reads or answers anything."""
    url = f"ws://127.0.0.1:{server.port}{API}/matches/{match}/socket"
    there, protocol = socket.create_connection(("127.0.0.1", server.port)), ClientProtocol(parse_uri(url))
    there.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    protocol.send_request(protocol.connect())
    there.sendall(b"".join(protocol.data_to_send()))
    protocol.receive_data(there.recv(4096))
    protocol.send_text(json.dumps({"type": "hello", "token": token}).encode())
    there.sendall(b"".join(protocol.data_to_send()))
    return there


def hear_of(talking: Talking, seat: str, *, there: bool) -> None:
    while talking.hear("presence")["seats"][seat] is not there:
        pass


@pytest.mark.parametrize("talk", [0, 40], ids=["quiet", "with much that was not read"])
def test_a_connection_that_died_in_silence_is_noticed_and_its_player_is_away(tmp_path: Path, talk: int) -> None:
    with running(tmp_path, Bounds(ping_seconds=0.2, pong_seconds=0.8, send_seconds=60)) as server:
        match = server.create()
        one, _ = server.welcome(match["match"], match["seats"]["1"])
        with one, lifeless(server, match["match"], match["seats"]["2"]):
            hear_of(one, "2", there=True)
            for number in range(talk):
                one.say(act(f"s{number}", None, kind="say", text="x" * 250))
            hear_of(one, "2", there=False)
            one.say(act("alive", 0, kind="move", move="5"))
            while one.hear("answer")["request"] != "alive":
                pass


def test_everybody_is_told_to_come_back_when_the_server_stops(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        match = server.create()
        talking, _ = server.welcome(match["match"], match["seats"]["1"])
        silent = server.socket(match["match"])
        began = time.monotonic()
        server.leave()
        for one in (talking, silent):
            assert one.hear("bye") == {"type": "bye", "reason": "restart", "retry_ms": 500}
            assert one.code() == 1012
            one.close()
    assert time.monotonic() - began < 2.5
