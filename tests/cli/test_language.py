"""The language of the command line: a flag, then a variable, then the terminal; and what stays English."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ninefold.cli.language import choose_language
from ninefold.cli.main import main
from ninefold.client.errors import refusal_of
from ninefold.core.errors import Unreadable
from ninefold.core.messages import ENGLISH, current_language, use_language
from ninefold.games import all_games

TAKEN = {
    "reason": "not_adjacent",
    "code": "not_adjacent",
    "detail": "Cell 9 is not directly above, below, left or right of 1.",
    "instead": "From 1 you can take: 2.",
    "params": {"cell": "9", "placed": "1", "instead": "From 1 you can take: 2."},
    "parts": {"instead": {"code": "swap_nine.takeable", "params": {"placed": "1", "cells": "2"}}},
}


@pytest.fixture(autouse=True)
def english_afterwards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("NINEFOLD_LANGUAGE", raising=False)
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "fr_CA.UTF-8")
    all_games.cache_clear()  # their texts are those of the language in which they are first asked for
    yield
    use_language(ENGLISH)
    all_games.cache_clear()


@pytest.mark.parametrize(
    ("arguments", "language"),
    [
        (["play", "classic"], "fr"),
        (["play", "classic", "--language", "es"], "es"),
        (["--language=de", "play", "classic"], "de"),
        (["--language", "en"], "en"),
        (["serve", "--language", "de"], "en"),
        (["help", "play", "--language", "de"], "de"),
        (["--language", "de", "help", "serve"], "en"),
        (["analyze", "classic", "--json"], "en"),
        (["play", "classic", "--x-name", "--", "--language", "de"], "fr"),
    ],
)
def test_the_flag_wins_over_the_terminal_and_programs_read_english(arguments: list[str], language: str) -> None:
    rest = choose_language(arguments)
    assert current_language() == language
    assert ("--language" in rest) == ("--" in arguments)


def test_the_variable_wins_over_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NINEFOLD_LANGUAGE", "es")
    choose_language(["play"])
    assert current_language() == "es"
    use_language(ENGLISH)
    monkeypatch.setenv("NINEFOLD_LANGUAGE", "klingon")
    with pytest.raises(Unreadable, match=r"Ninefold does not speak 'klingon'\. Languages: en de fr es\."):
        choose_language(["play"])


def test_the_help_and_the_refusals_of_a_command_are_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play", "--help", "--language", "de"])
    shown = capsys.readouterr().out
    assert shown.startswith("Aufruf: ninefold play")
    assert "wer beginnt" in shown
    assert main(["help", "play", "--language", "de"]) == 0
    assert capsys.readouterr().out == shown
    assert main(["play", "--language", "de"]) == 2
    assert "Welches Spiel? Spiele: classic agents" in capsys.readouterr().err


def test_a_solved_game_is_described_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "classic", "--language", "de"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Tic-Tac-Toe: Remis für X")
    assert "5.478 Stellungen" in shown


def test_a_server_is_quoted_in_the_language_of_the_terminal() -> None:
    assert str(refusal_of(409, TAKEN)) == f"{TAKEN['detail']} {TAKEN['instead']}"
    use_language("de")
    assert str(refusal_of(409, TAKEN)) == (
        "Feld 9 liegt nicht direkt über, unter, links oder rechts von 1. Von 1 aus kannst du nehmen: 2."
    )
    hidden = {"instead": {"code": "move.hidden", "params": {}}}
    taken = {"reason": "taken", "code": "taken", "detail": "Cell 5 is taken by O.", "instead": "Choose another move."}
    refusal = refusal_of(409, {**taken, "params": {"cell": "5", "side": "O", "free": ""}, "parts": hidden})
    assert str(refusal) == "Feld 5 ist von O besetzt. Wähle einen anderen Zug."
    unknown = {**taken, "reason": "newer", "code": "newer.rule"}
    assert str(refusal_of(409, unknown)) == "Cell 5 is taken by O. Choose another move."
