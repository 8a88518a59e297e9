"""Tables for pandas: of analyses, tournaments and reports, by the real package."""

from __future__ import annotations

import subprocess
import sys

import pandas as pd
import pytest

from ninefold import analyze, begin, play_tournament, report
from ninefold.analysis.evaluation import Search
from ninefold.core.data_frame import data_frame
from ninefold.core.errors import NotAllowed

WITHOUT = """
import sys
sys.modules["pandas"] = None
from ninefold import Refusal, analyze
try:
    analyze("classic", "XX./OO./... X").to_pandas()
except Refusal as refusal:
    print(refusal)
"""


def test_an_exact_analysis_has_a_row_for_each_move_best_first() -> None:
    found = analyze("classic", "XX./OO./..X O").to_pandas()
    assert list(found.columns) == ["move", "name", "score", "points", "proven", "plies", "variation"]
    assert found["name"].tolist() == ["6", "3", "7", "8"]
    assert found["plies"].tolist() == [1, 3, 2, 2]
    assert str(found["plies"].dtype) == "Int64"
    assert found["proven"].all()


def test_a_search_has_variations_and_no_exact_plies() -> None:
    start = begin("ultimate").position
    found = analyze("ultimate", start, search=Search(nodes=2000, lines=3)).to_pandas()
    assert len(found) == 3
    assert found["plies"].isna().all()
    assert all(variation.startswith(name) for name, variation in zip(found["name"], found["variation"], strict=True))
    assert found["points"].between(-1, 1).all()


def test_an_ended_game_is_a_table_without_rows() -> None:
    found = analyze("classic", "XXX/OO./... O").to_pandas()
    assert found.empty
    assert "name" in found.columns


def test_a_tournament_is_a_table_of_ratings_and_one_of_games() -> None:
    tournament = play_tournament("classic", ["random", "easy", "perfect"], pairs=1, seed=1)
    ratings, games = tournament.to_pandas(), tournament.games_to_pandas()
    assert list(ratings.columns) == ["player", "elo", "low", "high", "points", "games"]
    assert ratings["elo"].is_monotonic_decreasing
    assert ratings["points"].sum() == len(games) == 6
    assert set(games["winner"]) <= {"X", "O", ""}


def test_a_report_is_a_table_of_figures_for_each_agent() -> None:
    found = report(begin("classic").act(1, 4).act(2, 1)).to_pandas()
    assert found.set_index("agent").loc["Player 2", ["side", "moves", "mistakes"]].tolist() == ["O", 1, 1]
    assert found.shape == (2, 25)


def test_without_pandas_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    assert done.stdout == "pandas is not installed. pip install 'ninefold[pandas]'\n"
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(NotAllowed):
        data_frame({})


def test_missing_whole_numbers_stay_whole() -> None:
    assert data_frame({"n": [1, None]}, integers=("n",))["n"].tolist() == [1, pd.NA]
