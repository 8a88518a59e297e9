"""Lessons: five steps for each game, which can be played; and hints in matches against the computer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from ninefold.core.game import Game
from ninefold.games import all_games
from ninefold.server.http import learning
from ninefold.server.http.lessons import LESSONS, lesson
from tests.support.http_server import Running, running

GAMES = all_games().values()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("lessons")) as server:
        yield server


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_game_has_five_steps_that_can_arise_in_play_and_be_done(game: Game) -> None:
    steps = lesson(game.id)["steps"]
    assert len(steps) == len(LESSONS[game.id]) == 5
    for step in steps:
        start = learning.position(game.id, step["start"]["position"], [])  # refuses what cannot arise
        legal = {move["text"] for move in start["moves"]}
        assert set(step["right"]) < legal
        assert step["say"]["text"] != step["done"]["text"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_rules_in_the_browser_are_without_what_is_for_terminals(game: Game) -> None:
    rules = lesson(game.id)["rules"]
    assert rules
    assert not any("   " in paragraph or "numpad" in paragraph or "\n" in paragraph for paragraph in rules)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_rules_in_the_browser_name_no_options(game: Game) -> None:
    found = lesson(game.id)
    for paragraph in (*found["rules"], *found["advice"]):
        assert not re.search(r"\boption\b|\w[=_]\w", paragraph)


def test_a_lesson_is_served_and_an_unknown_game_refused(server: Running) -> None:
    assert server.get("/lessons/swap-nine").json()["title"] == "Swap Nine"
    refused = server.get("/lessons/chess")
    assert (refused.status_code, refused.json()["reason"]) == (422, "no_such_game")


@pytest.mark.parametrize("game", all_games())
def test_a_hint_is_the_best_move_against_the_computer(server: Running, game: str) -> None:
    sides = "OX" if game == "agents" else "XO"
    match = server.create(game, "human", "easy", sides=sides)
    found = server.get(f"/matches/{match['match']}/hint", match["seats"]["1"])
    assert found.status_code == 200, found.text
    view = server.get(f"/matches/{match['match']}").json()
    assert found.json()["version"] == view["version"]
    assert found.json()["best"]["text"] in {move["text"] for move in view["moves"]}
    assert found.json()["best"]["line"][0] == found.json()["best"]["text"]


def test_no_hint_is_given_between_people_and_in_a_match_that_is_over(server: Running) -> None:
    people = server.create("classic", "human", "human")
    refused = server.get(f"/matches/{people['match']}/hint", people["seats"]["1"])
    assert (refused.status_code, refused.json()["code"]) == (409, "no_hint")
    ended = server.create("classic", "human", "easy")
    resign = {"request": "resign", "version": 0, "action": {"kind": "resign"}}
    assert server.post(f"/matches/{ended['match']}/actions", resign, ended["seats"]["1"]).status_code == 200
    refused = server.get(f"/matches/{ended['match']}/hint", ended["seats"]["1"])
    assert (refused.status_code, refused.json()["code"]) == (409, "no_hint.turn")
