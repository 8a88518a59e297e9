"""Rows of training data: labels that a search gives, the same on every machine, and folders that can be resumed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ninefold.analysis.engine import Engine
from ninefold.analysis.network import FOLDER
from ninefold.arena.executors import EXECUTORS
from ninefold.cli.main import main
from ninefold.core.errors import Refusal
from ninefold.core.position import Side
from ninefold.games import find_game
from ninefold.games.squared import Squared
from ninefold.train import features
from ninefold.train.generate import begin_folder, play_games, read_plan
from ninefold.train.labels import GamePlan
from ninefold.train.rows import ROW, TrainingRows, read_rows, row

PLAN = GamePlan("squared", (), depth=2, seed=3)


def position_of(one: np.void, plan: GamePlan = PLAN) -> Squared:
    """A row as the rules have it."""
    boards = "/".join(
        "".join("XO."[0 if x >> c & 1 else 1 if o >> c & 1 else 2] for c in range(9))
        for x, o in zip(one["x"], one["o"], strict=True)
    )
    sent = "*" if one["board"] == 9 else str(int("789456123"[one["board"]]))
    options = " ".join(f"{name}={value}" for name, value in plan.options)
    found = find_game(plan.game).parse(f"{boards} {'XO'[one['turn']]} {sent} {options}")
    assert isinstance(found, Squared)
    return found


@pytest.fixture(scope="module")
def rows() -> TrainingRows:
    return play_games(PLAN, range(3))


def test_the_same_plan_gives_the_same_rows(rows: TrainingRows) -> None:
    assert np.array_equal(play_games(PLAN, range(3)), rows)
    assert not np.array_equal(play_games(PLAN._replace(seed=4), range(3)), rows)
    assert np.array_equal(np.concatenate([play_games(PLAN, [number]) for number in range(3)]), rows)


def test_a_row_is_a_position_with_the_value_that_a_search_gives_it(rows: TrainingRows) -> None:
    for found in rows[::9]:
        position = position_of(found)
        assert position.outcome is None
        assert tuple(found["x"]) == position.x
        assert Side(found["turn"]) is position.turn
    fresh = position_of(rows[0])  # the first of a game, which was searched with an empty table
    engine = Engine(16 << 20, 1, learned=False)
    assert engine.search(fresh, depth=2).lines[0].score == rows[0]["value"]


@pytest.mark.parametrize(
    "plan",
    [PLAN, GamePlan("ultimate", (), depth=1), GamePlan("ultimate", (("tie_break", "boards"),), depth=1)],
    ids=["squared", "ultimate", "ultimate-boards"],
)
def test_every_row_round_trips_through_the_rules(plan: GamePlan) -> None:
    found = play_games(plan, range(4))
    positions = [position_of(one, plan) for one in found]
    ended = 0
    for number, (one, position) in enumerate(zip(found, positions, strict=True)):
        assert np.array([row(position, one["value"], one["result"])], ROW)[0] == one
        children = [position.play(move) for move in position.moves()]
        following = positions[number + 1] if number + 1 < len(positions) else None
        if following in children:
            continue
        ended += 1  # the last of its game: one of its moves ends it with the result of the row
        winners = [child.outcome.winner for child in children if child.outcome]
        results = {0 if winner is None else 1 if winner is position.turn else -1 for winner in winners}
        assert one["result"] in results
    assert ended == 4


def test_the_result_is_that_of_the_game_for_the_side_to_move(rows: TrainingRows) -> None:
    turns = rows["turn"].astype(int)
    for_x = np.where(turns == 0, rows["result"], -rows["result"])
    starts = np.flatnonzero([sum(map(int.bit_count, map(int, [*one["x"], *one["o"]]))) <= 8 for one in rows])
    assert len({*for_x.tolist()}) <= 3
    assert len(starts) >= 3
    last = rows[-1]
    assert abs(int(last["value"])) > 10_000 or last["result"] == 0  # the end was seen


def test_a_symmetry_of_the_board_turns_the_inputs_as_its_tables_say(rows: TrainingRows) -> None:
    plain = features.inputs(rows)
    for number, cells in enumerate(features.SYMMETRIES):
        turned = rows.copy()
        for name in ("x", "o"):
            bits = rows[name][:, cells, None] >> np.arange(9) & 1  # boards first, then the cells of each
            turned[name] = (bits[:, :, cells] << np.arange(9)).sum(2)
        turned["board"] = features.BOARD_UNDER[number][rows["board"]]
        found = features.inputs(turned)
        assert np.array_equal(found.states, features.STATE_UNDER[number][plain.states][:, cells])
        assert np.array_equal(found.board, features.BOARD_UNDER[number][plain.board])


def test_states_tell_live_boards_by_their_marks_and_dead_ones_by_their_owner() -> None:
    assert features.LIVE == 11_093
    rows = play_games(PLAN, [0])
    states = features.inputs(rows).states[-1]
    mine, theirs = (rows[-1]["x"], rows[-1]["o"]) if rows[-1]["turn"] == 0 else (rows[-1]["o"], rows[-1]["x"])
    position = position_of(rows[-1])
    for board in range(9):
        owner = position.owners[board]
        expected = {"": None, "XO": features.DRAWN}.get(
            owner, features.WON if owner == str(position.turn) else features.LOST
        )
        assert (states[board] < features.LIVE) if expected is None else states[board] == expected
        assert (mine[board] & theirs[board]) == 0


# The command


def generate(folder: Path, *more: str) -> int:
    return main(["train", "generate", "squared", "--out", str(folder), "--depth", "1", "--workers", "1", *more])


def test_generating_goes_on_where_it_was_interrupted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate(tmp_path, "--files", "1") == 0
    first = (tmp_path / "rows-00000.npy").stat().st_mtime_ns
    assert generate(tmp_path, "--files", "2") == 0
    assert (tmp_path / "rows-00000.npy").stat().st_mtime_ns == first
    assert len(read_rows(tmp_path)) > 2000
    assert "new rows in" in capsys.readouterr().out
    assert read_plan(tmp_path) == GamePlan("squared", (), depth=1)


def test_rows_that_were_played_on_other_machines_are_written_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def elsewhere(do: Callable[[int], Any], shards: list[int], _: int) -> Iterator[Any]:
        assert str(tmp_path) not in repr(do)  # no folder of this machine
        yield from map(do, reversed(shards))

    generate(tmp_path / "here", "--files", "2")
    monkeypatch.setitem(EXECUTORS, "ray", elsewhere)
    generate(tmp_path / "there", "--files", "2", "--executor", "ray")
    for name in ("rows-00000.npy", "rows-00001.npy"):
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


def test_a_folder_of_another_plan_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin_folder(tmp_path, PLAN)
    assert generate(tmp_path, "--files", "1") == 2
    assert "made by another plan" in capsys.readouterr().err


def test_a_network_that_cannot_label_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for network, why in ((tmp_path / "none.net", "cannot be read"), (FOLDER / "ultimate.net", "made for 'ultimate'")):
        assert generate(tmp_path / "rows", "--network", str(network)) == 2
        assert why in capsys.readouterr().err
    assert not (tmp_path / "rows").exists()


def test_a_small_game_and_an_empty_folder_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "generate", "classic", "--out", str(tmp_path / "rows")]) == 2
    assert "The engine plays squared and ultimate only." in capsys.readouterr().err
    with pytest.raises(Refusal, match="There are no rows"):
        read_rows(tmp_path)


@pytest.mark.parametrize("damage", [b"", b"rows", b"\x93NUMPY\x01\x00"])
def test_a_damaged_file_of_rows_is_refused_by_its_name(tmp_path: Path, damage: bytes) -> None:
    generate(tmp_path, "--files", "2")
    file = tmp_path / "rows-00001.npy"
    for wrong in (damage, file.read_bytes()[:-1]):
        file.write_bytes(wrong)
        with pytest.raises(Refusal, match=r"rows-00001\.npy' is damaged"):
            read_rows(tmp_path)
    np.save(file, np.zeros(3))
    with pytest.raises(Refusal, match=r"rows-00001\.npy' is damaged"):
        read_rows(tmp_path)


@pytest.mark.parametrize("damage", ["", "[]", "{}", '{"options": 3}', "[" * 30_000])
def test_a_damaged_plan_is_refused_by_its_name(tmp_path: Path, damage: str) -> None:
    (tmp_path / "plan.json").write_text(damage)
    with pytest.raises(Refusal, match=r"plan\.json' is damaged"):
        read_plan(tmp_path)


def test_a_fit_shows_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Fit:
        """Stands for the fit with PyTorch, which need not be installed."""

        def __init__(self, *_: object) -> None:
            self.epochs: list[object] = []
            self.device = "cpu"

        def run(self) -> Iterator[SimpleNamespace]:
            for number in (1, 2):
                losses = {"number": number, "loss": 0.2, "held_out_loss": 0.3, "correlation": 0.8}
                yield SimpleNamespace(number=number, _asdict=lambda losses=losses: losses)

        def save(self, file: Path) -> None: ...

    module = SimpleNamespace(
        FitPlan=SimpleNamespace, NetworkFit=Fit, logistic_scale=lambda _: 900.0, loss_plot=lambda _: "<svg/>"
    )
    monkeypatch.setitem(sys.modules, "ninefold.train.fit", module)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    generate(tmp_path, "--files", "1")
    assert main(["train", "fit", str(tmp_path), "--out", str(tmp_path / "a.fit"), "--epochs", "2"]) == 0
    shown = capsys.readouterr().err
    assert "epoch 1 of 2: loss 0.20000, held out 0.30000" in shown
    assert f"\r[{'#' * 20}{'.' * 20}] 1/2 epochs" in shown
    assert f"\r[{'#' * 40}] 2/2 epochs" in shown


def test_a_network_labels_otherwise(rows: TrainingRows) -> None:
    learned = play_games(PLAN._replace(network=str(FOLDER / "squared.net")), range(1))
    assert learned[0]["value"] != rows[0]["value"]
    assert np.array_equal(learned[0]["x"], rows[0]["x"])
