"""docs/operate.md and its example files: every command can be parsed, and nothing is left out."""

from __future__ import annotations

import ast
import json
import re
import shlex
from configparser import ConfigParser
from pathlib import Path

import httpx
import pytest

from ninefold.cli.parser import parser
from ninefold.server.http.logs import DROPPED
from tests.support.console import ninefold
from tests.support.doc_pages import ROOT
from tests.support.server_process import serving
from tests.support.waiting import wait_until

PAGE = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
EXAMPLES = ROOT / "docs" / "examples"


def unit() -> ConfigParser:
    parser = ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(EXAMPLES / "ninefold.service")
    return parser


def commands() -> list[list[str]]:
    """Every ninefold command in the page and in the examples."""
    lines = re.findall(r"^    ninefold (.*)$", PAGE, re.MULTILINE)
    lines += re.findall(r"before: ninefold (.*)$", (EXAMPLES / "nginx.conf").read_text(), re.MULTILINE)
    lines.append(unit()["Service"]["ExecStart"].partition("ninefold ")[2])
    container = (EXAMPLES / "Containerfile").read_text()
    entry = re.search(r"^ENTRYPOINT (\[.*\])$", container, re.MULTILINE)
    assert entry
    more = re.findall(r"^# podman run .* ninefold (--.*)$", container, re.MULTILINE)
    return [shlex.split(line) for line in lines] + [[*json.loads(entry[1])[1:], *shlex.split(line)] for line in more]


@pytest.mark.parametrize("arguments", commands(), ids=shlex.join)
def test_every_command_can_be_parsed(arguments: list[str]) -> None:
    assert callable(parser().parse_args(arguments).run)


def test_there_are_commands_to_parse() -> None:
    assert len(commands()) >= 8


def test_every_option_of_the_server_is_in_the_table() -> None:
    options = set(re.findall(r"--[a-z-]+", ninefold("serve", "--help").stdout)) - {"--help"}
    assert set(re.findall(r"^\| `(--[a-z-]+)", PAGE, re.MULTILINE)) == options


@pytest.mark.parametrize("option", ["port", "workers", "engines", "matches", "cached", "rate"])
def test_the_table_has_the_default_of_the_option(option: str) -> None:
    default = int(getattr(parser().parse_args(["serve"]), option))
    row = re.search(rf"^\| `--{option} .*$", PAGE, re.MULTILINE)
    assert row
    assert f"{default if option == 'port' else format(default, ',')} by default" in row[0]


def test_the_table_has_exactly_the_metrics_of_the_server(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--metrics", "127.0.0.1:0"):
        log, listening = tmp_path / "data.log", re.compile(r'"event": "metrics listening", "address": "([^"]+)"')
        wait_until(lambda: bool(listening.search(log.read_text())), log.read_text)  # a thread writes it
        (address,) = listening.findall(log.read_text())
        counted = set(re.findall(r"^# TYPE (\w+)", httpx.get(f"http://{address}/metrics").text, re.MULTILINE))
    assert counted == set(re.findall(r"^\| `(ninefold_\w+)`", PAGE, re.MULTILINE))


def logged_events() -> set[str]:
    """Every event that the server logs."""
    functions = {"log_info", "log_warning", "log_error", "log.info", "log.warning", "log.error", "log.exception"}
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in (ROOT / "src/ninefold/server").rglob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    events = [ast.literal_eval(call.args[0]) for call in calls if ast.unparse(call.func) in functions]
    return set(events)


def test_every_event_of_the_log_is_on_the_page() -> None:
    section = PAGE.partition("## Logs and metrics")[2].partition("GET /healthz")[0]
    shown = {
        event for row in re.findall(r"^\| (`.*?) \| \w+ \|", section, re.MULTILINE) for event in row.split("`")[1::2]
    }
    assert {*logged_events(), DROPPED} == {"request", *shown}


def test_the_log_is_as_the_page_shows_it(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        assert httpx.get(f"{server.url}/healthz").json()["status"] == "ok"
        assert server.stop() == 0
    (line,) = (tmp_path / "data.log").read_text().splitlines()
    shown = "".join(line.strip() for line in re.findall(r"^    ([{ ].*)$", PAGE, re.MULTILINE))
    assert list(json.loads(line)) == list(json.loads(shown))
    assert (tmp_path / "data" / "matches.db").exists()


def test_the_unit_gives_the_server_a_folder_and_time_to_stop() -> None:
    service = unit()["Service"]
    given = parser().parse_args(shlex.split(service["ExecStart"].partition("ninefold ")[2]))
    assert given.data == f"/var/lib/{service['StateDirectory']}"
    assert int(service["TimeoutStopSec"]) >= 15


def test_the_container_publishes_the_port_it_listens_at() -> None:
    container = (EXAMPLES / "Containerfile").read_text()
    port = str(parser().parse_args(["serve"]).port)
    assert f"EXPOSE {port}\n" in container
    assert f"127.0.0.1:{port}/healthz" in container
    assert f"proxy_pass http://127.0.0.1:{port};" in (EXAMPLES / "nginx.conf").read_text()
