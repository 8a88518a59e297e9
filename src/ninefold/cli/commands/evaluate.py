"""``ninefold agents evaluate``: plays the matches of a plan, shows the progress, and resumes an interrupted run."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from ninefold.agents.evaluation.agent_specs import CommandSpec
from ninefold.agents.evaluation.agents import Timing, check_agents, program_place
from ninefold.agents.evaluation.isolation import Isolation, Mode, NoIsolation, choose_isolation
from ninefold.agents.evaluation.keys import read_keys
from ninefold.agents.evaluation.loop import AgentRejected
from ninefold.agents.evaluation.manifest import write_manifest
from ninefold.agents.evaluation.plan import Plan, read_plan
from ninefold.agents.evaluation.results import JobResult, crashes_by_agent
from ninefold.agents.evaluation.runner import EvaluationRun
from ninefold.agents.evaluation.schedule import (
    STOPS,
    MatchJob,
    RunFolder,
    play_all,
    read_results,
    resume,
    schedule,
)
from ninefold.agents.evaluation.server import NamedServer
from ninefold.agents.evaluation.usage import read_usage
from ninefold.analysis.config import REPORT_NODES
from ninefold.analysis.report.format import document, table
from ninefold.analysis.report.metrics import combine
from ninefold.arena.progress import INTERVAL, Progress
from ninefold.cli.commands.report import judge_files
from ninefold.cli.commands.run_report import RunResults, run_facts, run_lines
from ninefold.client.http import is_ok
from ninefold.core.errors import NotAllowed
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
    _report(RunResults(folder, len(jobs), results, crashes), settings.nodes, as_json=as_json)
    return code or (0 if all(result.counts for result in results) else CRASHED)


def _report(run: RunResults, nodes: int, *, as_json: bool) -> None:
    """The report on all matches, and what became of the others."""
    judged = judge_files([run.folder.log(result.number) for result in run.completed], nodes)
    report = combine(judged.reports)
    if as_json:
        json.dump(document(report) | run_facts(run) | judged.facts, sys.stdout, indent=2, ensure_ascii=False)
        print()
        return
    for line in (*(table(report) if report.rows else ()), *run_lines(run, report)):
        print(line)


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

    def say_stop(why: NotAllowed) -> None:
        progress.say(text("evaluate.stopping", why=why.sentence))

    try:
        with make_run(keys=keys, folder=folder, timing=settings.timing, on_link=show_link) as run:
            progress.show(len(done))
            for _ in range(1 + plan.replays):
                for result in play_all(waiting, run.play, plan.at_once, say_stop):
                    folder.append(result)
                    done[result.number] = result
                    progress.show(len(done))
                waiting = [job for job in waiting if done[job.number].is_to_be_replayed]
    except KeyboardInterrupt:
        print("\n" + text("evaluate.interrupted", done=len(done), planned=len(jobs)), file=sys.stderr)
        return INTERRUPTED
    except STOPS as stop:
        has_begun = done or any(is_ok(one.status) for one in read_usage(folder.usage))
        if isinstance(stop, AgentRejected) and not has_begun:
            raise
        print("\n" + text("evaluate.stopped", done=len(done), planned=len(jobs), why=stop), file=sys.stderr)
        print(text("evaluate.kept"), file=sys.stderr)
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
