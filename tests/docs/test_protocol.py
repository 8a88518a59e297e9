"""docs/protocol.md: its examples run against a real server, and it leaves nothing out."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ninefold import client
from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.match.actions import SEAT_ACTIONS
from ninefold.server.hosting import view
from ninefold.server.hosting.commands import MatchRequest
from ninefold.server.http import requests
from ninefold.server.http.app import create_app
from ninefold.server.http.config import KIB, Config, Limits
from ninefold.server.http.errors import STATUS, status_of
from ninefold.server.storage.config import ServiceConfig
from tests.support.doc_pages import ROOT, blocks
from tests.support.server_process import Serving, serving

PAGE = ROOT / "docs" / "protocol.md"
TEXT = PAGE.read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8090"  # what the page calls the server
KINDS = {"NotAllowed": NotAllowed, "Unreadable": Unreadable}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


def only(language: str) -> str:
    (block,) = blocks(language, PAGE)
    return block.text


def test_the_curl_example_plays_a_whole_game(server: Serving, tmp_path: Path) -> None:
    for address in (server.url, f"{server.url}/"):  # the server prints the second
        done = two_players(address, tmp_path)
        assert (done.stdout, done.stderr) == (only("text two-players"), "")


def test_the_curl_example_prints_why_it_is_refused(server: Serving, tmp_path: Path) -> None:
    done = two_players(f"{server.url}/nowhere", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Refused: ")


def two_players(address: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "players").write_text(only("sh two-players"))
    return subprocess.run(["sh", "players", address], cwd=folder, capture_output=True, text=True, timeout=120)


def test_the_python_example_prints_what_the_page_shows(server: Serving) -> None:
    text = only("python served").replace(ADDRESS, server.url)
    test = doctest.DocTestParser().get_doctest(text, {}, "served", str(PAGE), 0)
    assert doctest.DocTestRunner().run(test).failed == 0
    test.globs.clear()


def test_every_method_of_the_client_is_on_the_page() -> None:
    shown = set(re.findall(r"`([a-z_]+)\(", TEXT.partition("## From Python")[2]))
    public = {name for kind in (client.Server, client.RemoteSeat) for name in dir(kind) if not name.startswith("_")}
    assert public - {"side"} == shown


def named(*names: str) -> list[str]:
    """Those of these names that the page does not show as code."""
    shown = set(re.findall(r"`([^`\n]+)`", TEXT))
    return [name for name in names if name not in shown]


def paths() -> dict[str, Any]:
    found: dict[str, Any] = create_app(Config(Path("nowhere"))).openapi()["paths"]
    return found


def test_every_request_is_on_the_page() -> None:
    missing = [
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in paths().items()
        for method in methods
        if not re.search(rf"`{method.upper()} {re.escape(path.removeprefix('/api/v1'))}[?`]", TEXT)
    ]
    assert missing == []


def test_every_field_of_a_view_and_of_a_new_match_is_on_the_page() -> None:
    for document in (
        view.MatchView, view.SeatDoc, view.BoardDoc, view.LegalMove, view.HistoryMove, view.MatchResult, view.ClockDoc,
        view.MessageDoc, view.OfferDoc,
    ):  # fmt: skip
        assert named(*document.__annotations__) == []
    for body in (requests.MatchBody, requests.ClockBody, requests.JoinBody, requests.ActBody):
        assert named(*body.model_fields) == []


def test_every_field_of_a_real_view_is_on_the_page(server: Serving) -> None:
    view = server.client().create("classic", clock=(60, 1)).seats[1].view()
    assert named(*view, *view["clock"], *view["seats"][0], *view["moves"][0], *view["board"]) == []


def test_every_kind_of_action_is_on_the_page() -> None:
    assert named(*SEAT_ACTIONS) == []


def problems() -> set[tuple[int, str]]:
    """Every refusal that the server sends to its clients: its status and its reason."""
    found = set()
    for folder in ("server/hosting", "server/storage", "server/http"):
        for file in (ROOT / "src" / "ninefold" / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KINDS:
                    refusals = [KINDS[node.func.id].from_text(code, "", "") for code in codes_in(node.args[0])]
                    found |= {(status_of(refusal), refusal.reason) for refusal in refusals}
    return found


def codes_in(node: ast.expr) -> list[str]:
    """The codes that an expression can be: a constant, or one of two."""
    if isinstance(node, ast.IfExp):
        return codes_in(node.body) + codes_in(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def test_the_statuses_of_the_server_are_found() -> None:
    assert {status for status, _ in problems()} >= {*STATUS.values(), 409, 422}


@pytest.mark.parametrize(("status", "reason"), sorted(problems()))
def test_every_reason_of_a_problem_is_on_the_page_with_its_status(status: int, reason: str) -> None:
    rows = "\n".join(re.findall(rf"^\| {status} \| .*$", TEXT, re.MULTILINE))
    rules = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    assert f"`{reason}`" in rows or f"| `{reason}` |" in rules


def test_every_message_of_a_socket_is_on_the_page() -> None:
    source = (ROOT / "src" / "ninefold" / "server" / "http" / "websocket.py").read_text(encoding="utf-8")
    types = set(re.findall(r'"type": "([a-z]+)"', source)) - {"welcome", "hello"}
    assert len(types) >= 8
    assert named(*types, "act", "ping") == []
    assert '"type": "hello"' in TEXT
    assert '"type": "welcome"' in TEXT


def test_the_page_has_the_defaults_of_a_new_match() -> None:
    defaults = MatchRequest._field_defaults
    for field in ("claim_seconds", "absent_seconds"):
        assert re.search(rf"^\| `{field}` \| .* default {defaults[field]} \|$", TEXT, re.MULTILINE)


def test_the_page_has_the_limits_of_the_server() -> None:
    limits, text = Limits(), " ".join(TEXT.partition("## Limits")[2].partition("## From Python")[0].split())
    assert f"{limits.writes.per_second:g} writes and {limits.reads.per_second:g} reads a second" in text
    assert f"{limits.sockets_each} sockets" in text
    assert f"{ServiceConfig().spectators:,} spectators" in text
    assert f"head of a request has {limits.head // KIB} KiB and {limits.headers} headers at most" in text
    assert f"and has to arrive within {limits.head_seconds:g} seconds" in text
    assert f"reads nothing of its response for {limits.read_seconds:g} seconds" in text
