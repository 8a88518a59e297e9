"""A run of AlphaZero in a folder: it can be interrupted at any time, also by kill -9, and the same command goes on.

The folder has the plan of the run, a checkpoint that is replaced as a whole after an iteration, the weights for the
player ``alphazero:FILE``, and the scores against the levels over time. Only what came after the last checkpoint is done
again.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jax
import numpy as np

from ninefold.core.errors import NotAllowed, quoted
from ninefold.core.game import Game
from ninefold.core.position import Side
from ninefold.envs.start import match_options_off
from ninefold.match import actions
from ninefold.match.match import Match, begin
from ninefold.players.player import levels, make_player
from ninefold.players.policy_network import PolicyNetwork, relevant, write_policy_network
from ninefold.train.alphazero import AlphaZero, AlphaZeroPlan, Losses
from ninefold.train.curve import CurvePoint

SAVE_SHARE = 0.05  # of the time may go into checkpoints; a big replay buffer is a big file
PLAN, CHECKPOINT, WEIGHTS, CURVE = "plan.json", "checkpoint.npz", "weights.az", "curve.json"


def opponents(game: Game) -> tuple[str, ...]:
    """Whom a run is measured against: all but the expert, who thinks for seconds about a move."""
    return ("random", *(name for name in levels(game) if name != "expert"))


@dataclass
class RunProgress:
    """What a run has done: how long it has trained, and the scores so far."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    curve: list[CurvePoint] = field(default_factory=list)


class TrainingRun:
    """A run in a folder, new or resumed."""

    def __init__(self, folder: Path, plan: AlphaZeroPlan) -> None:
        self.folder = folder
        self.learner = AlphaZero(_settle_plan(folder, plan))  # refuses options that the game does not have
        folder.mkdir(parents=True, exist_ok=True)
        _write_json(folder / PLAN, self.learner.plan._asdict())
        self.state, self.progress = self.learner.begin(), RunProgress()
        self._saved_at, self._save_seconds = time.monotonic(), 0.0
        if (folder / CHECKPOINT).exists():
            self._load()
        self.iteration = int(self.state.iteration)  # also when it is interrupted while the state is replaced

    def advance(self) -> Losses:
        """One iteration, and its checkpoint unless the last one is too recent for its size."""
        begun = time.monotonic(), time.process_time()
        self.state, losses = jax.block_until_ready(self.learner.iterate(self.state))
        self.iteration += 1
        self.progress.seconds += time.monotonic() - begun[0]
        self.progress.cpu_seconds += time.process_time() - begun[1]
        if time.monotonic() - self._saved_at >= self._save_seconds / SAVE_SHARE:
            self.save()
        return Losses(*map(float, losses))

    @property
    def on_gpu(self) -> bool:
        """True if it trains on something else than the processor."""
        return bool(jax.default_backend() != "cpu")

    def measure(self, opponents: Sequence[str], games: int, simulations: int) -> list[CurvePoint]:
        """Play against these players, unless that was done after this iteration: the new points of the curve."""
        done = {point.opponent for point in self.progress.curve if point.iteration == self.iteration}
        missing = [name for name in opponents if name not in done]
        if not missing:
            return []
        scores = play_levels(self.learner, self.state.weights, missing, games, simulations, seed=self.iteration)
        times = round(self.progress.seconds, 1), round(self.progress.cpu_seconds, 1)
        points = [CurvePoint(self.iteration, *times, name, *score) for name, score in zip(missing, scores, strict=True)]
        self.progress.curve += points
        self.save()
        return points

    def export(self) -> Path:
        """Write the weights for the player."""
        learner = self.learner
        about = {"plan": learner.plan._asdict(), "iterations": self.iteration, "seconds": round(self.progress.seconds)}
        file = self.folder / WEIGHTS
        options = relevant(learner.env.start.options)
        weights = jax.tree.map(np.asarray, self.state.weights)
        write_policy_network(file, PolicyNetwork(learner.plan.game, options, learner.shape, weights, about))
        return file

    def save(self) -> None:
        """Replace the checkpoint as a whole, so that there is a whole one at every moment."""
        begun = time.monotonic()
        progress = [self.progress.seconds, self.progress.cpu_seconds, self.progress.curve]
        words = np.frombuffer(json.dumps(progress).encode(), np.uint8)
        part = self.folder / (CHECKPOINT + ".part")
        with part.open("wb") as opened:
            np.savez(opened, *map(np.asarray, jax.tree.leaves(self.state)), progress=words)
            opened.flush()
            os.fsync(opened.fileno())
        part.replace(self.folder / CHECKPOINT)
        _write_json(self.folder / CURVE, [point._asdict() for point in self.progress.curve])
        self._saved_at = time.monotonic()
        self._save_seconds = self._saved_at - begun

    def _load(self) -> None:
        file = self.folder / CHECKPOINT
        expected, structure = jax.tree.flatten(self.state)
        try:
            with file.open("rb") as opened, np.load(opened, allow_pickle=False) as stored:
                leaves = [stored[f"arr_{number}"] for number in range(len(expected))]
                seconds, cpu_seconds, curve = json.loads(stored["progress"].tobytes())
                self.progress = RunProgress(seconds, cpu_seconds, [CurvePoint(*point) for point in curve])
        except Exception:  # whatever is wrong with it
            raise NotAllowed("no_run.damaged", file=quoted(str(file), 100)) from None
        if [(one.shape, one.dtype) for one in leaves] != [(one.shape, one.dtype) for one in expected]:
            raise NotAllowed("no_run.damaged", file=quoted(str(file), 100))
        self.state = jax.tree.unflatten(structure, map(jax.numpy.asarray, leaves))


def _settle_plan(folder: Path, plan: AlphaZeroPlan) -> AlphaZeroPlan:
    """The plan of a folder: the given one if it is new. Another game, other options or another seed are refused."""
    file = folder / PLAN
    if not file.exists():
        return plan
    try:
        fields = json.loads(file.read_text(encoding="utf-8"))
        options = tuple((str(name), str(value)) for name, value in fields.pop("options"))
        stored = AlphaZeroPlan(**fields, options=options)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        raise NotAllowed("no_run.damaged", file=quoted(str(file), 100)) from None
    if stored[:3] != plan[:3]:
        raise NotAllowed("no_run.plan", folder=quoted(str(folder), 100))
    return stored


def _write_json(file: Path, value: Any) -> None:
    part = file.with_name(file.name + ".part")
    part.write_text(json.dumps(value) + "\n", encoding="utf-8")
    part.replace(file)


def play_levels(
    learner: AlphaZero, weights: Any, opponents: Sequence[str], games: int, simulations: int, seed: int
) -> list[tuple[int, int, int]]:
    """So many games against each of these players, half of them with each side: won, drawn and lost ones.

    All are played at once, so that a search is one for every position, and the players search on all cores.
    """
    game, start = learner.env.game, learner.env.start
    options = dict(learner.plan.options) | match_options_off(game)
    matches = [begin(game, options) for _ in range(games * len(opponents))]
    ours = [Side(number % games % 2) for number in range(len(matches))]
    others = [make_player(game, name, seed * games + number) for name in opponents for number in range(games)]

    def answered(number: int) -> Match:
        match = matches[number]
        if match.result is None and match.position.turn is not ours[number]:
            return match.act(match.to_act or 0, others[number](match))
        return match

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        while True:
            matches = list(pool.map(answered, range(len(matches))))
            if all(match.result for match in matches):
                break
            positions = [start if match.result else match.position for match in matches]
            found = learner.best_moves(weights, learner.env.state_of(positions), simulations)
            for number, move in enumerate(np.asarray(found).tolist()):
                match = matches[number]
                if match.result is None:
                    matches[number] = match.act(match.to_act or 0, actions.move(move))
    groups = (slice(first, first + games) for first in range(0, len(matches), games))
    return [_count(matches[group], ours[group]) for group in groups]


def _count(matches: Sequence[Match], ours: Sequence[Side]) -> tuple[int, int, int]:
    winners = [match.result.outcome.winner if match.result else None for match in matches]
    won = sum(winner is side for winner, side in zip(winners, ours, strict=True))
    drawn = winners.count(None)
    return won, drawn, len(matches) - won - drawn
