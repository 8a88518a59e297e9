"""Folders of evaluation runs for tests, without network: built-in players, scripts, and a model on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ninefold.agents.evaluation.agents import Timing
from ninefold.agents.evaluation.keys import ApiKeys
from ninefold.agents.evaluation.plan import parse_plan
from ninefold.agents.evaluation.runner import EvaluationRun
from ninefold.agents.evaluation.schedule import RunFolder, resume, schedule
from ninefold.agents.leaderboard.runs import RunMatch, read_matches, read_runs
from ninefold.agents.leaderboard.standings import Leaderboard, leaderboards
from tests.support.plans import AT_ONCE

LIARS: Mapping[str, Mapping[str, object]] = {
    "perfect": {"player": "perfect"},
    "liar": {"script": "claims-falsely"},
    "misreporter": {"script": "misreports"},
}
NODES = 500  # for judging the moves of a big game


def play_run(folder: Path, *, agents: Mapping[str, object] = LIARS, most: int | None = None, **plan: object) -> Path:
    """Play the matches of a plan, or the first of them, as ``ninefold agents evaluate`` does."""
    parsed = parse_plan({"game": "agents", "agents": dict(agents)} | plan)
    run_folder, jobs = RunFolder(folder), schedule(parsed)
    with run_folder.locked(), EvaluationRun(parsed, ApiKeys(), run_folder, Timing(retry=AT_ONCE)) as run:
        resume(parsed, run_folder, jobs)
        for job in jobs[:most]:
            run_folder.append(run.play(job))
    return folder


def matches_of(*folders: Path) -> list[RunMatch]:
    return [match for run in read_runs([*map(str, folders)]) for match in read_matches(run, NODES)]


def boards_of(*folders: Path) -> list[Leaderboard]:
    return leaderboards(read_runs([*map(str, folders)]), matches_of(*folders))
