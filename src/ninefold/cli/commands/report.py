"""``ninefold agents report``: the referee's report on matches in files, on a server, or in a database."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import ninefold.agents  # noqa: F401 - registers the texts of this command
from ninefold.analysis.report.audit import audit_of, read_audit_beside
from ninefold.analysis.report.format import document, read_document, table
from ninefold.analysis.report.metrics import Report, combine
from ninefold.analysis.report.metrics import report as report_on
from ninefold.arena.progress import Progress
from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.messages import text
from ninefold.match.files import load


def report(given: argparse.Namespace) -> int:
    reports = [one for name in given.matches for one in _reports(name, given)]
    # A single match has a row for each seat, several matches have one for each agent.
    combined = reports[0] if len(reports) == 1 else combine(reports)
    if given.json:
        json.dump(document(combined), sys.stdout, indent=2, ensure_ascii=False)
        print()
    else:
        print("\n".join(table(combined)))
    return 0


def _reports(name: str, given: argparse.Namespace) -> Iterator[Report]:
    if "://" in name:
        yield _from_server(name)
    elif os.path.isdir(name):
        yield from from_folder(Path(name), given.nodes)
    elif os.path.lexists(name) or not _may_be_id(name):
        yield from_file(Path(name), given.nodes)
    else:
        yield _from_store(name, given)


def from_folder(folder: Path, nodes: int) -> list[Report]:
    """All logs in a folder, such as those of an evaluation."""
    files = sorted(folder.glob("matches/*.log")) or sorted(folder.glob("*.log"))
    if not files:
        raise Unreadable("no_such_file.logs", folder=quoted(str(folder), 100))
    return from_files(files, nodes)


def from_files(files: Sequence[Path], nodes: int) -> list[Report]:
    """A report on each file. Judging the moves of the big games takes time."""
    reports: list[Report] = []
    progress = Progress(0, len(files), text("report.judged"))
    for file in files:
        reports.append(from_file(file, nodes))
        progress.show(len(reports))
    return reports


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

    with snapshot(data_folder(given.data), given.database or None) as connection:
        hosted = store.load(connection, [match]).get(match)
    if hosted is None:
        raise NotAllowed("no_such_match.report", match=quoted(match))
    refused, forgotten = audit_of(hosted.refused)
    return report_on(hosted.match, refused, forgotten=forgotten, nodes=given.nodes)
