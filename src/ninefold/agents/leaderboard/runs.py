"""Reading the folders of evaluation runs: results, logs, audits, transcripts and accounts. Nothing is written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.agents.evaluation.manifest import read_manifest
from ninefold.agents.evaluation.results import JobResult, crashes_by_agent
from ninefold.agents.evaluation.schedule import RunFolder, read_journal
from ninefold.agents.evaluation.usage import RequestUsage, read_usage
from ninefold.analysis.report.audit import Audit, read_audit_beside
from ninefold.analysis.report.endings import Ending, endings
from ninefold.analysis.report.metrics import Report
from ninefold.analysis.report.metrics import report as report_on
from ninefold.core.errors import Unreadable, quoted
from ninefold.match.files import load
from ninefold.match.match import Match

Entry = Mapping[str, Any]  # of a transcript, or of a journal


class RunMatch(NamedTuple):
    """A match that was played in a run."""

    run: str
    number: int
    x: str
    o: str
    match: Match
    audit: Audit
    report: Report
    endings: Mapping[int, Ending]
    forfeits: tuple[tuple[str, str], ...]
    transcripts: Mapping[int, Sequence[Entry]]  # by seat

    def agent(self, seat: int) -> str:
        return self.x if seat == 1 else self.o

    @property
    def key(self) -> str:
        """A name of the match that is also the name of a file."""
        return f"{self.run}-{self.number:05}"


class Run(NamedTuple):
    """A run. ``planned`` is the number of its matches as far as that is known; ``crashed`` and ``void`` matches do not
    count. ``crashes`` are those of each agent, also in matches that were played again since. ``manifest`` is what the
    folder says about itself; it is empty in runs of earlier releases."""

    name: str
    path: Path
    about: Mapping[str, Any]
    results: tuple[JobResult, ...]
    planned: int
    crashed: int
    void: int
    crashes: Mapping[str, int]
    usage: tuple[RequestUsage, ...]
    manifest: Entry

    @property
    def specs(self) -> Entry:
        """The agents as the plan describes them, as far as that is known."""
        plan = self.manifest.get("plan")
        specs = plan.get("agents") if isinstance(plan, dict) else None
        return specs if isinstance(specs, dict) else {}

    @property
    def missing(self) -> int:
        return max(0, self.planned - len(self.results) - self.void)


def read_runs(paths: Sequence[str]) -> list[Run]:
    """The runs in some folders, each with a name of its own."""
    runs: list[Run] = []
    for path in paths:
        run = read_run(Path(path))
        if any(run.path.resolve() == other.path.resolve() for other in runs):
            raise Unreadable("run_twice", folder=quoted(path, 100))
        names = {other.name for other in runs}
        name = next(name for name in _names(run.name) if name not in names)
        runs.append(run._replace(name=name))
    _check_same_agents(runs)
    return runs


def _check_same_agents(runs: Sequence[Run]) -> None:
    """Refuse runs in which one name stands for two agents."""
    known: dict[str, tuple[Run, object]] = {}
    for run in runs:
        for agent, spec in run.specs.items():
            first, other = known.setdefault(agent, (run, spec))
            if other != spec:
                folders = {"one": quoted(str(first.path), 100), "two": quoted(str(run.path), 100)}
                raise Unreadable("another_agent", agent=quoted(agent), **folders)


def _names(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def read_run(path: Path) -> Run:
    folder, shown = RunFolder(path), quoted(str(path), 100)
    if not path.is_dir():
        raise Unreadable("no_such_run", folder=shown)
    about, told = read_journal(folder)
    found = {one.number: one for one in told}
    played = {number: one for number, one in found.items() if one.counts and folder.log(number).is_file()}
    results = tuple(played[number] for number in sorted(played))
    if not results:
        raise Unreadable("no_matches", folder=shown)
    void = sum(one.void for one in found.values())
    crashed = sum(one.is_to_be_replayed for one in found.values())
    planned = len(_lines(path / "schedule.jsonl")) or _planned(about, found)
    manifest = read_manifest(folder)
    usage = tuple(read_usage(folder.usage))
    return Run(_file_name(path), path, about, results, planned, crashed, void, crashes_by_agent(told), usage, manifest)


def _file_name(path: Path) -> str:
    """The name of a folder, safe in names of files and addresses."""
    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in path.resolve().name)
    return name.strip("-").lower()[:60] or "run"


def _planned(about: Mapping[str, Any], found: Mapping[int, JobResult]) -> int:
    """The number of matches in the plan: both sides of every pair that has met, in every round."""
    pairs = {tuple(sorted((one.x, one.o))) for one in found.values()}
    rounds = about.get("rounds")
    least = 2 * len(pairs) * rounds if type(rounds) is int else 0
    return max(least, len(found))


def read_matches(run: Run, nodes: int) -> Iterator[RunMatch]:
    """The matches of a run, each judged: that takes time in the big games."""
    folder = RunFolder(run.path)
    for result in run.results:
        file = folder.log(result.number)
        match, audit = load(str(file)), read_audit_beside(file)
        yield RunMatch(
            run.name,
            result.number,
            result.x,
            result.o,
            match,
            audit,
            report_on(match, audit.refused, forgotten=audit.forgotten, nodes=nodes),
            endings(match, audit.refused),
            result.forfeits,
            {seat: _lines(folder.transcript(result.number, seat)) for seat in (1, 2)},
        )


def _lines(file: Path) -> list[Entry]:
    """The JSON objects in a file, without a line that was cut short; nothing if there is no such file."""
    found: list[Entry] = []
    for line in _text(file).splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def _text(file: Path) -> str:
    """The text of a file; empty if there is no such file."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise Unreadable("no_such_file", file=quoted(str(file), 100), why=error.strerror) from None
