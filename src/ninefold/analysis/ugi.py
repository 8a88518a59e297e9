"""UGI, the protocol with which match runners drive engines of any game; docs/engine.md lists the commands."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TextIO

from ninefold import __version__
from ninefold.analysis.config import MEMORY_MIB, MIB, MOST_MEMORY_MIB, MOST_THREADS, THREADS
from ninefold.analysis.engine import Engine, EngineClock, PvLine, SearchInfo
from ninefold.core.errors import Refusal
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Position
from ninefold.games import find_game

MOVE_OVERHEAD = 0.03  # seconds kept back from every clock
MAX_SECONDS = 1e6  # the longest search that the engine takes


class Ugi:
    """One conversation: reads commands, writes replies. A search runs in a thread of its own and can be stopped."""

    memory: int
    threads: int

    def __init__(self, write: TextIO) -> None:
        self._write = write
        self._lock = threading.Lock()
        self.game: Game = find_game("ultimate")
        self.options: dict[str, str] = {}
        self.memory, self.threads = MEMORY_MIB, THREADS
        self.position: Position = self.game.begin()
        self._engine: Engine | None = None
        self._stop = threading.Event()
        self._searching: threading.Thread | None = None

    def run(self, read: TextIO) -> None:
        for line in read:
            words = line.split()
            if words[:1] == ["quit"]:
                break
            self.handle(words)
        self.stop()

    def handle(self, words: list[str]) -> None:
        """Handle one command. One that cannot be read is answered with ``info string``, and changes nothing."""
        handlers: dict[str, Callable[[list[str]], None]] = {
            "ugi": self._identify,
            "isready": lambda _: self._write_line("readyok"),
            "uginewgame": self._new_game,
            "setoption": self._set_option,
            "position": self._set_position,
            "go": self._go,
            "stop": lambda _: self.stop(),
            "query": self._query,
        }
        if not words:
            return
        try:
            if words[0] not in handlers:
                self._refuse(text("ugi.unknown_command", command=repr(words[0][:40])))
            else:
                handlers[words[0]](words[1:])
        except (Refusal, ValueError) as refusal:
            self._refuse(str(refusal))

    def stop(self) -> None:
        """Stop the search, which then writes its best move."""
        self._stop.set()
        self.wait()

    def wait(self) -> None:
        """Wait until the search has ended."""
        if self._searching:
            self._searching.join()
            self._searching = None

    def _write_line(self, line: str) -> None:
        with self._lock:
            self._write.write(line + "\n")
            self._write.flush()

    def _refuse(self, why: str) -> None:
        self._write_line(f"info string {why}")

    def _identify(self, _: list[str]) -> None:
        self._write_line(f"id name Ninefold {__version__}")
        self._write_line("id author The Ninefold authors")
        self._write_line("option name Game type combo default ultimate var ultimate var squared")
        for option in self.game.options:
            choices = " ".join(f"var {value}" for value in option.values)
            self._write_line(f"option name {option.name} type combo default {option.default} {choices}")
        self._write_line(f"option name Hash type spin default {MEMORY_MIB} min 1 max {MOST_MEMORY_MIB}")
        self._write_line(f"option name Threads type spin default {THREADS} min 1 max {MOST_THREADS}")
        self._write_line("ugiok")

    def _new_game(self, _: list[str]) -> None:
        self.stop()
        self._engine = None
        self.position = self.game.begin(self.options)

    def _set_option(self, words: list[str]) -> None:
        """``setoption name NAME value VALUE``; another game or rule starts a new game."""
        if len(words) != 4 or words[0] != "name" or words[2] != "value":
            raise ValueError(text("ugi.setoption"))
        self.stop()
        name, value = words[1], words[3]
        if name in ("Hash", "Threads"):
            number = _whole(value, 1, MOST_MEMORY_MIB if name == "Hash" else MOST_THREADS)
            self.memory, self.threads = (number, self.threads) if name == "Hash" else (self.memory, number)
            self._engine = None
            return
        if name == "Game":
            if value not in ("squared", "ultimate"):
                raise ValueError(text("ugi.game"))
            self.game, self.options = find_game(value), {}
        else:
            self.game.begin(self.options | {name: value})  # refuse before anything is kept
            self.options[name] = value
        self._new_game([])

    def _set_position(self, words: list[str]) -> None:
        """``position startpos|fen TEXT [moves MOVE ...]``"""
        place = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["startpos"] and place == 1:
            position = self.game.begin(self.options)
        elif words[:1] == ["fen"] and place > 1:
            position = self.game.parse(" ".join(words[1:place]))
        else:
            raise ValueError(text("ugi.position"))
        for word in words[place + 1 :]:
            position = position.play(self.game.move_at(position, self.game.parse_move(word)))
        self.stop()
        self.position = position

    def _query(self, words: list[str]) -> None:
        outcome = self.position.outcome
        first = self.position.options["first"]
        if words == ["gameover"]:
            self._write_line(f"response {str(outcome is not None).lower()}")
        elif words == ["p1turn"]:
            self._write_line(f"response {str(str(self.position.turn) == first).lower()}")
        elif words == ["result"]:
            winner = None if outcome is None else outcome.winner
            who = "p1win" if str(winner) == first else "p2win"
            self._write_line(f"response {'none' if outcome is None else 'draw' if winner is None else who}")
        else:
            raise ValueError(text("ugi.query"))

    def _go(self, words: list[str]) -> None:
        if self.position.outcome:
            raise ValueError(text("ended"))
        given = _numbers(words)
        self.stop()
        if self._engine is None:
            self._engine = Engine(self.memory * MIB, self.threads)
        engine, position = self._engine, self.position
        self._stop = threading.Event()
        stop, reported = self._stop, [0]

        def listen(info: SearchInfo) -> bool:
            if info.depth > reported[0]:
                reported[0] = info.depth
                self._report(info)
            return not stop.is_set()

        seconds, clock = min(_move_seconds(given), MAX_SECONDS), self._clock(given)

        def search() -> None:
            info = engine.search(
                position,
                seconds=seconds,
                clock=clock,
                nodes=given.get("nodes", 0),
                depth=given.get("depth", 0),
                listener=listen,
            )
            if "infinite" in given:
                stop.wait()
            self._report(info)
            self._write_line(f"bestmove {self.game.name(info.lines[0].move)}")

        self._searching = threading.Thread(target=search)
        self._searching.start()

    def _clock(self, given: dict[str, int]) -> EngineClock:
        """The clock of the side to move, less the overhead; 0 if it has none, or a time for this move."""
        player = "p1" if str(self.position.turn) == self.position.options["first"] else "p2"
        if "movetime" in given or f"{player}time" not in given:
            return EngineClock(0.0)
        left, increment = given[f"{player}time"] / 1000 - MOVE_OVERHEAD, given.get(f"{player}inc", 0) / 1000
        return EngineClock(min(max(left, 0.001), MAX_SECONDS), min(increment, MAX_SECONDS))

    def _report(self, info: SearchInfo) -> None:
        if not info.lines:
            return
        best = info.lines[0]
        moves = " ".join(self.game.name(move) for move in best.pv)
        self._write_line(
            f"info depth {info.depth} score {_score(best)} nodes {info.nodes} nps {round(info.nodes_per_second)} "
            f"time {round(info.seconds * 1000)} pv {moves}"
        )


def _move_seconds(given: dict[str, int]) -> float:
    """The time for this move; 0 if none was given."""
    return max(given["movetime"] / 1000 - MOVE_OVERHEAD, 0.001) if "movetime" in given else 0.0


def _score(line: PvLine) -> str:
    if line.plies_to_end is None:
        return f"cp {line.score // 10}"
    return f"mate {line.plies_to_end if line.score > 0 else -line.plies_to_end}"


def _numbers(words: list[str]) -> dict[str, int]:
    """``movetime 100 depth 4`` as a dictionary."""
    given: dict[str, int] = {}
    rest = list(words)
    while rest:
        name = rest.pop(0)
        if name == "infinite":
            given[name] = 1
        elif name in ("p1time", "p2time", "p1inc", "p2inc", "movetime", "depth", "nodes") and rest:
            given[name] = _whole(rest.pop(0), 0 if name != "depth" else 1, 81 if name == "depth" else 10**15)
        else:
            raise ValueError(text("ugi.go", word=repr(name[:40])))
    return given


def _whole(word: str, low: int, high: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 20 and low <= int(word) <= high):
        raise ValueError(text("ugi.number", text=repr(word[:40]), low=low, high=high))
    return int(word)


def main() -> int:
    Ugi(sys.stdout).run(sys.stdin)
    return 0
