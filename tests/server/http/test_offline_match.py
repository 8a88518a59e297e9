"""The browser client plays the same matches offline as Python does: every event and every refusal, compared by Node."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ninefold.games import all_games
from scripts import npm
from tests.support.offline_matches import lines

REPLAY = Path(__file__).parent / "browser" / "offline" / "replay.mjs"
MATCHES = int(os.environ.get("MATCHES", "10000"))


def _compare(game: str, count: int) -> str:
    """What Node says of so many generated matches."""
    process = subprocess.Popen([npm.PROGRAM, REPLAY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    try:
        for line in lines(all_games()[game], range(count)):
            process.stdin.write(line)
    except BrokenPipeError:
        pass  # it has found a difference
    said, _ = process.communicate()
    return said


@pytest.mark.parametrize("game", all_games())
def test_generated_matches_are_played_as_in_python(game: str) -> None:
    assert _compare(game, 60).startswith("60 matches, ")


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", all_games())
def test_ten_thousand_matches_of_each_game_are_played_as_in_python(game: str) -> None:
    said = _compare(game, MATCHES)
    print(f"{game}: {said.strip()}")
    assert said.startswith(f"{MATCHES} matches, ")
