"""The native core, and the engine of the big games: the only module that imports the extension."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ninefold.core.errors import NotAllowed
from ninefold.core.position import Position
from ninefold.games.squared import Squared

try:
    from ninefold import _native
except ImportError:  # installed without a compiler; every use asks is_native(), or state(), before
    _native = None  # type: ignore[assignment] # a module is not None to mypy

if TYPE_CHECKING:
    from ninefold._native import BigBatch, NativePosition, RawSearchInfo, TableBatch

ANY = 9
MEMORY = 64 * 2**20
SCALE = 2400  # as in native/eval/hand_crafted_eval.hpp


class Line(NamedTuple):
    """A ranked move. ``value`` is for the side to move: ``SCALE`` stands for one line of boards more to be expected; a
    forced win is worth ``WIN`` less the plies it takes. ``proven`` values are exact."""

    move: int
    value: int
    proven: bool
    variation: tuple[int, ...]

    @property
    def worth(self) -> str:
        """The value in words."""
        if self.plies_to_end is not None:
            return f"{'win' if self.value > 0 else 'loss'} in {self.plies_to_end}"
        return "draw" if self.proven else f"{self.value / SCALE:+.2f}"

    @property
    def plies_to_end(self) -> int | None:
        """How long a forced win or loss takes."""
        return _native.WIN - abs(self.value) if abs(self.value) >= _native.WIN_IN_MAX_PLY else None


class Thought(NamedTuple):
    depth: int
    nodes: int
    seconds: float
    lines: tuple[Line, ...]

    @property
    def speed(self) -> float:
        return self.nodes / self.seconds if self.seconds else 0.0


def is_native() -> bool:
    return _native is not None


def processor() -> str:
    """What the native core runs on here, or that there is none."""
    return _native.processor() if _native else "none"


def missing() -> NotAllowed:
    return NotAllowed("no_engine", "Ninefold was installed without its native core.", "Install it with a C++ compiler.")


def plays(position: Position) -> bool:
    """Whether the engine knows the rules of a position."""
    return _native is not None and isinstance(position, Squared)


def state(position: Position) -> NativePosition:
    if _native is None:
        raise missing()
    if not isinstance(position, Squared):
        raise NotAllowed("no_engine", "The engine plays squared and ultimate only.")
    board = ANY if position.board is None else position.board
    rules = position.rules
    both, boards = rules.drawn == "both", rules.tie_break == "boards"
    return _native.NativePosition(list(position.x), list(position.o), board, int(position.turn), both, boards)


class Engine:
    """A search with its memory and threads. With a limit in nodes and one thread, the same search gives the same result
    on every machine, provided that it starts with an empty memory: see ``forget``."""

    def __init__(self, memory: int = MEMORY, threads: int = 1) -> None:
        if _native is None:
            raise missing()
        self._searcher = _native.Searcher(memory, threads)

    def think(
        self,
        position: Position,
        *,
        seconds: float = 0.0,
        nodes: int = 0,
        depth: int = 0,
        lines: int = 1,
        listener: Callable[[Thought], bool] | None = None,
    ) -> Thought:
        """Search until a limit (0 for none) or the truth is reached. A listener is told every finished depth, and about
        every 50 ms; the search stops when it answers False."""
        told = None if listener is None else lambda raw: listener(_thought(raw))
        return _thought(self._searcher.search(state(position), seconds, nodes, depth, lines, told))

    def forget(self) -> None:
        self._searcher.clear()

    @property
    def memory(self) -> int:
        """The bytes that its table takes."""
        return self._searcher.bytes


def _thought(raw: RawSearchInfo) -> Thought:
    lines = (Line(one["move"], one["score"], one["proven"], tuple(one["pv"])) for one in raw["lines"])
    return Thought(raw["depth"], raw["nodes"], raw["seconds"], tuple(lines))


def perft(position: Position, depth: int) -> int:
    known = state(position)
    return _native.perft(known, depth)


def table_batch(transitions: Any, masks: Any, planes: Any, turn: Any, threads: int) -> TableBatch:
    """Many games of a small game at once, from the arrays of its table."""
    if _native is None:
        raise missing()
    return _native.TableBatch.of(transitions, masks, planes, turn, threads)


def big_batch(both: bool, boards: bool, first: int, resets: bool, threads: int) -> BigBatch:
    """Many games of squared or ultimate at once: what a drawn board counts, what breaks ties, who starts, whether games
    begin anew."""
    if _native is None:
        raise missing()
    return _native.BigBatch.of(both, boards, first, resets, threads)


class Playouts(NamedTuple):
    x: int
    drawn: int
    o: int
    plies: int


def playouts(position: Position, count: int, *, seed: int, first: int = 0, processor: str = "auto") -> Playouts:
    """Random games number ``first``, ``first + 1``, ...: the same on every machine and for every way of batching."""
    known = state(position)
    return Playouts(*_native.playouts(known, count, seed, first, processor))


def random_game(position: Position, *, seed: int, game: int) -> list[int]:
    """The moves of the random game of that number."""
    known = state(position)
    return _native.random_game(known, seed, game)
