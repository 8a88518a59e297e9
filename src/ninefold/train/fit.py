"""Fitting the network with PyTorch: to the win probability of the search, under all symmetries of the square."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from ninefold.analysis.engine import rule_set
from ninefold.analysis.network import write_network
from ninefold.core.errors import NotAllowed, quoted
from ninefold.games import find_game
from ninefold.train import features
from ninefold.train.features import BOARD_UNDER, CELLS, LIVE, LIVE_FILLINGS, STATE_UNDER, SYMMETRIES
from ninefold.train.labels import GamePlan
from ninefold.train.network import (
    BIAS_UNIT,
    CLIP,
    CODE,
    ENCODER_LIMIT,
    ENCODER_ONE,
    HIDDEN,
    OUTPUT_LIMIT,
    OUTPUT_ONE,
    ROW_LIMIT,
    ROW_ONE,
    SHAPES,
    VALUE_SHIFT,
    WIDTH,
    Weights,
    payload,
)
from ninefold.train.rows import TrainingRows

HELD_OUT = 0.02  # of the rows, by which the network is judged
STATE = {"about", "net", "optimizer", "schedule", "epochs"}  # what the file of a fit holds


class FitPlan(NamedTuple):
    epochs: int = 60
    batch: int = 16_384
    rate: float = 1e-2
    decay: float = 1e-4  # of AdamW
    result_share: float = 0.25  # of the game's result in the target; the rest is the value of the search
    scale: int = 769  # the value at which the chance to win is 73 of 100
    seed: int = 1


class Net(nn.Module):  # type: ignore[misc] # PyTorch need not be installed
    """The network in floating point, with the limits that the integers will have."""

    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.Parameter(torch.randn(9, 3, HIDDEN) * 0.3)
        self.cells_bias = nn.Parameter(torch.zeros(HIDDEN))
        self.middle = nn.Linear(HIDDEN, HIDDEN)
        self.code = nn.Linear(HIDDEN, CODE)
        self.place = nn.Parameter(torch.randn(9, WIDTH, CODE) * 0.06)
        self.dead = nn.Parameter(torch.randn(9, 3, WIDTH) * 0.1)
        self.sent_state = nn.Parameter(torch.randn(WIDTH, CODE) * 0.06)
        self.sent = nn.Parameter(torch.randn(10, WIDTH) * 0.05)
        self.bias = nn.Parameter(torch.full((WIDTH,), 0.3))
        self.output = nn.Parameter(torch.randn(10, WIDTH) * 0.2)
        self.output_bias = nn.Parameter(torch.zeros(10))
        self.register_buffer("live_cells", torch.as_tensor(CELLS[LIVE_FILLINGS]))

    def rows(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The rows of all states for every place, and those of the states one is sent to."""
        limit = ENCODER_LIMIT / ENCODER_ONE
        first = self.cells[torch.arange(9, device=self.cells.device), self.live_cells].sum(1) + self.cells_bias
        code = self.code(self.middle(first.clamp(0, limit)).clamp(0, limit)).clamp(0, limit)
        live = torch.einsum("sc,pwc->psw", code, self.place)
        sent = code @ self.sent_state.T
        most = ROW_LIMIT / ROW_ONE
        return torch.cat([live, self.dead], 1).clamp(-most, most), sent.clamp(-most, most)

    def forward(self, states: torch.Tensor, board: torch.Tensor) -> torch.Tensor:
        """The logits of the chances to win."""
        rows, sent_rows = self.rows()
        places = torch.arange(9, device=states.device)
        sums = self.bias + self.sent[board]
        flat = rows.reshape(-1, WIDTH)
        sums = sums + nn.functional.embedding_bag(states + places * rows.shape[1], flat, mode="sum")
        sent_to = states.gather(1, board.clamp(max=8)[:, None])[:, 0].clamp(max=LIVE - 1)
        sums = sums + torch.where((board < 9)[:, None], sent_rows[sent_to], 0.0)
        squared = sums.clamp(0, CLIP / ROW_ONE) ** 2
        live = (states < LIVE).sum(1)
        return (squared * self.output[live]).sum(1) + self.output_bias[live]

    def limit(self) -> None:
        """Keep the weights where integers can hold them."""
        with torch.no_grad():
            for weight in (self.cells, self.middle.weight, self.code.weight, self.place, self.sent_state):
                weight.clamp_(-7.99, 7.99)
            self.output.clamp_(-OUTPUT_LIMIT / OUTPUT_ONE, OUTPUT_LIMIT / OUTPUT_ONE)


class Epoch(NamedTuple):
    """The losses after an epoch, and how the network and the search agree on positions that it has not seen."""

    number: int
    loss: float
    held_out_loss: float
    correlation: float


class FitData:
    """All rows on the device, as inputs and targets."""

    def __init__(self, rows: TrainingRows, plan: FitPlan, device: str) -> None:
        states, board = features.inputs(rows)
        self.states = torch.as_tensor(states.astype(np.int16)).to(device)
        self.board = torch.as_tensor(board.astype(np.uint8)).to(device)
        self.search = torch.sigmoid(torch.as_tensor(rows["value"].astype(np.float32)).to(device) / plan.scale)
        result = torch.as_tensor((rows["result"].astype(np.float32) + 1) / 2).to(device)
        self.target = (1 - plan.result_share) * self.search + plan.result_share * result

    def __len__(self) -> int:
        return len(self.target)


class NetworkFit:
    """A fit that can be saved after every epoch and go on from there."""

    def __init__(self, rows: TrainingRows, plan: FitPlan, games: GamePlan, device: str = "") -> None:
        self.plan, self.games = plan, games
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(plan.seed)
        order = np.random.default_rng(plan.seed).permutation(len(rows))
        held_out = max(1, int(len(rows) * HELD_OUT))
        self.held_out = FitData(rows[order[:held_out]], plan, self.device)
        self.data = FitData(rows[order[held_out:]], plan, self.device)
        self.net = Net().to(self.device)
        self.optimizer = torch.optim.AdamW(self.net.parameters(), plan.rate, weight_decay=plan.decay)
        self.steps = max(1, len(self.data) // plan.batch)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, plan.rate, total_steps=plan.epochs * self.steps, pct_start=0.1
        )
        self.epochs: list[Epoch] = []
        self._cells = torch.as_tensor(SYMMETRIES).to(self.device)
        self._states = torch.as_tensor(STATE_UNDER).to(self.device)
        self._boards = torch.as_tensor(BOARD_UNDER).to(self.device)

    def run(self) -> Iterator[Epoch]:
        while len(self.epochs) < self.plan.epochs:
            self.epochs.append(self._epoch())
            yield self.epochs[-1]

    def _epoch(self) -> Epoch:
        torch.manual_seed(self.plan.seed * 1000 + len(self.epochs))  # the same after an interruption
        order = torch.randperm(len(self.data), device=self.device)
        total = torch.zeros((), device=self.device)
        for step in range(self.steps):
            chosen = order[step * self.plan.batch : (step + 1) * self.plan.batch]
            loss = self._loss(self.data, chosen, symmetry=int(torch.randint(8, ())))
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            self.schedule.step()
            self.net.limit()
            total += loss.detach()
        with torch.no_grad():
            everything = torch.arange(len(self.held_out), device=self.device)
            found = self._chances(self.held_out, everything, 0)
            held_out = nn.functional.mse_loss(found, self.held_out.target)
            correlation = torch.corrcoef(torch.stack([found, self.held_out.search]))[0, 1]
        return Epoch(len(self.epochs) + 1, float(total) / self.steps, float(held_out), float(correlation))

    def _loss(self, data: FitData, chosen: torch.Tensor, symmetry: int) -> torch.Tensor:
        return nn.functional.mse_loss(self._chances(data, chosen, symmetry), data.target[chosen])

    def _chances(self, data: FitData, chosen: torch.Tensor, symmetry: int) -> torch.Tensor:
        states = self._states[symmetry][data.states[chosen].long()][:, self._cells[symmetry]]
        return torch.sigmoid(self.net(states, self._boards[symmetry][data.board[chosen].long()]))

    def save(self, file: Path) -> None:
        part = file.with_suffix(".part")
        torch.save(self._state(), part)
        part.replace(file)

    def load(self, file: Path) -> None:
        """Go on from a file, if it is of the same rows."""
        state = _read(file)
        if state["about"] != self._about():
            raise NotAllowed("no_fit.other", file=quoted(file.name, 100))
        self.net.load_state_dict(state["net"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.schedule.load_state_dict(state["schedule"])
        self.epochs = [Epoch(*epoch) for epoch in state["epochs"]]

    def _about(self) -> dict[str, Any]:
        return {"fit": self.plan._asdict(), "games": self.games._asdict(), "rows": len(self.data) + len(self.held_out)}

    def _state(self) -> dict[str, Any]:
        return {
            "about": self._about(),
            "net": self.net.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "schedule": self.schedule.state_dict(),
            "epochs": [tuple(epoch) for epoch in self.epochs],
        }


def _read(file: Path) -> dict[str, Any]:
    try:
        state: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
    except Exception:  # whatever is wrong with it
        raise NotAllowed("no_fit.other", file=quoted(file.name, 100)) from None
    if not isinstance(state, dict) or not state.keys() >= STATE:
        raise NotAllowed("no_fit.other", file=quoted(file.name, 100))
    return state


def export_fit(file: Path, out: Path) -> dict[str, Any]:
    """Write the network of a fit in integers; returns how it was made."""
    state = _read(file)
    net = Net()
    net.load_state_dict(state["net"])
    games = state["about"]["games"]
    rules = rule_set(find_game(games["game"]).begin(dict(games["options"])))
    about = {**state["about"], "epochs": len(state["epochs"])}
    write_network(out, rules.name, state["about"]["fit"]["scale"], payload(quantized(net)), about)
    return about


def loss_plot(epochs: Sequence[Epoch]) -> str:
    """The losses as an SVG chart."""
    width, height, margin = 640, 320, 40
    most = max(max(epoch.loss, epoch.held_out_loss) for epoch in epochs)

    def line(losses: Sequence[float]) -> str:
        step = (width - 2 * margin) / max(1, len(losses) - 1)
        points = (
            f"{margin + i * step:g},{height - margin - loss / most * (height - 2 * margin):g}"
            for i, loss in enumerate(losses)
        )
        return " ".join(points)

    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="13">\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        f'<text x="{margin}" y="20">loss (blue) and loss of positions held out (orange), {len(epochs)} epochs</text>\n'
        f'<polyline fill="none" stroke="#0072b2" points="{line([epoch.loss for epoch in epochs])}"/>\n'
        f'<polyline fill="none" stroke="#d55e00" points="{line([epoch.held_out_loss for epoch in epochs])}"/>\n'
        f'<text x="4" y="{margin}">{most:.3f}</text>\n</svg>\n'
    )


def quantized(net: Net) -> Weights:
    """The weights in integers."""

    def rounded(values: torch.Tensor, one: float, limit: float) -> Any:
        array = values.detach().double().cpu().numpy() * one
        return np.clip(np.rint(array), -limit, limit).astype(np.int64)

    def encoder(values: torch.Tensor) -> Any:
        return rounded(values, ENCODER_ONE, 8191)

    def row(values: torch.Tensor) -> Any:
        return rounded(values, ROW_ONE, ROW_LIMIT)

    weights = {
        "cells": encoder(net.cells),
        "cells_bias": encoder(net.cells_bias),
        "middle": encoder(net.middle.weight),
        "middle_bias": encoder(net.middle.bias),
        "code": encoder(net.code.weight),
        "code_bias": encoder(net.code.bias),
        "place": encoder(net.place),
        "dead": row(net.dead),
        "sent_state": encoder(net.sent_state),
        "sent": row(net.sent),
        "bias": row(net.bias),
        "output": rounded(net.output, OUTPUT_ONE, OUTPUT_LIMIT),
        "output_bias": rounded(net.output_bias, (1 << VALUE_SHIFT) / BIAS_UNIT, 32_000),
    }
    return {name: weights[name].reshape(shape) for name, shape in SHAPES.items()}


def logistic_scale(rows: TrainingRows) -> float:
    """The value at which the chance to win is 73 of 100, by the results of the games."""
    values, results = rows["value"].astype(float), (rows["result"].astype(float) + 1) / 2
    use = np.abs(values) < 15_000
    low, high = 100.0, 5000.0
    for _ in range(60):  # the slope of a logistic fit through the origin, by bisection of its derivative
        middle = math.sqrt(low * high)
        chances = 1 / (1 + np.exp(-values[use] / middle))
        if ((results[use] - chances) * values[use]).sum() > 0:
            high = middle
        else:
            low = middle
    return math.sqrt(low * high)
