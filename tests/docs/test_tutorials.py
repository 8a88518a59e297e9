"""The tutorials and the home page: what test_docs.py does not run is run here."""

from __future__ import annotations

import contextlib
import doctest
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ninefold import load
from ninefold.cli.main import main
from scripts.rule_pictures import FOLDER, PICTURES, RulePicture
from tests.support.console import ninefold
from tests.support.doc_pages import ROOT, blocks, commands, typed
from tests.support.doc_scripts import Script, output, scripts
from tests.support.server_process import Serving, launched, serving
from tests.support.terminals import Player, invited

TUTORIALS = ROOT / "docs" / "tutorials"
ADDRESS, DATA = "http://127.0.0.1:8090", "DATA"  # what the pages call the server and its folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


def shown(page: str, command: str) -> list[list[str]]:
    """The commands of this kind that a tutorial shows without their output."""
    return [words for words in typed(TUTORIALS / f"{page}.md") if words[0] == command]


def test_the_tests_of_this_file_run_every_command_of_the_tutorials() -> None:
    kinds = {page.stem: sorted(words[0] for words in typed(page)) for page in TUTORIALS.glob("*.md") if typed(page)}
    assert kinds == {
        "players": ["play", "play", "play", "serve", "watch"],
        "agent-builders": ["agents", "agents"],
        "operators": ["serve"] * 5,
    }


def test_the_home_page_names_a_target_of_make() -> None:
    (block,) = blocks("sh", ROOT / "docs" / "index.md")
    program, target = block.text.split()
    assert program == "make"
    assert re.search(rf"^{target}:.* ## ", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_there_is_a_tutorial_for_each_kind_of_reader() -> None:
    assert {page.stem for page in TUTORIALS.glob("*.md")} == {
        "index",
        "players",
        "agent-builders",
        "researchers",
        "operators",
    }


@pytest.mark.parametrize("script", scripts(TUTORIALS / "researchers.md"), ids=str)
def test_a_program_of_a_tutorial_prints_what_it_says(script: Script) -> None:
    assert output(script.code) == script.printed


def test_the_host_of_the_tutorial_is_told_what_the_page_about_agents_says() -> None:
    (block,) = blocks("json host", TUTORIALS / "agent-builders.md")
    told = [json.loads(setting.text) for setting in blocks("json host", ROOT / "docs" / "agents.md")]
    assert json.loads(block.text) in told


def test_the_plan_of_the_tutorial_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = TUTORIALS / "agent-builders.md"
    (plan,) = blocks("toml plan", page)
    Path("plan.toml").write_text(plan.text)
    assert [main(words) for words in shown("agent-builders", "agents")] == [0, 0]


def test_the_game_of_the_tutorial_is_saved_and_continued(tmp_path: Path) -> None:
    saved, continued, _ = shown("players", "play")
    assert ninefold(*saved, typed="X\n5\n5\ne\n", cwd=tmp_path).returncode == 0
    (file,) = tmp_path.glob("*.log")
    before = load(file)
    assert len(before.state.moves) == 2
    done = ninefold(*continued, typed="e\n", cwd=tmp_path)
    assert (done.returncode, load(file)) == (0, before)
    assert f"--load {file.name}" in done.stdout


def test_a_friend_of_the_tutorial_joins_and_somebody_looks_on(tmp_path: Path) -> None:
    (serve,), (*_, join), (watch,) = shown("players", "serve"), shown("players", "play"), shown("players", "watch")
    with serving(tmp_path / "data", *serve[1:]) as server, contextlib.ExitStack() as stack:
        host, link = invited(server)

        def sit(words: list[str], link: str) -> Player:
            player = Player(tmp_path, *(link if word == "LINK" else word for word in words))
            stack.callback(player.close)
            return player

        friend, guest = sit(join, str(link)), sit(watch, f"{server.url}/m/{host.id}")
        friend.sees("you are Ann (O)")
        guest.sees("you are watching")


@pytest.mark.parametrize("words", shown("operators", "serve"), ids=shlex.join)
def test_the_servers_of_the_tutorial_start(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    free = {"127.0.0.1:9090": "127.0.0.1:0"}
    free |= {word: request.getfixturevalue("postgres").new_database() for word in words if "postgresql:" in word}
    with (tmp_path / "log").open("wb") as log:
        process, address = launched(*(free.get(word, word) for word in words[1:]), "--port", "0", log=log)
    with process:
        assert httpx.get(f"{address}/healthz").status_code == 200
        process.terminate()


def test_the_server_of_the_tutorial_is_there_and_its_backup_can_be_restored(
    server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = TUTORIALS / "operators.md"
    (asked,) = blocks("python served", page)
    test = doctest.DocTestParser().get_doctest(asked.text.replace(ADDRESS, server.url), {}, "served", str(page), 0)
    assert doctest.DocTestRunner().run(test).failed == 0
    test.globs.clear()
    monkeypatch.chdir(tmp_path)
    (block,) = blocks("console served", page)
    for (_, *arguments), _ in commands(block):
        assert main([str(server.data) if word == DATA else word for word in arguments]) == 0
    assert (tmp_path / "restored" / "matches.db").exists()


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_a_picture_of_the_rules_shows_what_its_moves_lead_to(picture: RulePicture) -> None:
    assert (FOLDER / f"rules-{picture.name}.svg").read_text(encoding="utf-8") == picture.draw()
    assert f"pictures/rules-{picture.name}.svg" in (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
