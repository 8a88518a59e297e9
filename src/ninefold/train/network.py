"""The network in integers: its weights, and an evaluation with NumPy to which that of the engine is equal.

The state of each board is a row of 64 numbers, from a table for each of the nine places. The rows of live boards are
not stored: a small encoder, shared by all places, makes 32 numbers of the nine cells, and a projection for each place
makes the row. The sum of the nine rows, of a row for the board that the side to move is sent to and of one for the
state of that board is the accumulator. The value is a weighted sum of its clipped and squared numbers, with other
weights for each number of live boards.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ninefold.train.features import CELLS, LIVE, LIVE_FILLINGS, STATES, Inputs, IntArray

Weights = Mapping[str, IntArray]

WIDTH, CODE, HIDDEN = 64, 32, 64
# The names and shapes of the weights, in the order of the file.
SHAPES: dict[str, tuple[int, ...]] = {
    "cells": (9, 3, HIDDEN),  # first layer of the encoder: for each cell what is on it
    "cells_bias": (HIDDEN,),
    "middle": (HIDDEN, HIDDEN),  # [output, input], as all that follow
    "middle_bias": (HIDDEN,),
    "code": (CODE, HIDDEN),
    "code_bias": (CODE,),
    "place": (9, WIDTH, CODE),  # the projection of each place
    "dead": (9, 3, WIDTH),  # rows of boards that are won, lost and drawn for the side to move
    "sent_state": (WIDTH, CODE),  # projection of the state of the board that the side to move is sent to
    "sent": (10, WIDTH),  # rows of the board that the side to move is sent to, or of a free choice
    "bias": (WIDTH,),
    "output": (10, WIDTH),  # by the number of live boards
    "output_bias": (10,),  # in units of 64 x OUTPUT_ONE
}
# What 1.0 is in integers.
ENCODER_ONE, ENCODER_LIMIT = 1024, 4095  # weights and numbers within the encoder
ROW_ONE, ROW_LIMIT = 256, 2700  # numbers of a row: twelve of them fit into 16 bits
CLIP = 255  # of the accumulator before it is squared
OUTPUT_ONE, OUTPUT_LIMIT = 64, 127
VALUE_SHIFT = 22  # ROW_ONE * ROW_ONE * OUTPUT_ONE
BIAS_UNIT = 1 << 10  # of the output's bias in the sum
VALUE_LIMIT = 19_999


def payload(weights: Weights) -> bytes:
    return b"".join(weights[name].astype("<i2").tobytes() for name in SHAPES)


def parse_payload(data: bytes) -> dict[str, IntArray]:
    values = np.frombuffer(data, "<i2").astype(np.int64)
    sizes = [int(np.prod(shape)) for shape in SHAPES.values()]
    parts = np.split(values, np.cumsum(sizes)[:-1])
    return {name: part.reshape(shape) for (name, shape), part in zip(SHAPES.items(), parts, strict=True)}


class Tables:
    """The rows of all states, made of the weights."""

    def __init__(self, weights: Weights) -> None:
        codes = encode(weights)
        self.rows = np.empty((9, STATES, WIDTH), np.int64)
        for place in range(9):
            self.rows[place, :LIVE] = _project(codes, weights["place"][place])
            self.rows[place, LIVE:] = np.clip(weights["dead"][place], -ROW_LIMIT, ROW_LIMIT)
        self.sent_state = _project(codes, weights["sent_state"])
        self.sent = np.clip(weights["sent"], -ROW_LIMIT, ROW_LIMIT)
        self.bias = np.clip(weights["bias"], -ROW_LIMIT, ROW_LIMIT)
        self.output, self.output_bias = weights["output"], weights["output_bias"]


def encode(weights: Weights) -> IntArray:
    """The code of every state of a live board."""
    cells = CELLS[LIVE_FILLINGS]
    first = weights["cells"][np.arange(9), cells].sum(1) + weights["cells_bias"]
    numbers = np.clip(first, 0, ENCODER_LIMIT)
    for name in ("middle", "code"):
        numbers = _layer(numbers, weights[name], weights[f"{name}_bias"])
    return numbers


def _layer(numbers: IntArray, weights: IntArray, bias: IntArray) -> IntArray:
    return np.clip(((numbers @ weights.T + bias * ENCODER_ONE) + ENCODER_ONE // 2) >> 10, 0, ENCODER_LIMIT)


def _project(codes: IntArray, weights: IntArray) -> IntArray:
    return np.clip((codes @ weights.T + (1 << 11)) >> 12, -ROW_LIMIT, ROW_LIMIT)


def evaluate(tables: Tables, given: Inputs, scale: int) -> IntArray:
    """The values of positions for the side to move, as the engine computes them. ``scale`` is the value of a logit."""
    states, board = given
    sums = tables.bias + tables.rows[np.arange(9), states].sum(1) + tables.sent[board]
    is_sent = board < 9
    sent_to = states[np.arange(len(board)), np.minimum(board, 8)]
    sums = sums + np.where(is_sent[:, None], tables.sent_state[np.where(is_sent, sent_to, 0)], 0)
    clipped = np.clip(sums, 0, CLIP)
    live = (states < LIVE).sum(1)
    total = (clipped * clipped * tables.output[live]).sum(1) + tables.output_bias[live] * BIAS_UNIT
    value = (total * scale) >> VALUE_SHIFT
    return np.clip(value, -VALUE_LIMIT, VALUE_LIMIT) | 1
