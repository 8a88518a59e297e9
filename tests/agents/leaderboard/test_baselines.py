"""The built-in baselines: every player and script is among them, and one command plays, judges and documents them."""

from __future__ import annotations

import re
from itertools import combinations, permutations
from pathlib import Path

import pytest

from ninefold.agents.evaluation.agents import Timing
from ninefold.agents.evaluation.keys import ApiKeys
from ninefold.agents.evaluation.plan import Plan
from ninefold.agents.evaluation.runner import EvaluationRun
from ninefold.agents.evaluation.schedule import RunFolder, schedule
from ninefold.agents.leaderboard.standings import Leaderboard
from ninefold.arena.pairs import points_of
from ninefold.arena.ratings import elo
from ninefold.arena.schedule import GameResult
from ninefold.games import all_games, find_game
from ninefold.players.player import levels
from ninefold.players.scripted import SCRIPTS
from scripts import leaderboard
from tests.support import chat_server as chat
from tests.support.chat_server import chat_server

ROOT = Path(__file__).parents[3]


GAMES = tuple(all_games())


def baselines(game: str) -> list[Plan]:
    """The plans of a game: expert, which is slow, has one of its own."""
    plans = [leaderboard.read_baselines(name) for name in leaderboard.BASELINES]
    return [plan for plan in plans if plan.game.id == game]


def games_of_pairs(game: str) -> dict[frozenset[str], int]:
    """How many games each two baselines play."""
    return {frozenset(pair): 2 * plan.rounds for plan in baselines(game) for pair in plan.pairs}


@pytest.mark.parametrize("game", GAMES)
def test_every_level_of_every_game_is_a_baseline_and_meets_all_others(game: str) -> None:
    specs = {name: spec for plan in baselines(game) for name, spec in plan.agents.items()}
    players = {getattr(spec, "player", "") for spec in specs.values()} - {""}
    assert players == {"random", *levels(find_game(game))}
    assert set(games_of_pairs(game)) == {frozenset(pair) for pair in combinations(specs, 2)}


def test_every_scripted_agent_is_a_baseline_of_the_game_with_claims() -> None:
    (plan,) = baselines("agents")
    scripts = {getattr(spec, "script", "") for spec in plan.agents.values()} - {""}
    assert scripts == set(SCRIPTS)


@pytest.mark.parametrize("game", GAMES)
def test_the_documented_leaderboard_is_that_of_the_plans(game: str) -> None:
    games = games_of_pairs(game)
    page = (ROOT / "docs" / "leaderboard.md").read_text(encoding="utf-8")
    _, _, rest = page.partition(f"\n## {find_game(game).title}\n\n")
    section = rest.partition("\n## ")[0]
    assert section.startswith(f"{sum(games.values()):,} matches.")
    for name in frozenset().union(*games):
        played = sum(count for pair, count in games.items() if name in pair)
        assert re.search(rf"^\| {name} \| [^|]+ \| [^|]+ \| [^|]+ \| {played} \|", section, re.MULTILINE)
    for picture in (f"leaderboard-{game}.svg", f"leaderboard-{game}-mistakes.svg"):
        assert f"(pictures/{picture})" in section
        assert (ROOT / "docs" / "pictures" / picture).is_file()


def documented(game: str) -> tuple[dict[str, list[str]], dict[tuple[str, str], int]]:
    """The rows of the ratings by agent, and the half points of each pair: shares in whole percent tell them, because no
    pair has more than 40 games."""
    games = games_of_pairs(game)
    page = (ROOT / "docs" / "leaderboard.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {find_game(game).title}\n\n")[2].partition("\n## ")[0]
    tables = [part for part in section.split("\n\n") if part.startswith("|")]
    first, *_, last = ([re.split(r" *\| *", row)[1:-1] for row in part.splitlines()[2:]] for part in tables)
    ratings = {agent: figures for agent, *figures in first}
    names = list(ratings)
    halves = {
        (row, column): round(2 * games[frozenset((row, column))] * int(share) / 100)
        for row, (_, *found) in zip(names, last, strict=True)
        for column, share in zip(names, found, strict=True)
        if share
    }
    return ratings, halves


@pytest.mark.parametrize("game", GAMES)
def test_the_documented_elo_follows_from_the_documented_results(game: str) -> None:
    ratings, halves = documented(game)
    games = games_of_pairs(game)
    results = []
    for one, two in combinations(ratings, 2):
        winners = ["X"] * (halves[one, two] // 2) + [""] * (halves[one, two] % 2)
        winners += ["O"] * (games[frozenset((one, two))] - len(winners))
        results += [GameResult(number, one, two, winner, 9) for number, winner in enumerate(winners)]
    points = {agent: sum(points_of(one, agent) for one in results if agent in (one.x, one.o)) for agent in ratings}
    assert {agent: float(figures[2]) for agent, figures in ratings.items()} == points
    assert {agent: figures[0] for agent, figures in ratings.items()} == {
        agent: f"{value:+.0f}" for agent, value in elo(results, list(ratings)).items()
    }


def test_pairs_of_the_documented_leaderboard_have_the_same_results_when_they_are_played_again(tmp_path: Path) -> None:
    (plan,), halves = baselines("agents"), documented("agents")[1]
    some = {"hard", "random", "honest", "never-claims"}
    with EvaluationRun(plan, ApiKeys(), RunFolder(tmp_path), Timing()) as run:
        played = [run.play(job) for job in schedule(plan) if {job.x, job.o} <= some]
    again = dict.fromkeys(permutations(some, 2), 0)
    for one in played:
        of_x = {"1-0": 2, "0-1": 0, "1/2-1/2": 1}[one.score]
        again[one.x, one.o] += of_x
        again[one.o, one.x] += 2 - of_x
    assert again == {pair: halves[pair] for pair in permutations(some, 2)}


def test_the_page_has_the_figures_of_the_leaderboard(board: Leaderboard, tmp_path: Path) -> None:
    leaderboard.write_docs(tmp_path, [board])
    page = (tmp_path / "leaderboard.md").read_text(encoding="utf-8")
    for one in board.standings:
        assert f"| {one.agent} | {one.rating.elo:+.0f} | {one.rating.low:+.0f} to {one.rating.high:+.0f} |" in page
    assert (tmp_path / "pictures" / "leaderboard-agents.svg").read_text().startswith("<svg")


def test_a_model_is_measured_against_the_baselines_and_the_documentation_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = tmp_path / "plans"
    plans.mkdir()
    (plans / "agents.toml").write_text(
        'game = "agents"\nagents.easy = {player = "easy"}\nagents.honest = {script = "honest"}\n'
    )
    monkeypatch.setattr(leaderboard, "PLANS", plans)
    monkeypatch.setattr(leaderboard, "BASELINES", ("agents", "a-game-that-takes-an-hour"))
    with chat_server(chat.plays) as served:
        arguments = [
            "--chat",
            served.url,
            "--model",
            "m",
            "--out",
            str(tmp_path / "out"),
            "--docs",
            str(tmp_path / "docs"),
        ]
        assert leaderboard.main(arguments) == 0
    assert len(list((tmp_path / "out" / "html" / "matches").glob("model-run-*.html"))) == 4
    page = (tmp_path / "out" / "html" / "index.html").read_text()
    assert '<th scope="row">model</th>' in page
    assert "The agents, as their plans describe them" in page
    assert len(list((tmp_path / "out").glob("*-run"))) == 2, "the model plays one game, so no other is waited for"
    assert not (tmp_path / "docs").exists()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [([], "agents.model.model"), (["--model", "m", "--key-env", "NOT_SET_HERE"], "NOT_SET_HERE")],
)
def test_a_missing_model_or_key_is_refused_in_a_sentence_before_anybody_plays(
    arguments: list[str], named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leaderboard.main(["--chat", "http://127.0.0.1:1/v1", "--out", str(tmp_path), *arguments]) == 2
    assert named in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
