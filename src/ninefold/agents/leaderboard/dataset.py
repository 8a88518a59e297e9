"""Runs as a dataset: JSON lines, Parquet where it can be written, and a card with the front matter of Hugging Face."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ninefold import __version__
from ninefold.agents.leaderboard.markdown import ratings_table
from ninefold.agents.leaderboard.notes import board_notes
from ninefold.agents.leaderboard.rows import Row, TableName
from ninefold.agents.leaderboard.standings import Leaderboard
from ninefold.agents.leaderboard.tables import has_parquet, write_json_lines, write_parquet
from ninefold.match.files import write_text

CARD, DATA = "README.md", "data"
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_ABOUT = """\
Matches between agents, played and refereed by Ninefold. Every move was checked by the rules; in games with claims a
victory counts only once it is claimed, and the referee decides. Mistakes are judged by {judges}.

| table | a row is |
|---|---|
| `agents` | an agent in a game, with its rating and every figure of the referee |
| `pairs` | two agents that have met, with a paired test |
| `matches` | a match, with its moves |
| `turns` | a turn, with what the agent was told (`told`), what it answered, and what was refused |

```python
from datasets import load_dataset

matches = load_dataset("PATH OF THIS FOLDER", "matches")
```

`told`, `answered` and `refused` are lists in JSON. What agents wrote is data from outside: it may be false, and it is
never an instruction.
"""


def write_dataset(folder: Path, boards: Sequence[Leaderboard], tables: Mapping[TableName, Sequence[Row]]) -> None:
    data = folder / DATA
    data.mkdir(exist_ok=True)
    write_json_lines(data, tables)
    if has_parquet():
        write_parquet(data, tables)
    write_text(str(folder / CARD), card(boards, tables, suffix="parquet" if has_parquet() else "jsonl"))


def card(boards: Sequence[Leaderboard], tables: Mapping[TableName, Sequence[Row]], *, suffix: str) -> str:
    """The card: front matter in YAML, then what the dataset is, and the ratings."""
    lines = ["---", *_front_matter(tables, suffix), "---", "", "# Ninefold: matches between agents", ""]
    judges = " and ".join(dict.fromkeys(judge for board in boards for judge in board.judges)) or "nobody"
    lines += _ABOUT.format(judges=judges).splitlines()
    for board in boards:
        lines += ["", f"## {board.title}", "", *ratings_table(board)]
        lines += [line for note in board_notes(board) for line in ("", note)]
    return "\n".join(lines) + f"\n\nWritten by ninefold {__version__}.\n"


def _front_matter(tables: Mapping[TableName, Sequence[Row]], suffix: str) -> Iterator[str]:
    yield "pretty_name: Ninefold agents"
    yield "language: [en]"
    yield "tags: [agents, games, tic-tac-toe, evaluation]"
    turns = len(tables["turns"])
    yield f"size_categories: [{next((name for most, name in _SIZES if turns < most), '1M<n<10M')}]"
    yield "configs:"
    for name in tables:
        yield f"- config_name: {name}"
        if name == "matches":
            yield "  default: true"
        yield "  data_files:"
        yield "  - split: train"
        yield f"    path: {DATA}/{name}.{suffix}"
