"""The parsers of the commands that analyze games: rules, solve, analyze, engine, arena, perft."""

from __future__ import annotations

import argparse

from ninefold.analysis import config as engine
from ninefold.arena.config import ERROR_RATE, OPENING_SOURCES, PAIRS, SPRT_PAIRS
from ninefold.cli.arguments import error_rate, hypotheses, seconds, whole
from ninefold.cli.parsers.command import DISTANCE, Commands, add_command, add_number


def _add_search(analyze: argparse.ArgumentParser) -> None:
    """Add the limits of the engine, which searches in the big games; small games have exact values."""

    analyze.add_argument(
        "--time",
        type=seconds,
        default=0.0,
        metavar="SECONDS",
        help=f"how long to search (default {engine.ANALYSIS_SECONDS:g})",
    )
    add_number(analyze, "--nodes", "how many positions to search", 0, 0, 10**15)
    add_number(analyze, "--depth", "how many moves deep to search", 0, 0, 81)
    add_number(analyze, "--lines", "how many moves to rank", engine.RANKED_MOVES, 1, 81)
    add_number(analyze, "--threads", "how many threads search", engine.THREADS, 1, engine.MOST_THREADS)
    add_number(analyze, "--memory", "memory of the engine", engine.MEMORY_MIB, 1, engine.MOST_MEMORY_MIB, "MIB")


def add_arena(commands: Commands) -> None:
    arena = add_command(
        commands, "arena", "play a tournament between players", "game", json=True, options=True, extra="cluster"
    )
    arena.add_argument(
        "players",
        metavar="PLAYER",
        nargs="+",
        help="a level, mcts:100000, alphazero:FILE, engine:nodes=10000, engine:time=0.1, engine:cpu=1, "
        "engine:clock=5+0.05, ugi:COMMAND, codingame:COMMAND",
    )
    pairs = f"openings for each two players, each played with both sides (default {PAIRS}; {SPRT_PAIRS} with --sprt)"
    add_number(arena, "--pairs", pairs, None, 1, 100_000)
    arena.add_argument(
        "--sprt",
        type=hypotheses,
        metavar="ELO0,ELO1",
        help="test whether the first of two players is ELO1 stronger or ELO0, as in 0,10 or --sprt=-5,0; "
        "stop when that is decided",
    )
    for name, hypothesis in (("--alpha", "H1 though ELO0"), ("--beta", "H0 though ELO1")):
        arena.add_argument(
            name,
            type=error_rate,
            default=ERROR_RATE,
            metavar="P",
            help=f"how often --sprt may accept {hypothesis} is true (default {ERROR_RATE})",
        )
    arena.add_argument(
        "--openings",
        choices=OPENING_SOURCES,
        help="short random ones, the fixed suite of balanced ones, or none (default random; with --sprt suite)",
    )
    arena.add_argument(
        "--adjudicate",
        action="store_true",
        help="end a game as won when the engine, as a player, has proven twice in a row that it wins",
    )
    arena.add_argument(
        "--seed", type=whole(0, 2**62), default=0, help="the seed of the openings and the players (default 0)"
    )
    arena.add_argument(
        "--workers",
        type=whole(1, 1024),
        help="games at a time (default: one for each processor of the machine or the cluster)",
    )
    arena.add_argument("--executor", choices=("processes", "ray"), default="processes", help="where games are played")
    arena.add_argument("--log", metavar="FILE", help="save every game in FILE; after an interruption, resume from FILE")
    arena.add_argument("--svg", metavar="FILE", help="draw the ratings as an SVG picture")


def add_rules(commands: Commands) -> None:
    """Add the commands that list the games, and print the rules of one."""
    add_command(commands, "games", "list the games", json=True)
    add_command(commands, "rules", "print the rules of a game, on one screen", "game")


def add_analysis(commands: Commands) -> None:
    """Add the commands that solve and evaluate, and the engine."""
    solve = add_command(commands, "solve", "print the exact value of a small game", "game", json=True, options=True)
    solve.epilog = f"{DISTANCE} A dead draw is a position in which nobody can win any more."
    analyze = add_command(commands, "analyze", "evaluate the moves of a position", "game", "position", json=True)
    analyze.epilog = (
        f"{DISTANCE} Where nothing is proven, a score says how many lines of boards the side to move is ahead: "
        "+0.25 is a quarter of a line."
    )
    _add_search(analyze)
    ugi = add_command(commands, "engine", "run the engine of the big games as a UGI engine")
    ugi.add_argument("mode", nargs="?", choices=("bench",), help="search fixed positions and print a signature")


def add_perft(commands: Commands) -> None:
    perft = add_command(commands, "perft", "count the move sequences of a game", "game", json=True, options=True)
    perft.add_argument("depth", metavar="DEPTH", type=whole(1, 81), help="how many moves deep")
