"""``ninefold puzzles``: shows a puzzle, lets it be solved at the terminal, finds new ones, and checks the sets."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime

from ninefold.analysis.puzzles.puzzle import (
    Puzzle,
    PuzzleStep,
    find_puzzle,
    puzzle_of_day,
    puzzle_set,
    set_file,
    write_puzzle,
)
from ninefold.core.errors import Refusal
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Position
from ninefold.core.rendering import picture
from ninefold.games import all_games, find_game
from ninefold.terminal.console.prompt import EndOfInput


def show(given: argparse.Namespace) -> int:
    puzzle = _chosen(given.puzzle)
    _print_task(puzzle)
    if given.solution:
        print(text("puzzles.solution", moves=" ".join(map(puzzle.game.name, puzzle.line))))
    return 0


def _chosen(id: str | None) -> Puzzle:
    return find_puzzle(id) if id else puzzle_of_day(datetime.now(UTC).date())


def _print_task(puzzle: Puzzle) -> None:
    print(text("puzzles.title", puzzle=puzzle.id, game=puzzle.game.title))
    print(picture(puzzle.game, puzzle.position))
    print(text("puzzles.task", side=puzzle.position.turn, plies=puzzle.plies))


def play(given: argparse.Namespace) -> int:
    puzzle = _chosen(given.puzzle)
    game, position, step = puzzle.game, puzzle.position, puzzle.solution
    _print_task(puzzle)
    while True:
        move = _ask(game, position, step)
        position = position.play(move)
        _, reply, then = step.tries[move]
        if reply is not None:
            print(text("puzzles.reply", side=position.turn, move=game.name(reply)))
            position = position.play(reply)
        print(picture(game, position))
        if then is None:
            print(text("puzzles.solved"))
            return 0
        step = then


def _ask(game: Game, position: Position, step: PuzzleStep) -> int:
    """Ask for a move until it is right; after a wrong one, say why it is wrong."""
    while True:
        print(text("puzzles.prompt", side=position.turn), end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EndOfInput
        try:
            move = game.move_at(position, game.parse_move_at(position, line.strip()))
        except Refusal as refusal:
            print(refusal)
            continue
        if step.is_right(move):
            return move
        print(_why_wrong(game, position, step, move))


def _why_wrong(game: Game, position: Position, step: PuzzleStep, move: int) -> str:
    value, reply, _ = step.tries[move]
    name, other = game.name(move), position.turn.other
    if value.sign > 0:
        return text("puzzles.slow", move=name, plies=value.distance, best=step.plies)
    if reply is None:
        return text("puzzles.ends", move=name)
    code = "puzzles.draws" if value.sign == 0 else "puzzles.loses"
    return text(code, move=name, side=other, reply=game.name(reply), plies=value.distance)


def generate(given: argparse.Namespace) -> int:
    from ninefold.analysis.puzzles.generate import generate as found

    game = find_game(given.game)
    lines = "".join(f"{write_puzzle(puzzle)}\n" for puzzle in found(game, given.count, given.seed))
    if given.write:
        set_file(game).write_text(lines, encoding="utf-8", newline="\n")
        print(text("puzzles.written", count=lines.count("\n"), file=set_file(game)))
    else:
        print(lines, end="")
    return 0


def check(given: argparse.Namespace) -> int:
    from ninefold.analysis.puzzles.proof import Prover

    games = [find_game(id) for id in given.games] or list(all_games().values())
    faults = 0
    for game in games:
        prover, puzzles = Prover(game), puzzle_set(game)
        found = [fault for puzzle in puzzles for fault in prover.faults(puzzle)]
        for fault in found:
            print(fault)
        print(text("puzzles.checked", game=game.title, count=len(puzzles), faults=len(found)), flush=True)
        faults += len(found)
    return 1 if faults else 0
