"""One run that all tests of leaderboards read, and none changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.agents.leaderboard.standings import Leaderboard
from tests.support.runs import boards_of, play_run


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_run(tmp_path_factory.mktemp("runs") / "liars", rounds=2)


@pytest.fixture(scope="session")
def board(run_folder: Path) -> Leaderboard:
    (board,) = boards_of(run_folder)
    return board
