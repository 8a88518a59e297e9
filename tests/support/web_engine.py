"""The engine as WebAssembly, in Node: jobs for it, and what the native core says to the same."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

from ninefold.analysis.engine import Engine, SearchInfo
from ninefold.core.game import Game
from ninefold.core.position import Outcome, Position
from ninefold.games.squared import Squared
from scripts.npm import PROGRAM, PROJECT

RULE_SETS = tuple(
    (game, {"tie_break": tie_break}) for game in ("squared", "ultimate") for tie_break in ("none", "boards")
)
MEMORY = 2**20
Job = dict[str, Any]


def answers(jobs: list[Job]) -> list[Any]:
    """What the WebAssembly says to jobs; web_engine.mjs knows them."""
    script = Path(__file__).with_suffix(".mjs")
    done = subprocess.run([PROGRAM, script], input=json.dumps(jobs), capture_output=True, text=True, cwd=PROJECT)
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def random_position(game: Game, options: dict[str, str], plies: int, rng: Random) -> Position:
    """A position that has not ended, after so many random moves."""
    while True:
        position = game.begin(options)
        for _ in range(plies):
            if position.moves():
                position = position.play(rng.choice(position.moves()))
        if position.moves():
            return position


def random_moves(start: Position, rng: Random) -> list[int]:
    """The moves of a random game, to its end."""
    moves: list[int] = []
    while start.moves():
        moves.append(rng.choice(start.moves()))
        start = start.play(moves[-1])
    return moves


def facts(position: Position) -> dict[str, Any]:
    """What Python says of a position, in the words of big-position.js."""
    assert isinstance(position, Squared)
    return {
        "text": str(position),
        "turn": position.turn.symbol,
        "cells": [mark.symbol if mark is not None else "" for mark in position.cells],
        "owners": list(position.owners),
        "board": position.board,
        "moves": list(position.moves()),
        "open": list(position.open_boards),
        "outcome": position.outcome and outcome_facts(position, position.outcome),
    }


def outcome_facts(position: Squared, outcome: Outcome) -> dict[str, Any]:
    both = position.drawn if position.rules.drawn == "both" else 0
    return {
        "winner": None if outcome.winner is None else outcome.winner.symbol,
        "reason": outcome.reason,
        "lines": [list(line) for line in outcome.lines],
        "counts": {"X": count_lines(position.won_x | both), "O": count_lines(position.won_o | both)},
        "boards": {"X": position.won_x.bit_count(), "O": position.won_o.bit_count()},
    }


def count_lines(boards: int) -> int:
    lines = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
    return sum(boards & line == line for line in lines)


def search_job(position: Position, learned: bool, **limits: int) -> Job:
    return {"kind": "search", "position": str(position), "learned": learned, "memory": MEMORY, "limits": limits}


def native_search(position: Position, learned: bool, *, nodes: int = 0, depth: int = 0, lines: int = 1) -> SearchInfo:
    return Engine(MEMORY, learned=learned).search(position, nodes=nodes, depth=depth, lines=lines)


def same_search(found: dict[str, Any], native: SearchInfo) -> bool:
    lines = [
        {"move": move, "score": score, "proven": proven, "pv": list(pv)} for move, score, proven, pv in native.lines
    ]
    return (found["depth"], found["nodes"], found["lines"]) == (native.depth, native.nodes, lines)
