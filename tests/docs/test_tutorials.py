"""The tutorials and the home page: what test_docs.py does not run is run here."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from ninefold.cli.main import main
from ninefold.cli.parser import parser
from scripts.rule_pictures import FOLDER, PICTURES, RulePicture
from tests.support.doc_pages import ROOT, blocks, commands
from tests.support.doc_scripts import Script, output, scripts
from tests.support.server_process import Serving, serving

TUTORIALS = ROOT / "docs" / "tutorials"
PAGES = [ROOT / "docs" / "index.md", *sorted(TUTORIALS.glob("*.md"))]
ADDRESS, DATA = "http://127.0.0.1:8090", "DATA"  # what the pages call the server and its folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


def typed() -> list[list[str]]:
    """The commands of ninefold that the pages show without their output, and without the words behind them."""
    lines = [line for page in PAGES for line in re.findall(r"^    ninefold (.*)$", page.read_text(), re.MULTILINE)]
    return [shlex.split(re.split(r"  +", line)[0]) for line in lines]


@pytest.mark.parametrize("arguments", typed(), ids=shlex.join)
def test_every_command_can_be_parsed(arguments: list[str]) -> None:
    assert callable(parser().parse_args(arguments).run)


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
    assert len(typed()) >= 10


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
    shown = re.findall(r"^    ninefold (agents .*?)  ", page.read_text(), re.MULTILINE)
    assert len(shown) == 2
    assert [main(shlex.split(line)) for line in shown] == [0, 0]


def test_the_server_of_the_tutorial_is_there_and_its_backup_can_be_restored(
    server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = TUTORIALS / "operators.md"
    (asked,) = blocks("python served", page)
    test = doctest.DocTestParser().get_doctest(asked.text.replace(ADDRESS, server.url), {}, "served", str(page), 0)
    assert doctest.DocTestRunner().run(test).failed == 0
    test.globs.clear()
    monkeypatch.chdir(tmp_path)
    (typed,) = blocks("console served", page)
    for (_, *arguments), _ in commands(typed):
        assert main([str(server.data) if word == DATA else word for word in arguments]) == 0
    assert (tmp_path / "restored" / "matches.db").exists()


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_a_picture_of_the_rules_shows_what_its_moves_lead_to(picture: RulePicture) -> None:
    assert (FOLDER / f"rules-{picture.name}.svg").read_text(encoding="utf-8") == picture.draw()
    assert f"pictures/rules-{picture.name}.svg" in (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
