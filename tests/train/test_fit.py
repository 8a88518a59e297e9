"""Fitting with PyTorch: it learns, goes on where it was interrupted, and its integers are near its floating point."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ninefold.analysis.network import read_network
from ninefold.cli.main import main
from ninefold.train import features, network
from ninefold.train.generate import begin_folder, play_shard, write_shard
from ninefold.train.labels import GamePlan

pytestmark = pytest.mark.learning
PLAN = GamePlan("squared", (), depth=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rows")
    begin_folder(folder, PLAN)
    for shard in range(4):
        write_shard(folder, *play_shard(PLAN, shard))
    return folder


def fitted(folder: Path, epochs: int) -> Any:
    from ninefold.train.fit import FitPlan, NetworkFit
    from ninefold.train.rows import read_rows

    return NetworkFit(read_rows(folder), FitPlan(epochs=epochs, batch=512, scale=900), PLAN, "cpu")


def test_the_loss_of_positions_that_were_held_out_falls(folder: Path) -> None:
    epochs = list(fitted(folder, 6).run())
    assert epochs[-1].held_out_loss < 0.9 * epochs[0].held_out_loss
    assert epochs[-1].correlation > 0.3


def test_a_fit_that_is_interrupted_gives_what_one_that_is_not_gives(folder: Path, tmp_path: Path) -> None:
    whole, begun = fitted(folder, 3), fitted(folder, 3)
    list(whole.run())
    next(begun.run())
    begun.save(tmp_path / "half.fit")
    rest = fitted(folder, 3)
    rest.load(tmp_path / "half.fit")
    list(rest.run())
    assert np.allclose(rest.epochs, whole.epochs, rtol=1e-3)  # threads add in another order


def test_the_exported_network_evaluates_as_the_fitted_one(folder: Path, tmp_path: Path) -> None:
    import torch

    from ninefold.train.fit import export_fit
    from ninefold.train.rows import read_rows

    work = fitted(folder, 3)
    list(work.run())
    work.save(tmp_path / "squared.fit")
    export_fit(tmp_path / "squared.fit", tmp_path / "squared.net")
    file = read_network(tmp_path / "squared.net")
    rows = read_rows(folder)[:2000]
    states, board = features.inputs(rows)
    with torch.no_grad():
        logits = work.net(torch.as_tensor(states), torch.as_tensor(board)).numpy()
    values = network.evaluate(network.Tables(network.parse_payload(file.weights)), features.inputs(rows), file.scale)
    assert file.rules == "squared"
    assert np.abs(values / file.scale - logits).max() < 0.15


def test_the_commands_fit_export_and_refuse(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fit, net, svg = tmp_path / "a.fit", tmp_path / "a.net", tmp_path / "loss.svg"
    arguments = ["train", "fit", str(folder), "--out", str(fit), "--epochs", "2", "--batch", "1024", "--device", "cpu"]
    assert main([*arguments, "--svg", str(svg)]) == 0
    assert "epoch 2 of 2" in capsys.readouterr().err
    assert svg.read_text(encoding="utf-8").startswith("<svg")
    assert main(["train", "export", str(fit), "--out", str(net)]) == 0
    assert read_network(net).rules == "squared"
    assert main([*arguments, "--seed", "2"]) == 2
    assert "of other rows, or damaged" in capsys.readouterr().err
    assert main(["train", "export", str(tmp_path / "none.fit"), "--out", str(net) + "2"]) == 2
    assert "There is no fit" in capsys.readouterr().err


@pytest.mark.parametrize("other", [{"net": {}}, [1, 2], 3])
def test_a_file_of_pytorch_that_is_no_fit_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], other: object
) -> None:
    import torch

    torch.save(other, tmp_path / "other.fit")
    assert main(["train", "export", str(tmp_path / "other.fit"), "--out", str(tmp_path / "a.net")]) == 2
    assert "of other rows, or damaged" in capsys.readouterr().err
