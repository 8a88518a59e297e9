"""README and docs: their examples run, and they leave no game and no refusal out."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
import sys
from functools import cache
from io import StringIO
from pathlib import Path

import pytest

from ninefold.cli.main import main
from ninefold.cli.parser import parser
from ninefold.games import all_games
from tests.support.doc_pages import FENCE, ROOT, Block, blocks, commands, typed

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
REFUSALS = {"Refusal", "Unreadable", "NotAllowed", "IllegalMove", "TooBig"}
RUN_HERE = {"python", "console"}
RUN_ELSEWHERE = {
    "console misere",  # by tests/games/test_new_game.py
    "json host", "toml host", "python agents",  # by test_agents.py
    "sh two-players", "text two-players", "python served",  # by test_protocol.py
    "js engine",  # by tests/server/http/test_web_engine.py
    "toml plan", "console evaluate",  # by tests/agents/evaluation/test_plan.py
    "python agent",  # by tests/agents/evaluation/test_programs.py
    "python script", "text script",  # by test_environments.py and test_tutorials.py
    "console served", "sh",  # by test_tutorials.py
}  # fmt: skip


def matches(output: str, promised: str) -> bool:
    """Whether an output is the promised one; ``...`` on a line alone stands for anything."""
    lines = promised.rstrip("\n").split("\n")
    return (
        re.fullmatch(
            "\n".join(".*" if line == "..." else re.escape(line) for line in lines), output.rstrip("\n"), re.DOTALL
        )
        is not None
    )


class Typist(StringIO):
    """Types what a page shows behind each prompt, and is echoed as at a terminal."""

    def __init__(self, promised: str, screen: StringIO) -> None:
        super().__init__()
        self.lines = iter(promised.split("\n"))
        self.screen = screen

    def isatty(self) -> bool:
        return True

    def readline(self, _: int = -1, /) -> str:  # type: ignore[override]  # its bases disagree about bytes
        prompt = self.screen.getvalue().rpartition("\n")[2]
        line = next((line for line in self.lines if line.startswith(prompt)), None)
        if line is None:
            return ""
        self.screen.write(line.removeprefix(prompt) + "\n")
        return line.removeprefix(prompt) + "\n"


TYPED = [(page, words) for page in PAGES for words in typed(page)]
CONSOLE = [block for page in PAGES for block in blocks("console", page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_examples_of_a_page_are_true(page: Path) -> None:
    for block in blocks("python", page):
        test = doctest.DocTestParser().get_doctest(block.text, {}, str(block), str(page), block.line)
        assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


@pytest.mark.parametrize("block", CONSOLE, ids=str)
def test_the_console_examples_of_a_page_are_true(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for (program, *arguments), promised in commands(block):
        assert program == "ninefold"
        screen = StringIO()
        monkeypatch.setattr(sys, "stdin", Typist(promised, screen))
        monkeypatch.setattr(sys, "stdout", screen)
        monkeypatch.setattr(sys, "stderr", screen)
        main(arguments)
        monkeypatch.undo()
        monkeypatch.chdir(tmp_path)
        assert matches(screen.getvalue(), promised), screen.getvalue()


@pytest.mark.parametrize(("page", "words"), TYPED, ids=[f"{page.name}: {shlex.join(words)}" for page, words in TYPED])
def test_every_command_on_a_page_can_be_parsed(page: Path, words: list[str]) -> None:
    assert callable(parser().parse_args(words).run)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_command_in_a_sentence_exists(page: Path) -> None:
    known = set(re.findall(r"^ {2,4}([a-z]+) ", parser().format_help(), re.MULTILINE))
    assert {"play", "data", "serve"} <= known
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    assert set(re.findall(r"`ninefold\s([a-z]+)\b", text)) <= known


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_what_a_page_makes_and_runs_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):.* ## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"(?:`|^ {4})make\s([a-z-]+)", text, re.MULTILINE)) <= {*targets, "clean", "help"}
    for module in re.findall(r"python -m ((?:benchmarks|examples|scripts|tests)[\w.]*)", text):
        place = ROOT.joinpath(*module.split("."))
        assert place.is_dir() or place.with_suffix(".py").is_file(), module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_fenced_block_is_run(page: Path) -> None:
    languages = {fence[1] for fence in FENCE.finditer(page.read_text(encoding="utf-8"))}
    assert languages <= RUN_HERE | RUN_ELSEWHERE


def test_the_pages_are_there_with_examples() -> None:
    assert {"README.md", "rules.md", "notation.md", "architecture.md", "add-a-game.md"} <= {page.name for page in PAGES}
    assert CONSOLE
    assert len(TYPED) > 60


def test_the_table_of_games_says_what_the_program_says() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*) \| (.*) \|$", readme, re.MULTILINE)
    table = [row for row in rows if row[0] in all_games()]
    assert len(table) >= 5
    assert table == [(game.id, game.title, game.summary) for game in all_games().values()]


@pytest.mark.parametrize("game", all_games())
def test_every_game_has_its_place_in_the_rules(game: str) -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert re.search(rf"^#.*\b{game}\b", text, re.MULTILINE)


def test_the_rules_come_in_the_order_of_the_games() -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert [name for name in re.findall(r"^## ([a-z-]+):", text, re.MULTILINE) if name in all_games()] == [*all_games()]


@cache
def reasons() -> dict[str, set[str]]:
    """Every reason code that the package refuses with, and the first letters of the classes it does so by.

    Those of the server are in docs/protocol.md with their statuses, which tests/docs/test_protocol.py checks.
    """
    package = ROOT / "src" / "ninefold"
    files = [file for file in package.rglob("*.py") if not file.is_relative_to(package / "server")]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    found: dict[str, set[str]] = {}
    for call in calls:
        if isinstance(call.func, ast.Name) and call.func.id in REFUSALS and isinstance(call.args[0], ast.Constant):
            reason = str(call.args[0].value).partition(".")[0]
            found.setdefault(reason, set()).add(call.func.id[0])
    return found


@pytest.mark.parametrize("reason", sorted(reasons()))
def test_every_reason_of_a_refusal_is_documented_with_its_class(reason: str) -> None:
    page = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| ([UNIT]) \| `{reason}` \| (.*) \|$", page, re.MULTILINE)
    statuses = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    if row is None and re.search(rf"^\| \d+ \| .*`{reason}`", statuses, re.MULTILINE):
        return  # a reason of the server
    assert row, reason
    assert {row[1], *re.findall(r"\(([UNIT]) when", row[2])} == reasons()[reason]


def test_the_example_game_of_the_page_is_the_one_that_is_tested() -> None:
    source = (ROOT / "tests" / "support" / "data" / "misere.py").read_text(encoding="utf-8")
    assert source in [block.text for block in blocks("python", ROOT / "docs" / "add-a-game.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_other_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_anchors_in_links_are_headings(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*)#([^)]*)\)", page.read_text(encoding="utf-8"))
    assert [
        (name, anchor) for name, anchor in links if anchor not in anchors(page.parent / name if name else page)
    ] == []


def test_every_make_target_is_in_the_contributors_guide() -> None:
    makefile, guide = ((ROOT / name).read_text(encoding="utf-8") for name in ("Makefile", "CONTRIBUTING.md"))
    targets = re.findall(r"^([a-z-]+):.* ## ", makefile, re.MULTILINE)
    assert "test" in targets
    assert [target for target in targets if f"`make {target}`" not in guide] == []


def test_an_extra_is_installed_with_the_same_line_everywhere() -> None:
    """It works wherever Ninefold is installed already: from a wheel, an index or a checkout."""
    texts = [path.read_text(encoding="utf-8") for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))]
    texts += [path.read_text(encoding="utf-8") for path in ROOT.glob("src/ninefold/**/messages.py")]
    lines = {line for text in texts for line in re.findall(r"pip install [^`\n]*", text) if "[" in line}
    assert lines
    for line in lines:
        assert re.match(r"pip install 'ninefold\[(\w+|\{extra\})\]'", line), line


def test_to_analyze_is_spelled_in_one_way() -> None:
    """As the command is. The plural of the noun is another word."""
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/ninefold/**/*.py")]
    files += ROOT.glob("src/ninefold/server/http/static/**/*.js")
    pattern = re.compile(r"analys(e|ed|ing)\b", re.IGNORECASE)
    assert [str(file) for file in files if pattern.search(file.read_text(encoding="utf-8"))] == []
