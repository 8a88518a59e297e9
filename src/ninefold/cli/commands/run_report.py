"""The report on a run beside its figures: forfeits and their reasons, accounts, crashes, void matches, isolation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ninefold.agents.evaluation.manifest import SCHEDULE, changed_settings, isolation_modes, read_manifest
from ninefold.agents.evaluation.results import JobResult, crashes_by_agent
from ninefold.agents.evaluation.run_usage import usage_document, usage_lines
from ninefold.agents.evaluation.schedule import RunFolder, read_journal
from ninefold.analysis.report.metrics import Report
from ninefold.core.messages import text


class RunResults(NamedTuple):
    """What became of the matches of a run. ``crashes`` are those of each agent, also in matches that were played again
    since."""

    folder: RunFolder
    planned: int
    results: Sequence[JobResult]  # the last one of each match
    crashes: Mapping[str, int]

    @property
    def completed(self) -> list[JobResult]:
        return [result for result in self.results if result.counts]

    @property
    def others(self) -> list[JobResult]:
        """Those that crashed or are void."""
        return [result for result in self.results if not result.counts]


def read_results_of(path: Path) -> RunResults:
    """The results in the folder of a run, without its plan."""
    folder = RunFolder(path)
    _, told = read_journal(folder)
    last = {result.number: result for result in told}
    try:
        planned = len((path / SCHEDULE).read_bytes().splitlines())
    except OSError:
        planned = len(last)
    return RunResults(folder, planned, [last[number] for number in sorted(last)], crashes_by_agent(told))


def run_facts(run: RunResults) -> dict[str, object]:
    """The report for programs."""
    results = [
        {name: getattr(one, name) for name in ("number", "x", "o", "score", "by", "link")}
        | {"forfeits": [{"agent": agent, "why": why} for agent, why in one.forfeits]}
        for one in run.completed
    ]
    names = ("number", "x", "o", "crash", "seat", "why", "void")
    return {
        "planned": run.planned,
        "results": results,
        "forfeits": dict(Counter(agent for one in run.completed for agent, _ in one.forfeits)),
        "crashes": [{name: getattr(one, name) for name in names} for one in run.others],
        "usage": usage_document(run.folder, run.completed),
        "isolation": isolation_modes(read_manifest(run.folder)),
        "crashes_by_agent": dict(run.crashes),
    }


def run_lines(run: RunResults, report: Report) -> Iterator[str]:
    """The report for people, below the table of its figures."""
    yield from _forfeit_lines(run.completed)
    for row in report.rows:
        if cut := row.refused.get("cut_off"):
            yield text("evaluate.cut_off", agent=row.agent, count=cut)
    yield from usage_lines(run.folder, run.completed)
    for agent, count in run.crashes.items():
        yield text("evaluate.crashes", agent=agent, count=count)
    yield from _other_lines(run)
    manifest = read_manifest(run.folder)
    for mode in isolation_modes(manifest):
        yield text(f"evaluate.isolation.{mode}")
    if changed := changed_settings(manifest):
        yield text("evaluate.plans", names=", ".join(changed))
    yield text("evaluate.folder", folder=run.folder.path)


def _forfeit_lines(completed: Sequence[JobResult]) -> Iterator[str]:
    reasons: dict[str, Counter[str]] = {}
    for agent, why in (forfeit for one in completed for forfeit in one.forfeits):
        reasons.setdefault(agent, Counter())[why] += 1
    for agent, whys in sorted(reasons.items()):
        ((why, _),) = whys.most_common(1)
        yield text("evaluate.forfeits", agent=agent, count=whys.total(), why=why)


def _other_lines(run: RunResults) -> Iterator[str]:
    """The matches that do not count, and why."""
    for one in run.others:
        if one.void:
            code = "evaluate.void" if one.crash else "evaluate.void.unknown"
            yield text(code, number=one.number, agent=one.crash, why=one.why)
            continue
        transcript = run.folder.transcript(one.number, one.seat)
        code = "evaluate.crash.transcript" if one.seat and transcript.exists() else "evaluate.crash"
        yield text(code, number=one.number, agent=one.crash, why=one.why, transcript=transcript)
    if any(one.is_to_be_replayed for one in run.others):
        yield text("evaluate.again")
