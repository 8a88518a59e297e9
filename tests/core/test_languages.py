"""The catalogues of the languages: every text that a player can meet is in each of them, and fits."""

from __future__ import annotations

import os
import re
import string
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from ninefold.core.language import NAMES, read_catalogue
from ninefold.core.messages import ENGLISH, Template, text, use_language
from ninefold.match.match import begin
from ninefold.match.record import write_record
from scripts.languages import FOLDER, browser_catalogue
from tests.support.languages import browser_texts, server_texts, terminal_texts

OTHERS = [language for language in NAMES if language != ENGLISH]
# Titles of games and addresses are names. The rest is said alike by chance.
ALIKE = re.compile(r"Tic-Tac-Toe|Swap Nine|https?://|pip install|%\(prog\)s|\{minutes\}")


@cache
def english() -> Mapping[str, Mapping[str, Template]]:
    """The English texts, by section of the catalogues."""
    return {"server": server_texts(), "terminal": terminal_texts(), "browser": browser_texts()}


def parts(template: Template) -> tuple[str, ...]:
    return (template,) if isinstance(template, str) else template


def placeholders(template: Template) -> set[str]:
    found = {name for part in parts(template) for _, name, _, _ in string.Formatter().parse(part) if name}
    return found | {name for part in parts(template) for name in re.findall(r"%\(?\w+\)?\w?", part)}


@pytest.fixture
def german() -> Iterator[None]:
    use_language("de")
    yield
    use_language(ENGLISH)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("section", ["server", "terminal", "browser"])
def test_every_text_is_in_every_language_with_the_same_parameters(section: str, language: str) -> None:
    catalogue: Mapping[str, Template] = getattr(read_catalogue(language), section)
    texts = english()[section]
    assert catalogue.keys() == texts.keys()
    for code, template in texts.items():
        said = catalogue[code]
        assert len(parts(said)) == len(parts(template)), code
        assert placeholders(said) <= placeholders(template) | {"count"}, code
        assert placeholders(template) - placeholders(said) <= {"count"}, code
        assert all(part.strip() for part in parts(said)), code


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("section", ["server", "terminal", "browser"])
def test_no_sentence_is_left_in_english(section: str, language: str) -> None:
    catalogue: Mapping[str, Template] = getattr(read_catalogue(language), section)
    left = [
        code
        for code, template in english()[section].items()
        if catalogue[code] == template and not ALIKE.search(parts(template)[0])
        and len(re.findall(r"[^\W\d_]{2,}", re.sub(r"\{.*?\}", "", parts(template)[0]))) > 2
    ]  # fmt: skip
    assert left == []


@pytest.mark.parametrize("language", OTHERS)
def test_the_question_for_a_cell_of_a_board_names_the_board_as_the_browser_does(language: str) -> None:
    catalogue = read_catalogue(language)
    board = catalogue.browser["place.numbered_board"]
    assert all(board in catalogue.server[f"game.{game}.press.2"] for game in ("squared", "ultimate"))


@pytest.mark.parametrize("language", OTHERS)
def test_texts_of_terminals_fit_into_80_columns(language: str) -> None:
    for code, said in read_catalogue(language).server.items():
        if code.startswith("game.") and code.endswith(("rules", "typing", "drawing")):
            assert max(map(len, str(said).splitlines())) <= 80, code
        if code.endswith(".summary"):
            assert len(said) <= 80 - len("  5  Ultimate Tic-Tac-Toe  "), code


@pytest.mark.parametrize("language", OTHERS)
def test_the_catalogue_of_the_browser_is_the_one_of_the_package(language: str) -> None:
    assert (FOLDER / f"{language}.json").read_text(encoding="utf-8") == browser_catalogue(language), "make languages"


@pytest.mark.usefixtures("german")
def test_a_process_speaks_the_language_that_it_has_chosen() -> None:
    assert text("taken", cell="5", side="O", free="1 3") == "Feld 5 ist von O besetzt."
    assert text("squared.lines", count=1) == "eine Reihe von Brettern"
    assert text("squared.lines", count=3) == "3 Reihen von Brettern"
    assert (
        text("too_long.file", most=1_000_000)
        == "Eine Partie braucht weniger als 1.000.000 Bytes; diese Datei hat mehr."
    )


@pytest.mark.usefixtures("german")
def test_records_stay_english() -> None:
    match = begin("classic").act(1, 4).act(2, 0).act(1, 1)
    written = write_record(match)
    use_language(ENGLISH)
    assert written == write_record(match)


def game_at_the_console(language: str) -> set[str]:
    """The lines with words of a game at the console, with a refused move, a hint and the rules."""
    command = [sys.executable, "-m", "ninefold", "play", "classic", "--language", language]
    done = subprocess.run(
        command, input="1\n1\nx\nh\n?\n2\n5\n3\n9\n", capture_output=True, text=True, env=os.environ, check=False
    )
    assert done.stderr.count("\n") <= 1, done.stderr
    return {line for line in done.stdout.splitlines() if len(re.findall(r"[^\W\d_]{2,}", line)) > 1}


def test_a_game_at_the_console_has_no_english_in_another_language() -> None:
    spoken = game_at_the_console(ENGLISH)
    assert len(spoken) > 10
    for language in OTHERS:
        said = game_at_the_console(language)
        assert len(said) > 10
        assert not said & spoken
