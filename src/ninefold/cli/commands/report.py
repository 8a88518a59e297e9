"""``ninefold agents report``: the referee's report on matches in files, on a server, or in a database."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import ninefold.agents  # noqa: F401 - registers the texts of this command
from ninefold.analysis.report.audit import audit_of, read_audit_beside
from ninefold.analysis.report.format import document, read_document, table
from ninefold.analysis.report.metrics import Report, combine
from ninefold.analysis.report.metrics import report as report_on
from ninefold.arena.progress import Progress
from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.messages import text
from ninefold.match.files import load


class Judged(NamedTuple):
    """Reports on files, and the files of a folder that could not be read."""

    reports: list[Report]
    skipped: list[str]

    @property
    def facts(self) -> dict[str, list[str]]:
        return {"skipped": self.skipped} if self.skipped else {}


def report(given: argparse.Namespace) -> int:
    found = [_judged(name, given) for name in given.matches]
    reports = [one for judged in found for one in judged.reports]
    judged = Judged(reports, [file for judged in found for file in judged.skipped])
    # A single match has a row for each seat, several matches have one for each agent.
    combined = reports[0] if len(reports) == 1 else combine(reports)
    runs = [name for name in given.matches if _is_run(name)]
    if given.json:
        facts = document(combined) | judged.facts | _run_facts(runs)
        json.dump(facts, sys.stdout, indent=2, ensure_ascii=False)
        print()
        return 0
    print("\n".join(table(combined)))
    for line in _run_lines(runs, combined):
        print(line)
    return 0


def _judged(name: str, given: argparse.Namespace) -> Judged:
    if "://" in name:
        return Judged([_from_server(name)], [])
    if os.path.isdir(name):
        return from_folder(Path(name), given.nodes)
    if os.path.lexists(name) or not _may_be_id(name):
        return Judged([from_file(Path(name), given.nodes)], [])
    return Judged([_from_store(name, given)], [])


def from_folder(folder: Path, nodes: int) -> Judged:
    """All logs in a folder, such as those of an evaluation. What is no log, or is damaged, is left out with a note."""
    files = sorted(folder.glob("matches/*.log")) or sorted(folder.glob("*.log"))
    if not files:
        raise Unreadable("no_such_file.logs", folder=quoted(str(folder), 100))
    judged = judge_files(files, nodes)
    if not judged.reports:
        raise Unreadable("no_such_file.no_log_readable", folder=quoted(str(folder), 100))
    return judged


def judge_files(files: Sequence[Path], nodes: int) -> Judged:
    """A report on each file that can be read, and a note on standard error on each that cannot. Judging the moves of
    the big games takes time."""
    judged = Judged([], [])
    progress = Progress(0, len(files), text("report.judged"))
    for number, file in enumerate(files, 1):
        try:
            judged.reports.append(from_file(file, nodes))
        except Unreadable as refusal:
            judged.skipped.append(str(file))
            progress.say(text("report.skipped", file=quoted(str(file), 100), why=refusal.sentence))
        progress.show(number)
    return judged


def _is_run(name: str) -> bool:
    return os.path.isfile(os.path.join(name, "journal.jsonl"))


def _run_facts(names: Sequence[str]) -> dict[str, object]:
    """The accounts, forfeits and crashes of runs, by the names of their folders."""
    if not names:
        return {}
    from ninefold.cli.commands.run_report import read_results_of, run_facts

    return {"runs": {name: run_facts(read_results_of(Path(name))) for name in names}}


def _run_lines(names: Sequence[str], combined: Report) -> Iterator[str]:
    if not names:
        return
    from ninefold.cli.commands.run_report import read_results_of, run_lines

    for name in names:
        if len(names) > 1:
            yield text("report.run", folder=name)
        yield from run_lines(read_results_of(Path(name)), combined if len(names) == 1 else combine([]))


def from_file(file: Path, nodes: int) -> Report:
    refused, forgotten = read_audit_beside(file)
    return report_on(load(str(file)), refused, forgotten=forgotten, nodes=nodes)


def _from_server(link: str) -> Report:
    from ninefold.client import watch

    with watch(link) as watched:
        return read_document(watched.report())


def _may_be_id(name: str) -> bool:
    from ninefold.server.hosting.tokens import is_id

    return is_id(name)


def _from_store(match: str, given: argparse.Namespace) -> Report:
    from ninefold.server.http.config import data_folder
    from ninefold.server.storage import store
    from ninefold.server.storage.database import snapshot
    from ninefold.server.storage.migrations import check_version

    try:
        with snapshot(data_folder(given.data), given.database or None) as connection:
            check_version(connection)
            hosted = store.load(connection, [match]).get(match)
    except Refusal as refusal:
        if given.data or given.database or refusal.reason not in ("no_database", "other_version"):
            raise
        hosted = None
    if hosted is None:
        raise NotAllowed("no_such_match.report", match=quoted(match))
    refused, forgotten = audit_of(hosted.refused)
    return report_on(hosted.match, refused, forgotten=forgotten, nodes=given.nodes)
