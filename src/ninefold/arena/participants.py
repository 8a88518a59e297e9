"""The participants of a tournament: a player, the engine with limits, or another program that speaks UGI or
the protocol of CodinGame."""

from __future__ import annotations

from math import inf
from types import TracebackType
from typing import Protocol, Self

from ninefold.analysis.config import MEMORY_MIB, MIB, MOST_MEMORY_MIB, MOST_THREADS, THREADS
from ninefold.arena.codingame import MOVE_TIME, CodingameProcess, plays_by_these_rules
from ninefold.arena.program_process import has_cpu_clocks
from ninefold.arena.ugi_process import UgiProcess
from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.match.match import Match

MAX_LIMITS = {
    "time": 1e6, "cpu": 1e6, "nodes": 1e15, "depth": 81, "memory": MOST_MEMORY_MIB, "threads": MOST_THREADS,
    "clock": 1e6,
}  # fmt: skip
_SECONDS = {"time", "cpu", "clock"}  # the limits that may have a fraction
_ENDS_SEARCH = {"time", "cpu", "nodes", "depth", "clock"}
_OF_PROGRAMS = {"ugi": set(MAX_LIMITS) - {"clock"}, "codingame": {"time", "cpu"}}  # what other programs can be given
UGI_TIME = 1.0  # seconds for a move of a program that nobody limits
PATIENCE = 30.0  # seconds that a program has beyond its time for a move


class GameForfeited(NotAllowed):
    """A program gave no move, or an illegal one: it loses this game, and the tournament goes on."""


class Participant(Protocol):
    """Chooses moves through one game, and is closed after it."""

    has_proven_win: bool  # it wins against every defence

    def choose_move(self, match: Match) -> int: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class _Closing:
    has_proven_win = False

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
    """The engine. A win counts as proven when two searches in a row prove it, and the second is at least as close to it
    as the first one promised. A clock is for the whole game and counts CPU time."""

    has_proven_win: bool

    def __init__(self, limits: dict[str, float]) -> None:
        from ninefold.analysis.engine import Engine, EngineClock

        self._engine = Engine(int(limits.get("memory", MEMORY_MIB)) * MIB, int(limits.get("threads", THREADS)))
        self._seconds, self._cpu = limits.get("time", 0.0), limits.get("cpu", 0.0)
        self._nodes, self._depth = int(limits.get("nodes", 0)), int(limits.get("depth", 0))
        self._clock = EngineClock(limits.get("clock", 0.0), limits.get("increment", 0.0), by_cpu=True)
        self._win_in: int | None = None  # plies, as the last search proved

    def choose_move(self, match: Match) -> int:
        moves = match.position.moves()
        if len(moves) == 1:
            self._press_clock(0.0)
            return moves[0]
        info = self._engine.search(
            match.position,
            seconds=self._seconds,
            nodes=self._nodes,
            depth=self._depth,
            cpu_seconds=self._cpu,
            clock=self._clock,
        )
        self._press_clock(info.cpu_seconds)
        best = info.lines[0]
        win_in = best.plies_to_end if best.proven and best.score > 0 else None
        self.has_proven_win = win_in is not None and self._win_in is not None and win_in <= self._win_in - 2
        self._win_in = win_in
        return best.move

    def _press_clock(self, used: float) -> None:
        if not self._clock.seconds:
            return
        left = self._clock.seconds - used
        if left <= 0:
            raise GameForfeited("no_answer.flag", seconds=-left)
        self._clock = self._clock._replace(seconds=left + self._clock.increment)


class UgiParticipant(_Closing):
    """Another program that speaks UGI. It has ``patience`` seconds more for a reply than for its move."""

    def __init__(
        self, game: Game, command: str, start: Position, limits: dict[str, float], *, patience: float = PATIENCE
    ) -> None:
        self._game, self._patience = game, patience
        self._cpu = limits.get("cpu", inf)
        self._go = _go(limits, patience)
        self._seconds = limits.get("time", 0.0) + patience
        self._process = UgiProcess(command)
        try:
            self._process.ask("ugi", "ugiok", patience)
            self._process.send(f"setoption name Game value {game.id}")
            for name, value in start.options.items():
                self._process.send(f"setoption name {name} value {value}")
            for name, option in (("memory", "Hash"), ("threads", "Threads")):
                if name in limits:
                    self._process.send(f"setoption name {option} value {limits[name]:.0f}")
            self._process.ask("isready", "readyok", patience)
        except BaseException:
            self._process.close()
            raise

    def choose_move(self, match: Match) -> int:
        legal = match.position.moves()
        if len(legal) == 1:
            return legal[0]
        moves = " ".join(self._game.name(move) for move in match.state.moves)
        try:
            self._process.send(f"position startpos moves {moves}" if moves else "position startpos")
            words = self._process.ask(self._go, "bestmove", self._seconds, cpu=self._cpu)
            return self._game.move_at(match.position, self._game.parse_move("".join(words[:1])))
        except Refusal as refusal:
            raise GameForfeited(refusal.code, **refusal.params) from None

    def close(self) -> None:
        self._process.close()


def _go(limits: dict[str, float], patience: float) -> str:
    """The command to search. A program that is stopped by its CPU clock may take long, as others have the core too."""
    words = [f"{name} {limits[name]:.0f}" for name in ("nodes", "depth") if name in limits]
    seconds = limits.get("time", patience if "cpu" in limits else 0.0)
    return " ".join(["go", *words, *([f"movetime {max(1, round(seconds * 1000))}"] if seconds else [])])


class CodingameParticipant(_Closing):
    """Another program that speaks the protocol of CodinGame's ultimate tic-tac-toe."""

    def __init__(
        self, game: Game, command: str, start: Position, limits: dict[str, float], *, patience: float = PATIENCE
    ) -> None:
        if not plays_by_these_rules(start):
            raise Unreadable("no_such_player.codingame")
        seconds = limits.get("cpu", limits.get("time", MOVE_TIME))
        self._game = game
        self._process = CodingameProcess(command, seconds, by_cpu="cpu" in limits, patience=patience)

    def choose_move(self, match: Match) -> int:
        try:
            path = self._process.choose_move(match.state.moves, match.position)
            return self._game.move_at(match.position, path)
        except Refusal as refusal:
            raise GameForfeited(refusal.code, **refusal.params) from None

    def close(self) -> None:
        self._process.close()


def make_participant(game: Game, spec: str, start: Position, seed: int) -> Participant:
    """``hard``, ``mcts:100000``, ``alphazero:FILE``; ``engine:time=0.1``, ``engine:nodes=10000,memory=16``,
    ``engine:clock=5+0.05``; ``ugi:COMMAND``, ``ugi,nodes=10000:COMMAND``; ``codingame:COMMAND``,
    ``codingame,cpu=0.1:COMMAND``."""
    kind, colon, rest = spec.partition(":")
    protocol, comma, words = kind.partition(",")
    if protocol in _OF_PROGRAMS and rest:
        limits = _parse_limits(words, _OF_PROGRAMS[protocol]) if comma else {}
        if "cpu" in limits and not has_cpu_clocks():
            raise Unreadable("no_such_player.cpu")
        if protocol == "ugi":
            return UgiParticipant(game, rest, start, limits or {"time": UGI_TIME})
        return CodingameParticipant(game, rest, start, limits)
    if kind == "engine" and colon:
        return EngineParticipant(_parse_limits(rest, set(MAX_LIMITS)))
    return LevelParticipant(game, spec, seed)


def _parse_limits(words: str, known: set[str]) -> dict[str, float]:
    limits: dict[str, float] = {}
    for part in words.split(","):
        name, _, value = part.partition("=")
        value, plus, increment = value.partition("+") if name == "clock" else (value, "", "")
        is_readable = name in known and _is_number(value, name) and float(value) > 0
        if not is_readable or (plus and not _is_number(increment, name)):
            raise Unreadable("no_such_player.limit", limit=quoted(part), limits=" ".join(sorted(known)))
        limits[name] = float(value)
        if plus:
            limits["increment"] = float(increment)
    if not _ENDS_SEARCH & set(limits):
        raise Unreadable("no_such_player.no_limit")
    return limits


def _is_number(value: str, name: str) -> bool:
    """True for a number that a limit of this name may have, or 0."""
    whole, _, fraction = value.partition(".")
    digits = whole + (fraction if name in _SECONDS else "." if fraction else "")
    return digits.isascii() and digits.isdigit() and float(value) <= MAX_LIMITS[name]
