"""The participants of a tournament: a player, the engine with limits, or another program that speaks UGI."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

from ninefold.analysis.config import MEMORY_MIB, MIB, MOST_MEMORY_MIB, MOST_THREADS, THREADS
from ninefold.arena.ugi_process import UgiProcess
from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.match.match import Match

MAX_LIMITS = {"time": 1e6, "nodes": 1e15, "depth": 81, "memory": MOST_MEMORY_MIB, "threads": MOST_THREADS}
PATIENCE = 30.0  # seconds that a program has beyond its time for a move


class GameForfeited(NotAllowed):
    """A program gave no move, or an illegal one: it loses this game, and the tournament goes on."""


class Participant(Protocol):
    """Chooses moves through one game, and is closed after it."""

    def choose_move(self, match: Match) -> int: ...

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


class LevelParticipant(_Closing):
    def __init__(self, game: Game, name: str, seed: int) -> None:
        from ninefold.players.player import make_player

        self._player = make_player(game, name, seed)

    def choose_move(self, match: Match) -> int:
        move = self._player(match).move
        if not isinstance(move, int):
            raise NotAllowed("no_claims.arena")
        return move


class EngineParticipant(_Closing):
    def __init__(self, limits: dict[str, float]) -> None:
        from ninefold.analysis.engine import Engine

        self._engine = Engine(int(limits.get("memory", MEMORY_MIB)) * MIB, int(limits.get("threads", THREADS)))
        self._seconds = limits.get("time", 0.0)
        self._nodes, self._depth = int(limits.get("nodes", 0)), int(limits.get("depth", 0))

    def choose_move(self, match: Match) -> int:
        info = self._engine.search(match.position, seconds=self._seconds, nodes=self._nodes, depth=self._depth)
        return info.lines[0].move


class UgiParticipant(_Closing):
    """Another program that speaks UGI. It has ``patience`` seconds more for a reply than for its move."""

    def __init__(
        self, game: Game, command: str, start: Position, seconds: float, *, patience: float = PATIENCE
    ) -> None:
        self._game, self._patience = game, patience
        self._milliseconds = max(1, round(seconds * 1000))
        self._process = UgiProcess(command)
        try:
            self._process.ask("ugi", "ugiok", patience)
            self._process.send(f"setoption name Game value {game.id}")
            for name, value in start.options.items():
                self._process.send(f"setoption name {name} value {value}")
            self._process.ask("isready", "readyok", patience)
        except BaseException:
            self._process.close()
            raise

    def choose_move(self, match: Match) -> int:
        moves = " ".join(self._game.name(move) for move in match.state.moves)
        try:
            self._process.send(f"position startpos moves {moves}" if moves else "position startpos")
            patience = self._milliseconds / 1000 + self._patience
            words = self._process.ask(f"go movetime {self._milliseconds}", "bestmove", patience)
            return self._game.move_at(match.position, self._game.parse_move("".join(words[:1])))
        except Refusal as refusal:
            raise GameForfeited(refusal.code, **refusal.params) from None

    def close(self) -> None:
        self._process.close()


def make_participant(game: Game, spec: str, start: Position, seed: int) -> Participant:
    """A player: ``hard``, ``mcts:100000``; ``engine:time=0.1``, ``engine:nodes=10000,memory=16``; or another program:
    ``ugi:COMMAND``, ``ugi,time=0.1:COMMAND``."""
    kind, colon, rest = spec.partition(":")
    if kind == "ugi" and rest:
        return UgiParticipant(game, rest, start, 1.0)
    if kind.startswith("ugi,") and rest:
        return UgiParticipant(game, rest, start, _parse_limits(kind.removeprefix("ugi,")).get("time", 1.0))
    if kind == "engine" and colon:
        return EngineParticipant(_parse_limits(rest))
    return LevelParticipant(game, spec, seed)


def _parse_limits(words: str) -> dict[str, float]:
    limits: dict[str, float] = {}
    for part in words.split(","):
        name, _, value = part.partition("=")
        whole, _, fraction = value.partition(".")
        digits = whole + (fraction if name == "time" else "." if fraction else "")
        if not (name in MAX_LIMITS and digits.isascii() and digits.isdigit() and 0 < float(value) <= MAX_LIMITS[name]):
            raise Unreadable("no_such_player.limit", limit=quoted(part))
        limits[name] = float(value)
    if not {"time", "nodes", "depth"} & set(limits):
        raise Unreadable("no_such_player.no_limit")
    return limits
