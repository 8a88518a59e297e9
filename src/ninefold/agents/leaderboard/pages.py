"""The pages of a leaderboard, written into a folder that can be opened from disk or put on any web server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from ninefold.agents.leaderboard.folders import DATA_FILE
from ninefold.agents.leaderboard.html import INDEX_SCRIPT, MATCH_SCRIPT, STATIC, STYLE, style_sheet
from ninefold.agents.leaderboard.index_page import index_page
from ninefold.agents.leaderboard.match_page import match_page
from ninefold.agents.leaderboard.notes import board_notes
from ninefold.agents.leaderboard.rows import agent_row, match_row, pair_row
from ninefold.agents.leaderboard.runs import Run
from ninefold.agents.leaderboard.standings import Leaderboard
from ninefold.match.files import write_text

_OF_A_RUN = ("planned", "crashed", "void")


def write_pages(folder: Path, boards: Sequence[Leaderboard], runs: Sequence[Run]) -> Iterator[int]:
    """Write all pages. The number of pages that are written is yielded after each."""
    (folder / "matches").mkdir(exist_ok=True)
    write_text(str(folder / STYLE), style_sheet())
    for script in (MATCH_SCRIPT, INDEX_SCRIPT):
        write_text(str(folder / script), (STATIC / script).read_text(encoding="utf-8"))
    write_text(str(folder / DATA_FILE), json.dumps(document(boards, runs), ensure_ascii=False, indent=1) + "\n")
    matches = [one for board in boards for one in board.matches]
    for number, one in enumerate(matches, 1):
        write_text(str(folder / "matches" / f"{one.key}.html"), match_page(one))
        yield number
    write_text(str(folder / "index.html"), index_page(boards, runs))


def document(boards: Sequence[Leaderboard], runs: Sequence[Run]) -> dict[str, object]:
    """The leaderboard for programs."""
    return {
        "runs": [
            {"name": run.name, "matches": len(run.results), **{name: getattr(run, name) for name in _OF_A_RUN}}
            for run in runs
        ],
        "games": [
            {
                "game": board.game.id,
                "options": dict(board.options),
                "title": board.title,
                "groups": board.groups,
                "notes": board_notes(board),
                "judged_by": list(board.judges),
                "agents": [agent_row(board, one) for one in board.standings],
                "pairs": [pair_row(board, met) for met in board.meetings],
                "matches": [match_row(board, one) for one in board.matches],
            }
            for board in boards
        ],
    }
