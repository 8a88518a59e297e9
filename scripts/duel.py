"""A sequential test between the searches of two commits, or between a network and that of the package.

python -m scripts.duel HEAD HEAD~1 --rules squared --nodes 50000 --pairs 1500

There is no Python between the moves. A commit is compiled once, in build/duel; the path of a compiled player may stand
for it. Games begin with the suite of openings, each is played with both sides, and the tables are empty when a game
begins.
"""

from __future__ import annotations

import argparse
import hashlib
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue

from ninefold.analysis.network import FOLDER
from ninefold.arena.opening_suite import SUITES, play_opening, suite_openings
from ninefold.arena.pairs import PAIR_SCORES
from ninefold.arena.program_process import ProgramProcess
from ninefold.arena.sprt import Hypotheses, SequentialTest
from ninefold.core.position import Position
from ninefold.games import find_game

PATIENCE = 600.0  # seconds for a move
FLAG = -1  # instead of a move: the player has exceeded its clock
PROJECT = Path(__file__).parents[1]
SOURCES = ("cpu_kernels.cpp", "eval/hand_crafted_eval.cpp", "eval/network_eval.cpp", "search/engine.cpp")
FLAGS = "-std=c++20 -O3 -DNDEBUG -march=x86-64-v3 -fno-tree-vectorize -ffp-contract=off -fno-math-errno -pthread"


def build(source: Path, player: Path) -> None:
    """Compile the sources in a folder ``native`` into a player."""
    player.parent.mkdir(parents=True, exist_ok=True)
    files = [str(source / name) for name in SOURCES] + [str(PROJECT / "scripts" / "duel_player.cpp")]
    subprocess.run(["g++", *FLAGS.split(), f"-I{source}", *files, "-o", str(player)], check=True)


def player_of(commit: str) -> Path:
    """The compiled player of a commit, or the file of that name."""
    if Path(commit).is_file():
        return Path(commit)
    found = subprocess.run(["git", "rev-parse", commit], cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=True)
    main = hashlib.sha256((PROJECT / "scripts" / "duel_player.cpp").read_bytes()).hexdigest()[:8]
    player = PROJECT / "build" / "duel" / f"{found.stdout.strip()}-{main}"
    if not player.is_file():
        with tempfile.TemporaryDirectory() as folder:
            git = ["git", "archive", commit, "native"]
            archive = subprocess.run(git, cwd=PROJECT, stdout=subprocess.PIPE, check=True)
            subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
            build(Path(folder) / "native", player)
    return player


class Player(ProgramProcess):
    def __init__(self, player: Path, rules: str, limits: list[str], network: Path | None = None) -> None:
        flags = [str(int(rules.startswith("squared"))), str(int(rules.endswith("boards")))]
        super().__init__(shlex.join([str(player), str(network or FOLDER / f"{rules}.net"), *flags, *limits]))

    def move(self, moves: list[int]) -> int:
        self.send(" ".join(map(str, [len(moves), *moves])))
        answer = self.read_line(PATIENCE)
        if not answer:
            raise SystemExit("A player has ended: it could not read its network, or it crashed.")
        return int(answer)


def play(start: Position, opening: tuple[int, ...], players: list[Player]) -> float:
    """The points of the first player, who moves first."""
    position, moves = play_opening(start, opening), list(opening)
    for player in players:
        player.send("-1")
    first = position.turn
    while position.outcome is None:
        move = players[position.turn is not first].move(moves)
        if move == FLAG:
            print("A flag has fallen.", flush=True)
            return float(position.turn is not first)
        position = position.play(move)
        moves.append(move)
    winner = position.outcome.winner
    return 0.5 if winner is None else float(winner is first)


def make_players(asked: argparse.Namespace) -> list[Player]:
    limits, clock = [str(asked.nodes), str(asked.cpu)], asked.clock.split("+")
    return [
        Player(player_of(asked.new), asked.rules, [*limits, asked.threads, *clock], asked.network),
        Player(player_of(asked.old), asked.rules, [*limits, "1", *clock]),
    ]


def play_pairs(asked: argparse.Namespace) -> Iterator[float]:
    """The points of the new player in every pair, in the order of the openings, however many are played at a time."""
    game, options = SUITES[asked.rules]
    start = find_game(game).begin(options)
    with ExitStack() as stack:
        free: SimpleQueue[list[Player]] = SimpleQueue()
        for _ in range(asked.workers):
            players = make_players(asked)
            for player in players:
                stack.callback(player.close)
            free.put(players)

        def play_pair(opening: tuple[int, ...]) -> float:
            players = free.get()
            points = play(start, opening, players) + 1 - play(start, opening, players[::-1])
            free.put(players)
            return points

        pool = ThreadPoolExecutor(asked.workers)
        stack.callback(pool.shutdown, cancel_futures=True)
        yield from pool.map(play_pair, suite_openings(asked.rules, asked.pairs, asked.seed))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("new")
    parser.add_argument("old")
    parser.add_argument("--rules", choices=sorted(SUITES), default="ultimate")
    parser.add_argument("--nodes", type=int, default=100_000, help="of a move; 0 for no limit")
    parser.add_argument("--cpu", type=float, default=0.0, help="seconds of the processor for a move; 0 for no limit")
    parser.add_argument("--clock", default="0+0", help="seconds of the processor for a game + for every move")
    parser.add_argument("--threads", default="1", help="of the new player; the old one has one")
    parser.add_argument("--network", type=Path, help="of the new player; the old one has that of the package")
    parser.add_argument("--pairs", type=int, default=1500, help="after which the test is undecided")
    parser.add_argument("--workers", type=int, default=1, help="pairs at a time")
    parser.add_argument("--sprt", default="0,10", help="Elo of H0 and of H1")
    parser.add_argument("--seed", type=int, default=0, help="of the order of the openings")
    asked = parser.parse_args()
    if asked.network and not asked.network.is_file():
        parser.error(f"There is no network file {asked.network}.")
    elo0, elo1 = map(float, asked.sprt.split(","))
    test = SequentialTest("new", Hypotheses(elo0, elo1))
    for points in play_pairs(asked):
        test.add_pair(PAIR_SCORES.index(points / 2))
        if test.pairs % 50 == 0 or test.accepted or test.pairs == asked.pairs:
            elo, low, high = test.estimate
            print(asked.rules, test.pairs, "pairs", *test.counts, f"LLR {test.ratio:+.2f}", end=" ")
            print(f"{elo:+.1f} Elo ({low:+.1f} .. {high:+.1f})", test.accepted or "undecided", flush=True)
        if test.accepted:
            break


if __name__ == "__main__":
    main()
