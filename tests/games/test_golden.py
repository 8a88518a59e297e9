"""The golden playthroughs: what a whole game looks like, state by state. A change of them is meant, or it is a bug."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.core.game import Game
from ninefold.games import all_games
from tests.support.playthrough import GOLDEN, golden_file, playthrough


@pytest.mark.parametrize("game", list(all_games().values()), ids=list(all_games()))
def test_a_game_goes_as_its_golden_playthrough(game: Game) -> None:
    golden: Path = golden_file(game)
    advice = "If that is meant, run `make golden` and review the diff."
    assert golden.exists(), f"{game.id} has no golden playthrough. {advice}"
    written, now = golden.read_text(encoding="utf-8"), playthrough(game)
    differs = next(
        (n for n, pair in enumerate(zip(written.split("\n"), now.split("\n"), strict=False), 1) if len(set(pair)) > 1),
        0,
    )
    assert written == now, f"{golden.name} differs from line {differs} on. {advice}"


def test_there_is_no_playthrough_of_a_game_that_is_gone() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} == set(all_games())
