"""``ninefold serve`` as people run it: how it starts, what it prints, and how it stops."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ninefold.cli.main import main
from ninefold.core.errors import Refusal
from ninefold.games import find_game
from ninefold.server.http.serve import listen
from tests.support.http_server import Process, Running, act, serving
from tests.support.postgres import Postgres
from tests.support.torture import workers_of
from tests.support.waiting import PATIENCE, wait_until


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence with which a command line is refused."""
    assert main(["serve", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith("ninefold: ")
    return line


def printed_at_the_start(process: Process) -> list[str]:
    """After the first link."""
    assert process.process.stdout
    return list(itertools.takewhile(lambda line: line != "Ctrl-C stops it.\n", process.process.stdout))


def test_several_workers_need_postgresql(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "PostgreSQL" in refused(capsys, "--workers", "2", "--data", str(tmp_path))
    assert "PostgreSQL" in refused(capsys, "--workers", "2", "--database", "sqlite:///x")


def test_an_address_in_use_is_refused_in_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert "Address already in use" in refused(capsys, "--port", port, "--data", str(tmp_path))


@pytest.mark.parametrize(
    "arguments",
    [("--metrics", "here"), ("--metrics", "127.0.0.1:99999"), ("--proxy", "nginx"), ("--public-url", "example.org"),
     ("--host", "not an address")],
)  # fmt: skip
def test_a_wrong_address_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, str]
) -> None:
    refused(capsys, "--port", "0", "--data", str(tmp_path), *arguments)


def test_a_host_of_another_machine_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for host in ("nosuchhost.invalid", "192.0.2.1"):
        said = refused(capsys, "--host", host, "--port", "0", "--data", str(tmp_path))
        assert said.endswith("Choose an address of this machine with --host; --lan takes all of them.")


def test_a_public_url_has_no_path(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for url in ("https://play.example/ninefold", "https://play.example/?a=b", "https://play.example/#a"):
        assert "has a path" in refused(capsys, "--port", "0", "--data", str(tmp_path), "--public-url", url)


def test_the_address_for_agents_is_printed_and_a_warning_that_others_are_refused(tmp_path: Path) -> None:
    warning = "Others can reach it but are refused: add --lan, or --public-url with the name they use.\n"
    agents = "Agents connect to https://play.example/mcp\n"
    for more in ((), ("--public-url", "https://play.example")):
        with serving("--data", str(tmp_path), "--host", "0.0.0.0", "--quiet", *more) as process:  # noqa: S104
            lines = printed_at_the_start(process)
            assert (warning in lines, agents in lines) == (not more, bool(more))


@pytest.mark.parametrize("signs", [(signal.SIGINT,), (signal.SIGUSR1, signal.SIGTERM)])
def test_a_signal_stops_the_server_gracefully(tmp_path: Path, signs: tuple[signal.Signals, ...]) -> None:
    """Also one that is drained for a restart."""
    with serving("--data", str(tmp_path), "--quiet") as process:
        server = process.server
        match = server.create()
        # What the native core has loaded is given back: it would tell on the log what it still has.
        position = {"game": "ultimate", "position": str(find_game("ultimate").begin()), "millis": 10}
        assert server.post("/analysis", position).status_code == 200
        client, _ = server.welcome(match["match"], match["seats"]["1"])
        assert client.ask(act("last", 0, kind="move", move="5"))["type"] == "answer"
        for sign in signs:
            process.process.send_signal(sign)
        assert client.receive("bye")["retry_ms"] == 500
        assert client.close_code() == 1012
        said, logged = process.process.communicate(timeout=PATIENCE)
        assert (process.process.returncode, said.splitlines()[-1]) == (0, "Ninefold has stopped.")
        assert logged == ""


def test_a_restarted_server_has_its_matches_and_a_second_one_is_refused(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), "--quiet") as process:
        match = process.server.create()
        empty = process.server.get(f"/matches/{match['match']}").json()["board"]
        assert process.server.move(match["match"], match["seats"]["1"], 0, "5").status_code == 200
        board = process.server.get(f"/matches/{match['match']}").json()["board"]
        assert board != empty
        second = [sys.executable, "-m", "ninefold", "serve", "--port", "0", "--data", str(tmp_path)]
        done = subprocess.run(second, capture_output=True, text=True, timeout=PATIENCE)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("ninefold: Another server uses the matches in ")
        assert len(done.stderr.splitlines()) == 1
        process.process.kill()
        process.process.wait()
    with serving("--data", str(tmp_path), "--quiet") as process:
        stored = process.server.get(f"/matches/{match['match']}").json()
        assert (stored["version"], stored["board"]) == (1, board)
        assert process.server.move(match["match"], match["seats"]["2"], 1, "1").status_code == 200


def test_only_a_named_proxy_is_trusted(tmp_path: Path) -> None:
    forwarded = {"X-Forwarded-For": "192.0.2.9"}
    with serving("--data", str(tmp_path / "a")) as process:
        process.server.http.get("/healthz", headers=forwarded)
        assert '"address": "127.0.0.1"' in process.stop()[2]
    with serving("--data", str(tmp_path / "b"), "--proxy", "127.0.0.1") as process:
        process.server.http.get("/healthz", headers=forwarded)
        assert '"address": "192.0.2.9"' in process.stop()[2]


def test_the_reason_why_a_server_cannot_start_is_printed_once(tmp_path: Path) -> None:
    nowhere = ["--database", "postgresql://127.0.0.1:1/nothing?connect_timeout=2"]
    (tmp_path / "file").touch()
    broken = tmp_path / "broken" / "matches.db"
    broken.parent.mkdir()
    broken.write_bytes(b"this is not a database" * 100)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for sentence, arguments in (
            ("The database cannot be used", nowhere),
            ("The database cannot be used", [*nowhere, "--workers", "2"]),
            (
                f"Metrics cannot be served at 127.0.0.1, port {port}: Address already in use. Choose another place",
                ["--data", str(tmp_path), "--metrics", f"127.0.0.1:{port}"],
            ),
            ("Matches cannot be stored", ["--data", str(tmp_path / "file" / "folder")]),
            (f"Matches cannot be stored in '{tmp_path / 'file'}': it is a file", ["--data", str(tmp_path / "file")]),
            (f"The database '{broken}' cannot be used. It says: file is not", ["--data", str(broken.parent)]),
        ):
            command = [sys.executable, "-m", "ninefold", "serve", "--port", "0", *arguments]
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr.startswith(f"ninefold: {sentence}")
            assert "Traceback" not in done.stderr
            assert done.stderr.count("ninefold: ") == 1


def test_workers_share_one_port_and_are_replaced_when_they_die_and_on_request(
    postgres: Postgres, tmp_path: Path
) -> None:
    database = postgres.new_database()
    options = ("--data", str(tmp_path), "--database", database, "--workers", "2", "--quiet", "--rate", "100000")
    with serving(*options) as process:
        assert "--data is not used: the matches are in PostgreSQL.\n" in printed_at_the_start(process)
        server = process.server
        match = server.create()
        clients = [server.welcome(match["match"], match["seats"]["1"])[0] for _ in range(6)]
        assert clients[0].ask(act("one", 0, kind="move", move="5"))["type"] == "answer"
        for client in clients:
            assert client.receive_events()["view"]["version"] == 1
        before = workers_of(process.process.pid)
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
        wait_until(lambda: len(now := workers_of(process.process.pid)) == 2 and now != before)
        after = workers_of(process.process.pid)
        wait_until(lambda: version_of(server, match["match"]) == 1)
        for client in clients:
            client.close()
        with calling(server, match["match"]):
            process.process.send_signal(signal.SIGUSR1)
            wait_until(lambda: len(now := workers_of(process.process.pid)) == 2 and not {*now} & {*after})
        last = workers_of(process.process.pid)
        code, said, _ = process.stop()
        assert (code, said.splitlines()[-1]) == (0, "Ninefold has stopped.")
        assert [one for one in {*before, *after, *last} if Path(f"/proc/{one}").exists()] == []


def test_a_killed_supervisor_leaves_no_port_busy(postgres: Postgres, tmp_path: Path) -> None:
    database = postgres.new_database()
    with serving("--data", str(tmp_path), "--database", database, "--workers", "2", "--quiet") as process:
        workers = workers_of(process.process.pid)
        client, _ = process.server.welcome(process.server.create()["match"])  # somebody is connected
        process.process.kill()
        process.process.wait()
        wait_until(lambda: is_free(process.server.port))
        wait_until(lambda: not any(Path(f"/proc/{one}").exists() for one in workers))
        client.close()


def is_free(port: int) -> bool:
    """True if a new server could listen at a port."""
    with contextlib.suppress(Refusal):
        listen("127.0.0.1", port).close()
        return True
    return False


class Caller(threading.Thread):
    """Reads a match again and again, through connections that it keeps open while it may."""

    def __init__(self, server: Running, path: str) -> None:
        super().__init__(daemon=True)
        self.server, self.path = server, path
        self.done = threading.Event()
        self.statuses: list[object] = []

    def run(self) -> None:
        with httpx.Client(base_url=self.server.http.base_url, timeout=PATIENCE) as http:
            while not self.done.is_set():
                try:
                    self.statuses.append(http.get(self.path).status_code)
                except httpx.TransportError as error:
                    self.statuses.append(repr(error))


def test_a_restart_loses_no_request(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), "--quiet", "--rate", "100000") as process:
        list(printed_at_the_start(process))
        match = process.server.create()
        with calling(process.server, match["match"]):
            process.process.send_signal(signal.SIGUSR1)
            assert process.process.stdout
            assert process.process.stdout.readline().startswith("Ninefold is at ")  # the successor
        assert process.server.move(match["match"], match["seats"]["1"], 0, "5").status_code == 200
        assert process.stop()[0] == 0


@contextlib.contextmanager
def calling(server: Running, match: str) -> Iterator[None]:
    """Clients read a match meanwhile and some more times, and get it every time."""
    server.get(f"/matches/{match}", Connection="close")  # else the server would wait for this client
    callers = [Caller(server, f"/api/v1/matches/{match}") for _ in range(3)]
    for caller in callers:
        caller.start()
    yield
    seen = [len(caller.statuses) for caller in callers]
    wait_until(lambda: all(len(one.statuses) > count + 5 for one, count in zip(callers, seen, strict=True)))
    for caller in callers:
        caller.done.set()
        caller.join(PATIENCE)
    assert {status for caller in callers for status in caller.statuses} == {200}


def version_of(server: Running, match: str) -> int | None:
    """The version of a match; None if the connection went to a worker that has died."""
    with contextlib.suppress(httpx.TransportError):
        return int(server.get(f"/matches/{match}").json()["version"])
    return None
