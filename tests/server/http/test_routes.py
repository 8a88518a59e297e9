"""The routes: a match from its creation to its rematch, lists, logs, records and reviews."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ninefold.core.errors import Refusal
from ninefold.games import all_games
from ninefold.match.log import read_log
from ninefold.match.record import read_record
from ninefold.server.http import review
from ninefold.server.storage.config import REQUESTER
from ninefold.server.storage.database import FILE
from tests.support.http_server import API, Running, bearer, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("routes")) as server:
        yield server


def test_the_games_have_options_levels_and_texts(server: Running) -> None:
    games = server.get("/games").json()
    assert [game["id"] for game in games] == list(all_games())
    squared = next(game for game in games if game["id"] == "squared")
    assert squared["layout"] == {"kind": "boards", "naming": {"cells": list("789456123")}}
    assert {option["name"] for option in squared["options"]} == {"first", "drawn", "tie_break"}
    assert squared["levels"] == ["easy", "medium", "hard", "expert"]
    assert len(squared["steps"]) == 2
    assert [game["advice"] for game in games] == [list(game.advice) for game in all_games().values()]


def test_a_whole_match_of_two_players_with_an_invitation_and_a_rematch(server: Running) -> None:
    match = server.create("classic", "human", "open", sides="OX")
    id, mine = match["match"], match["seats"]["1"]
    assert match["links"] == {
        "play": f"/m/{id}", "watch": f"/m/{id}", "invite": {"2": f"/m/{id}#invite={match['invitations']['2']}"},
    }  # fmt: skip
    joined = server.post(f"/matches/{id}/join", {"invitation": match["invitations"]["2"], "name": "Ann\u202e"}).json()
    assert (joined["seat"], joined["side"]) == (2, "X")
    moves: list[str | list[int]] = ["1", "4", [1], "5", "3"]
    for version, move in enumerate(moves):
        answer = server.move(id, mine if version % 2 else joined["token"], version, move)
        assert answer.status_code == 200, answer.text
    view = server.get(f"/matches/{id}").json()
    assert (view["status"], view["result"]["winner"], view["result"]["score"]) == ("ended", "X", "1-0")
    assert view["board"]["lines"] == [[0, 1, 2]]
    assert [seat["name"] for seat in view["seats"]] == ["", "Ann"]
    assert read_log(server.get(f"/matches/{id}/log").text).result
    assert read_record(server.get(f"/matches/{id}/record").text).result
    assert server.get(f"/matches/{id}/board.svg").headers["content-type"] == "image/svg+xml"
    again = server.post(f"/matches/{id}/rematch", {"request": "again"}, mine).json()["match"]
    assert server.get(f"/matches/{again}", mine).json()["seats"][0]["side"] == "X"


def test_a_repeated_creation_makes_one_match(server: Running) -> None:
    one, two = (server.create(request="0123456789abcdef") for _ in range(2))
    assert one == two
    assert server.create(request="fedcba9876543210")["match"] != one["match"]


def test_a_view_that_the_client_has_is_not_sent_again(server: Running) -> None:
    match = server.create()
    path = f"/matches/{match['match']}"
    first = server.get(path)
    assert first.headers["etag"].startswith('W/"')  # the time in it goes on
    again = server.get(path, **{"If-None-Match": f'"x", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    server.move(match["match"], match["seats"]["1"], 0, "5")
    assert server.get(path, **{"If-None-Match": first.headers["etag"]}).status_code == 200


def test_logs_records_pictures_and_games_that_the_client_has_are_not_sent_again(server: Running) -> None:
    match = server.create()
    paths = ["/games", *(f"/matches/{match['match']}/{what}" for what in ("log", "record", "board.svg"))]
    etags = {path: server.get(path).headers["etag"] for path in paths}

    def again() -> list[tuple[int, bool]]:
        answers = [server.get(path, **{"If-None-Match": etag}) for path, etag in etags.items()]
        return [(answer.status_code, bool(answer.content)) for answer in answers]

    assert again() == [(304, False)] * 4
    server.move(match["match"], match["seats"]["1"], 0, "5")
    assert again() == [(304, False), *[(200, True)] * 3]


def test_a_player_who_reads_with_a_token_is_present(server: Running) -> None:
    match = server.create()
    path = f"/matches/{match['match']}"
    assert [seat["present"] for seat in server.get(path).json()["seats"]] == [False, False]
    assert [seat["present"] for seat in server.get(path, match["seats"]["2"]).json()["seats"]] == [False, True]


def test_legal_moves_can_be_hidden_in_a_match_and_its_rematch(server: Running) -> None:
    match = server.create("squared", show_moves=False)
    path, (one, two) = f"/matches/{match['match']}", match["seats"].values()
    assert server.move(match["match"], one, 0, "27").status_code == 200
    view, refused = server.get(path).json(), server.move(match["match"], two, 1, "27")
    assert (view["show_moves"], view["moves"], view["board"]["open"]) == (False, [], [0])
    assert refused.json() == refused.json() | {"reason": "wrong_board", "instead": "Choose another move."}
    assert "moves" not in refused.json()
    assert server.move(match["match"], two, 0, "99").json()["match"]["moves"] == []
    server.post(f"{path}/actions", {"request": "end", "action": {"kind": "resign"}}, two)
    again = server.post(f"{path}/rematch", {"request": "again"}, one).json()["match"]
    assert server.get(f"/matches/{again}").json()["moves"] == []
    assert server.get(f"/matches/{server.create()['match']}").json()["show_moves"] is True


def test_every_game_has_the_paths_of_all_its_moves(server: Running) -> None:
    for told, game in zip(server.get("/games").json(), all_games().values(), strict=True):
        assert told["paths"] == [list(path) for path in game.paths]


def test_events_are_listed_from_an_index_on(server: Running) -> None:
    match = server.create()
    for version, move in enumerate("15"):
        server.move(match["match"], match["seats"]["12"[version]], version, move)
    events = server.get(f"/matches/{match['match']}/events").json()["events"]
    assert [(event["index"], event["event"], event["seat"]) for event in events] == [(0, "moved", 1), (1, "moved", 2)]
    assert server.get(f"/matches/{match['match']}/events?after=0").json()["events"] == events[1:]


def test_the_computer_moves(server: Running) -> None:
    match = server.create("classic", "human", "perfect")
    client, _ = server.welcome(match["match"], match["seats"]["1"])
    with client:
        server.move(match["match"], match["seats"]["1"], 0, "5")
        while client.receive_events()["view"]["version"] < 2:
            pass


def test_the_report_is_available_when_the_match_has_ended(server: Running) -> None:
    match = server.create("agents")
    path, (ann, ben) = f"/matches/{match['match']}", match["seats"].values()
    server.move(match["match"], ben, 0, "[1,1]")
    assert server.move(match["match"], ann, 1, "[1,1]").json()["reason"] == "taken"
    going = server.get(f"{path}/report")
    assert (going.status_code, going.json()["reason"]) == (409, "not_ended")
    server.post(f"{path}/actions", {"request": "r", "action": {"kind": "resign"}}, ann)
    told = server.get(f"{path}/report").json()
    assert [(one["side"], one["points"], one["illegal_moves"]) for one in told["agents"]] == [("X", 0, 1), ("O", 1, 0)]
    assert told["judged_by"] == ["exact values"]


def test_the_report_on_a_private_match_needs_its_secret(server: Running) -> None:
    match = server.create("agents", private=True)
    path, (ann, _) = f"/matches/{match['match']}", match["seats"].values()
    server.post(f"{path}/actions", {"request": "r", "action": {"kind": "resign"}}, ann)
    assert server.get(f"{path}/report").status_code == 404
    assert server.get(f"{path}/report", match["watch"]).status_code == 200


def test_open_matches_are_listed_and_joined_without_an_invitation(server: Running) -> None:
    _, match = (server.create("squared", "human", "open")["match"] for _ in range(2))
    listed = server.get("/matches?state=open").json()["matches"]
    assert match in [one["id"] for one in listed]
    newest = server.get("/matches?state=open&limit=1").json()
    others = server.get(f"/matches?state=open&before={newest['next']}").json()
    assert newest["matches"] + others["matches"] == listed
    assert server.get("/matches?state=open&before=yesterday").status_code == 422
    assert server.post(f"/matches/{match}/join", {"name": "Bo"}).json()["seat"] == 2
    assert match in server.get("/matches?state=live").text


@pytest.mark.parametrize(
    "header", ["Basic abc", "Bearer", "Bearer x y", "Bearer \xe9" + "a" * 20, "bearer " + "a" * 65]
)
def test_a_malformed_token_is_401(server: Running, header: str) -> None:
    path = f"{API}/matches/{server.create()['match']}"
    answer = server.http.get(path, headers={b"authorization": header.encode("latin-1")})
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")


def test_a_token_in_the_query_opens_nothing(server: Running) -> None:
    match = server.create(private=True)
    assert server.get(f"/matches/{match['match']}?token={match['seats']['1']}").status_code == 404
    assert server.http.get(f"{API}/matches/{match['match']}", headers=bearer(match["watch"])).status_code == 200


def test_the_health_check_answers(server: Running) -> None:
    health = server.http.get("/healthz").json()
    assert (health["status"], health["last_commit_seconds"] >= 0) == ("ok", True)
    assert (server.http.head("/healthz").status_code, server.http.head("/healthz").content) == (200, b"")


def test_a_server_without_its_database_is_not_healthy(tmp_path: Path) -> None:
    with running(tmp_path) as server, contextlib.closing(sqlite3.connect(tmp_path / FILE)) as database:
        for before, after, status in (("", "_away", 503), ("_away", "", 201)):
            for table in ("meta", "matches"):
                database.execute(f"ALTER TABLE {table}{before} RENAME TO {table}{after}")
            seats = [{"player": "human"}, {"player": "open"}]
            assert server.post("/matches", {"game": "classic", "seats": seats}).status_code == status
            health = server.http.get("/healthz")
            assert (health.status_code, health.json().get("reason")) == ((200, None), (503, "come_back"))[status == 503]
            assert health.json()["last_commit_seconds"] >= 0
            assert server.http.head("/healthz").status_code == health.status_code


# Review


def test_a_record_is_shown_position_by_position(server: Running) -> None:
    answer = server.post("/records", {"text": '[Game "classic"]\n[X "Ann"]\n\n1. 1 4 2. 2 5 3. 3 1-0\n'}).json()
    assert (answer["game"], answer["title"], answer["result"]["winner"]) == ("classic", "Tic-Tac-Toe", "X")
    assert answer["setup"]["seats"][0] == {"side": "X", "name": "Ann", "player": "human"}
    told = [(one["move"], one["side"], one["turn"]) for one in answer["positions"]]
    assert told == [
        (None, None, "X"),
        ("1", "X", "O"),
        ("4", "O", "X"),
        ("2", "X", "O"),
        ("5", "O", "X"),
        ("3", "X", None),
    ]
    assert answer["positions"][1]["board"]["last"] == [0]
    assert answer["positions"][-1]["board"]["lines"] == [[0, 1, 2]]
    assert read_record(answer["record"]).result


def test_a_log_of_a_match_here_can_be_reviewed(server: Running) -> None:
    match = server.create("squared")
    server.move(match["match"], match["seats"]["1"], 0, "55")
    answer = server.post("/records", {"text": server.get(f"/matches/{match['match']}/log").text}).json()
    assert answer["result"] is None
    assert [len(one["board"]["cells"]) for one in answer["positions"]] == [81, 81]
    assert answer["positions"][1]["board"]["open"] == [4]


@pytest.mark.parametrize("text", ["x", "[", "{}", '[Game "chess"]\n\n*\n', '[Game "classic"]\n\n1. 5 5 *\n'])
def test_a_file_that_is_not_a_match_is_refused(server: Running, text: str) -> None:
    answer = server.post("/records", {"text": text})
    assert (answer.status_code, answer.json()["reason"]) == (422, "broken_file")


def test_a_small_game_is_analysed_exactly(server: Running) -> None:
    answer = server.post("/analysis", {"game": "classic", "position": "XX./OO./... X"}).json()
    assert (answer["exact"], answer["turn"], answer["score"], answer["depth"]) == (True, "X", 1, None)
    best = answer["moves"][0]
    assert best == {"text": "3", "path": [2], "value": "win", "score": 1, "proven": True, "plies": 1, "line": ["3"]}
    assert [len(move["line"]) for move in answer["moves"]] == [1, 5, 2, 2, 2]
    assert [move["value"] for move in answer["moves"]] == ["win", "draw", "loss", "loss", "loss"]


def test_a_line_that_may_be_claimed_wins_at_once_and_otherwise_with_the_last_cell(server: Running) -> None:
    body = {"game": "classic", "position": "XX./OO./... X line_ends=no"}
    found = [server.post("/analysis", body | {"claims": claims}).json()["moves"][0] for claims in (True, False)]
    assert [(best["value"], best["plies"]) for best in found] == [("win", 1), ("win", 5)]


def test_a_big_game_is_analysed_by_search(server: Running) -> None:
    start = server.get(f"/matches/{server.create('squared')['match']}").json()["position"]
    answer = server.post("/analysis", {"game": "squared", "position": start, "millis": 50}).json()
    assert (answer["exact"], answer["turn"], len(answer["moves"])) == (False, "X", 81)
    assert all(-1 <= move["score"] <= 1 for move in answer["moves"])
    assert answer["score"] == max(move["score"] for move in answer["moves"])


def test_the_score_is_for_x_whoever_is_to_move(server: Running) -> None:
    answer = server.post("/analysis", {"game": "classic", "position": "OO./XX./X.. O"}).json()
    assert (answer["moves"][0]["score"], answer["score"]) == (1, -1)
    ended = server.post("/analysis", {"game": "classic", "position": "XXX/OO./... O"}).json()
    assert (ended["turn"], ended["moves"], ended["score"]) == (None, [], 1)


@pytest.mark.parametrize(
    ("status", "change"),
    [
        (422, {"game": "chess"}), (422, {"position": "nonsense"}), (422, {"millis": 9}), (422, {"millis": 1001}),
        (422, {"millis": 50.0}), (409, {"position": "XXX/XXX/XXX X"}),
    ],
)  # fmt: skip
def test_what_cannot_be_analysed_is_refused(server: Running, status: int, change: dict[str, object]) -> None:
    body = {"game": "classic", "position": "X../.O./... X"} | change
    assert server.post("/analysis", body).status_code == status


def test_without_the_native_core_a_big_game_is_estimated() -> None:
    found = review.analysis("squared", str(all_games()["squared"].begin()), 50, use_engine=False)
    assert (found["exact"], found["depth"], len(found["moves"])) == (False, None, 81)
    assert all(-1 <= move["score"] <= 1 for move in found["moves"])


def test_analyses_beyond_the_limit_are_refused() -> None:
    finish = threading.Event()

    async def crowd() -> list[object]:
        threads = review.ReviewThreads(running=1, waiting=1)
        accepted = [asyncio.create_task(threads.run(finish.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        refused = await asyncio.gather(*(threads.run(finish.wait) for _ in range(2)), return_exceptions=True)
        finish.set()
        try:
            return [*await asyncio.gather(*accepted), *refused]
        finally:
            threads.close()

    results = asyncio.run(crowd())
    assert results[:2] == [True, True]
    assert [one.reason for one in results[2:] if isinstance(one, Refusal)] == ["busy", "busy"]


def test_one_address_cannot_have_all_analyses_computed_for_itself() -> None:
    finish = threading.Event()

    async def ask(threads: review.ReviewThreads, address: str) -> object:
        REQUESTER.set(address)
        return await threads.run(finish.wait)

    async def crowd() -> list[object]:
        threads = review.ReviewThreads(running=1, waiting=11)
        asked = [asyncio.create_task(ask(threads, address)) for address in ("10.0.0.1",) * 12 + ("10.0.0.2",)]
        await asyncio.sleep(0)
        finish.set()
        try:
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            threads.close()

    results = asyncio.run(crowd())
    assert results[:3] + results[12:] == [True] * 4
    assert [one.reason for one in results[3:12] if isinstance(one, Refusal)] == ["busy"] * 9


def test_the_openapi_document_is_served_with_problems_under_their_media_type(server: Running) -> None:
    document = server.http.get(API + "/openapi.json").json()
    statuses = {
        status: list(response["content"])
        for path in document["paths"].values()
        for operation in path.values()
        for status, response in operation["responses"].items()
        if status >= "400"
    }
    assert statuses
    assert all(content == ["application/problem+json"] for content in statuses.values())
    assert "ValidationError" not in json.dumps(document)
