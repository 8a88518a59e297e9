"""The engine of squared and ultimate, by the native core."""

from __future__ import annotations

import atexit
import math
from collections.abc import Callable
from functools import cache
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ninefold.analysis.config import MEMORY_MIB, MIB, THREADS
from ninefold.analysis.network import FOLDER, RuleSet, read_network
from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.integers import as_integer
from ninefold.core.native import native as _native  # every use asks is_native(), or native_position(), before
from ninefold.core.position import Position
from ninefold.core.solver import Value
from ninefold.games.squared import Squared

if TYPE_CHECKING:
    from ninefold.core.native import (
        BigBatch,
        LevelBatch,
        NativePosition,
        Network,
        RawPvLine,
        RawSearchInfo,
        SingleGame,
        TableBatch,
    )

__all__ = ["Engine", "EngineClock", "PvLine", "SearchInfo", "perft"]

ANY_BOARD = 9
# The engine's unit of value: the score of one more line of boards to be expected. Without the core there are no scores.
LINE_VALUE: int = _native.LINE_VALUE if _native else 1
WIN: int = _native.WIN if _native else 1  # the score of a win now; a forced win in n plies is n less
MCTS_BYTES = 70  # a simulation of Monte Carlo tree search takes less
EXPECTATION_SLOPE = 1.2  # a side that is one line ahead expects tanh(1.2), about 0.83 points


class PvLine(NamedTuple):
    """A root move with its score and its principal variation. The score is for the side to move, in parts of
    ``LINE_VALUE``; a forced win in n plies is ``WIN`` - n. The scores of ``proven`` lines are exact.

    >>> from ninefold import Engine, find_game
    >>> line = Engine().search(find_game("ultimate").begin(), nodes=2_000).lines[0]
    >>> line.proven, line.move == line.pv[0]
    (False, True)
    """

    move: int
    score: int
    proven: bool
    pv: tuple[int, ...]

    @property
    def score_text(self) -> str:
        """``win in 3``, ``draw``, or the lines of boards to be expected: ``+0.25``.

        >>> PvLine(0, 100, False, (0,)).score_text[0], PvLine(0, 0, True, (0,)).score_text
        ('+', 'draw')
        """
        return str(self.value) if self.value else f"{self.score / LINE_VALUE:+.2f}"

    @property
    def value(self) -> Value | None:
        """The exact value, if it is proven.

        >>> PvLine(0, 0, True, (0,)).value, PvLine(0, 100, False, (0,)).value
        (Value(sign=0, distance=None), None)
        """
        if self.plies_to_end is not None:
            return Value(1 if self.score > 0 else -1, self.plies_to_end)
        return Value(0, None) if self.proven else None

    @property
    def plies_to_end(self) -> int | None:
        """The length of a forced win or loss.

        >>> from ninefold import Engine, find_game
        >>> game = find_game("ultimate")
        >>> start = "XXX....../XXX....../XX......./OO......./OO......./OO......./O......../O......../......... X 9"
        >>> Engine().search(game.parse(start), nodes=1000).lines[0].plies_to_end
        1
        """
        return WIN - abs(self.score) if abs(self.score) >= _native.WIN_IN_MAX_PLY else None

    @property
    def expectation(self) -> float:
        """The expected result for the side to move, from -1 (lost) to 1 (won).

        >>> PvLine(0, 0, True, (0,)).expectation, 0 < PvLine(0, 100, False, (0,)).expectation < 1
        (0.0, True)
        """
        if self.proven:
            return float((self.score > 0) - (self.score < 0))
        return math.tanh(EXPECTATION_SLOPE * self.score / LINE_VALUE)


class SearchInfo(NamedTuple):
    """The result of a search: the ranked lines, best first, its depth and its time. ``cpu_seconds`` are those of the
    thread that took the most; 0 while the search runs.

    >>> from ninefold import Engine, find_game
    >>> info = Engine().search(find_game("squared").begin(), nodes=2_000, lines=2)
    >>> info.depth >= 1, info.nodes >= 2_000, len(info.lines)
    (True, True, 2)
    """

    depth: int
    nodes: int
    seconds: float
    lines: tuple[PvLine, ...]
    cpu_seconds: float = 0.0

    def __repr__(self) -> str:
        return f"<SearchInfo: depth {self.depth}, {self.nodes:,} nodes, {len(self.lines)} lines>"

    @property
    def nodes_per_second(self) -> float:
        """The speed of the search.

        >>> SearchInfo(5, 3_000_000, 0.5, ()).nodes_per_second
        6000000.0
        """
        return self.nodes / self.seconds if self.seconds else 0.0


Listener = Callable[[SearchInfo], bool]


class EngineClock(NamedTuple):
    """What the engine has left for the rest of a game, and what is added after every move. ``by_cpu``: in seconds of
    the processor, which do not pass while other programs have the core.

    >>> from ninefold import Engine, find_game
    >>> Engine().search(find_game("ultimate").begin(), clock=EngineClock(1.0, 0.01)).seconds < 1.0
    True
    """

    seconds: float
    increment: float = 0.0
    by_cpu: bool = False


_NO_CLOCK = EngineClock(0.0)


def is_native() -> bool:
    """True if the native core is installed."""
    return _native is not None


def processor() -> str:
    """The kind of processor that the native core was chosen for; ``none`` without it."""
    return _native.processor() if _native else "none"


def missing() -> NotAllowed:
    return NotAllowed("no_engine")


def plays(position: Position) -> bool:
    """True if the engine is installed and knows the rules of a position."""
    return _native is not None and isinstance(position, Squared)


def native_position(position: Position) -> NativePosition:
    if _native is None:
        raise missing()
    if not isinstance(position, Squared):
        raise NotAllowed("no_engine.game")
    board = ANY_BOARD if position.board is None else position.board
    return _native.NativePosition(list(position.x), list(position.o), board, int(position.turn), *rule_set(position))


def rule_set(position: Position) -> RuleSet:
    if not isinstance(position, Squared):
        raise NotAllowed("no_engine.game")
    return RuleSet(position.rules.drawn == "both", position.rules.tie_break == "boards")


def load_network(file: Path, rules: RuleSet) -> Network:
    """The network in a file, if it was made for these rules. Its tables are made now."""
    found = read_network(file)
    if found.rules != rules.name:
        raise Unreadable("not_a_network.rules", file=quoted(file.name, 100), of=quoted(found.rules), rules=rules.name)
    return _native.Network(found.weights, found.scale)


@cache
def shipped_network(rules: RuleSet) -> Network | None:
    """The network of this package for a rule set, if there is one."""
    file = FOLDER / f"{rules.name}.net"
    return load_network(file, rules) if file.is_file() else None


# What is still kept when the interpreter ends is reported by the native core as leaked.
atexit.register(shipped_network.cache_clear)


class Engine:
    """A search with its transposition table and threads. With a limit in nodes, one thread and an empty table, the same
    search gives the same result on every machine.

    It evaluates positions with the network that this package has for their rules, with that of another file, or, if
    there is none or ``learned`` is False, with the hand-crafted evaluation.

    >>> from ninefold import Engine, find_game
    >>> game = find_game("ultimate")
    >>> start = "XXX....../XXX....../XX......./OO......./OO......./OO......./O......../O......../........."
    >>> info = Engine().search(game.parse(f"{start} X 9"), nodes=1000)
    >>> game.name(info.lines[0].move), info.lines[0].score_text
    ('99', 'win in 1')
    """

    def __init__(
        self,
        memory: int = MEMORY_MIB * MIB,
        threads: int = THREADS,
        *,
        network: Path | None = None,
        learned: bool = True,
    ) -> None:
        if _native is None:
            raise missing()
        memory, threads = _integer("memory", memory, 2**63), _integer("threads", threads)
        try:
            self._searcher = _native.Searcher(memory, threads)
        except MemoryError:
            raise NotAllowed("no_memory", megabytes=memory // MIB) from None
        self._file, self._learned = network, learned
        self._networks: dict[RuleSet, Network | None] = {}

    def _network(self, rules: RuleSet) -> Network | None:
        if not self._learned:
            return None
        if rules not in self._networks:
            self._networks[rules] = load_network(self._file, rules) if self._file else shipped_network(rules)
        return self._networks[rules]

    def __repr__(self) -> str:
        return f"<Engine with {self.memory // 1024:,} KiB>"

    def search(
        self,
        position: Position,
        *,
        seconds: float = 0.0,
        nodes: int = 0,
        depth: int = 0,
        lines: int = 1,
        cpu_seconds: float = 0.0,
        clock: EngineClock = _NO_CLOCK,
        listener: Listener | None = None,
    ) -> SearchInfo:
        """Search until a limit (0 for none) is reached or the ranked lines are proven. The listener is called after
        every iteration, and about every 50 ms; the search stops when it returns False. ``cpu_seconds`` are counted by
        the clock of the thread that searches: they do not pass while other programs have the core. With a clock the
        search decides how much of it this move is worth.

        >>> from ninefold import Engine, find_game
        >>> game = find_game("squared")
        >>> info = Engine(memory=2**20).search(game.begin().play(40), depth=4, lines=2)
        >>> info.depth, len(info.lines), [game.name(move)[0] for move in info.lines[0].pv[:1]]
        (4, 2, ['5'])
        """
        on_info = None if listener is None else lambda raw: listener(_search_info(raw))
        start, network = native_position(position), self._network(rule_set(position))
        if not 0 <= (nodes := as_integer("nodes", nodes)) < 2**63:
            raise ValueError(f"Nodes are 0 (no limit) to 2**63 - 1, not {nodes}.")
        seconds, cpu_seconds = _number("seconds", seconds), _number("cpu_seconds", cpu_seconds)
        depth, lines = _integer("depth", depth), _integer("lines", lines)
        raw = self._searcher.search(start, seconds, nodes, depth, lines, network, on_info, cpu_seconds, *clock)
        return _search_info(raw)

    def clear(self) -> None:
        """Empty the transposition table.

        >>> from ninefold import Engine
        >>> Engine(memory=2**20).clear()
        """
        self._searcher.clear()

    @property
    def memory(self) -> int:
        """The bytes of the transposition table.

        >>> from ninefold import Engine
        >>> Engine(memory=2**20).memory
        1048576
        """
        return self._searcher.bytes


def _integer(name: str, number: int, limit: int = 2**31) -> int:
    """An integer that the native core can take; it refuses those that are too small or too large for it."""
    return max(-1, min(as_integer(name, number), limit - 1))


def _number(name: str, number: float) -> float:
    if not isinstance(number, Real) or isinstance(number, bool):
        raise TypeError(f"{name} must be a number, not {number!r}.")
    return float(number)


def _search_info(raw: RawSearchInfo) -> SearchInfo:
    lines = tuple(map(_pv_line, raw["lines"]))
    return SearchInfo(raw["depth"], raw["nodes"], raw["seconds"], lines, raw["cpu_seconds"])


def _pv_line(raw: RawPvLine) -> PvLine:
    return PvLine(raw["move"], raw["score"], raw["proven"], tuple(raw["pv"]))


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of this length.

    >>> from ninefold import find_game
    >>> [perft(find_game("ultimate").begin(), depth) for depth in (1, 2, 3)]
    [81, 720, 6336]
    """
    start = native_position(position)
    return _native.perft(start, depth)


def table_batch(transitions: Any, masks: Any, planes: Any, turn: Any, threads: int) -> TableBatch:
    """Kernels for many games of a small game at once, from the arrays of its table."""
    if _native is None:
        raise missing()
    return _native.TableBatch.of(transitions, masks, planes, turn, threads)


def big_batch(both: bool, boards: bool, first: int, resets: bool, threads: int) -> BigBatch:
    """Kernels for many games of squared or ultimate at once: whether drawn boards count for both and boards break ties,
    who starts, and whether ended games are reset."""
    if _native is None:
        raise missing()
    return _native.BigBatch.of(both, boards, first, resets, threads)


def single_game(rules: RuleSet) -> SingleGame:
    """One game of squared or ultimate at its start, which is played move by move."""
    if _native is None:
        raise missing()
    return _native.SingleGame(*rules)


def level_batch(rules: RuleSet, nodes: int, lines: int, noise: float, threads: int) -> LevelBatch:
    """A level in many games at once: searches of so many nodes that rank so many moves, and the largest random error of
    their scores."""
    if _native is None:
        raise missing()
    return _native.LevelBatch(*rules, nodes, lines, noise, shipped_network(rules), threads)


class VisitedMove(NamedTuple):
    """A root move of a Monte Carlo tree search: its visits, and the sum of their results, each -1, 0 or 1 for the side
    to move."""

    move: int
    visits: int
    total: int


def mcts(
    position: Position,
    simulations: int,
    *,
    seed: int,
    exploration: float = 2.0,
    should_continue: Callable[[], bool] | None = None,
    until_decided: bool = False,
) -> list[VisitedMove]:
    """Monte Carlo tree search with a new tree: UCT on values from -1 to 1. The same seed gives the same visits on every
    machine. ``should_continue`` is called about every 30 ms; the search stops when it returns False. With
    ``until_decided`` it also stops when the simulations that are left cannot change which move is visited most."""
    start = native_position(position)
    listener = None if should_continue is None else lambda _: should_continue()
    try:
        children = _native.mcts(start, simulations, seed, exploration, listener, until_decided)
    except MemoryError:
        megabytes = simulations * MCTS_BYTES // MIB
        raise NotAllowed("no_memory.simulations", megabytes=megabytes, simulations=simulations) from None
    return [VisitedMove(*child) for child in children]


class PlayoutCounts(NamedTuple):
    """The results of random games, and how many plies they took together."""

    x: int
    drawn: int
    o: int
    plies: int


def playouts(position: Position, count: int, *, seed: int, first: int = 0, processor: str = "auto") -> PlayoutCounts:
    """Play random games number ``first``, ``first + 1``, ...: the same on every machine and in every split."""
    start = native_position(position)
    return PlayoutCounts(*_native.playouts(start, count, seed, first, processor))


def random_game(position: Position, *, seed: int, game: int) -> list[int]:
    """The moves of the random game with this number."""
    start = native_position(position)
    return _native.random_game(start, seed, game)
