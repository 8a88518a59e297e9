"""Journals of the programme: what was played with which engine, a line a game, safe at any moment."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from benchmarks.strength.programme import SEED, MatchPlan
from ninefold import _native
from ninefold.analysis import bench as bench_module
from ninefold.analysis.bench import bench, bench_positions, signature
from ninefold.analysis.network import FOLDER as NETWORKS
from ninefold.arena.journal import Line, resume, resume_tournament
from ninefold.arena.schedule import GameResult, ScheduledGame, schedule
from ninefold.core.strict_json import read_json
from ninefold.games import find_game

FOLDER = Path(__file__).parents[1] / "results"
CACHE = Path(__file__).parents[2] / "build" / "bench" / "signatures"


def engine_signature(cache: Path = CACHE) -> str:
    """That of ``ninefold engine bench``: it changes when the search or a network changes. It is computed once for the
    files it depends on, because a short run on a busy machine should play."""
    files = [Path(_native.__file__), Path(bench_module.__file__), *sorted(NETWORKS.glob("*.net"))]
    kept = cache / sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
    if not kept.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        found = signature(one.info for one in bench(bench_positions()))
        kept.with_suffix(".new").write_text(found, encoding="utf-8")
        kept.with_suffix(".new").replace(kept)
    return kept.read_text(encoding="utf-8")


def path_of(folder: Path, name: str) -> Path:
    return folder / f"{name}.jsonl"


def read_head(path: Path) -> Line:
    """What the first line of a journal says; empty if there is none."""
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", errors="replace") as file:
        first = file.readline()
    try:
        found = read_json(first)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def engine_of(path: Path) -> str:
    """The signature of the engine that a journal was made with; empty if there is no journal."""
    facts: object = next(iter(read_head(path).values()), None)
    return str(facts.get("engine", "")) if isinstance(facts, dict) else ""


def set_aside_other(path: Path, head: Mapping[str, object]) -> None:
    """Move a journal of another engine, or of another match of this name, out of the way: they are never mixed."""
    if not path.is_file() or not path.stat().st_size or read_head(path) == head:
        return
    earlier = path.parent / "earlier"
    earlier.mkdir(exist_ok=True)
    stem, number = f"{path.stem}-{engine_of(path) or 'unknown'}", 1
    while (kept := earlier / (f"{stem}-{number}.jsonl" if number > 1 else f"{stem}.jsonl")).exists():
        number += 1
    path.rename(kept)
    print(f"{path.name} was made with another engine or another plan: it is now {kept}.", file=sys.stderr)


def match_facts(plan: MatchPlan, engine: str) -> dict[str, object]:
    return {
        "match": plan.name, "game": plan.game, "options": plan.options, "players": [plan.ours, plan.theirs],
        "openings": "suite", "seed": SEED, "adjudicate": True, "engine": engine
    }  # fmt: skip


def games_of(plan: MatchPlan) -> list[ScheduledGame]:
    """The games of a match, between players by their names."""
    game = find_game(plan.game)
    return schedule(game, plan.options, [plan.ours, plan.theirs], plan.pairs, SEED, "suite", adjudicates=True)


def played_games(folder: Path, plan: MatchPlan, engine: str) -> dict[int, GameResult]:
    """The games in the journal of a match, which is begun if there is none."""
    path, facts = path_of(folder, plan.name), match_facts(plan, engine)
    set_aside_other(path, {"arena": facts})
    return resume_tournament(str(path), facts, games_of(plan))


def journal_lines(folder: Path, name: str, facts: Mapping[str, object]) -> list[Line]:
    """The lines of a journal of other work, which is begun if there is none."""
    head = {name: dict(facts)}
    set_aside_other(path_of(folder, name), head)
    return resume(str(path_of(folder, name)), head, "tournament")
