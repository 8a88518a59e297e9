"""The page about environments: every program on it prints what the page says, batches in every array library."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from ninefold.envs.batch import make
from ninefold.games import rule_sets
from tests.support.batches import LIBRARIES

PAGE = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")
_SCRIPT = re.compile(r"^```python script\n(.*?)^```\n\n^```text script\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANY_LIBRARY = "import numpy as xp"


class Script(NamedTuple):
    line: int
    code: str
    printed: str

    def __str__(self) -> str:
        return f"line {self.line}"


SCRIPTS = [Script(PAGE.count("\n", 0, found.start()) + 1, found[1], found[2]) for found in _SCRIPT.finditer(PAGE)]


def output(code: str) -> str:
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(code, "environments.md", "exec"), {"__name__": "__main__"})  # noqa: S102
    return printed.getvalue()


@pytest.mark.parametrize("script", SCRIPTS, ids=str)
def test_a_program_of_the_page_prints_what_the_page_says(script: Script) -> None:
    assert output(script.code) == script.printed


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_batch_prints_the_same_in_every_library(library: str) -> None:
    (script,) = [script for script in SCRIPTS if ANY_LIBRARY in script.code]
    assert output(script.code.replace(ANY_LIBRARY, f"import {library} as xp")) == script.printed


def test_every_program_is_followed_by_what_it_prints() -> None:
    assert len(SCRIPTS) == PAGE.count("```python script") == PAGE.count("```text script") >= 8


@pytest.mark.parametrize("game", rule_sets())
def test_the_page_names_every_game_with_its_actions_and_its_shape(game: str) -> None:
    batch = make(game)
    shape = ", ".join(map(str, batch.observation_shape))
    assert f"`ninefold/{game}-v0`" in PAGE
    assert re.search(rf"^\| [^|]*`{game}`[^|]* \| {batch.actions} \|", PAGE, re.MULTILINE)
    assert re.search(rf"^\| [^|]*`{game}`[^|]* \| {shape} \|", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("game", "column"), [("classic", 2), ("swap-nine", 3), ("squared", 4), ("ultimate", 4)])
def test_the_page_says_what_a_game_takes(game: str, column: int) -> None:
    batch = make(game)
    state = batch.init(1)
    for name, arrays in (("compact", state), ("full", batch.view(state))):
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| {name}, "))
        assert int(row.split("|")[column]) == sum(array.nbytes for array in arrays)
