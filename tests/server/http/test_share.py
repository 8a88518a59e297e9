"""The pages of finished games: previews, pictures, files, and the board in a frame of another site."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from ninefold.match.log import read_log
from ninefold.match.record import read_record
from tests.support.http_server import Running, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("share")) as server:
        yield server


def resigned(server: Running, **more: Any) -> dict[str, Any]:
    """A match that has ended after one move and a message."""
    created = server.create("classic", **more)
    match, (one, two) = created["match"], created["seats"].values()
    server.move(match, one, 0, "5")
    for number, action in enumerate(({"kind": "say", "text": "a secret"}, {"kind": "resign"})):
        server.post(f"/matches/{match}/actions", {"request": f"end-{number}", "action": action}, two)
    return created


def page_of(server: Running, created: dict[str, Any]) -> str:
    response = server.get(f"/matches/{created['match']}/share", created["seats"]["1"])
    assert response.status_code == 200, response.text
    return str(response.json()["page"])


def test_the_preview_names_the_computer(server: Running) -> None:
    created = server.create("classic", "human", "easy")
    action = {"request": "end", "action": {"kind": "resign"}}
    assert server.post(f"/matches/{created['match']}/actions", action, created["seats"]["1"]).status_code == 200
    found = re.search(
        r'<meta property="og:description" content="([^"]*)"', server.http.get(page_of(server, created)).text
    )
    assert found
    assert found[1].startswith("X: Player 1 - O: Computer (easy).")


def test_the_preview_tells_the_result_without_the_numbers_of_cells(server: Running) -> None:
    created = server.create()
    for version, cell in enumerate((0, 3, 1, 4, 2)):
        token = created["seats"]["1" if version % 2 == 0 else "2"]
        assert server.move(created["match"], token, version, [cell]).status_code == 200
    html = server.http.get(page_of(server, created)).text
    found = re.search(r'<meta property="og:description" content="([^"]*)"', html)
    assert found
    assert found[1] == "X: Player 1 - O: Player 2. X wins: three in a row."


def test_the_page_has_a_preview_at_the_move_of_the_link(server: Running) -> None:
    page = page_of(server, resigned(server))
    response = server.http.get(f"{page}?move=0")
    assert response.status_code == 200
    found = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', response.text))
    assert found["title"] == "Tic-Tac-Toe"
    assert found["description"].startswith("X: Player 1 - O: Player 2.")
    assert found["url"] == f"http://127.0.0.1:{server.port}{page}?move=0"
    picture = server.http.get(found["image"])
    image = Image.open(io.BytesIO(picture.content))
    assert (picture.headers["content-type"], image.size) == ("image/png", (1200, 630))
    last = Image.open(io.BytesIO(server.http.get(f"{page}/board.png").content))
    board = (0, 0, 590, 630)  # the words are beside it
    assert image.crop(board).tobytes() != last.crop(board).tobytes()
    assert "{" not in response.text
    assert "frame-ancestors 'none'" in response.headers["content-security-policy"]


def test_only_the_board_alone_may_be_shown_in_a_frame(server: Running) -> None:
    response = server.http.get(f"{page_of(server, resigned(server))}/embed")
    assert "frame-ancestors *" in response.headers["content-security-policy"]
    assert '<body class="embed">' in response.text


def test_the_game_comes_as_animation_record_log_and_positions(server: Running) -> None:
    page = page_of(server, resigned(server))
    assert getattr(Image.open(io.BytesIO(server.http.get(f"{page}/game.gif").content)), "n_frames", 1) == 2
    record, log = server.http.get(f"{page}/record"), server.http.get(f"{page}/log")
    assert record.headers["content-disposition"].startswith('attachment; filename="classic-')
    assert read_record(record.text).state.moves == read_log(log.text).state.moves == (4,)
    assert "a secret" in log.text
    assert [one["move"] for one in server.http.get(f"{page}/positions").json()["positions"]] == [None, "5"]


def test_a_private_game_is_shared_by_a_secret_link_and_without_what_was_said(server: Running) -> None:
    created = resigned(server, private=True)
    page = page_of(server, created)
    assert server.http.get(page).status_code == 200
    for part in ("log", "record"):
        assert "a secret" not in server.http.get(f"{page}/{part}").text
    assert server.http.get(f"/g/{created['match']}").status_code == 404
    assert server.http.get(page[:-1] + ("A" if page[-1] != "A" else "B")).status_code == 404
    assert server.get(f"/matches/{created['match']}/share").status_code == 404


def test_a_game_that_goes_on_or_does_not_exist_has_no_page(server: Running) -> None:
    created = server.create("classic")
    assert server.get(f"/matches/{created['match']}/share").json()["reason"] == "not_ended"
    browser = {"Accept": "text/html"}
    going_on = server.http.get(f"/g/{created['match']}", headers=browser)
    assert (going_on.status_code, "The game has not ended." in going_on.text) == (409, True)
    for key in ("nothing", "%20", "a-b"):
        assert server.http.get(f"/g/{key}", headers=browser).status_code == 404


def test_a_damaged_link_is_told_to_people_without_the_words_of_validation(server: Running) -> None:
    damaged = server.http.get(f"{page_of(server, resigned(server))}?move=3.5", headers={"Accept": "text/html"})
    assert damaged.status_code == 422
    assert "This link is damaged." in damaged.text
    assert "whole number" not in damaged.text
