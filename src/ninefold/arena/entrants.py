"""Who plays in an arena: a level, the engine with limits of one's own, or a program that speaks UGI."""

from __future__ import annotations

import shlex
import subprocess
from types import TracebackType
from typing import Protocol, Self

from ninefold.core import NotAllowed, Position, Unreadable, quoted
from ninefold.game import Game
from ninefold.match import Match


class Entrant(Protocol):
    """Chooses moves through one game; closed after it."""

    def choose(self, match: Match) -> int: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class _Closing:
    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Nothing to close."""


class LevelEntrant(_Closing):
    def __init__(self, game: Game, name: str, seed: int) -> None:
        from ninefold.players import make_player

        self._player = make_player(game, name, seed)

    def choose(self, match: Match) -> int:
        move = self._player(match).move
        if not isinstance(move, int):
            raise NotAllowed("no_claims", "An arena plays games without claims.", "Play classic instead of agents.")
        return move


class EngineEntrant(_Closing):
    def __init__(self, limits: dict[str, float]) -> None:
        from ninefold.engine import Engine

        self._engine = Engine(int(limits.pop("memory", 64)) * 2**20, int(limits.pop("threads", 1)))
        self._seconds, self._nodes, self._depth = (
            limits.get("time", 0.0),
            int(limits.get("nodes", 0)),
            int(limits.get("depth", 0)),
        )

    def choose(self, match: Match) -> int:
        thought = self._engine.think(match.position, seconds=self._seconds, nodes=self._nodes, depth=self._depth)
        return thought.lines[0].move


class UgiEntrant(_Closing):
    """Another program, driven by UGI over its standard streams."""

    def __init__(self, game: Game, command: str, start: Position, seconds: float) -> None:
        self._game = game
        self._milliseconds = max(1, round(seconds * 1000))
        try:
            self._program = subprocess.Popen(  # noqa: S603 - running the program that was named is the point
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        except (OSError, ValueError) as error:
            raise NotAllowed(
                "no_such_program", f"Cannot start {quoted(command, 60)}: {error}.", "Check its name."
            ) from None
        try:
            self._ask("ugi", "ugiok")
            self._tell(f"setoption name Game value {game.id}")
            for name, value in start.options.items():
                self._tell(f"setoption name {name} value {value}")
            self._ask("isready", "readyok")
        except BaseException:
            self._program.kill()
            self._program.communicate()
            raise

    def choose(self, match: Match) -> int:
        moves = " ".join(self._game.name(move) for move in match.state.moves)
        self._tell(f"position startpos moves {moves}" if moves else "position startpos")
        answer = self._ask(f"go movetime {self._milliseconds}", "bestmove")
        return self._game.move_at(match.position, self._game.read("".join(answer.split()[1:2])))

    def close(self) -> None:
        if self._program.poll() is None:
            self._tell("quit")
        self._program.communicate(timeout=10)

    def _tell(self, line: str) -> None:
        assert self._program.stdin is not None  # noqa: S101 - it was opened as a pipe
        try:
            self._program.stdin.write(line + "\n")
            self._program.stdin.flush()
        except OSError:
            raise NotAllowed("no_answer", "The program has ended.", "See what it says on its own.") from None

    def _ask(self, line: str, until: str) -> str:
        assert self._program.stdout is not None  # noqa: S101 - it was opened as a pipe
        self._tell(line)
        for answer in self._program.stdout:
            if answer.split()[:1] == [until]:
                return answer
        raise NotAllowed("no_answer", f"The program ended without a {until}.", "See what it says on its own.")


def entrant(game: Game, spec: str, start: Position, seed: int) -> Entrant:
    """``hard``; ``engine:time=0.1``, ``engine:nodes=10000,memory=16``; ``ugi:COMMAND``, ``ugi,time=0.1:COMMAND``."""
    kind, colon, rest = spec.partition(":")
    if kind == "ugi" and rest:
        return UgiEntrant(game, rest, start, 1.0)
    if kind.startswith("ugi,") and rest:
        return UgiEntrant(game, rest, start, _limits(kind.removeprefix("ugi,")).get("time", 1.0))
    if kind == "engine" and colon:
        return EngineEntrant(_limits(rest))
    return LevelEntrant(game, spec, seed)


# What an engine can be told, and the most of it.
MOST = {"time": 1e6, "nodes": 1e15, "depth": 81, "memory": 65536, "threads": 256}


def _limits(text: str) -> dict[str, float]:
    limits: dict[str, float] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        whole, _, fraction = value.partition(".")
        digits = whole + (fraction if name == "time" else "." if fraction else "")
        if not (name in MOST and digits.isascii() and digits.isdigit() and 0 < float(value) <= MOST[name]):
            raise Unreadable(
                "no_such_player",
                f"{quoted(part)} is no limit of an engine.",
                "Write engine:time=0.1 or engine:nodes=10000.",
            )
        limits[name] = float(value)
    if not {"time", "nodes", "depth"} & set(limits):
        raise Unreadable("no_such_player", "An engine needs a limit.", "Write engine:time=0.1 or engine:nodes=10000.")
    return limits
