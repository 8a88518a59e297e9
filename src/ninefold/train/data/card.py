"""The card of a data set: front matter as Hugging Face reads it, then what the data is and how it was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ninefold.analysis.engine import LINE_VALUE, WIN
from ninefold.core.game import Game
from ninefold.train.data.labelled import SPLITS
from ninefold.train.labels import GamePlan

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_ABOUT = """\
# Ninefold: solved and labelled positions of the tic-tac-toe family

Exact values of every position of the small games, and positions of the big games that a strong engine has searched. A
position is a text that `ninefold` reads (`find_game("squared").parse(text)`); the files themselves need only pyarrow:

```python
import pyarrow.parquet as pq

rows = pq.read_table("{example}").to_pylist()
print(rows[0]["position"], rows[0]["{first_label}"])
```
"""
_SOLVED = """
## Solved tables

Every position that play can reach from the start of the game with its default options, in the order in which a
breadth-first walk meets them. The values are exact (retrograde analysis). In matches of `agents` victory is claimed;
its table is that of the positions alone, where the line that was completed first wins when the board is full.

| column | type | meaning |
|---|---|---|
| `position` | string | the position as text, with its options |
| `turn` | string | `X` or `O`: who moves |
| `ply` | int8 | how many marks are on the board |
| `is_final` | bool | the game has ended here |
| `value` | int8 | for the side to move, with best play of both: 1 won, 0 drawn, -1 lost |
| `distance` | int16 or null | plies to the end, if both play well: a fast win, a slow loss; null for a draw |
| `moves` | list of int8 | the legal moves, as numbers |
| `move_values`, `move_distances` | lists of int8 | the same two for every move, for the side that makes it |
| `best_moves`, `best_moves_text` | lists | the best of them: fastest win, draw, slowest loss; and as typed |
"""
_LABELLED = """
## Labelled positions

Positions from games that the engine played against itself: {least} to {most} random plies, and then its best move, or
in {random:.0%} of the turns a random one. Every position was searched to depth {depth} by one thread, with the network
that Ninefold {version} ships. The same rows are made again, on any machine, by
`ninefold data DIR --positions {positions} --depth {depth} --seed {seed}`.

| column | type | meaning |
|---|---|---|
| `position` | string | the position as text, with its options |
| `turn` | string | `X` or `O`: who moves |
| `ply` | int8 | how many marks are on the board |
| `moves` | list of int8 | the legal moves: nine times the board plus the cell, both row by row from the top left |
| `score` | int16 | for the side to move; {line_value} are one line of boards, a forced win in n plies is {win} - n |
| `is_proven` | bool | the score is exact |
| `distance` | int16 or null | plies to a forced end, if there is one |
| `best_move`, `best_move_text` | int8, string | what the search chose; the text is board, then cell, as on the numpad |
| `result` | int8 | of its game, for the side to move: 1 won, 0 drawn, -1 lost; random moves make it noisy |
| `game` | int32 | the number of that game |

**Splits.** Of every 50 games one is in `validation` and one in `test`; a game is never divided. **No position is there
twice**, not even turned or turned over, so nothing in `test` has been seen in `train`.

**Limits.** A score is a search result, not the truth, except where `is_proven`. The positions are those of strong play
after random openings; they are not a sample of human games.
"""
_CHECKS = """
## Checks

`sha256sum --check SHA256SUMS` compares the files. `ninefold data DIR --check` also reads every solved position through
the rules and compares its value with those of the positions that follow, reads a sample of the labelled ones through
the rules, and plays some of their games again.

## Licence

MIT, as Ninefold itself. There is nothing personal in the data: all of it was computed.
"""


def card(folder: Path, solved: Sequence[Game], labelled: Sequence[Game], plan: Mapping[str, Any]) -> str:
    """The text of README.md for the files that are in a folder."""
    files = dict(_files(solved, labelled))
    tables = {name: _facts(folder / name) for paths in files.values() for name in paths.values()}
    example = next(iter(tables))
    parts = ["---\n", *_front_matter(files, sum(rows for rows, _ in tables.values())), "---\n\n"]
    parts.append(_ABOUT.format(example=example, first_label="value" if solved else "score"))
    if solved:
        parts.append(_SOLVED)
    if labelled:
        parts.append(_labelled(plan))
    parts += ["\n## Files\n\n| file | rows | bytes |\n|---|---|---|\n"]
    parts += [f"| `{name}` | {rows:,} | {size:,} |\n" for name, (rows, size) in tables.items()]
    return "".join([*parts, _CHECKS])


def _labelled(plan: Mapping[str, Any]) -> str:
    games = GamePlan("", ())
    played = {"least": games.least_opening, "most": games.most_opening, "random": games.random_moves}
    return _LABELLED.format(**plan, **played, line_value=LINE_VALUE, win=WIN)


def _files(solved: Sequence[Game], labelled: Sequence[Game]) -> Iterator[tuple[str, dict[str, str]]]:
    """The configurations, each with the file of every split."""
    for game in solved:
        yield f"solved-{game.id}", {"train": f"solved/{game.id}.parquet"}
    for game in labelled:
        yield game.id, {split: f"{game.id}/{split}.parquet" for split in SPLITS}


def _facts(file: Path) -> tuple[int, int]:
    """How many rows and bytes a file has."""
    import pyarrow.parquet as pq

    return pq.read_metadata(file).num_rows, file.stat().st_size


def _front_matter(files: Mapping[str, Mapping[str, str]], rows: int) -> Iterator[str]:
    size = next((name for most, name in _SIZES if rows < most), "1M<n<10M" if rows < 10_000_000 else "n>10M")
    yield "pretty_name: Ninefold positions\nlicense: mit\nlanguage: [en]\n"
    yield "tags: [games, tic-tac-toe, ultimate-tic-tac-toe]\n"
    yield f"size_categories: [{size}]\nconfigs:\n"
    for name, splits in files.items():
        yield f"- config_name: {name}\n  data_files:\n"
        yield from (f"  - split: {split}\n    path: {path}\n" for split, path in splits.items())
