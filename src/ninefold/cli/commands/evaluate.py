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

from ninefold.agents.evaluation.agents import check_agents
from ninefold.agents.evaluation.keys import read_keys
from ninefold.agents.evaluation.plan import Plan, read_plan
from ninefold.agents.evaluation.runner import play_all, resume
from ninefold.agents.evaluation.schedule import Folder, Job, Played, play_job, schedule
from ninefold.agents.evaluation.served_match import Host
from ninefold.analysis.report.format import document, table
from ninefold.analysis.report.metrics import Report, combine
from ninefold.analysis.report.mistakes import NODES
from ninefold.arena import journal
from ninefold.arena.progress import Progress
from ninefold.cli.commands.report import from_files

CRASHED, INTERRUPTED = 1, 130


def evaluate(given: argparse.Namespace) -> int:
    plan = read_plan(given.file)
    check_agents(plan)
    folder = Folder(Path(given.out or f"{Path(given.file).stem}-run"))
    jobs = schedule(plan)
    if not folder.is_begun:
        read_keys(plan.agents, os.environ)  # a key that is missing is told before anything is written
    done = resume(plan, folder, jobs)
    whole = len(done) == len(jobs) or _play(jobs, done, plan, folder)
    _tell(jobs, done, folder, as_json=given.json)
    if not whole:
        return INTERRUPTED
    return CRASHED if any(played.crash for played in done.values()) else 0


def _play(jobs: Sequence[Job], done: dict[int, Played], plan: Plan, folder: Folder) -> bool:
    """Play what is still to be played, and put it into ``done``; says whether nobody interrupted that."""
    waiting = [job for job in jobs if job.number not in done]
    keys = read_keys(plan.agents, os.environ)
    progress = Progress(len(done), len(jobs), "matches")
    host = Host(folder.path)
    try:
        progress.show(len(done))
        for played in play_all(waiting, partial(play_job, plan, keys, folder, host), plan.at_once):
            journal.append(folder.journal, played._asdict())
            done[played.number] = played
            progress.show(len(done))
    except KeyboardInterrupt:
        print(f"\nInterrupted after {len(done)} of {len(jobs)} matches. Go on with the same command.", file=sys.stderr)
        return False
    finally:
        host.close()
    return True


def _tell(jobs: Sequence[Job], done: dict[int, Played], folder: Folder, *, as_json: bool) -> None:
    """The report over the set, and what became of the rest."""
    played = [done[number] for number in sorted(done)]
    over = [one for one in played if not one.crash]
    crashes = [one for one in played if one.crash]
    told = combine(from_files([folder.log(one.number) for one in over], NODES))
    if as_json:
        json.dump(document(told) | _facts(jobs, over, crashes), sys.stdout, indent=2, ensure_ascii=False)
        print()
        return
    _print(told, over, crashes, folder)
    print(f"Logs and transcripts are in {folder.path}.")


def _facts(jobs: Sequence[Job], over: Sequence[Played], crashes: Sequence[Played]) -> dict[str, object]:
    results = [
        {name: getattr(one, name) for name in ("number", "x", "o", "score", "by")}
        | {"forfeits": [{"agent": agent, "why": why} for agent, why in one.forfeits]}
        for one in over
    ]
    crashed = [{name: getattr(one, name) for name in ("number", "x", "o", "crash", "seat", "why")} for one in crashes]
    forfeits = Counter(agent for one in over for agent, _ in one.forfeits)
    return {"planned": len(jobs), "results": results, "forfeits": dict(forfeits), "crashes": crashed}


def _print(told: Report, over: Sequence[Played], crashes: Sequence[Played], folder: Folder) -> None:
    if told.rows:
        for line in table(told):
            print(line)
    reasons: dict[str, Counter[str]] = {}
    for agent, why in (forfeit for one in over for forfeit in one.forfeits):
        reasons.setdefault(agent, Counter())[why] += 1
    for agent, whys in sorted(reasons.items()):
        print(f"{agent} forfeited {whys.total()} turns, mostly for this: {whys.most_common(1)[0][0]}")
    for row in told.rows:
        if cut := row.refused.get("cut_off"):
            print(f"{cut} answers of {row.agent} were cut off: let it say more, with max_tokens in its parameters.")
    for one in crashes:
        where = folder.transcript(one.number, one.seat)
        see = f" See {where}." if where.exists() else ""
        print(f"Match {one.number}: {one.crash} crashed. {one.why} It does not count.{see}")
    if crashes:
        print("The same command plays what crashed again.")
