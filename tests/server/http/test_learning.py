"""Positions with their moves, and puzzles, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ninefold.analysis.puzzles.puzzle import all_puzzles, find_puzzle
from ninefold.games import all_games
from tests.support.http_server import Running, running

DAY = 24 * 60 * 60 * 1000
NEW_YEAR = 1_893_456_000_000  # 2030-01-01, 00:00 UTC


class Calendar:
    """A clock that is set by hand, in milliseconds."""

    now = NEW_YEAR

    def __call__(self) -> int:
        return self.now


@pytest.fixture(scope="module")
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, calendar: Calendar) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("learning"), now=calendar) as server:
        yield server


@pytest.mark.parametrize("game", all_games())
def test_the_start_of_a_game_has_its_moves(server: Running, game: str) -> None:
    start = server.post("/positions", {"game": game}).json()
    position = all_games()[game].begin()
    assert start["position"] == str(position)
    assert [move["move"] for move in start["moves"]] == list(position.moves())


def test_moves_are_played_from_a_position(server: Running) -> None:
    body = {"game": "classic", "position": "XX./OO./... X", "moves": ["3"]}
    after = server.post("/positions", body).json()
    assert (after["position"].split()[0], after["turn"], after["moves"]) == ("XXX/OO./...", None, [])
    assert after["board"]["last"] == [2]
    assert after["outcome"] == "X wins: three in a row (1 2 3)."


@pytest.mark.parametrize(
    ("game", "position", "threats"),
    [
        ("classic", "XX./OO./... X", {"2": "X", "5": "O"}),
        ("agents", "O../OX./..X O", {"6": "O", "0": None}),
        ("classic", "XXX/OO./... O", {}),
    ],
)
def test_threats_come_with_a_position_if_they_are_asked_for(
    server: Running, game: str, position: str, threats: dict[str, str | None]
) -> None:
    body = {"game": game, "position": position}
    assert "threats" not in server.post("/positions", body).json()
    found = server.post("/positions", body | {"threats": True}).json()["threats"]
    assert {cell: found.get(cell) for cell in threats} == threats
    assert len(found) == len([sides for sides in threats.values() if sides])


@pytest.mark.parametrize(("claims", "found"), [(True, {"2": "X", "5": "O"}), (False, {}), (None, {})])
def test_threats_of_a_game_in_which_victory_is_claimed_are_lines(
    server: Running, claims: bool | None, found: dict[str, str]
) -> None:
    body = {"game": "classic", "position": "XX./OO./... X line_ends=no", "threats": True, "claims": claims}
    assert server.post("/positions", body).json()["threats"] == found


@pytest.mark.parametrize(
    ("game", "position", "sentence"),
    [
        ("classic", "XXX/.../... O", "This position cannot arise in play."),
        ("swap-nine", "X../.../... X", "This position cannot arise in play."),
        ("ultimate", f"X{'.' * 80} X *", "do not fit X's turn when X starts"),
        ("classic", "XX X", "9 marks"),
    ],
)
def test_a_position_that_cannot_arise_is_refused_in_a_sentence(
    server: Running, game: str, position: str, sentence: str
) -> None:
    refused = server.post("/positions", {"game": game, "position": position})
    assert refused.status_code in (409, 422)
    assert sentence in refused.json()["detail"] + refused.json()["instead"]
    assert refused.json()["instead"]


def test_an_illegal_move_is_refused_with_what_is_possible(server: Running) -> None:
    refused = server.post("/positions", {"game": "classic", "position": "X../.../... O", "moves": ["1"]}).json()
    assert refused["detail"] == "Cell 1 is taken by X."
    assert refused["instead"] == "Free cells: 2 3 4 5 6 7 8 9."


def test_all_puzzles_are_listed(server: Running) -> None:
    listed = server.get("/puzzles").json()
    assert [puzzle["id"] for puzzle in listed] == [puzzle.id for puzzle in all_puzzles()]
    assert listed[0] == {"id": "classic-1", "game": "classic", "title": "Tic-Tac-Toe", "side": "X", "plies": 3}


@pytest.mark.parametrize("id", ["classic-1", "agents-42", "swap-nine-48", "squared-48", "ultimate-48"])
def test_a_puzzle_leads_to_its_solution_by_the_right_moves(server: Running, id: str) -> None:
    puzzle: dict[str, Any] = server.get(f"/puzzles/{id}").json()
    assert [name for name, tried in puzzle["steps"][0]["tries"].items() if tried["right"]] == puzzle["line"][:1]
    assert set(puzzle["steps"][0]["tries"]) == {move["text"] for move in puzzle["start"]["moves"]}
    played: list[str] = []
    step: int | None = 0
    while step is not None:
        tries = puzzle["steps"][step]["tries"]
        move = min((name for name in tries if tries[name]["right"]), key=lambda name: tries[name]["plies"])
        played += [move] if tries[move]["reply"] is None else [move, tries[move]["reply"]]
        step = tries[move]["then"]
    assert played == puzzle["line"]
    game = puzzle["game"]
    end = server.post("/positions", {"game": game, "position": puzzle["start"]["position"], "moves": played}).json()
    assert game == "agents" or end["outcome"].startswith(f"{puzzle['side']} wins")


def test_the_puzzle_of_the_day_changes_at_midnight_utc_and_is_cached_until_then(
    server: Running, calendar: Calendar
) -> None:
    first = server.get("/puzzles/today")
    assert first.json()["day"] == "2030-01-01"
    assert find_puzzle(first.json()["id"])
    calendar.now = NEW_YEAR + DAY - 60_000
    tag = {"If-None-Match": first.headers["etag"]}
    assert server.http.get("/api/v1/puzzles/today", headers=tag).status_code == 304
    calendar.now = NEW_YEAR + DAY
    second = server.get("/puzzles/today").json()
    assert (second["day"], second["id"] != first.json()["id"]) == ("2030-01-02", True)


def test_an_unknown_puzzle_is_not_found(server: Running) -> None:
    refused = server.get("/puzzles/chess-1")
    assert refused.status_code == 404
    assert refused.json()["reason"] == "no_such_puzzle"
