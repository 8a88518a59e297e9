"""The engine as WebAssembly: it is made of the native core that is here, and says the same."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ninefold.analysis import engine
from ninefold.analysis.evaluation import Search
from ninefold.games import find_game
from ninefold.players.engine_levels import LEVELS
from ninefold.players.engine_levels import MEMORY as LEVEL_MEMORY
from ninefold.server.http import review
from ninefold.server.http.static_files import MANIFEST, WASM
from scripts import web_engine
from scripts.npm import PROGRAM
from tests.support.doc_pages import ROOT, blocks
from tests.support.web_engine import (
    RULE_SETS,
    answers,
    facts,
    native_search,
    random_moves,
    random_position,
    same_search,
    search_job,
)

pytestmark = pytest.mark.usefixtures("engine_in_page")
MOST_BYTES = 400_000
DEEP = pytest.param(300, marks=pytest.mark.exhaustive)


def test_the_same_sources_give_the_same_bytes_wherever_they_are(tmp_path: Path) -> None:
    native = shutil.copytree(web_engine.NATIVE, tmp_path / "native")
    web_engine.compile_engine(tmp_path / WASM, native)
    assert (tmp_path / WASM).read_bytes() == (web_engine.ENGINE / WASM).read_bytes()


def test_an_engine_of_other_sources_or_with_other_bytes_is_not_current(tmp_path: Path) -> None:
    made = shutil.copytree(web_engine.ENGINE, tmp_path / "engine")
    assert web_engine.is_current(made)
    about = json.loads((made / MANIFEST).read_text("utf-8"))
    (made / MANIFEST).write_text(json.dumps(about | {"sources": "other"}), encoding="utf-8")
    assert not web_engine.is_current(made)
    (made / MANIFEST).write_text(json.dumps(about), encoding="utf-8")
    with (made / WASM).open("ab") as file:
        file.write(b"\0")
    assert not web_engine.is_current(made)


@pytest.mark.parametrize(
    "changed", ["rules.hpp", "search/worker.hpp", "eval/accumulator.hpp", "playout/random_stream.hpp"]
)
def test_a_change_of_the_native_core_changes_what_an_engine_is_made_of(tmp_path: Path, changed: str) -> None:
    native = shutil.copytree(web_engine.NATIVE, tmp_path / "native")
    assert web_engine.manifest(native) == web_engine.manifest()
    with (native / changed).open("a", encoding="utf-8") as file:
        file.write("// changed\n")
    assert web_engine.manifest(native) != web_engine.manifest()


def test_the_engine_with_a_network_is_at_most_400_kb_compressed() -> None:
    code, *networks = [len(gzip.compress(file.read_bytes())) for file in _files()]
    assert networks
    assert code + max(networks) <= MOST_BYTES


def _files() -> list[Path]:
    return [web_engine.ENGINE / WASM, *web_engine.ENGINE.glob("*.net")]


@pytest.mark.parametrize("games", [3, DEEP])
def test_every_position_of_random_games_is_the_same_as_in_python(games: int) -> None:
    jobs, expected = [], []
    for seed in range(games):
        for id, options in RULE_SETS:
            start = find_game(id).begin(options | {"first": "XO"[seed % 2]})
            moves = random_moves(start, Random(f"{seed} {id}"))
            jobs.append({"kind": "play", "options": start.options, "moves": moves})
            positions = [start]
            for move in moves:
                positions.append(positions[-1].play(move))
            expected.append([facts(position) for position in positions])
    assert answers(jobs) == expected


@pytest.mark.parametrize("count", [3, DEEP])
def test_positions_are_read_from_their_texts_and_all_other_moves_are_refused(count: int) -> None:
    rng = Random(1)
    positions = [
        random_position(find_game(id), options, plies, rng)
        for id, options in RULE_SETS
        for plies in (rng.randrange(60) for _ in range(count))
    ]
    jobs = [{"kind": kind, "position": str(position)} for position in positions for kind in ("parse", "refused")]
    found = answers(jobs)
    assert found[::2] == [facts(position) for position in positions]
    assert found[1::2] == [[move for move in range(-1, 82) if move not in position.moves()] for position in positions]


@pytest.mark.parametrize(("count", "depth"), [(1, 4), pytest.param(25, 6, marks=pytest.mark.exhaustive)])
def test_perft_is_that_of_the_native_core(count: int, depth: int) -> None:
    rng = Random(2)
    positions = [find_game(id).begin(options) for id, options in RULE_SETS]
    positions += [random_position(find_game(id), options, 30, rng) for id, options in RULE_SETS for _ in range(count)]
    found = answers([{"kind": "perft", "position": str(position), "depth": depth} for position in positions])
    assert found == [engine.perft(position, depth) for position in positions]
    assert depth != 4 or found[:4] == [55080] * 4


@pytest.mark.parametrize(("count", "nodes"), [(2, 20_000), pytest.param(50, 1_000_000, marks=pytest.mark.exhaustive)])
def test_searches_with_the_same_limits_are_those_of_the_native_core(count: int, nodes: int) -> None:
    rng = Random(3)
    searches = [
        (random_position(find_game(id), options, rng.randrange(50), rng), learned, limits)
        for id, options in RULE_SETS
        for learned in (True, False)
        for limits in ({"nodes": nodes, "lines": 1}, {"nodes": nodes, "lines": 81}, {"depth": 6, "lines": 3})
        for _ in range(count)
    ]
    found = answers([search_job(position, learned, **limits) for position, learned, limits in searches])
    for (position, learned, limits), search in zip(searches, found, strict=True):
        assert same_search(search, native_search(position, learned, **limits)), (str(position), learned, limits)


def test_a_search_stops_when_it_is_told_to_or_its_time_is_over() -> None:
    start = str(find_game("ultimate").begin())
    jobs: list[dict[str, Any]] = [
        {"kind": "stop", "position": start},
        {"kind": "seconds", "position": start, "seconds": 0.2},
    ]
    stopped, seconds = answers(jobs)
    assert stopped["depths"][:3] == [2, 3, 4]
    assert stopped["lines"] == 81
    assert stopped["nodes"] < 20_000_000  # of a search without a limit
    assert seconds >= 0.2


def test_a_level_in_the_page_ranks_moves_as_the_level_of_a_player() -> None:
    rng = Random(5)
    asked = [
        (random_position(find_game(id), options, rng.randrange(40), rng), level)
        for id, options in RULE_SETS
        for level in ("easy", "medium", "hard")
    ]
    found = answers([{"kind": "choose", "position": str(position), "level": level} for position, level in asked])
    for (position, level), move in zip(asked, found, strict=True):
        nodes, lines, _ = LEVELS[level]
        info = engine.Engine(LEVEL_MEMORY).search(position, nodes=nodes, lines=lines)
        assert move == max((line.score, line.move) for line in info.lines)[1]


def test_an_analysis_in_the_page_reads_as_one_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"nodes": 50_000, "lines": 81}
    # The server limits a search by time, which is never the same twice.
    monkeypatch.setattr(review, "Search", lambda *_, **given: Search(nodes=50_000, **given))
    rng = Random(4)
    positions = [
        random_position(find_game(id), options, plies, rng) for id, options in RULE_SETS for plies in (0, 20, 40, 55)
    ]
    ended = find_game("ultimate").begin()
    for move in random_moves(ended, rng):
        ended = ended.play(move)
    jobs = [
        {"kind": "analysis", "position": str(position), "learned": True, "memory": 2**24, "limits": limits}
        for position in (*positions, ended)
    ]
    found = answers(jobs)
    assert found == [review.analysis("squared", str(position), 100) for position in (*positions, ended)]
    assert {analysis["exact"] for analysis in found} == {True, False}


def test_the_example_of_the_page_about_the_engine_runs(tmp_path: Path) -> None:
    (example,) = blocks("js engine", ROOT / "docs" / "engine.md")
    *before, search, _ = example.text.split("\n")
    core = (web_engine.ENGINE.parent / "offline" / "core.js").as_uri()
    script = tmp_path / "example.mjs"
    script.write_text(
        f'import {{ readFileSync }} from "node:fs";\nimport {{ loadCore }} from "{core}";\n'
        + "\n".join([*before, f"console.log(JSON.stringify({search.partition(';')[0]}));"])
    )
    printed = subprocess.check_output([PROGRAM, script], text=True, cwd=web_engine.ENGINE)
    promised = re.search(r"// \{ (.*) \}", search)
    assert promised
    assert list(json.loads(printed)) == promised[1].split(", ")
