"""The examples learn: one to its end, the other for its first updates."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

from examples import policy_gradient, q_learning
from examples.chart import Axis, chart
from examples.command import Example, Learned, run
from ninefold.envs.batch import make
from ninefold.envs.gym import NinefoldEnv


def test_q_learning_never_loses_to_perfect() -> None:
    values, curve = q_learning.learn(seed=1)
    batch, env = make("classic"), NinefoldEnv("classic", "perfect", side="toss")
    assert curve[0][1] > 0.3
    env.reset(seed=1)
    for _ in range(100):
        env.reset()
        reward, over = 0.0, False
        while not over:
            move = q_learning.best_move(batch, values, env.match.position)
            _, reward, over, _, _ = env.step(np.int64(move))
        assert reward == 0.0, str(env.match.position)


def test_initial_values_can_be_beaten() -> None:
    batch = make("classic")
    lost, lines = q_learning.count_losses(batch, q_learning.initial_values(batch, np.random.default_rng(1)))
    assert 0 < lost < lines


def test_policy_gradients_soon_win_most_games_against_medium() -> None:
    weights, curve = policy_gradient.learn(seed=1, updates=15)
    assert curve[0][1] < 0.3
    assert policy_gradient.score(policy_gradient.greedy(weights), games=100, seed=2) > 0.55


def test_the_perfect_player_wins_most_games_against_medium() -> None:
    assert 0.7 < policy_gradient.score(policy_gradient.perfect(1), games=100, seed=2) < 1.0


def test_the_gradient_is_the_slope_of_the_objective() -> None:
    """Measured along a random direction of all weights, with the advantage held constant."""
    generator = np.random.default_rng(1)
    weights: policy_gradient.Weights = {
        name: layer.astype(float) for name, layer in policy_gradient.network(5, 4, generator).items()
    }
    way = {name: generator.normal(size=layer.shape) for name, layer in weights.items()}
    inputs, legal, gained = generator.normal(size=(6, 5)), generator.random((6, 4)) < 0.7, generator.normal(size=6)
    legal[:, 0], action, everywhere = True, np.zeros(6, np.intp), np.ones(6, np.bool_)
    advantage = gained - policy_gradient.forward(weights, inputs, legal).value

    def aim(length: float) -> float:
        changed: policy_gradient.Weights = {name: layer + length * way[name] for name, layer in weights.items()}
        _, probabilities, value = policy_gradient.forward(changed, inputs, legal)
        entropy = -(probabilities * np.log(np.maximum(probabilities, 1e-9))).sum(axis=1)
        tried = advantage * np.log(probabilities[:, 0]) + policy_gradient.ENTROPY * entropy
        return float((tried - (gained - value) ** 2 / 2).mean())

    step = policy_gradient.Transition(inputs, legal, action, everywhere, gained, everywhere)
    found = policy_gradient.gradient(weights, [step], [gained])
    slope = sum((found[name] * way[name]).sum() for name in weights)
    assert slope == pytest.approx((aim(1e-5) - aim(-1e-5)) / 2e-5, rel=1e-4)


@pytest.mark.parametrize("example", [q_learning.EXAMPLE, policy_gradient.EXAMPLE])
def test_an_example_prints_its_result_and_draws_its_curve(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run(example._replace(learn=lambda seed: Learned(f"Seed {seed}.", [(0, 0.9), (200, 0.1)])), ["--seed", "7"])
    assert capsys.readouterr().out == f"Seed 7.\nThe learning curve is in {example.name}.svg.\n"
    assert fromstring((tmp_path / f"{example.name}.svg").read_text(encoding="utf-8")).tag.endswith("svg")  # noqa: S314


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--seed", "-1"], "'-1' is not a whole number"),
        (["--svg", "no/such/curve.svg"], "there is no folder 'no/such' to draw the curve in"),
    ],
)
def test_wrong_arguments_are_refused_before_it_learns(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(q_learning.EXAMPLE, arguments)
    assert sentence in capsys.readouterr().err


def test_ctrl_c_ends_an_example_quietly(tmp_path: Path) -> None:
    def stop(_: int) -> Learned:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit, match="130"):
        run(q_learning.EXAMPLE._replace(learn=stop), ["--svg", str(tmp_path / "curve.svg")])


def test_a_curve_goes_from_the_lowest_corner_to_the_highest() -> None:
    drawn = fromstring(chart("Title", Axis("across", 10), Axis("up", 1), [(0, 0), (10, 1)]))  # noqa: S314
    curve = [path.attrib["d"] for path in drawn if path.attrib.get("stroke-width") == "2"]
    assert curve == ["M70.0 310.0L610.0 60.0"]
    assert {"Title", "across", "up", "2.5", "0.25"} <= {text.text for text in drawn}
