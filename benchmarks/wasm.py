"""The engine as WebAssembly beside the native core: nodes a second in Node and in Chromium, its size, and the time from
a click to the first evaluation.

python -m benchmarks.wasm [--rounds 5] [--nodes 100000]

Each round searches the same positions in all three, one after the other; of each position the fastest search counts.
The searches are short, so that one of them finishes before another program gets the core.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks.report import DOCS, machine, table
from ninefold.analysis.bench import MEMORY, bench_positions
from ninefold.analysis.engine import Engine
from ninefold.core.position import Position
from ninefold.games import find_game
from ninefold.server.http.static_files import BUNDLE, HASHED, STATIC, WASM
from scripts import npm, web_engine
from scripts.chromium import BROWSERS, MISSING, find, launch
from tests.support.browser_person import Person
from tests.support.http_server import Running, running

LEAST_RATIO, MOST_KB = 0.25, 400
TIMES = 10  # that a position is searched in a round
PLACES = ("native", "Node", "Chromium")
EVALUATIONS = {"network": True, "hand-crafted": False}
# Searches each position some times, and returns the nodes and seconds of the fastest searches. Node and Chromium run
# the same text.
SEARCH = """async ({ core, engine, texts, nodes, memory, learned, times }) => {
    const { loadCore } = await import(core);
    const { ruleSetName } = await import(new URL("network-file.js", core));
    const loaded = await loadCore(fetch(engine + "ninefold.wasm"));
    const found = [];
    for (const text of texts) {
        const position = loaded.parse(text), file = `${engine}${ruleSetName(position.options)}.net`;
        if (learned && !loaded.hasNetwork(position.options)) loaded.setNetwork(await (await fetch(file)).arrayBuffer());
        let best = null;
        for (let time = 0; time < times; time++) {
            loaded.clear(memory);
            const { nodes: searched, seconds } = loaded.search(position, { nodes, lines: 1 });
            if (!best || seconds < best[1]) best = [searched, seconds];
        }
        found.push(best);
    }
    return found;
}"""
# From the event of a click on the button until the hint is in the page.
CLICK = """() => { globalThis.hinted = new Promise((resolve) => {
    let began = 0;
    const watch = new MutationObserver(() => {
        if (!began || !document.querySelector("#board .value.best")) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
    });
    watch.observe(document.body, { attributes: true, childList: true, subtree: true });
    document.addEventListener("click", (event) => (began = event.timeStamp), { capture: true, once: true });
}); }"""

# Milliseconds of an evaluation of hardly any nodes, right after a long search was stopped: another worker has to start.
STOP = """async () => {
    const { pageEngine } = await import((await fetch("/static/offline/page-engine.js")).url);
    const defaults = { first: "X", drawn: "nobody", tie_break: "none" }, stop = new AbortController();
    const request = { position: ".".repeat(81) + " X *", defaults, lines: 1 };
    const stopped = pageEngine().analyze({ ...request, millis: 60_000 }, stop.signal).catch(() => {});
    await new Promise((done) => setTimeout(done, 1000));
    stop.abort();
    const began = performance.now();
    await stopped;
    await pageEngine().analyze({ ...request, millis: 1 });
    return performance.now() - began;
}"""


class Search(NamedTuple):
    """The nodes and the seconds of a search."""

    nodes: int
    seconds: float


class Found(NamedTuple):
    """What was measured: rounds of searches by evaluation and place, milliseconds to the first and second hint of a
    visit and to an evaluation after a search was stopped, compressed bytes by file."""

    chromium: str
    rounds: dict[tuple[str, str], list[list[Search]]]
    hints: list[tuple[float, float]]
    stops: list[float]
    sizes: dict[str, int]


def native_searches(positions: Sequence[Position], nodes: int, learned: bool) -> list[Search]:
    engine = Engine(MEMORY, learned=learned)

    def fastest_search(position: Position) -> Search:
        found = []
        for _ in range(TIMES):
            engine.clear()
            info = engine.search(position, nodes=nodes)
            found.append(Search(info.nodes, info.cpu_seconds))  # its thread may have to wait for a core
        return min(found, key=lambda search: search.seconds)

    return [fastest_search(position) for position in positions]


def node_searches(job: dict[str, Any]) -> list[Search]:
    core = (STATIC / "offline" / "core.js").as_uri()
    script = f"console.log(JSON.stringify(await ({SEARCH})({json.dumps(job | {'core': core})})))"
    command = [str(npm.PROGRAM), "--input-type=module", "-e", script]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [Search(*search) for search in json.loads(done.stdout)]


def chromium_searches(page: Page, job: dict[str, Any]) -> list[Search]:
    core = page.evaluate("fetch('/static/offline/core.js').then(({ url }) => url)")
    return [Search(*search) for search in page.evaluate(SEARCH, job | {"core": core})]


def hint_times(browser: Browser, server: Running) -> tuple[float, float]:
    """Milliseconds from a click to a hint, in a new browser and then again."""
    with browser.new_context(base_url=f"http://127.0.0.1:{server.port}") as context:
        person = Person(context)
        person.start(find_game("ultimate"), "computer", side="X")
        return _hint_time(person), _hint_time(person)


def _hint_time(person: Person) -> float:
    """The time of a hint in a position that has none yet."""
    if person.board.locator(".value.best").count():
        person.board.locator("button.playable").first.click()
        expect(person.board.locator(".value.best")).to_have_count(0)
        expect(person.status).to_contain_text("Your turn")
    person.page.evaluate(CLICK)
    person.button("Hint").click()
    return float(person.page.evaluate("hinted"))


def sizes() -> dict[str, int]:
    """Bytes as the server sends them."""
    worker = next((BUNDLE / HASHED).glob("engine-worker-*.js"))
    files = {"engine": web_engine.ENGINE / WASM, "worker script": worker}
    files |= {f"network of {file.stem}": file for file in sorted(web_engine.ENGINE.glob("*.net"))}
    return {name: len(gzip.compress(file.read_bytes(), mtime=0)) for name, file in files.items()}


def measure(rounds: int, nodes: int) -> Found:
    path = find(BROWSERS) or find() or sys.exit(MISSING)
    positions = [bench.position() for bench in bench_positions()]
    with ExitStack() as stack:
        browser = launch(stack.enter_context(sync_playwright()), path)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(running(folder / "bundle"))
        plain = stack.enter_context(running(folder / "plain", plain_modules=True))
        page = browser.new_page(base_url=f"http://127.0.0.1:{plain.port}")
        page.goto("/")
        found = Found(browser.version, {}, [], [], sizes())
        engine = f"http://127.0.0.1:{plain.port}/static/engine/"
        for number in range(rounds):
            print(f"round {number + 1} of {rounds} ...", file=sys.stderr, flush=True)
            for name, learned in EVALUATIONS.items():
                job = {"engine": engine, "nodes": nodes, "memory": MEMORY, "learned": learned, "times": TIMES}
                job["texts"] = list(map(str, positions))
                searches = (
                    native_searches(positions, nodes, learned),
                    node_searches(job),
                    chromium_searches(page, job),
                )
                for place, round in zip(PLACES, searches, strict=True):
                    found.rounds.setdefault((name, place), []).append(round)
            found.hints.append(hint_times(browser, server))
            found.stops.append(page.evaluate(STOP))
        browser.close()
    return found


def fastest(found: Found, evaluation: str, place: str) -> float:
    """Nodes a second, of the fastest search of each position."""
    rounds = zip(*found.rounds[evaluation, place], strict=True)
    best: list[Search] = [min(searches, key=lambda search: search.seconds) for searches in rounds]
    return sum(search.nodes for search in best) / sum(search.seconds for search in best)


def ratio(found: Found, evaluation: str, place: str) -> float:
    return fastest(found, evaluation, place) / fastest(found, evaluation, "native")


def compressed(found: Found) -> int:
    """The engine with its largest network."""
    networks = [size for name, size in found.sizes.items() if name.startswith("network")]
    return found.sizes["engine"] + max(networks)


def broken(found: Found) -> list[str]:
    """A sentence for every promise that is broken."""
    sentences = [
        f"Not as promised: {place} has {ratio(found, evaluation, place):.2f} of the native nodes a second with the "
        f"{evaluation} evaluation, and not at least {LEAST_RATIO}."
        for evaluation in EVALUATIONS
        for place in PLACES[1:]
        if ratio(found, evaluation, place) < LEAST_RATIO
    ]
    if compressed(found) > MOST_KB * 1000:
        sentences.append(
            f"Not as promised: the engine takes {compressed(found):,} bytes, and not at most {MOST_KB} KB."
        )
    for evaluation in EVALUATIONS:
        rounds = [round for place in PLACES for round in found.rounds[evaluation, place]]
        if len({tuple(search.nodes for search in round) for round in rounds}) != 1:
            sentences.append(f"Not as promised: the nodes of the {evaluation} evaluation are not the same everywhere.")
    return sentences


def text(found: Found, rounds: int, nodes: int) -> str:
    about = (
        "Written by `make bench-wasm`. The positions of `ninefold engine bench` are searched with one thread, to\n"
        f"{nodes:,} nodes each: by the native core, and by the same core as WebAssembly in Node and in Chromium, in\n"
        f"turn. Of {TIMES * rounds} searches of each position the fastest counts: the native one by the time of the\n"
        "processor, the others, which cannot ask for that, by the wall clock; they are short, so that one of them\n"
        "finishes before another program gets the core. All of them search the same nodes. If WebAssembly has less\n"
        f"than a quarter of the native speed, or the engine with a network takes more than {MOST_KB} KB, the command\n"
        "says so and exits with 1."
    )
    facts = [*machine(), ("Chromium", found.chromium)]
    speeds = [
        (name, *(f"{fastest(found, name, place):,.0f}" for place in PLACES),
         *(f"{ratio(found, name, place):.2f}" for place in PLACES[1:]))
        for name in EVALUATIONS
    ]  # fmt: skip
    shown = [*found.sizes.items(), ("the engine with its largest network", compressed(found))]
    after_stop = f"{median(found.stops):.0f} ms"
    first, again = (f"{median(times):.0f} ms" for times in zip(*found.hints, strict=True))
    about_hints = (
        "From the click on *Hint* in a match of ultimate, in Chromium, until the frame that shows the best move; the\n"
        "medians. The engine thinks for 300 ms of it. The first time, the page loads the engine and its network from\n"
        "a server on the same machine, and makes the tables of the network. A search is stopped by ending its worker;\n"
        "the last row is the time until another one has evaluated a position."
    )
    return "\n\n".join(
        [
            "# How fast the engine in the page is",
            about,
            table(("machine", ""), facts),
            "## Nodes a second",
            table(("evaluation", *PLACES, "Node / native", "Chromium / native"), speeds),
            "## Bytes, compressed",
            table(("file", "bytes"), [(name, f"{size:,}") for name, size in shown]),
            "## From a click to the first evaluation",
            about_hints,
            table(("hint", "time"), [("the first time", first), ("again", again), ("after a stop", after_stop)]) + "\n",
        ]
    )


def main(
    arguments: Sequence[str] | None = None, folder: Path = DOCS, measure: Callable[[int, int], Found] = measure
) -> int:
    """1 where a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is measured")
    parser.add_argument("--nodes", type=int, default=100_000, help="that are searched in each position")
    given = parser.parse_args(arguments)
    found = measure(given.rounds, given.nodes)
    page = text(found, given.rounds, given.nodes)
    (folder / "engine-in-page.md").write_text(page, encoding="utf-8")
    print(page)
    print(f"Written to {folder.name}/engine-in-page.md.", file=sys.stderr)
    sentences = broken(found)
    for sentence in sentences:
        print(sentence, file=sys.stderr)
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
