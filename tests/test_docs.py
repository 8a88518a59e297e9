"""README and docs: their examples run, and they leave no game and no refusal out."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import ninefold as package
from console import ninefold
from ninefold.games import all_games

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
REFUSALS = {"Refusal", "Unreadable", "NotAllowed", "IllegalMove", "TooBig"}
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """What stands between two fences of a page, and at which line."""

    page: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(language: str, page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    fences = [fence for fence in _FENCE.finditer(text) if fence[1] == language]
    return [Block(page, text.count("\n", 0, fence.start()) + 1, fence[2]) for fence in fences]


def commands(block: Block) -> Iterator[tuple[list[str], str]]:
    """The commands of a console block, each with the output that the page promises."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield shlex.split(command), output


def matches(output: str, promised: str) -> bool:
    """Whether an output is the promised one; ``...`` on a line alone stands for anything."""
    lines = promised.rstrip("\n").split("\n")
    return (
        re.fullmatch(
            "\n".join(".*" if line == "..." else re.escape(line) for line in lines), output.rstrip("\n"), re.DOTALL
        )
        is not None
    )


CONSOLE = [block for page in PAGES for block in blocks("console", page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_examples_of_a_page_are_true(page: Path) -> None:
    for block in blocks("python", page):
        test = doctest.DocTestParser().get_doctest(block.text, {}, str(block), str(page), block.line)
        assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


@pytest.mark.parametrize("block", CONSOLE, ids=str)
def test_the_console_examples_of_a_page_are_true(block: Block, tmp_path: Path) -> None:
    for (program, *arguments), output in commands(block):
        assert program == "ninefold"
        done = ninefold(*arguments, cwd=tmp_path)
        assert matches(done.stdout + done.stderr, output), done.stdout + done.stderr


def test_the_pages_are_there_with_examples() -> None:
    assert {"README.md", "rules.md", "notation.md", "architecture.md", "add-a-game.md"} <= {page.name for page in PAGES}
    assert CONSOLE


@pytest.mark.parametrize("game", all_games())
def test_every_game_has_its_place_in_the_rules(game: str) -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert re.search(rf"^#.*\b{game}\b", text, re.MULTILINE)


def reasons() -> set[str]:
    """Every reason code that the package refuses with."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in Path(package.__path__[0]).rglob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    codes = [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id in REFUSALS]
    return {str(code.value) for code in codes if isinstance(code, ast.Constant)}


@pytest.mark.parametrize("reason", sorted(reasons()))
def test_every_reason_of_a_refusal_is_documented(reason: str) -> None:
    assert f"`{reason}`" in (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")


def test_the_example_game_of_the_page_is_the_one_that_is_tested() -> None:
    source = (ROOT / "tests" / "data" / "misere.py").read_text(encoding="utf-8")
    assert source in [block.text for block in blocks("python", ROOT / "docs" / "add-a-game.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_other_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
