"""What a browser asks for before it shows a page's board, and when the board is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from playwright.sync_api import Page

from tests.support.browser_scenes import play_match
from tests.support.http_server import Running

# Marks the moment at which the first cell of the board can be seen.
_MARK = """new MutationObserver((changes, observer) => {
    if (!document.querySelector("#board [data-cell]")?.checkVisibility()) return;
    performance.mark("board");
    observer.disconnect();
}).observe(document, { childList: true, subtree: true, attributes: true })"""
# A resource is listed when it is complete: some were asked for earlier, and are listed after the board is there.
_FOUND = """() => new Promise((resolve) => {
    const look = () => {
        const [mark] = performance.getEntriesByName("board");
        if (!mark || document.readyState !== "complete") return setTimeout(look, 20);
        const entries = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type));
        const before = entries.filter(({ startTime }) => startTime <= mark.startTime);
        resolve({ ms: mark.startTime, asked: before.map(({ name, transferSize }) => [name, transferSize]) });
    };
    look();
})"""


class FirstBoard(NamedTuple):
    """``asked`` are addresses with the bytes that came for them: none for what the cache had."""

    ms: float
    asked: list[tuple[str, int]]

    @property
    def requests(self) -> list[str]:
        return [address for address, size in self.asked if size]

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.asked)


def first_board(page: Page, path: str) -> FirstBoard:
    """Open a page, and wait for its board."""
    page.add_init_script(_MARK)
    page.goto(path)
    found = page.evaluate(_FOUND)
    return FirstBoard(found["ms"], [(name, size) for name, size in found["asked"]])


# The path of every page with a board, for somebody who has never been there.
BOARD_PAGES: dict[str, Callable[[Running], str]] = {
    "first page": lambda _: "/",
    "match": lambda server: f"/m/{play_match(server, 'ultimate', 20).match}",
    "review": lambda server: f"/review?match={play_match(server, 'ultimate').match}",
    "puzzle": lambda _: "/puzzle",
    "lesson": lambda _: "/learn",
    "shared game": lambda server: f"/g/{play_match(server, 'ultimate').match}",
}
