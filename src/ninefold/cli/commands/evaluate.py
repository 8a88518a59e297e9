"""``ninefold agents evaluate``: plays the matches of a plan, shows the progress, and resumes an interrupted run."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from ninefold.agents.evaluation.agents import Timing, check_agents, program_place
from ninefold.agents.evaluation.isolation import Isolation, Mode, NoIsolation, choose_isolation
from ninefold.agents.evaluation.keys import read_keys
from ninefold.agents.evaluation.ledger import BudgetUsedUp
from ninefold.agents.evaluation.manifest import isolation_modes, read_manifest, write_manifest
from ninefold.agents.evaluation.plan import CommandSpec, Plan, read_plan
from ninefold.agents.evaluation.run_usage import usage_document, usage_lines
from ninefold.agents.evaluation.runner import EvaluationRun
from ninefold.agents.evaluation.schedule import (
    JobResult,
    MatchJob,
    RunFolder,
    crashes_by_agent,
    play_all,
    read_results,
    resume,
    schedule,
)
from ninefold.agents.evaluation.server import NamedServer
from ninefold.analysis.config import REPORT_NODES
from ninefold.analysis.report.format import document, table
from ninefold.analysis.report.metrics import Report, combine
from ninefold.arena.progress import INTERVAL, Progress
from ninefold.cli.commands.report import from_files
from ninefold.core.exit_codes import CRASHED, INTERRUPTED
from ninefold.core.messages import text


class RunSettings(NamedTuple):
    """The settings that the command does not offer as options."""

    timing: Timing = Timing()
    nodes: int = REPORT_NODES  # for judging a move of a big game
    progress_interval: float = INTERVAL
    make_run: type[EvaluationRun] = EvaluationRun


def evaluate(given: argparse.Namespace) -> int:
    return run_plan(given.file, given.out, as_json=given.json, isolation=given.isolation, server=given.server)


def run_plan(
    file: str,
    out: str | None = None,
    *,
    as_json: bool = False,
    isolation: Mode | Literal["auto"] = "auto",
    server: str | None = None,
    settings: RunSettings = RunSettings(),
) -> int:
    """Play and report on a plan; the exit code."""
    plan = read_plan(file)
    check_agents(plan)
    folder = RunFolder(Path(out or f"{Path(file).stem}-run"))
    jobs = schedule(plan)
    if not folder.has_begun:
        read_keys(plan.agents, os.environ)  # a missing key is refused before anything is written
    chosen = isolation_of(plan, folder, isolation)
    named = NamedServer(server) if server else None
    if named:
        named.check(plan.game.id)
    code = 0
    with folder.locked():
        done = resume(plan, folder, jobs)
        if len(done) < len(jobs):
            write_manifest(plan, folder, jobs, chosen.mode if chosen else "", server or "")
            run = partial(settings.make_run, plan, isolation=chosen or NoIsolation(), server=named)
            code = _play(jobs, done, plan, folder, run, settings)
        crashes = crashes_by_agent(read_results(plan, folder, jobs))
    results = [done[number] for number in sorted(done)]
    _report(results, crashes, len(jobs), folder, settings.nodes, as_json=as_json)
    return code or (0 if all(result.counts for result in results) else CRASHED)


def _play(
    jobs: Sequence[MatchJob],
    done: dict[int, JobResult],
    plan: Plan,
    folder: RunFolder,
    make_run: Callable[..., EvaluationRun],
    settings: RunSettings,
) -> int:
    """Play the matches that are left, and add their results to ``done``. Returns 0, or the exit code of a run that was
    interrupted or stopped."""
    waiting = [job for job in jobs if job.number not in done]
    keys = read_keys(plan.agents, os.environ)
    progress = Progress(len(done), len(jobs), text("evaluate.matches"), interval=settings.progress_interval)

    def show_link(job: MatchJob, link: str) -> None:
        progress.say(text("evaluate.link", number=job.number, x=job.x, o=job.o, link=link))

    try:
        with make_run(keys=keys, folder=folder, timing=settings.timing, on_link=show_link) as run:
            progress.show(len(done))
            for _ in range(1 + plan.replays):
                for result in play_all(waiting, run.play, plan.at_once):
                    folder.append(result)
                    done[result.number] = result
                    progress.show(len(done))
                waiting = [job for job in waiting if done[job.number].is_to_be_replayed]
    except KeyboardInterrupt:
        print("\n" + text("evaluate.interrupted", done=len(done), planned=len(jobs)), file=sys.stderr)
        return INTERRUPTED
    except BudgetUsedUp as stop:
        print("\n" + text("evaluate.stopped", done=len(done), planned=len(jobs), why=stop), file=sys.stderr)
        return CRASHED
    return 0


def isolation_of(plan: Plan, folder: RunFolder, wanted: Mode | Literal["auto"]) -> Isolation | None:
    """The isolation of the programs of a plan; None if it has none."""
    programs = {name: spec for name, spec in plan.agents.items() if isinstance(spec, CommandSpec)}
    if not programs:
        return None
    places = [program_place(name, spec) for name, spec in programs.items()]
    folders = {name: spec.working_folder for name, spec in programs.items() if spec.folder}
    return choose_isolation(wanted, places, [folder.path], folders)


def _report(
    results: Sequence[JobResult],
    crashes: Mapping[str, int],
    planned: int,
    folder: RunFolder,
    nodes: int,
    *,
    as_json: bool,
) -> None:
    """The report on all matches, and what became of the others. ``crashes`` are those of each agent."""
    completed = [result for result in results if result.counts]
    others = [result for result in results if not result.counts]
    report = combine(from_files([folder.log(result.number) for result in completed], nodes))
    modes = isolation_modes(read_manifest(folder))
    if as_json:
        facts = _facts(planned, completed, others) | {"usage": usage_document(folder, completed), "isolation": modes}
        facts["crashes_by_agent"] = dict(crashes)
        json.dump(document(report) | facts, sys.stdout, indent=2, ensure_ascii=False)
        print()
        return
    _print_report(report, completed)
    for line in usage_lines(folder, completed):
        print(line)
    for agent, count in crashes.items():
        print(text("evaluate.crashes", agent=agent, count=count))
    _print_others(others, folder)
    for mode in modes:
        print(text(f"evaluate.isolation.{mode}"))
    print(text("evaluate.folder", folder=folder.path))


def _facts(planned: int, completed: Sequence[JobResult], others: Sequence[JobResult]) -> dict[str, object]:
    results = [
        {name: getattr(one, name) for name in ("number", "x", "o", "score", "by", "link")}
        | {"forfeits": [{"agent": agent, "why": why} for agent, why in one.forfeits]}
        for one in completed
    ]
    names = ("number", "x", "o", "crash", "seat", "why", "void")
    crashed = [{name: getattr(one, name) for name in names} for one in others]
    forfeits = Counter(agent for one in completed for agent, _ in one.forfeits)
    return {"planned": planned, "results": results, "forfeits": dict(forfeits), "crashes": crashed}


def _print_report(report: Report, completed: Sequence[JobResult]) -> None:
    if report.rows:
        for line in table(report):
            print(line)
    reasons: dict[str, Counter[str]] = {}
    for agent, why in (forfeit for one in completed for forfeit in one.forfeits):
        reasons.setdefault(agent, Counter())[why] += 1
    for agent, whys in sorted(reasons.items()):
        ((why, _),) = whys.most_common(1)
        print(text("evaluate.forfeits", agent=agent, count=whys.total(), why=why))
    for row in report.rows:
        if cut := row.refused.get("cut_off"):
            print(text("evaluate.cut_off", agent=row.agent, count=cut))


def _print_others(others: Sequence[JobResult], folder: RunFolder) -> None:
    """The matches that do not count, and why."""
    for one in others:
        if one.void:
            code = "evaluate.void" if one.crash else "evaluate.void.unknown"
            print(text(code, number=one.number, agent=one.crash, why=one.why))
            continue
        transcript = folder.transcript(one.number, one.seat)
        code = "evaluate.crash.transcript" if transcript.exists() else "evaluate.crash"
        print(text(code, number=one.number, agent=one.crash, why=one.why, transcript=transcript))
    if any(one.is_to_be_replayed for one in others):
        print(text("evaluate.again"))
