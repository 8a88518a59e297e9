"""Data sets: solved tables and labelled positions in Parquet, which the rules agree with, and which can be resumed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from errno import ENOSPC
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from ninefold.cli.main import main
from ninefold.core.errors import NotAllowed
from ninefold.core.file_lock import try_lock
from ninefold.core.solver import solution_from
from ninefold.core.symmetry import canonical, transform
from ninefold.games import find_game
from ninefold.train.data import labelled
from ninefold.train.data.folder import PARTS, SUMS, begin_data, digest, plan_data
from ninefold.train.data.labelled import SPLITS, distinct_parts, make_part, position_key, split_of

POSITIONS = 2_600  # of the 40 games of a part there are fewer


def make(folder: Path, *more: str) -> int:
    given = ["--positions", str(POSITIONS), "--depth", "2", "--workers", "1", *more]
    return main(["data", str(folder), "--games", "classic", "ultimate", *given])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "set"
    assert make(folder) == 0
    return folder


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "copy"))


def read(file: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    rows: list[dict[str, Any]] = pq.read_table(file).to_pylist()
    return rows


def rewrite(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    """Change a file together with its checksum."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file, before = folder / name, digest(folder / name)
    pq.write_table(pa.Table.from_pylist(rows, schema=pq.read_schema(file)), file)
    sums = folder / SUMS
    sums.write_text(sums.read_text().replace(before, digest(file)))


def test_without_pyarrow_nothing_is_written_and_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert make(tmp_path / "set") == 2
    assert "pip install 'ninefold[parquet]'" in capsys.readouterr().err
    assert not (tmp_path / "set").exists()


def test_a_whole_game_belongs_to_one_split_and_one_of_fifty_is_held_out_for_each() -> None:
    counts = {split: sum(split_of(game) == split for game in range(1000)) for split in SPLITS}
    assert counts == {"train": 960, "validation": 20, "test": 20}


def test_the_key_of_a_position_is_that_of_its_eight_images_and_of_no_other() -> None:
    game, random = find_game("squared"), Random(1)
    keys = {}
    for _ in range(20):
        position = game.begin()
        while position.outcome is None:
            keys[canonical(position)[0]] = position_key(position)
            assert position_key(transform(position, random.randrange(8))) == position_key(position)
            position = position.play(random.choice(position.moves()))
    assert len(set(keys.values())) == len(keys) > 500
    marks = "/".join(["X........", "O........", *["........."] * 7])
    assert len({position_key(game.parse(f"{marks} X {board}")) for board in "789456123*"}) == 10


@pytest.mark.export
def test_a_position_that_came_before_is_left_out(tmp_path: Path) -> None:
    plan = plan_data(("ultimate",), 10_000, 1, 1).of_game("ultimate")
    rows = make_part(tmp_path, plan, 0)
    shutil.copy(tmp_path / "000000.parquet", tmp_path / "000001.parquet")
    assert [table.num_rows for table in distinct_parts(tmp_path, 10_000)] == [rows, 0]
    assert [table.num_rows for table in distinct_parts(tmp_path, 100)] == [100]


@pytest.mark.export
def test_a_folder_that_holds_something_else_or_another_plan_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    with pytest.raises(NotAllowed, match="holds something else"):
        begin_data(tmp_path, plan_data(("classic",), 10, 2, 1))
    begin_data(tmp_path / "new", plan_data(("classic",), 10, 2, 1))
    with pytest.raises(NotAllowed, match="another plan"):
        begin_data(tmp_path / "new", plan_data(("classic",), 10, 3, 1))


@pytest.mark.export
def test_the_solved_table_has_every_position_with_the_values_of_the_solver(made: Path) -> None:
    assert find_spec("pyarrow")
    game = find_game("classic")
    solution = solution_from(game, game.begin())
    rows = read(made / "solved" / "classic.parquet")
    assert len(rows) == 5_478
    assert {game.parse(row["position"]) for row in rows} == set(solution.table.states)
    fork = next(row for row in rows if row["position"].startswith("XX./OO./... X"))
    assert (fork["value"], fork["distance"], fork["best_moves_text"]) == (1, 1, ["3"])
    assert dict(zip(fork["moves"], fork["move_values"], strict=True)) == {2: 1, 5: 0, 6: -1, 7: -1, 8: -1}


@pytest.mark.export
def test_labelled_positions_are_distinct_up_to_symmetry_also_between_splits(made: Path) -> None:
    game = find_game("ultimate")
    rows = [row for split in SPLITS for row in read(made / "ultimate" / f"{split}.parquet")]
    assert len(rows) == POSITIONS
    assert len({str(canonical(game.parse(row["position"]))[0]) for row in rows}) == POSITIONS
    for row in rows[::50]:
        position = game.parse(row["position"])
        assert str(position) == row["position"]
        assert row["best_move"] in position.moves()
        assert (row["distance"] is not None) <= row["is_proven"]
        assert row["ply"] == row["position"].count("X", 0, 89) + row["position"].count("O", 0, 89)


@pytest.mark.export
def test_an_interrupted_run_goes_on_and_gives_the_same_bytes(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    plan = plan_data(("classic", "ultimate"), POSITIONS, 2, 1)
    begin_data(folder, plan)
    parts = folder / PARTS / "ultimate"
    parts.mkdir(parents=True)
    make_part(parts, plan.of_game("ultimate"), 1)  # the second one was done first
    (parts / "000000.123").write_bytes(b"half a part")
    assert make(folder, "--workers", "2") == 0
    assert (folder / SUMS).read_text() == (made / SUMS).read_text()
    assert not (folder / PARTS).exists()


@pytest.mark.export
@pytest.mark.parametrize("damage", [lambda data: data[:-100], lambda data: data[:200] + b"?" + data[201:], bytes])
def test_a_part_that_a_crash_has_damaged_is_made_again(
    made: Path, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    folder = tmp_path / "again"
    plan = plan_data(("classic", "ultimate"), POSITIONS, 2, 1)
    begin_data(folder, plan)
    parts = folder / PARTS / "ultimate"
    parts.mkdir(parents=True)
    make_part(parts, plan.of_game("ultimate"), 0)
    part = parts / "000000.parquet"
    part.write_bytes(damage(part.read_bytes()))
    assert make(folder) == 0
    assert (folder / SUMS).read_text() == (made / SUMS).read_text()


@pytest.mark.export
def test_on_a_full_disk_what_is_done_is_kept(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    folder = tmp_path / "again"
    with monkeypatch.context() as patch:
        patch.setattr("ninefold.train.data.folder.write_splits", full)
        assert make(folder) == 2
    shown = capsys.readouterr().err
    assert "cannot be written: No space left on device" in shown
    assert "the same command goes on" in shown
    parts = sorted((folder / PARTS / "ultimate").iterdir())
    assert [part.suffix for part in parts] == [".parquet"] * len(parts) != []
    monkeypatch.setattr(labelled, "make_part", None)  # no part is made again
    assert make(folder) == 0
    assert (folder / SUMS).read_text() == (made / SUMS).read_text()


@pytest.mark.export
def test_two_processes_do_not_make_one_data_set(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (copy / "plan.json").open("rb") as plan:
        assert try_lock(plan.fileno())
        assert make(copy) == 2
    assert "Another process is making the data set" in capsys.readouterr().err
    assert make(copy) == 0


@pytest.mark.export
def test_a_file_that_was_removed_is_made_again(copy: Path, made: Path) -> None:
    (copy / "ultimate" / "test.parquet").unlink()
    (copy / "solved" / "classic.parquet").unlink()
    assert make(copy) == 0
    assert (copy / SUMS).read_text() == (made / SUMS).read_text()
    assert digest(copy / "ultimate" / "test.parquet") in (made / SUMS).read_text()


@pytest.mark.export
def test_a_file_that_was_cut_is_told(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = copy / "ultimate" / "test.parquet"
    file.write_bytes(file.read_bytes()[:-100])
    assert make(copy) == 2
    assert "test.parquet' is damaged. Remove it" in capsys.readouterr().err


@pytest.mark.export
@pytest.mark.parametrize("plan", ["", "{", "[]", '{"games": ["chess"], "positions": 1, "depth": 1, "seed": 1}'])
def test_a_damaged_plan_is_told(copy: Path, plan: str, capsys: pytest.CaptureFixture[str]) -> None:
    (copy / "plan.json").write_text(plan)
    assert main(["data", str(copy), "--check"]) == 2
    assert "plan.json' is damaged" in capsys.readouterr().err
    assert make(copy) == 2
    assert "another plan" in capsys.readouterr().err


@pytest.mark.export
def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "set").write_text("a letter")
    assert make(tmp_path / "set") == 2
    assert "holds something else" in capsys.readouterr().err
    assert (tmp_path / "set").read_text() == "a letter"


def test_the_games_of_a_plan_have_one_order() -> None:
    assert plan_data(("ultimate", "classic", "ultimate"), 10, 2, 1) == plan_data(("classic", "ultimate"), 10, 2, 1)


@pytest.mark.export
def test_the_check_finds_a_file_that_the_checksums_leave_out(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sums = copy / SUMS
    sums.write_text("".join(line for line in sums.read_text().splitlines(True) if "test.parquet" not in line))
    assert main(["data", str(copy), "--check"]) == 2
    assert capsys.readouterr().out == "ultimate/test.parquet is missing, or is not as it was written.\n"


@pytest.mark.export
def test_a_complete_data_set_is_right_and_is_not_made_again(
    made: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelled, "make_part", None)
    assert make(made) == 0
    assert "is complete: 8,078 rows" in capsys.readouterr().out
    assert main(["data", str(made), "--check"]) == 0
    assert "nothing is wrong" in capsys.readouterr().out


@pytest.mark.export
def test_the_check_finds_a_changed_file(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = copy / "ultimate" / "test.parquet"
    data = bytearray(file.read_bytes())
    data[100] ^= 1
    file.write_bytes(data)
    assert main(["data", str(copy), "--check"]) == 2
    assert capsys.readouterr().out == "ultimate/test.parquet is missing, or is not as it was written.\n"


@pytest.mark.export
@pytest.mark.parametrize(
    ("name", "column", "value", "fault"),
    [
        ("solved/classic.parquet", "value", -1, "does not agree with the rules"),
        ("ultimate/test.parquet", "score", 7, "gives other labels"),
        ("ultimate/test.parquet", "best_move_text", "99", "does not agree with the rules"),
    ],
)
def test_the_check_finds_labels_that_are_wrong(
    copy: Path, name: str, column: str, value: object, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = read(copy / name)
    rewrite(copy, name, [{**row, column: value} if place == 5 else row for place, row in enumerate(rows)])
    assert main(["data", str(copy), "--check"]) == 2
    assert fault in capsys.readouterr().out


@pytest.mark.export
def test_the_files_can_be_read_with_pyarrow_alone(made: Path) -> None:
    program = (
        "import sys; sys.modules['ninefold'] = sys.modules['numpy'] = sys.modules['pandas'] = None\n"
        "import pyarrow.parquet as pq\n"
        "print(sum(len(pq.read_table(file).to_pylist()) for file in sys.argv[1:]))"
    )
    files = map(str, sorted(made.rglob("*.parquet")))
    assert subprocess.check_output([sys.executable, "-c", program, *files], text=True) == "8078\n"


@pytest.mark.export
def test_the_front_matter_of_the_card_names_every_file(made: Path) -> None:
    card = (made / "README.md").read_text(encoding="utf-8")
    front = yaml.safe_load(card.split("---\n")[1])
    paths = {split["path"] for config in front["configs"] for split in config["data_files"]}
    assert paths == {file.relative_to(made).as_posix() for file in made.rglob("*.parquet")}
    assert front["license"] == "mit"
    assert front["size_categories"] == ["1K<n<10K"]
    assert f"ninefold data DIR --positions {POSITIONS} --depth 2 --seed 1" in card
    (example,) = re.findall(r"^```python\n(.*?)^```$", card, re.MULTILINE | re.DOTALL)
    program = f"import sys; sys.modules['ninefold'] = None\n{example}"
    printed = subprocess.check_output([sys.executable, "-c", program], cwd=made, text=True)
    assert printed == ".../.../... X first=X line_ends=yes 0\n"
    columns = set(read(made / "ultimate" / "test.parquet")[0]) | set(read(made / "solved" / "classic.parquet")[0])
    assert [column for column in columns if f"`{column}`" not in card] == []
