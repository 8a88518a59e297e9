"""The residual network of AlphaZero: its layers, and the file of its weights, which is checked when it is read.

The layers are written once, for NumPy and for JAX: training and playing use the same function. The planes of every
board go through two layers that all boards share. Their codes together go through residual blocks, from which come
the logits of all moves and the value. The code of a board has a part in the logits of its own moves, and of those that
send the opponent there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.planes import planes
from ninefold.core.position import Position

Numbers = Any  # an array of NumPy or JAX
PolicyWeights = Mapping[str, Numbers]

MAGIC = b"ninefold alphazero 1\n"
LARGEST_FILE = 64 << 20
LARGEST_SIZE = 4096  # of a layer
IRRELEVANT = "first"  # the option that changes nothing for a network, which sees the board as the side to move does


class NetworkShape(NamedTuple):
    """The sizes of a network: its boards with so many inputs each, its moves, and the numbers in its layers."""

    boards: int
    inputs: int
    moves: int
    code: int = 64
    width: int = 128
    blocks: int = 3

    def layers(self) -> dict[str, tuple[int, ...]]:
        """The names and shapes of the weights, in the order of the file."""
        codes = self.boards * self.code
        found: dict[str, tuple[int, ...]] = {
            "cells": (self.inputs, self.code), "place": (self.boards, self.code),
            "code": (self.code, self.code), "code_bias": (self.code,),
            "whole": (codes, self.width), "whole_bias": (self.width,),
        }  # fmt: skip
        for block in range(self.blocks):
            found |= {f"in_{block}": (self.width, self.width), f"in_bias_{block}": (self.width,)}
            found |= {f"out_{block}": (self.width, self.width), f"out_bias_{block}": (self.width,)}
        if self.boards > 1:
            found["sent"] = (self.code, self.boards)
        return found | {
            "local": (self.code, self.moves // self.boards),
            "policy": (self.width, self.moves), "policy_bias": (self.moves,),
            "value_in": (self.width, 32), "value_bias": (32,), "value_out": (32, 1), "value_out_bias": (1,),
        }  # fmt: skip


def evaluate(
    weights: PolicyWeights, shape: NetworkShape, observation: Numbers, xp: ModuleType
) -> tuple[Numbers, Numbers]:
    """The logits of all moves, legal or not, and the value from -1 to 1 for the side to move, of many positions."""

    def layer(numbers: Numbers, name: str, bias: str) -> Numbers:
        return xp.maximum(numbers @ weights[name] + weights[bias], 0)

    boards = observation.reshape(-1, shape.boards, shape.inputs).astype(xp.float32)
    boards = layer(layer(boards, "cells", "place"), "code", "code_bias")
    whole = layer(boards.reshape(-1, shape.boards * shape.code), "whole", "whole_bias")
    for block in range(shape.blocks):
        inner = layer(whole, f"in_{block}", f"in_bias_{block}")
        whole = whole + inner @ weights[f"out_{block}"] + weights[f"out_bias_{block}"]
    whole = xp.maximum(whole, 0)
    local = boards @ weights["local"]
    if shape.boards > 1:  # a move counts by the board it is made in, and by the one it sends the opponent to
        local = local + xp.swapaxes(boards @ weights["sent"], 1, 2)
    value = layer(whole, "value_in", "value_bias") @ weights["value_out"] + weights["value_out_bias"]
    logits = local.reshape(-1, shape.moves) + whole @ weights["policy"] + weights["policy_bias"]
    return logits, xp.tanh(value[:, 0])


def initial_weights(shape: NetworkShape, seed: int) -> dict[str, Numbers]:
    """Random weights as He and others suggest; the output layers and the end of every block begin at 0."""
    rng = np.random.default_rng(seed)
    at_zero = ("out", "sent", "local", "policy", "value_out")

    def one(name: str, sizes: tuple[int, ...]) -> Numbers:
        if "bias" in name or name == "place" or name.startswith(at_zero):
            return np.zeros(sizes, np.float32)
        return rng.normal(0, (2 / sizes[0]) ** 0.5, sizes).astype(np.float32)

    return {name: one(name, sizes) for name, sizes in shape.layers().items()}


class PolicyNetwork(NamedTuple):
    """A network with the game and the options it was trained for, and how it was made."""

    game: str
    options: dict[str, str]
    shape: NetworkShape
    weights: PolicyWeights
    about: dict[str, Any]

    def evaluate(self, game: Game, position: Position) -> tuple[list[float], float]:
        """The prior probabilities of the legal moves, and the value for the side to move."""
        observation = np.array(planes(game, position), np.float32).T
        logits, value = evaluate(self.weights, self.shape, observation, np)
        legal = logits[0, list(position.moves())]
        odds = np.exp(legal - legal.max())
        return (odds / odds.sum()).tolist(), float(value[0])

    def check_game(self, game: Game) -> None:
        """Refuse a game that it was not trained for."""
        if game.id != self.game or self.shape.moves != len(game.paths):
            raise NotAllowed("other_network", trained=quoted(self.game), game=game.id)

    def check_options(self, position: Position) -> None:
        """Refuse other rules than those that it was trained for."""
        if relevant(position.options) != self.options:
            found, expected = (" ".join(f"{a}={b}" for a, b in o.items()) for o in (position.options, self.options))
            raise NotAllowed("other_network.options", found=found, expected=expected)


def relevant(options: Mapping[str, str]) -> dict[str, str]:
    """The options of the rules that a network has to be trained for."""
    return {name: value for name, value in options.items() if name != IRRELEVANT}


def write_policy_network(file: Path, network: PolicyNetwork) -> None:
    """Write the weights in 16 bits, as a whole or not at all."""
    payload = b"".join(np.asarray(network.weights[name], "<f2").tobytes() for name in network.shape.layers())
    head = {
        "game": network.game, "options": network.options, "shape": network.shape, "about": network.about,
        "sha256": hashlib.sha256(payload).hexdigest(),
    }  # fmt: skip
    part = file.with_name(file.name + ".part")
    part.write_bytes(MAGIC + json.dumps(head).encode() + b"\n" + payload)
    part.replace(file)


def read_policy_network(file: Path) -> PolicyNetwork:
    """A file that is as it was written, or a refusal."""
    name = quoted(str(file), 100)
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST_FILE + 1)
    except (OSError, ValueError):  # a name may hold what no file system takes
        raise Unreadable("not_alphazero.file", file=name) from None
    head, _, payload = data[len(MAGIC) :].partition(b"\n")
    if not data.startswith(MAGIC):
        raise Unreadable("not_alphazero", file=name)
    try:
        about = json.loads(head)
        shape = NetworkShape(*(_size(number) for number in about["shape"]))
        game, options, digest = str(about["game"]), dict(about["options"]), str(about["sha256"])
        made = dict(about["about"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Unreadable("not_alphazero", file=name) from None
    sizes = [int(np.prod(one)) for one in shape.layers().values()]
    if len(payload) != 2 * sum(sizes) or hashlib.sha256(payload).hexdigest() != digest:
        raise Unreadable("not_alphazero.damaged", file=name, size=len(payload), most=2 * sum(sizes))
    parts = np.split(np.frombuffer(payload, "<f2").astype(np.float32), np.cumsum(sizes)[:-1])
    weights = {name: part.reshape(one) for (name, one), part in zip(shape.layers().items(), parts, strict=True)}
    return PolicyNetwork(game, options, shape, weights, made)


def _size(number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= LARGEST_SIZE:
        raise ValueError
    return number
