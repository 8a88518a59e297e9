"""Help: the same for ``ninefold help COMMAND`` and ``ninefold COMMAND --help``, with examples and exit codes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ninefold.cli.parsers.command import EXIT_CODES
from ninefold.core import exit_codes
from tests.support.console import ninefold, refused


@pytest.mark.parametrize("words", [(), ("play",), ("agents",), ("agents", "evaluate"), ("replay",)], ids=" ".join)
def test_help_explains_what_the_option_explains(words: tuple[str, ...]) -> None:
    done = ninefold("help", *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == ninefold(*words, "--help").stdout


def test_help_for_a_command_that_is_none_names_those_there_are() -> None:
    assert "ninefold has no command 'chess'. Commands: play watch games" in refused("help", "chess")
    assert "ninefold agents has no command 'play'. Commands: evaluate report leaderboard." in refused(
        "help", "agents", "play"
    )
    assert "ninefold games has no command 'all'. `ninefold games --help`" in refused("help", "games", "all")


def test_the_help_of_play_has_examples_and_exit_codes() -> None:
    shown = ninefold("help", "play").stdout
    assert "  ninefold play classic --o hard  " in shown
    assert "  ninefold play --join LINK --name Ann  " in shown
    for code in (0, 2, 3, 4, 130, 141):
        assert f"\n  {code:<4} {EXIT_CODES[code]}\n" in f"{shown}\n"


def test_the_page_about_playing_has_the_same_exit_codes() -> None:
    page = (Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8")
    assert [line for line in page.splitlines() if re.match(r"\| \d+ \|", line)] == [
        f"| {code} | {why} |" for code, why in EXIT_CODES.items()
    ]


def test_the_help_of_play_offers_to_take_back_after_the_game() -> None:
    assert (
        "After the game: say TEXT, rematch, review, u takes back the last move, e leaves."
        in ninefold("help", "play").stdout
    )


def test_the_help_explains_values_scores_and_dead_draws() -> None:
    solve, analyze = (" ".join(ninefold("help", command).stdout.split()) for command in ("solve", "analyze"))
    for shown in (solve, analyze):
        assert "`win in 3` means: the side to move wins with the third move from here" in shown
    assert "A dead draw is a position in which nobody can win any more." in solve
    assert "how many lines of boards the side to move is ahead" in analyze


def test_the_exit_codes_that_are_explained_are_those_that_are_used() -> None:
    used = {
        exit_codes.REFUSED,
        exit_codes.END_OF_INPUT,
        exit_codes.CANNOT_WRITE,
        exit_codes.INTERRUPTED,
        exit_codes.CLOSED_PIPE,
    }
    assert set(EXIT_CODES) == used | {0, 1}
