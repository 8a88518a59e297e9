"""The page about environments: every program on it prints what the page says, batches in every array library."""

from __future__ import annotations

import re

import pytest

from ninefold.envs.batch import make
from ninefold.games import rule_sets
from tests.support.batches import LIBRARIES
from tests.support.doc_pages import ROOT
from tests.support.doc_scripts import Script, output, scripts

FILE = ROOT / "docs" / "environments.md"
PAGE = FILE.read_text(encoding="utf-8")
SCRIPTS = scripts(FILE)
ANY_LIBRARY = "import numpy as xp"


@pytest.mark.parametrize("script", SCRIPTS, ids=str)
def test_a_program_of_the_page_prints_what_the_page_says(script: Script) -> None:
    assert output(script.code) == script.printed


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_batch_prints_the_same_in_every_library(library: str) -> None:
    (script,) = [script for script in SCRIPTS if ANY_LIBRARY in script.code]
    assert output(script.code.replace(ANY_LIBRARY, f"import {library} as xp")) == script.printed


def test_there_are_programs_on_the_page() -> None:
    assert len(SCRIPTS) >= 8


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
