"""Who plays in an arena: a level, the engine with limits of one's own, or a program that speaks UGI."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

from ninefold.arena.ugi_process import Program
from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.match.match import Match

MOST = {"time": 1e6, "nodes": 1e15, "depth": 81, "memory": 65536, "threads": 256}  # that an engine can be told
PATIENCE = 30.0  # seconds that another program has beyond the time it was given


class Forfeit(NotAllowed):
    """A program gave no move, or none that can be played: it has lost its game, and the tournament goes on."""


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
        from ninefold.players.player import make_player

        self._player = make_player(game, name, seed)

    def choose(self, match: Match) -> int:
        move = self._player(match).move
        if not isinstance(move, int):
            raise NotAllowed("no_claims", "An arena plays games without claims.", "Play classic instead of agents.")
        return move


class EngineEntrant(_Closing):
    def __init__(self, limits: dict[str, float]) -> None:
        from ninefold.analysis.engine import Engine

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
    """Another program that speaks UGI."""

    def __init__(self, game: Game, command: str, start: Position, seconds: float) -> None:
        self._game = game
        self._milliseconds = max(1, round(seconds * 1000))
        self._program = Program(command)
        try:
            self._program.ask("ugi", "ugiok", PATIENCE)
            self._program.tell(f"setoption name Game value {game.id}")
            for name, value in start.options.items():
                self._program.tell(f"setoption name {name} value {value}")
            self._program.ask("isready", "readyok", PATIENCE)
        except BaseException:
            self._program.close()
            raise

    def choose(self, match: Match) -> int:
        moves = " ".join(self._game.name(move) for move in match.state.moves)
        patience = self._milliseconds / 1000 + PATIENCE
        try:
            self._program.tell(f"position startpos moves {moves}" if moves else "position startpos")
            words = self._program.ask(f"go movetime {self._milliseconds}", "bestmove", patience)
            return self._game.move_at(match.position, self._game.parse_move("".join(words[:1])))
        except Refusal as refusal:
            raise Forfeit(refusal.reason, refusal.sentence) from None

    def close(self) -> None:
        self._program.close()


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
