"""The page about the protocol: its examples run against a real server, and it leaves nothing out."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from ninefold import client
from ninefold.server.http import models, requests
from ninefold.server.http.app import create_app
from ninefold.server.http.config import Config
from tests.docs.test_docs import ROOT, blocks
from tests.support.server_process import Serving, serving

PAGE = ROOT / "docs" / "protocol.md"
TEXT = PAGE.read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8090"  # what the page calls the server
INTERNAL = {
    "no_database",
    "newer_database",
    "no_folder",
    "not_installed",
    "address_in_use",
}  # said when it cannot start


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


def only(language: str) -> str:
    (block,) = blocks(language, PAGE)
    return block.text


def test_two_players_with_curl_play_a_whole_game(server: Serving, tmp_path: Path) -> None:
    for address in (server.url, f"{server.url}/"):  # the server prints the second
        done = two_players(address, tmp_path)
        assert (done.stdout, done.stderr) == (only("text two-players"), "")


def test_two_players_with_curl_say_why_they_are_refused(server: Serving, tmp_path: Path) -> None:
    done = two_players(f"{server.url}/nowhere", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Refused: ")


def two_players(address: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "players").write_text(only("sh two-players"))
    return subprocess.run(["sh", "players", address], cwd=folder, capture_output=True, text=True, timeout=60)


def test_the_python_example_is_true(server: Serving) -> None:
    text = only("python served").replace(ADDRESS, server.url)
    test = doctest.DocTestParser().get_doctest(text, {}, "served", str(PAGE), 0)
    assert doctest.DocTestRunner().run(test).failed == 0
    test.globs.clear()


def test_every_method_of_the_client_is_on_the_page() -> None:
    shown = set(re.findall(r"`([a-z_]+)\(", TEXT.partition("## From Python")[2]))
    public = {name for kind in (client.Server, client.RemoteSeat) for name in dir(kind) if not name.startswith("_")}
    assert public - {"side"} == shown


def named(*names: str) -> list[str]:
    """Those of some names that the page does not show as code."""
    shown = set(re.findall(r"`([^`\n]+)`", TEXT))
    return [name for name in names if name not in shown]


def paths() -> dict[str, Any]:
    document: dict[str, Any] = create_app(Config(Path("nowhere"))).openapi()
    return document["paths"]  # type: ignore[no-any-return]


def test_every_request_is_on_the_page() -> None:
    missing = [
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in paths().items()
        for method in methods
        if not re.search(rf"`{method.upper()} {re.escape(path.removeprefix('/api/v1'))}[?`]", TEXT)
    ]
    assert missing == []


def test_every_field_of_a_view_and_of_a_new_match_is_on_the_page() -> None:
    assert named(*models.ViewOut.model_fields) == []
    for part in (models.SeatOut, models.BoardOut, models.MoveOut, models.PlayedOut, models.ResultOut):
        assert named(*part.model_fields) == []
    assert named(*requests.CreateIn.model_fields, *requests.ClockIn.model_fields, *requests.JoinIn.model_fields) == []


def test_a_view_has_the_fields_that_the_page_says(server: Serving) -> None:
    view = server.client().create("classic", clock=(60, 1)).seats[1].view()
    assert named(*view, *view["clock"], *view["seats"][0], *view["moves"][0], *view["board"]) == []


def test_every_kind_of_action_is_on_the_page() -> None:
    assert named(*get_args(requests.Kind)) == []


def problems() -> set[tuple[int, str]]:
    """Every problem that service and web tell their callers of: its status and its reason."""
    found = set()
    for folder in ("server/hosting", "server/storage", "server/http"):
        for file in (ROOT / "src" / "ninefold" / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem":
                    status, reason = (getattr(argument, "value", None) for argument in node.args[:2])
                    if isinstance(status, int) and isinstance(reason, str):
                        found.add((status, reason))
    return found


@pytest.mark.parametrize(("status", "reason"), sorted(problems()))
def test_every_reason_of_a_problem_is_on_the_page_with_its_status(status: int, reason: str) -> None:
    rows = "\n".join(re.findall(rf"^\| {status} \| .*$", TEXT, re.MULTILINE))
    rules = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    assert reason in INTERNAL or f"`{reason}`" in rows or f"| `{reason}` |" in rules


def test_every_message_of_a_socket_is_on_the_page() -> None:
    source = (ROOT / "src" / "ninefold" / "server" / "http" / "websocket.py").read_text(encoding="utf-8")
    types = set(re.findall(r'"type": "([a-z]+)"', source)) - {"welcome", "hello"}
    assert len(types) >= 8
    assert named(*types, "act", "ping") == []
    assert '"type": "hello"' in TEXT
    assert '"type": "welcome"' in TEXT
