"""AlphaZero: its parts, what it learns, and runs that are killed and go on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ninefold.cli.main import main
from ninefold.games import find_game
from ninefold.match.match import begin
from ninefold.players.player import make_player
from ninefold.players.policy_network import read_policy_network

pytestmark = pytest.mark.learning
TINY: dict[str, Any] = {
    "games": 8,
    "moves": 4,
    "simulations": 4,
    "remembered": 3,
    "updates": 2,
    "batch": 16,
    "code": 8,
    "width": 8,
}


def tiny_plan(game: str = "classic", **changes: Any) -> Any:
    from ninefold.train.alphazero import AlphaZeroPlan

    return AlphaZeroPlan(game)._replace(**TINY, blocks=1, **changes)


def begin_run(folder: Path, **changes: Any) -> Any:
    from ninefold.train.alphazero_run import TrainingRun

    return TrainingRun(folder, tiny_plan(**changes))


def command(folder: Path, iterations: int, *more: str) -> list[str]:
    arguments = ["train", "alphazero", "classic", "--out", str(folder), "--iterations", str(iterations)]
    return [*arguments, "--evaluate", "0", *more]


def test_a_result_goes_back_through_the_moves_of_its_game_and_changes_its_sign() -> None:
    import jax.numpy as jnp

    from ninefold.train.alphazero import Played, results

    no = [False] * 5
    won_at_the_third = Played([0, 0, 1, 0, 0], [False, False, True, False, False], no, [0.5] * 5)
    surprised = won_at_the_third._replace(is_random=[False, True, False, False, False])
    columns = [jnp.array(pair, jnp.float32).T for pair in zip(won_at_the_third, surprised, strict=True)]
    played = Played(columns[0], columns[1].astype(bool), columns[2].astype(bool), columns[3])
    found = np.asarray(results(played, jnp.array([0.25, 0.25]))).T
    assert found[0].tolist() == [1, -1, 1, 0.25, -0.25]
    assert found[1].tolist() == [-0.5, 0.5, 1, 0.25, -0.25]  # the random move ends what is known


def test_a_step_of_the_optimizer_is_as_long_as_its_rate() -> None:
    import jax.numpy as jnp

    from ninefold.train.alphazero import Optimizer, adam

    weights, zero = {"a": jnp.array([1.0, 2.0])}, {"a": jnp.zeros(2)}
    moved, optimizer = adam(weights, Optimizer(zero, zero, jnp.int32(0)), {"a": jnp.array([5.0, -0.1])}, 0.01, 0.0)
    assert np.allclose(moved["a"], [0.99, 2.01])
    assert int(optimizer.steps) == 1


@pytest.mark.parametrize("game", ["classic", "swap-nine", "squared", "ultimate"])
def test_every_game_is_trained_and_played(game: str, tmp_path: Path) -> None:
    run = begin_run(tmp_path, game=game)
    assert all(np.isfinite(run.advance()))
    policy = np.asarray(run.state.replay.policy, np.float32).sum(axis=1)
    assert np.allclose(policy[:32], 1, atol=0.01)  # of 8 games and 4 moves; the rest of the replay buffer is empty
    assert (policy[32:] == 0).all()
    (point,) = run.measure(["random"], 4, 4)
    assert point.won + point.drawn + point.lost == 4
    player = make_player(find_game(game), f"alphazero:{run.export()},simulations=4", 1)
    match = begin(find_game(game))
    assert player(match).move in match.position.moves()


def test_after_a_minute_of_classic_it_is_not_beaten_by_perfect(tmp_path: Path) -> None:
    from ninefold.train.alphazero import plan_for
    from ninefold.train.alphazero_run import TrainingRun

    run = TrainingRun(tmp_path, plan_for(find_game("classic"), (), 1))
    (untrained,) = run.measure(["perfect"], 40, 16)
    for _ in range(45):
        run.advance()
    perfect, random = run.measure(["perfect", "random"], 40, 16)
    assert untrained.lost > 10
    assert perfect.lost == 0
    assert random.share > 0.9


def test_a_run_that_is_killed_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = begin_run(tmp_path / "whole")
    for _ in range(12):
        whole.advance()
    begin_run(tmp_path / "killed")  # writes the plan that the command goes on with
    program = [sys.executable, "-m", "ninefold", *command(tmp_path / "killed", 10**6)]
    for iterations in (1, 4, 8):
        process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        for line in process.stdout:
            if line.startswith("iteration ") and int(line.split()[1]) >= iterations:
                break
        process.kill()
        process.wait()
        process.stdout.close()
    resumed = begin_run(tmp_path / "killed")
    assert resumed.iteration > 1
    while whole.iteration < resumed.iteration:
        whole.advance()
    while resumed.iteration < whole.iteration:
        resumed.advance()
    for name, weights in whole.state.weights.items():
        assert np.allclose(weights, resumed.state.weights[name], rtol=1e-3, atol=1e-5), name
    assert (np.asarray(whole.state.games.position) == np.asarray(resumed.state.games.position)).all()


def test_ctrl_c_says_that_the_same_command_goes_on(tmp_path: Path) -> None:
    begin_run(tmp_path)
    program = [sys.executable, "-m", "ninefold", *command(tmp_path, 10**6)]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    while not process.stdout.readline().startswith("iteration 2 "):
        pass
    os.kill(process.pid, signal.SIGINT)
    told = process.stdout.read()
    process.stdout.close()
    assert process.wait() == 130
    assert "The same command goes on." in told
    assert begin_run(tmp_path).iteration >= 1


def test_a_kill_while_a_checkpoint_is_written_leaves_the_last_one(tmp_path: Path) -> None:
    run = begin_run(tmp_path)
    run.advance()
    run.save()
    (tmp_path / "checkpoint.npz.part").write_bytes(b"half of the next one")
    assert begin_run(tmp_path).iteration == 1


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no zip", None])
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, damage: bytes | None, capsys: Any) -> None:
    begin_run(tmp_path).save()
    file = tmp_path / "checkpoint.npz"
    file.write_bytes(file.read_bytes()[:-1000] if damage is None else damage)
    assert main(command(tmp_path, 2)) == 2
    assert "is damaged" in capsys.readouterr().err


def test_a_run_of_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin_run(tmp_path)
    assert main(command(tmp_path, 2, "--seed", "2")) == 2
    assert "another seed" in capsys.readouterr().err
    (tmp_path / "plan.json").write_text("{}", encoding="utf-8")
    assert main(command(tmp_path, 2)) == 2
    assert "is damaged" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--option", "tie_break=boards"], ["--against", "nobody"]])
def test_a_command_that_is_refused_leaves_no_run(tmp_path: Path, wrong: list[str], capsys: Any) -> None:
    assert main(command(tmp_path / "run", 2, *wrong)) == 2
    assert "tie_break" in (told := capsys.readouterr().err) or "nobody" in told
    assert not (tmp_path / "run").exists()


def test_a_run_that_is_interrupted_has_the_weights_of_its_last_measurement(tmp_path: Path, monkeypatch: Any) -> None:
    from ninefold.train.alphazero_run import TrainingRun

    def interrupt(run: Any) -> None:
        raise KeyboardInterrupt

    begin_run(tmp_path)
    monkeypatch.setattr(TrainingRun, "advance", interrupt)
    assert main([*command(tmp_path, 3)[:-1], "2", "--games", "2", "--simulations", "2", "--against", "random"]) == 130
    assert read_policy_network(tmp_path / "weights.az").about["iterations"] == 0


def test_the_command_trains_measures_and_writes_the_player(tmp_path: Path, capsys: Any) -> None:
    begin_run(tmp_path)
    begun = time.monotonic()
    arguments = ["--evaluate", "2", "--games", "4", "--simulations", "4", "--against", "random", "medium"]
    assert main([*command(tmp_path, 3), *arguments]) == 0
    told = capsys.readouterr().out
    assert "iteration 3 of 3" in told
    curve = json.loads((tmp_path / "curve.json").read_text(encoding="utf-8"))
    assert [(point["iteration"], point["opponent"]) for point in curve] == [
        (0, "random"), (0, "medium"), (2, "random"), (2, "medium"), (3, "random"), (3, "medium")
    ]  # fmt: skip
    assert 0 < curve[-1]["seconds"] < time.monotonic() - begun
    assert (tmp_path / "curve.svg").read_text(encoding="utf-8").startswith("<svg")
    network = read_policy_network(tmp_path / "weights.az")
    assert network.about["iterations"] == 3
    assert main([*command(tmp_path, 3), *arguments]) == 0  # nothing is left to do
    assert "iteration" not in capsys.readouterr().out.splitlines()[1:]
