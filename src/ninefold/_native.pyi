from collections.abc import Callable
from typing import Any, TypedDict

WIN: int
WIN_IN_MAX_PLY: int
LINE_VALUE: int

class RawPvLine(TypedDict):
    move: int
    score: int
    proven: bool
    pv: list[int]

class RawSearchInfo(TypedDict):
    depth: int
    nodes: int
    seconds: float
    cpu_seconds: float
    lines: list[RawPvLine]

class NativePosition:
    def __init__(
        self, x: list[int], o: list[int], board: int, turn: int, drawn_counts_for_both: bool, boards_break_ties: bool
    ) -> None: ...
    def moves(self) -> list[int]: ...
    def play(self, move: int) -> NativePosition: ...
    def ended(self) -> bool: ...
    def result(self) -> int: ...
    def marks(self) -> tuple[list[int], list[int]]: ...
    @property
    def board(self) -> int: ...
    @property
    def turn(self) -> int: ...

def add_squared_methods(type: type, x: object, o: object, outcome: Callable[[Any], object]) -> bool: ...

class Network:
    def __init__(self, weights: bytes, scale: int) -> None: ...
    def evaluate(self, position: NativePosition) -> int: ...
    def evaluate_moves(self, position: NativePosition, processor: str = "") -> list[int]: ...

class Searcher:
    def __init__(self, bytes: int, threads: int) -> None: ...
    def search(
        self,
        position: NativePosition,
        seconds: float,
        nodes: int,
        depth: int,
        multi_pv: int,
        network: Network | None,
        listener: Callable[[RawSearchInfo], bool] | None,
        cpu_seconds: float = 0.0,
        clock: float = 0.0,
        increment: float = 0.0,
        clock_by_cpu: bool = False,
    ) -> RawSearchInfo: ...
    def clear(self) -> None: ...
    @property
    def bytes(self) -> int: ...

class TimeManager:
    def __init__(self, clock: float, increment: float, free_cells: int) -> None: ...
    def should_stop(self, move: int, score: int, effort: float, elapsed: float) -> bool: ...
    @property
    def optimum(self) -> float: ...
    @property
    def maximum(self) -> float: ...

class _Batch:
    def step(self, position: Any, mask: Any, action: Any, to: Any, to_mask: Any, reward: Any, done: Any) -> None: ...
    def random_action(self, position: Any, mask: Any, seed: int, counter: int, first: int, action: Any) -> None: ...
    def random_step(
        self,
        position: Any,
        mask: Any,
        seed: int,
        counter: int,
        first: int,
        to: Any,
        to_mask: Any,
        reward: Any,
        done: Any,
    ) -> None: ...
    def rollout(
        self,
        position: Any,
        mask: Any,
        seed: int,
        counter: int,
        first: int,
        steps: int,
        ended: Any,
        score: Any,
        to: Any,
        to_mask: Any,
        reward: Any,
        done: Any,
    ) -> None: ...
    def view(self, position: Any, mask: Any, reward: Any, planes: Any, legal: Any, rewards: Any, turn: Any) -> None: ...

class TableBatch(_Batch):
    @staticmethod
    def of(transitions: Any, masks: Any, planes: Any, turn: Any, threads: int) -> TableBatch: ...

class BigBatch(_Batch):
    @staticmethod
    def of(
        drawn_counts_for_both: bool, boards_break_ties: bool, first: int, resets: bool, threads: int
    ) -> BigBatch: ...

class SingleGame:
    def __init__(self, drawn_counts_for_both: bool, boards_break_ties: bool) -> None: ...
    @property
    def turn(self) -> int: ...
    def words(self) -> bytes: ...
    def set(self, words: bytes) -> None: ...
    def play(self, move: int) -> int: ...
    def observe(self, side: int, over: bool, planes: Any, mask: Any) -> None: ...
    def random_move(self, seed: int, counter: int) -> int: ...

class LevelBatch:
    def __init__(
        self,
        drawn_counts_for_both: bool,
        boards_break_ties: bool,
        nodes: int,
        lines: int,
        noise: float,
        network: Network | None,
        threads: int,
    ) -> None: ...
    def choose(self, position: Any, mask: Any, seed: int, counter: int, first: int, action: Any) -> None: ...
    def choose_one(self, game: SingleGame, seed: int, counter: int) -> int: ...

def perft(position: NativePosition, depth: int) -> int: ...
def playouts(
    position: NativePosition, count: int, seed: int, first: int, processor: str
) -> tuple[int, int, int, int]: ...
def mcts(
    position: NativePosition,
    simulations: int,
    seed: int,
    exploration: float,
    listener: Callable[[int], bool] | None,
    until_decided: bool,
) -> list[tuple[int, int, int]]: ...
def random_game(position: NativePosition, seed: int, game: int) -> list[int]: ...
def processors() -> list[str]: ...
def processor() -> str: ...
