"""The browser client in Chromium: what a page asks for before its board is there, and when; from a click to the mark.

python -m benchmarks.browser [--rounds 7]

The bundle of `make web` and the plain modules are served in turn, to browsers that have never been there.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.report import DOCS, machine, table
from scripts.chromium import BROWSERS, MISSING, find, launch
from tests.support.browser_person import TIMEOUT
from tests.support.first_board import BOARD_PAGES, FirstBoard, first_board
from tests.support.http_server import Running, running

KINDS = {"bundle": False, "plain modules": True}
MOST_REQUESTS, MOST_KB = 12, 120
PHONE = {"latency": 100, "downloadThroughput": 200_000, "uploadThroughput": 100_000}  # milliseconds, bytes a second
# From the event of a click until a frame shows the mark, and until the server has confirmed the move.
CLICK = """(cell) => { globalThis.clicked = new Promise((resolve) => {
    const board = document.querySelector("#board"), found = {};
    const shown = () => board.querySelector(`[data-cell="${cell}"]`);
    board.addEventListener("click", (event) => (found.began = event.timeStamp), { capture: true, once: true });
    const look = () => {
        if (found.began === undefined || !shown()?.dataset.mark) return;
        if (!found.asked) requestAnimationFrame(() => setTimeout(() => (found.mark = performance.now() - found.began)));
        found.asked = true;
        if (shown().classList.contains("pending")) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve([found.mark, performance.now() - found.began])));
    };
    const observer = new MutationObserver(look);
    observer.observe(board, { attributes: true, childList: true, subtree: true });
}); }"""


class Visit(NamedTuple):
    """A page at the first visit, at the second, and at the first one over the network of a phone."""

    cold: FirstBoard
    warm: FirstBoard
    phone: FirstBoard


class Click(NamedTuple):
    """Milliseconds until the mark is seen, and until the server has confirmed the move."""

    mark: float
    confirmed: float


class Found(NamedTuple):
    """What was measured in a version of Chromium, by kind of client and page; and clicks by kind and place."""

    chromium: str
    visits: dict[tuple[str, str], list[Visit]]
    clicks: dict[tuple[str, str], list[Click]]


@contextmanager
def new_page(browser: Browser, server: Running) -> Iterator[Page]:
    """A page of somebody who has never been there."""
    with browser.new_context(base_url=f"http://127.0.0.1:{server.port}") as context:
        context.set_default_timeout(TIMEOUT)
        yield context.new_page()


def visit(browser: Browser, server: Running, path: str) -> Visit:
    with new_page(browser, server) as page:
        cold, warm = first_board(page, path), first_board(page, path)
    with new_page(browser, server) as page:
        page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", {"offline": False, **PHONE})
        return Visit(cold, warm, first_board(page, path))


def click(page: Page) -> Click:
    """Press a cell, once one can be pressed."""
    cell = page.locator("#board button.playable").first.get_attribute("data-cell")
    page.evaluate(CLICK, cell)
    page.locator(f'#board [data-cell="{cell}"]').click()
    return Click(*page.evaluate("clicked"))


def measure(rounds: int) -> Found:
    path = find(BROWSERS) or find() or sys.exit(MISSING)  # that with windows, as people have it
    with ExitStack() as stack:
        browser = launch(stack.enter_context(sync_playwright()), path)
        found = Found(browser.version, {}, {})
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = {
            kind: stack.enter_context(running(folder / kind, plain_modules=plain)) for kind, plain in KINDS.items()
        }
        paths = {(kind, name): path(servers[kind]) for name, path in BOARD_PAGES.items() for kind in KINDS}
        for number in range(rounds):
            print(f"round {number + 1} of {rounds} ...", file=sys.stderr, flush=True)
            for (kind, name), path in paths.items():
                found.visits.setdefault((kind, name), []).append(visit(browser, servers[kind], path))
            for kind, server in servers.items():
                with new_page(browser, server) as page:
                    first_board(page, "/")
                    for place in ("first move, on the first page", "second move, in the match"):
                        found.clicks.setdefault((kind, place), []).append(click(page))
        browser.close()
    return found


def page_row(name: str, visits: Sequence[Visit]) -> tuple[str, ...]:
    def sent(boards: Sequence[FirstBoard]) -> tuple[str, str]:
        return (
            f"{median(len(board.requests) for board in boards):.0f}",
            f"{median(board.bytes for board in boards) / 1000:.1f} KB",
        )

    cold, warm, phone = zip(*visits, strict=True)
    times = (f"{median(board.ms for board in boards):.0f} ms" for boards in (cold, warm, phone))
    return (name, *sent(cold), *sent(warm), *times)


def click_row(what: tuple[str, str], clicks: Sequence[Click]) -> tuple[str, ...]:
    return (", ".join(what), *(f"{median(times):.0f} ms" for times in zip(*clicks, strict=True)))


def broken(visits: Mapping[tuple[str, str], Sequence[Visit]]) -> list[str]:
    """A sentence for every page of the bundle that needs more than was promised."""
    return [
        f"Not as promised: {name}: {len(seen.cold.requests)} requests and {seen.cold.bytes / 1000:.1f} KB, and not at "
        f"most {MOST_REQUESTS} and {MOST_KB}."
        for (kind, name), (seen, *_) in visits.items()
        if kind == "bundle" and (len(seen.cold.requests) > MOST_REQUESTS or seen.cold.bytes > MOST_KB * 1000)
    ]


def text(found: Found, rounds: int) -> str:
    about = (
        "Written by `make bench-browser`, which runs Chromium against a server on the same machine. The first board\n"
        "is there when its first cell can be seen. Requests that were sent until then are counted, with their bytes\n"
        "as they were transferred; the socket of a match is not among them. *Again* is the second visit of the same\n"
        "browser, which has the files in its cache: they are cached for ever under names with a hash. *Phone* is a\n"
        f"first visit with {PHONE['latency']} ms of latency and {PHONE['downloadThroughput'] * 8 / 1e6:.1f} Mbit/s. "
        f"Figures are medians of {rounds}. If a page of the bundle needs\n"
        f"more than {MOST_REQUESTS} requests or {MOST_KB} KB, the command says so and exits with 1; "
        "a test fails then, too."
    )
    heads = ("page", "requests", "bytes", "again: requests", "bytes", "first board", "again", "phone")
    facts = [*machine(), ("Chromium", found.chromium), ("load average", f"{os.getloadavg()[0]:.1f}")]
    parts = ["# How fast the browser client is", about, table(("machine", ""), facts)]
    for kind, title in (("bundle", "The bundle"), ("plain modules", "Plain modules, in a checkout without a bundle")):
        rows = [page_row(name, visits) for (of, name), visits in found.visits.items() if of == kind]
        parts += [f"## {title}", table(heads, rows)]
    about_clicks = (
        "A mark is shown before the server has it. The first click creates the match too; the computer plays O.\n"
        "Both times end with the frame that shows the change."
    )
    clicks = [click_row(what, times) for what, times in sorted(found.clicks.items())]
    parts += ["## From click to mark", about_clicks, table(("click", "mark", "confirmed by the server"), clicks)]
    return "\n\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None, folder: Path = DOCS, measure: Callable[[int], Found] = measure) -> int:
    """1 where a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="how often each page is opened")
    given = parser.parse_args(arguments)
    found = measure(given.rounds)
    (folder / "browser.md").write_text(text(found, given.rounds), encoding="utf-8")
    print(f"Written to {folder.name}/browser.md.", file=sys.stderr)
    sentences = broken(found.visits)
    for sentence in sentences:
        print(sentence, file=sys.stderr)
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
