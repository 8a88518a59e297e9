"""``ninefold agents leaderboard``: the statistics of evaluation runs, as a table, as pages, and as exports."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ninefold.agents.leaderboard.dataset import write_dataset
from ninefold.agents.leaderboard.folders import prepare, replacing
from ninefold.agents.leaderboard.inspect_logs import write_inspect_logs
from ninefold.agents.leaderboard.notes import run_notes
from ninefold.agents.leaderboard.pages import document, write_pages
from ninefold.agents.leaderboard.rows import tables
from ninefold.agents.leaderboard.runs import Run, RunMatch, read_matches, read_runs
from ninefold.agents.leaderboard.standings import Leaderboard, leaderboards
from ninefold.agents.leaderboard.tables import check_parquet, write_csv, write_parquet
from ninefold.agents.leaderboard.terminal import WIDTH, board_lines
from ninefold.arena.progress import Progress
from ninefold.core.messages import text

Export = Callable[[Path, Sequence[Leaderboard], Sequence[Run]], object]


def leaderboard(given: argparse.Namespace) -> int:
    exports = {kind: name for kind in EXPORTS if (name := getattr(given, kind))}
    if given.parquet:
        check_parquet()
    runs = read_runs(given.runs)
    # Everything that can be refused is refused before matches are judged, which may take minutes.
    folders = {kind: prepare(name, kind) for kind, name in exports.items()}
    boards = leaderboards(runs, _read(runs, given.nodes))
    for kind, folder in folders.items():
        with replacing(folder, kind) as fresh:
            EXPORTS[kind](fresh, boards, runs)
    for note in (note for run in runs for note in run_notes(run, run.path)):
        print(note, file=sys.stderr)
    if given.json:
        json.dump(document(boards, runs), sys.stdout, indent=2, ensure_ascii=False)
        print()
        return 0
    width = shutil.get_terminal_size((WIDTH, 0)).columns
    for board in boards:
        print("\n".join(board_lines(board, width)))
        print()
    for kind, name in exports.items():
        print(text("leaderboard.written", what=text(f"leaderboard.wrote.{kind}"), folder=name))
    return 0


def _read(runs: Sequence[Run], nodes: int) -> list[RunMatch]:
    matches: list[RunMatch] = []
    progress = Progress(0, sum(len(run.results) for run in runs), text("leaderboard.judged"))
    for run in runs:
        for one in read_matches(run, nodes):
            matches.append(one)
            progress.show(len(matches))
    return matches


def _write_pages(folder: Path, boards: Sequence[Leaderboard], runs: Sequence[Run]) -> None:
    progress = Progress(0, sum(len(board.matches) for board in boards), text("leaderboard.pages"))
    for written in write_pages(folder, boards, runs):
        progress.show(written)


EXPORTS: dict[str, Export] = {
    "html": _write_pages,
    "csv": lambda folder, boards, _: write_csv(folder, tables(boards)),
    "parquet": lambda folder, boards, _: write_parquet(folder, tables(boards)),
    "inspect": lambda folder, boards, _: write_inspect_logs(folder, boards),
    "dataset": lambda folder, boards, _: write_dataset(folder, boards, tables(boards)),
}
