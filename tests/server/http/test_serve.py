"""``ninefold serve`` as people run it: how it starts, what it says, and how it leaves."""

from __future__ import annotations

import itertools
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from ninefold.cli.main import main
from tests.support.http_server import Process, Running, act, serving
from tests.support.postgres import Postgres


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence with which a command line is refused."""
    assert main(["serve", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith("ninefold: ")
    return line


def said_at_the_start(process: Process) -> list[str]:
    """After the first link."""
    assert process.process.stdout
    return list(itertools.takewhile(lambda line: line != "Ctrl-C stops it.\n", process.process.stdout))


def test_several_workers_need_postgresql(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "PostgreSQL" in refused(capsys, "--workers", "2", "--data", str(tmp_path))
    assert "PostgreSQL" in refused(capsys, "--workers", "2", "--database", "sqlite:///x")


def test_an_address_in_use_is_said_in_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert "Address already in use" in refused(capsys, "--port", port, "--data", str(tmp_path))


@pytest.mark.parametrize(
    "arguments",
    [("--metrics", "here"), ("--metrics", "127.0.0.1:99999"), ("--proxy", "nginx"), ("--public-url", "example.org"),
     ("--host", "not an address")],
)  # fmt: skip
def test_what_is_no_address_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, str]
) -> None:
    refused(capsys, "--port", "0", "--data", str(tmp_path), *arguments)


def test_a_host_that_is_not_here_is_advised_about_as_a_host(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for host in ("nosuchhost.invalid", "192.0.2.1"):
        said = refused(capsys, "--host", host, "--port", "0", "--data", str(tmp_path))
        assert said.endswith("Choose an address of this machine with --host; --lan takes all of them.")


def test_a_public_url_has_no_path(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for url in ("https://play.example/ninefold", "https://play.example/?a=b", "https://play.example/#a"):
        assert "has a path" in refused(capsys, "--port", "0", "--data", str(tmp_path), "--public-url", url)


def test_who_listens_everywhere_is_told_that_others_are_refused(tmp_path: Path) -> None:
    told = "Others can reach it but are refused: add --lan, or --public-url with the name they use.\n"
    for more in ((), ("--public-url", "http://play.example")):
        with serving("--data", str(tmp_path), "--host", "0.0.0.0", "--quiet", *more) as process:  # noqa: S104
            assert (told in said_at_the_start(process)) == (not more)


def test_it_says_where_agents_come_to(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), "--quiet", "--public-url", "https://play.example") as process:
        assert "Agents come to https://play.example/mcp\n" in said_at_the_start(process)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_politely(tmp_path: Path, sign: signal.Signals) -> None:
    with serving("--data", str(tmp_path), "--quiet") as process:
        server = process.server
        match = server.create()
        talking, _ = server.welcome(match["match"], match["seats"]["1"])
        assert talking.ask(act("last", 0, kind="move", move="5"))["type"] == "answer"
        began = time.monotonic()
        process.process.send_signal(sign)
        assert talking.hear("bye")["retry_ms"] == 500
        assert talking.code() == 1012
        said, logged = process.process.communicate(timeout=20)
        assert time.monotonic() - began < 6
        assert (process.process.returncode, said.splitlines()[-1]) == (0, "Ninefold has stopped.")
        assert logged == ""


def test_it_goes_on_where_it_stopped_and_only_once_at_a_time(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), "--quiet") as process:
        match = process.server.create()
        assert process.server.move(match["match"], match["seats"]["1"], 0, "5").status_code == 200
        second = [sys.executable, "-m", "ninefold", "serve", "--port", "0", "--data", str(tmp_path)]
        done = subprocess.run(second, capture_output=True, text=True, timeout=30)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("ninefold: Another server uses the matches in ")
        assert len(done.stderr.splitlines()) == 1
        process.process.kill()
        process.process.wait()
    with serving("--data", str(tmp_path), "--quiet") as process:
        assert process.server.get(f"/matches/{match['match']}").json()["version"] == 1
        assert process.server.move(match["match"], match["seats"]["2"], 1, "1").status_code == 200


def test_a_proxy_is_believed_only_when_it_was_named(tmp_path: Path) -> None:
    forwarded = {"X-Forwarded-For": "192.0.2.9"}
    with serving("--data", str(tmp_path / "a")) as process:
        process.server.http.get("/healthz", headers=forwarded)
        assert '"address": "127.0.0.1"' in process.stop()[2]
    with serving("--data", str(tmp_path / "b"), "--proxy", "127.0.0.1") as process:
        process.server.http.get("/healthz", headers=forwarded)
        assert '"address": "192.0.2.9"' in process.stop()[2]


def test_what_keeps_a_server_from_starting_is_said_once(tmp_path: Path) -> None:
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
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr.startswith(f"ninefold: {sentence}")
            assert "Traceback" not in done.stderr
            assert done.stderr.count("ninefold: ") == 1


def test_workers_share_one_port_and_are_replaced_when_they_die(postgres: Postgres, tmp_path: Path) -> None:
    database = postgres.new_database()
    with serving("--data", str(tmp_path), "--database", database, "--workers", "2", "--quiet") as process:
        assert "--data is not used: the matches are in PostgreSQL.\n" in said_at_the_start(process)
        server = process.server
        match = server.create()
        talks = [server.welcome(match["match"], match["seats"]["1"])[0] for _ in range(6)]
        assert talks[0].ask(act("one", 0, kind="move", move="5"))["type"] == "answer"
        for talking in talks:
            told = talking.hear("events")
            while not told["events"]:
                told = talking.hear("events")
            assert told["view"]["version"] == 1
        workers = _workers(process.process.pid)
        assert len(workers) == 2
        os.kill(min(workers), signal.SIGKILL)
        until = time.monotonic() + 20
        while len(alive := _workers(process.process.pid)) < 2 or alive == workers:
            assert time.monotonic() < until
            time.sleep(0.1)
        assert _reachable(server, match["match"])["version"] == 1
        for talking in talks:
            talking.close()
        code, said, _ = process.stop()
        assert (code, said.splitlines()[-1]) == (0, "Ninefold has stopped.")
        assert [one for one in workers | alive if Path(f"/proc/{one}").exists()] == []


def _workers(parent: int) -> set[int]:
    """The processes that serve. A dead one has no command line any more."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return {int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()}


def _reachable(server: Running, match: str) -> dict[str, int]:
    """The match, however many connections die with a worker."""
    for _ in range(10):
        try:
            return dict(server.get(f"/matches/{match}").json())
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("Nobody answers.")
