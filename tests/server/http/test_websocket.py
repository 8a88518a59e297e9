"""The WebSocket of a match: its contract, and that garbage from one client harms no other."""

from __future__ import annotations

import contextlib
import itertools
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websockets.client import ClientProtocol
from websockets.uri import parse_uri

from ninefold.server.hosting.commands import Acknowledgement, Act
from ninefold.server.hosting.errors import unavailable
from ninefold.server.http.socket_sender import EncodedMessage
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.service import Service
from ninefold.server.storage.writer import PendingResponse
from tests.support.hand_fired_loop import BY_HAND, HandFiredLoop
from tests.support.http_server import API, Running, SocketClient, act, running
from tests.support.waiting import wait_until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("sockets")) as server:
        yield server


@pytest.fixture(scope="module")
def loop() -> HandFiredLoop:
    return HandFiredLoop()


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory, loop: HandFiredLoop) -> Iterator[Running]:
    """A server whose timers fire by hand."""
    with running(tmp_path_factory.mktemp("by-hand"), BY_HAND, loop=loop) as server:
        yield server


def test_the_welcome_has_the_role_and_the_view(server: Running) -> None:
    match = server.create()
    client, welcome = server.welcome(match["match"], match["seats"]["2"])
    with client:
        assert (welcome["role"], welcome["seat"]) == ("2", 2)
        assert welcome["view"]["id"] == match["match"]
        assert welcome["view"]["seats"][1]["present"] is True
        assert "events" not in welcome


def test_without_a_token_the_client_is_a_spectator(server: Running) -> None:
    client, welcome = server.welcome(server.create()["match"])
    with client:
        assert (welcome["role"], welcome["seat"]) == ("spectator", None)


def test_all_clients_get_the_events_and_only_the_sender_gets_the_answer(server: Running) -> None:
    match = server.create()
    one, _ = server.welcome(match["match"], match["seats"]["1"])
    other, _ = server.welcome(match["match"])
    with one, other:
        answer = one.ask(act("m1", 0, kind="move", move="5"))
        assert (answer["type"], answer["request"], answer["version"], answer["replayed"]) == ("answer", "m1", 1, False)
        for client in (one, other):
            message = client.receive_events()
            assert [event["event"] for event in message["events"]] == ["moved"]
            assert message["view"]["board"]["cells"][4] == "X"


def test_a_repeated_request_gets_the_first_answer(server: Running) -> None:
    match = server.create()
    client, _ = server.welcome(match["match"], match["seats"]["1"])
    with client:
        first = client.ask(act("same", 0, kind="move", move=[4]))
        again = client.ask(act("same", 0, kind="move", move=[4]))
        assert again == first | {"replayed": True}
        assert client.ask(act("same", 0, kind="move", move=[0]))["reason"] == "request_reused"


def test_messages_that_are_sent_at_once_are_answered_in_their_order(server: Running) -> None:
    match = server.create()
    client, _ = server.welcome(match["match"], match["seats"]["1"])
    with client:
        sent = 40
        for number in range(sent):
            client.send({"type": "ping"} if number % 7 == 3 else act(f"say{number}", None, kind="say", text="hello"))
        answers = [client.receive("answer", "pong") for _ in range(sent)]
    expected = ["pong" if number % 7 == 3 else f"say{number}" for number in range(sent)]
    assert [answer.get("request", answer["type"]) for answer in answers] == expected


def test_an_action_comes_from_an_address_whichever_way_it_takes(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a ban of the address would not count for it."""
    found: list[tuple[str, str]] = []
    begin, acknowledge = Service.begin, Service.acknowledge

    def note_begun(self: Service, command: Act, on_response: Callable[[PendingResponse], object]) -> PendingResponse:
        if command.key == "later":
            raise unavailable()
        found.append((command.key, command.address))
        return begin(self, command, on_response)

    async def note_executed(self: Service, command: Act, *, connected: bool = False) -> Acknowledgement:
        found.append((command.key if connected else "by a request", command.address))
        return await acknowledge(self, command, connected=connected)

    monkeypatch.setattr(Service, "begin", note_begun)
    monkeypatch.setattr(Service, "acknowledge", note_executed)
    match = server.create()
    client, _ = server.welcome(match["match"], match["seats"]["1"])
    with client:
        for key in ("at-once", "later"):
            assert client.ask(act(key, None, kind="say", text="hello"))["type"] == "answer"
        assert server.move(match["match"], match["seats"]["1"], 0, "1").status_code == 200
    assert found == [(way, "127.0.0.1") for way in ("at-once", "later", "by a request")]


def test_a_client_that_reconnects_gets_the_events_that_it_missed(server: Running) -> None:
    match = server.create()
    for version, move in enumerate("159"):
        assert server.move(match["match"], match["seats"]["12"[version % 2]], version, move).status_code == 200
    client, welcome = server.welcome(match["match"], match["seats"]["1"], after=0)
    with client:
        assert [event["index"] for event in welcome["events"]] == [1, 2]
        server.move(match["match"], match["seats"]["2"], 3, "2")
        assert [event["index"] for event in client.receive_events()["events"]] == [3]


def test_a_stale_action_is_refused_with_the_match_as_it_is(server: Running) -> None:
    match = server.create()
    server.move(match["match"], match["seats"]["1"], 0, "5")
    client, _ = server.welcome(match["match"], match["seats"]["2"])
    with client:
        refused = client.ask(act("late", 0, kind="move", move="1"))
        assert (refused["type"], refused["request"], refused["status"]) == ("refused", "late", 409)
        assert (refused["reason"], refused["match"]["version"]) == ("stale_version", 1)


def test_an_illegal_move_is_refused_with_the_legal_ones(server: Running) -> None:
    match = server.create()
    server.move(match["match"], match["seats"]["1"], 0, "5")
    client, _ = server.welcome(match["match"], match["seats"]["2"])
    with client:
        refused = client.ask(act("taken", 1, kind="move", move="5"))
        assert (refused["reason"], refused["moves"]) == ("taken", ["1", "2", "3", "4", "6", "7", "8", "9"])


def test_clients_are_told_who_is_connected(server: Running) -> None:
    match = server.create()
    one, _ = server.welcome(match["match"], match["seats"]["1"])
    with one:
        assert one.receive("presence")["seats"] == {"1": True, "2": False}
        other, _ = server.welcome(match["match"], match["seats"]["2"])
        assert one.receive("presence")["seats"] == {"1": True, "2": True}
        other.close()
        assert one.receive("presence")["seats"] == {"1": True, "2": False}
        spectator, _ = server.welcome(match["match"])
        with spectator:
            assert one.receive("presence")["watching"] == 1


def test_a_ping_is_answered(server: Running) -> None:
    client, _ = server.welcome(server.create()["match"])
    with client:
        client.send({"type": "ping"})
        assert client.receive("pong") == {"type": "pong"}


def test_the_server_sends_a_heartbeat_again_and_again(by_hand: Running, loop: HandFiredLoop) -> None:
    client, welcome = by_hand.welcome(by_hand.create()["match"])
    with client:
        for _ in range(2):
            loop.fire(BY_HAND.beat_seconds)
            assert client.receive("beat")["now"] >= welcome["view"]["now"]


def test_a_client_that_does_not_say_hello_in_time_is_refused(by_hand: Running, loop: HandFiredLoop) -> None:
    with by_hand.socket(by_hand.create()["match"]) as client:
        loop.fire(BY_HAND.hello_seconds)
        refused = client.receive()
        assert (refused["reason"], refused["status"]) == ("no_hello", 408)
        assert client.close_code() == 1008


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
def test_a_wrong_first_message_closes_the_socket(server: Running, first: str | bytes, reason: str) -> None:
    with server.socket(server.create()["match"]) as client:
        client.send(first)
        assert client.receive()["reason"] == reason
        assert client.close_code() == 1008


def test_an_unknown_match_is_refused(server: Running) -> None:
    for match in ("0123456789abcdef", "no-such%00match", "%F0%9F%92%A9"):
        with server.socket(match) as client:
            client.send({"type": "hello"})
            assert client.receive()["status"] == 404
            assert client.close_code() == 1008


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


def test_garbage_is_refused_and_harms_no_other_client(server: Running) -> None:
    match = server.create()
    good, _ = server.welcome(match["match"], match["seats"]["1"])
    with contextlib.ExitStack() as open_sockets:
        open_sockets.push(good)
        for number, garbage in enumerate(GARBAGE):
            if number % 8 == 0:
                bad, _ = server.welcome(match["match"], match["seats"]["2"])
                open_sockets.push(bad)
            bad.send(garbage)
            assert bad.receive("refused")["status"] in (400, 422), garbage
        assert good.ask(act("fine", 0, kind="move", move="5"))["type"] == "answer"
        assert server.get(f"/matches/{match['match']}").json()["version"] == 1


def test_a_wrong_message_is_refused_with_its_request_id(server: Running) -> None:
    match = server.create()
    client, _ = server.welcome(match["match"], match["seats"]["1"])
    with client:
        assert client.ask({"type": "act", "request": "mine", "action": {"kind": "fly"}})["request"] == "mine"
        assert client.ask({"type": "act", "request": 5, "action": {"kind": "fly"}})["request"] is None


def test_ten_bad_messages_in_a_row_close_the_socket(server: Running) -> None:
    client, _ = server.welcome(server.create()["match"])
    with client:
        for _ in range(9):
            client.send("x")
        client.send({"type": "ping"})
        client.receive("pong")
        for _ in range(10):
            client.send("x")
        assert client.close_code() == 1008


def test_a_message_that_is_too_long_closes_the_socket(server: Running) -> None:
    client, _ = server.welcome(server.create()["match"])
    with client:
        client.send('{"type": "ping", "x": "' + "y" * 20_000 + '"}')
        assert client.close_code() == 1009


def test_a_seat_that_was_handed_over_is_watched_only(server: Running) -> None:
    match = server.create()
    old, _ = server.welcome(match["match"], match["seats"]["1"])
    with old:
        code = server.post(
            f"/matches/{match['match']}/handover", {"request": "carry"}, token=match["seats"]["1"]
        ).json()["code"]
        joined = server.post(f"/matches/{match['match']}/join", {"code": code}).json()
        assert joined["seat"] == 1
        old.receive("moved")
        assert old.ask(act("ghost", 0, kind="move", move="5"))["status"] == 401
    new, welcome = server.welcome(match["match"], joined["token"])
    with new:
        assert welcome["seat"] == 1
        assert new.ask(act("mine", 0, kind="move", move="5"))["type"] == "answer"


def test_a_handed_over_seat_of_a_private_match_is_closed(server: Running) -> None:
    match = server.create(private=True)
    old, _ = server.welcome(match["match"], match["seats"]["1"])
    with old:
        code = server.post(
            f"/matches/{match['match']}/handover", {"request": "carry"}, token=match["seats"]["1"]
        ).json()["code"]
        server.post(f"/matches/{match['match']}/join", {"code": code})
        assert old.receive("moved", "refused") == {"type": "moved"}
        assert old.close_code() == 1000


def test_spectators_of_a_match_are_limited(tmp_path: Path) -> None:
    with running(tmp_path, service=ServiceConfig(spectators=2)) as server:
        match = server.create()
        sockets = [server.welcome(match["match"])[0] for _ in range(2)]
        with server.socket(match["match"]) as third:
            third.send({"type": "hello"})
            assert third.receive()["status"] == 429
            assert third.close_code() == 1013
        sockets.append(server.welcome(match["match"], match["seats"]["1"])[0])
        for client in sockets:
            client.close()


def test_a_client_that_does_not_read_is_dropped_and_nobody_waits(by_hand: Running, loop: HandFiredLoop) -> None:
    match = by_hand.create()
    raw = socket.create_connection(("127.0.0.1", by_hand.port))
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow = by_hand.socket(match["match"], sock=raw, max_queue=1)
    slow.send({"type": "hello", "view": True})
    slow.receive("welcome")

    def spectators() -> int:
        return int(by_hand.get(f"/matches/{match['match']}").json()["watching"])

    def say(number: int) -> None:
        body = {"request": f"s{number}", "action": {"kind": "say", "text": "x" * 250}}
        assert by_hand.post(f"/matches/{match['match']}/actions", body, match["seats"]["1"]).status_code == 200

    assert spectators() == 1
    for number in range(60):
        say(number)
    loop.fire(BY_HAND.send_seconds)
    wait_until(lambda: spectators() == 0)
    say(60)
    assert slow.close_code() == 1006, "cut off, not closed: a close frame would never arrive"
    slow.close()


def lifeless(server: Running, match: str, token: str) -> socket.socket:
    """A player whose machine has died: it has said hello, and never reads or answers anything."""
    url = f"ws://127.0.0.1:{server.port}{API}/matches/{match}/socket"
    there, protocol = socket.create_connection(("127.0.0.1", server.port)), ClientProtocol(parse_uri(url))
    there.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    protocol.send_request(protocol.connect())
    there.sendall(b"".join(protocol.data_to_send()))
    protocol.receive_data(there.recv(4096))
    protocol.send_text(json.dumps({"type": "hello", "token": token, "view": True}).encode())
    there.sendall(b"".join(protocol.data_to_send()))
    return there


@pytest.mark.parametrize("messages", [0, 40], ids=["nothing to send", "with much that was not read"])
def test_a_dead_connection_is_noticed_and_its_player_is_absent(
    by_hand: Running, loop: HandFiredLoop, messages: int
) -> None:
    match = by_hand.create()
    path, (one, two) = f"/matches/{match['match']}", match["seats"].values()

    def is_present() -> bool:
        return bool(by_hand.get(path).json()["seats"][1]["present"])

    with lifeless(by_hand, match["match"], two):
        wait_until(is_present)
        for number in range(messages):
            body = {"request": f"s{number}", "action": {"kind": "say", "text": "x" * 250}}
            assert by_hand.post(f"{path}/actions", body, one).status_code == 200
        loop.fire(BY_HAND.ping_seconds)
        assert is_present()
        loop.fire(BY_HAND.pong_seconds)
        wait_until(lambda: not is_present())


def test_all_clients_are_told_to_reconnect_when_the_server_stops(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        match = server.create()
        client, _ = server.welcome(match["match"], match["seats"]["1"])
        silent = server.socket(match["match"])
        server.stop()
        for one in (client, silent):
            assert one.receive("bye") == {"type": "bye", "reason": "restart", "retry_ms": 500}
            assert one.close_code() == 1012
            one.close()


def without_views(server: Running, match: str, token: str | None = None) -> SocketClient:
    """A socket whose client does not ask for views."""
    client = server.socket(match)
    client.send({"type": "hello"} | ({"token": token} if token else {}))
    assert "view" in client.receive("welcome")
    return client


def test_without_views_a_player_gets_one_frame_for_each_action_and_the_opponent_the_events(server: Running) -> None:
    match = server.create()
    one, two = (without_views(server, match["match"], match["seats"][seat]) for seat in "12")
    with one, two:
        for version, (mover, other) in enumerate([(one, two), (two, one), (one, two)]):
            answer = mover.ask(act(f"m{version}", version, kind="move", move="159"[version]))
            assert [event["index"] for event in answer["events"]] == [version]
            message = other.receive("answer", "events")
            assert message == {"type": "events", "events": answer["events"]}
        one.send({"type": "ping"})
        assert one.receive("answer", "events", "pong")["type"] == "pong"  # nothing came twice


def test_without_views_a_message_has_the_clocks(server: Running) -> None:
    match = server.create(clock={"initial_seconds": 60, "increment_seconds": 2})
    with without_views(server, match["match"]) as watching:
        server.move(match["match"], match["seats"]["1"], 0, "5")
        message = watching.receive_events()
        assert "view" not in message
        assert (message["clock"]["X"], message["clock"]["running"], message["clock"]["increment"]) == (
            60_000,
            "O",
            2000,
        )


def test_without_views_there_is_one_when_something_changes_that_is_not_in_the_log(server: Running) -> None:
    match = server.create("classic", "human", "open")
    with without_views(server, match["match"], match["seats"]["1"]) as client:
        invitation = match["invitations"]["2"]
        joined = server.post(f"/matches/{match['match']}/join", {"invitation": invitation, "name": "Bob"}).json()
        assert client.receive("events")["view"]["seats"][1]["name"] == "Bob"
        client.ask(act("end", None, kind="resign"))
        again = server.post(f"/matches/{match['match']}/rematch", {"request": "again"}, joined["token"]).json()
        message = client.receive("events")
        assert (message["events"], message["view"]["rematch"]) == ([], again["match"])


def test_all_who_follow_a_match_get_what_was_read_once(tmp_path: Path) -> None:
    times = itertools.count(1_800_000_000_000)
    with running(tmp_path, now=lambda: next(times)) as server, contextlib.ExitStack() as stack:
        match = server.create()
        clients = [stack.enter_context(server.welcome(match["match"])[0]) for _ in range(5)]
        server.move(match["match"], match["seats"]["1"], 0, "5")
        messages = [client.receive_events() for client in clients]
    assert messages == [messages[0]] * 5  # also in its time, which nobody is told twice


def test_an_event_is_encoded_once_for_all_spectators(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once with the view, and once for those who want none."""
    encoded: list[str] = []
    encode = EncodedMessage.of

    def note(text: str) -> EncodedMessage:
        encoded.append(text)
        return encode(text)

    match = server.create()
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(server.welcome(match["match"])[0]) for _ in range(5)]
        clients += [stack.enter_context(without_views(server, match["match"])) for _ in range(5)]
        monkeypatch.setattr(EncodedMessage, "of", note)
        moves = "5173"  # the first brings news of its player too, the others only themselves
        for version, move in enumerate(moves):
            server.move(match["match"], match["seats"]["12"[version % 2]], version, move)
            for client in clients:
                assert client.receive_events()["events"]
    # A client that is being sent something else at that moment may need a third.
    assert len([text for text in encoded if '"event": "moved"' in text]) <= 3 * len(moves)
