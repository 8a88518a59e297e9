"""The folder of a data set: its plan, the files of every game, their checksums, and a card."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple

from ninefold import __version__
from ninefold.analysis.engine import missing, plays, rule_set
from ninefold.analysis.network import FOLDER as NETWORKS
from ninefold.core.errors import NotAllowed, quoted
from ninefold.core.file_lock import try_lock
from ninefold.core.game import Game
from ninefold.games import all_games, find_game
from ninefold.match.files import write_text
from ninefold.train.data.card import card
from ninefold.train.data.labelled import SPLITS, make_parts, write_splits
from ninefold.train.data.solved import solved_table
from ninefold.train.labels import GamePlan

PLAN, SUMS, CARD = "plan.json", "SHA256SUMS", "README.md"
PARTS = ".parts"

Show = Callable[[Game, int, int], None]  # of a game, so many of so many positions are there


class DataPlan(NamedTuple):
    """What a data set holds. The same plan gives the same rows on every machine."""

    games: tuple[str, ...]
    positions: int  # of each big game
    depth: int
    seed: int
    networks: tuple[str, ...]  # digests of the networks that label
    version: str = __version__

    def of_game(self, game: str) -> GamePlan:
        return GamePlan(game, (), self.depth, seed=self.seed)

    @property
    def solved(self) -> list[Game]:
        return [game for game in map(find_game, self.games) if game.small]

    @property
    def labelled(self) -> list[Game]:
        return [game for game in map(find_game, self.games) if not game.small]


def plan_data(games: tuple[str, ...], positions: int, depth: int, seed: int) -> DataPlan:
    """The plan of a data set, if every game can be solved or labelled here. The order of the names does not matter."""
    named = {find_game(game).id for game in games}
    found = [game for game in all_games().values() if game.id in named]
    for game in found:
        if not game.small and not plays(game.begin()):
            raise missing()
    networks = tuple(_network_digest(game) for game in found if not game.small)
    return DataPlan(tuple(game.id for game in found), positions, depth, seed, networks)


def _network_digest(game: Game) -> str:
    file = NETWORKS / f"{rule_set(game.begin()).name}.net"
    return sha256(file.read_bytes()).hexdigest()[:16] if file.is_file() else ""


def begin_data(folder: Path, plan: DataPlan) -> None:
    """Make the folder, or refuse one that holds another data set, or something else."""
    import pyarrow as pa  # noqa: F401 - where it is not installed, nothing is begun

    described = json.dumps(plan._asdict(), indent=1) + "\n"
    file, shown = folder / PLAN, quoted(str(folder), 100)
    if not file.is_file():
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise NotAllowed("no_data.occupied", folder=shown)
        with refused_if_unwritable(folder):
            folder.mkdir(parents=True, exist_ok=True)
            write_text(str(file), described)
    elif file.read_bytes() != described.encode():
        raise NotAllowed("no_data.plan", folder=shown)


@contextlib.contextmanager
def refused_if_unwritable(folder: Path) -> Iterator[None]:
    """Turn an error of the file system, as on a full disk, into a refusal."""
    try:
        yield
    except BrokenPipeError:  # nobody reads the progress
        raise
    except OSError as error:
        why = error.strerror or error
        raise NotAllowed("cannot_write.data_set", folder=quoted(str(folder), 100), why=why) from None


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other processes from making the same data set; the system releases the lock of one that was killed."""
    with (folder / PLAN).open("rb+") as plan:
        with contextlib.suppress(OSError):  # a file system without locks
            if not try_lock(plan.fileno()):
                raise NotAllowed("no_data.busy", folder=quoted(str(folder), 100))
        yield


def read_data_plan(folder: Path) -> DataPlan:
    """The plan of a data set that is complete."""
    if not (folder / SUMS).is_file() or not (folder / PLAN).is_file():
        raise NotAllowed("no_data", folder=quoted(str(folder), 100))
    try:
        fields = json.loads((folder / PLAN).read_text(encoding="utf-8"))
        plan = DataPlan(**{**fields, "games": tuple(fields["games"]), "networks": tuple(fields["networks"])})
        list(map(find_game, plan.games))
        return plan
    except (ValueError, TypeError, KeyError):
        raise NotAllowed("no_data.damaged", file=quoted(str(folder / PLAN), 100)) from None


def is_complete(folder: Path, plan: DataPlan) -> bool:
    """True if every file is there; whether it is as it was written, the check says."""
    return (folder / SUMS).is_file() and all(file.is_file() for file in data_files(folder, plan))


def make_data(folder: Path, plan: DataPlan, workers: int | None, show: Show) -> None:
    """Make everything that is missing; the checksums, which are written last, say that it is complete."""
    with refused_if_unwritable(folder), _locked(folder):
        if not is_complete(folder, plan):
            _make(folder, plan, workers, show)
        shutil.rmtree(folder / PARTS, ignore_errors=True)


def _make(folder: Path, plan: DataPlan, workers: int | None, show: Show) -> None:
    import pyarrow.parquet as pq

    for game in plan.solved:
        file = table_file(folder, game)
        file.parent.mkdir(exist_ok=True)
        table = solved_table(game)
        pq.write_table(table, file, compression="zstd")
        show(game, table.num_rows, table.num_rows)
    for game in plan.labelled:
        parts = folder / PARTS / game.id
        make_parts(parts, plan.of_game(game.id), plan.positions, workers, _of_game(show, game, plan.positions))
        write_splits(parts, folder / game.id, plan.positions)
    write_text(str(folder / CARD), card(folder, plan.solved, plan.labelled, plan._asdict()))
    files = described_files(folder, plan)
    write_text(str(folder / SUMS), "".join(f"{digest(folder / file)}  {file}\n" for file in files))


def _of_game(show: Show, game: Game, positions: int) -> Callable[[int], None]:
    return lambda done: show(game, done, positions)


def table_file(folder: Path, game: Game) -> Path:
    return folder / "solved" / f"{game.id}.parquet"


def data_files(folder: Path, plan: DataPlan) -> Iterator[Path]:
    yield from (table_file(folder, game) for game in plan.solved)
    for game in plan.labelled:
        yield from (folder / game.id / f"{split}.parquet" for split in SPLITS)


def described_files(folder: Path, plan: DataPlan) -> list[str]:
    """The files whose checksums are written."""
    return sorted(file.relative_to(folder).as_posix() for file in [*data_files(folder, plan), folder / CARD])


class DataSize(NamedTuple):
    rows: int
    bytes: int
    files: int


def data_size(folder: Path) -> DataSize:
    """How large a complete data set is."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    files, rows = list(data_files(folder, read_data_plan(folder))), 0
    for file in files:
        try:
            rows += pq.read_metadata(file).num_rows
        except (pa.ArrowException, OSError):
            raise NotAllowed("no_data.damaged_file", file=quoted(str(file), 100)) from None
    return DataSize(rows, sum(file.stat().st_size for file in files), len(files))


def digest(file: Path) -> str:
    with file.open("rb") as opened:
        return file_digest(opened, "sha256").hexdigest()
