"""``ninefold agents evaluate``: plays what a plan says, shows how it goes, and can be interrupted and gone on with."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ninefold import journal, progress
from ninefold.agents.evaluation.keys import read_keys
from ninefold.agents.evaluation.matches import Folder, Job, Played, play_job, schedule
from ninefold.agents.evaluation.plan import Plan, read_plan
from ninefold.agents.evaluation.run import PlayJob, play_all, resume
from ninefold.agents.evaluation.seats import check_agents
from ninefold.agents.evaluation.served import Host
from ninefold.agents.report import from_files
from ninefold.report.figures import Report, combine
from ninefold.report.judging import NODES
from ninefold.report.told import document, table

CRASHED, INTERRUPTED = 1, 130


def evaluate(given: argparse.Namespace) -> int:
    plan = read_plan(given.file)
    check_agents(plan)
    keys = read_keys(plan.agents, os.environ)
    folder = Folder(Path(given.out or f"{Path(given.file).stem}-run"))
    jobs = schedule(plan)
    done = resume(plan, folder, jobs)
    host = Host(folder.path)
    try:
        whole = _play(jobs, done, partial(play_job, plan, keys, folder, host), plan, folder)
    finally:
        host.close()
    _tell(done, folder, as_json=given.json)
    if not whole:
        return INTERRUPTED
    return CRASHED if any(played.crash for played in done.values()) else 0


def _play(jobs: Sequence[Job], done: dict[int, Played], play: PlayJob, plan: Plan, folder: Folder) -> bool:
    """Play what is still to be played, and put it into ``done``; says whether nobody interrupted that."""
    waiting = [job for job in jobs if job.number not in done]
    try:
        progress.show(len(done), len(jobs), "matches")
        for played in play_all(waiting, play, plan.at_once):
            journal.append(folder.journal, played._asdict())
            done[played.number] = played
            progress.show(len(done), len(jobs), "matches")
    except KeyboardInterrupt:
        print(f"\nInterrupted after {len(done)} of {len(jobs)} matches. Go on with the same command.", file=sys.stderr)
        return False
    return True


def _tell(done: dict[int, Played], folder: Folder, *, as_json: bool) -> None:
    """The report over the set, and what became of the rest."""
    over = [played for played in done.values() if not played.crash]
    told = combine(from_files([folder.log(played.number) for played in over], NODES))
    forfeits = Counter(name for played in over for name in played.forfeits)
    crashes = {played.number: played for played in done.values() if played.crash}
    if as_json:
        facts = {"forfeits": dict(forfeits), "crashes": [played._asdict() for played in crashes.values()]}
        json.dump(document(told) | facts, sys.stdout, indent=2, ensure_ascii=False)
        print()
        return
    _print(told, forfeits, crashes)
    print(f"Logs and transcripts are in {folder.path}.")


def _print(told: Report, forfeits: Counter[str], crashes: dict[int, Played]) -> None:
    if told.rows:
        for line in table(told):
            print(line)
    if forfeits:
        print("Forfeits: " + ", ".join(f"{name} {count}" for name, count in sorted(forfeits.items())) + ".")
    for played in crashes.values():
        print(f"Match {played.number}: {played.crash} crashed. {played.why} It does not count.")
    if crashes:
        print("The same command plays what crashed again.")
