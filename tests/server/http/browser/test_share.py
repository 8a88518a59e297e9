"""The page of a finished game, as the players and those to whom they send the link see it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from playwright.sync_api import expect

from ninefold.games import find_game
from tests.support.browser_person import NewPerson, violations
from tests.support.browser_scenes import shared
from tests.support.browser_screenshots import WIDTHS
from tests.support.http_server import Running

CLASSIC = find_game("classic")


@contextmanager
def serving(body: str) -> Iterator[str]:
    """Another site with one page; its address."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<link rel="icon" href="data:,">{body}'.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as site:
        thread = Thread(target=site.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{site.server_port}/"
        finally:
            site.shutdown()
            thread.join()


def test_a_private_game_is_shared_at_a_move_with_its_files_and_in_a_frame(new_person: NewPerson) -> None:
    ann, ben = new_person(), new_person()
    ann.start(CLASSIC, "here")
    for cell in (0, 3, 1, 4, 2):
        ann.press(cell)
    ann.button("Share this game").click()
    ann.page.wait_for_url("**/g/*")
    expect(ann.status).to_have_text("Move 5 of 5: X played top-right.")
    ann.button("One move back").click()
    ann.page.wait_for_url("**/g/*?move=4")
    ben.page.goto(ann.page.get_by_label("Link to this position").input_value())
    expect(ben.status).to_have_text("Move 4 of 5: O played centre.")
    expect(ben.moves.get_by_role("button").nth(3)).to_have_attribute("aria-current", "step")
    expect(ben.page.locator("#history [aria-current]")).to_have_count(1)
    for name in ("Picture (PNG)", "Animation (GIF)", "Record", "Log"):
        path = ben.page.get_by_role("link", name=name).get_attribute("href")
        assert path
        assert ben.page.request.get(path).status == 200
    assert violations(ben) == ""
    code = ben.page.get_by_label("Board for another page").input_value()
    with serving(code) as address:
        ben.page.goto(address)
        frame = ben.page.frame_locator("iframe")
        expect(frame.locator("#status")).to_have_text("Move 4 of 5: O played centre.")
        frame.get_by_role("button", name="One move forward").click()
        expect(frame.locator("#status")).to_have_text("Move 5 of 5: X played top-right.")
        expect(frame.get_by_role("link", name="Open this game")).to_be_visible()


def test_the_list_of_moves_is_scrolled_to_the_move_that_is_shown(new_person: NewPerson, server: Running) -> None:
    ann = new_person(viewport=WIDTHS["desktop"])
    shared(ann, server)
    moves = ann.page.locator("#history")
    item, frame = moves.locator("[aria-current]").bounding_box(), moves.bounding_box()
    assert item
    assert frame
    assert moves.evaluate("list => list.scrollHeight > list.clientHeight")
    assert frame["y"] <= item["y"]
    assert item["y"] + item["height"] <= frame["y"] + frame["height"] + 1
