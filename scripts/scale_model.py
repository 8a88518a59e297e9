"""What one core, one machine and ten machines carry: a model fed by measured costs, checked against a simulation.

python -m scripts.scale_model [--write]

The costs are in benchmarks/costs.json, with the command that has measured them. ``--write`` writes docs/scale.md.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
COSTS = ROOT / "benchmarks" / "costs.json"
PAGE = ROOT / "docs" / "scale.md"

# Assumptions about players and prices; everything else is measured.
SECONDS_A_MOVE = 6.0  # between two moves of a match
MOVES_A_MATCH = 40
AGAINST_COMPUTER = 0.3  # the share of players
LEVEL = "hard"
SPECTATORS = 0.2  # for each player
BEAT_SECONDS = 15.0  # between two heartbeats of a socket
BUSY = 0.7  # how much of a processor may be used on average
CORES, MEMORY = 16, 64e9  # of one machine
CORE_HOUR, GIGABYTE_MONTH = 0.04, 0.1  # dollars


SERVING, NOTIFYING = "serving", "telling every worker of every move"
STORING, COMPUTING = "the database", f"the computer ({LEVEL})"


class Costs(NamedTuple):
    """Processor time in microseconds, sizes in bytes."""

    create_us: float
    move_http_us: float
    move_socket_us: float
    move_postgresql_us: float
    database_us: float
    notification_us: float
    spectator_us: float
    socket_memory_bytes: float
    match_memory_bytes: float
    match_stored_bytes: float
    engine_easy_us: float
    engine_medium_us: float
    engine_hard_us: float
    engine_expert_us: float
    commit_us: float


class Setup(NamedTuple):
    """The machines of a site."""

    name: str
    machines: int
    workers: int  # cores that serve
    databases: int = 0  # machines; 0: SQLite in the only process
    engines: int | None = None  # cores that compute moves; None: the visitors' own
    has_broker: bool = False  # workers hear only of matches that somebody follows there
    shared_cores: int = 0  # where workers, database and engine are on one machine: its cores


SETUPS = (
    Setup("one core, SQLite", 1, workers=1, engines=1, shared_cores=1),
    Setup("one machine, PostgreSQL", 1, workers=8, databases=1, engines=4, shared_cores=CORES),
    Setup("ten machines, one PostgreSQL", 10, workers=6 * CORES, databases=1, engines=3 * CORES),
    Setup("the engine in the visitor's browser", 10, workers=9 * CORES, databases=1),
    Setup("matches over four databases", 24, workers=20 * CORES, databases=4),
    Setup("fan-out through a broker", 24, workers=20 * CORES, databases=4, has_broker=True),
)


def read_costs(file: Path = COSTS) -> Costs:
    return Costs(**json.loads(file.read_text(encoding="utf-8"))["costs"])


# The model


class Rates(NamedTuple):
    """What a number of players does in a second."""

    moves: float
    computer_moves: float
    deliveries: float  # of events to spectators; those to players are part of a move
    matches: float  # that are live
    sockets: float


def rates(players: float) -> Rates:
    against_people, against_computer = players * (1 - AGAINST_COMPUTER) / 2, players * AGAINST_COMPUTER
    matches = against_people + against_computer
    watching = SPECTATORS * players / matches
    moves = matches / SECONDS_A_MOVE
    return Rates(moves, against_computer / SECONDS_A_MOVE / 2, moves * watching, matches, players * (1 + SPECTATORS))


def processors(setup: Setup, players: float, costs: Costs) -> dict[str, float]:
    """The cores that are busy, by what they do."""
    now = rates(players)
    storing = max(0.0, costs.move_postgresql_us - costs.move_http_us) if setup.databases else 0.0
    serving = now.moves * (costs.move_socket_us + storing + costs.create_us / MOVES_A_MATCH)
    serving += (now.deliveries + now.sockets / BEAT_SECONDS) * costs.spectator_us
    hears_all = setup.databases and not setup.has_broker
    microseconds = {
        SERVING: serving,
        NOTIFYING: now.moves * costs.notification_us * setup.workers if hears_all else 0.0,
        STORING: now.moves * costs.database_us if setup.databases else 0.0,
        COMPUTING: now.computer_moves * getattr(costs, f"engine_{LEVEL}_us") if setup.engines else 0.0,
    }
    return {name: busy / 1e6 for name, busy in microseconds.items()}


def loads(setup: Setup, players: float, costs: Costs) -> dict[str, float]:
    """How much of each resource is used; the site is full when one of them is 1."""
    busy, now = processors(setup, players, costs), rates(players)
    memory = now.sockets * costs.socket_memory_bytes + now.matches * costs.match_memory_bytes
    separate = setup.machines - (0 if setup.shared_cores else setup.databases)
    used = {"memory": memory / (MEMORY / 2 * separate)}
    if setup.shared_cores:
        # All take from the same cores; the largest part is named.
        return used | {max(busy, key=lambda name: busy[name]): sum(busy.values()) / BUSY / setup.shared_cores}
    workers = (busy[SERVING] + busy[NOTIFYING]) / BUSY / setup.workers
    used[NOTIFYING if busy[NOTIFYING] > busy[SERVING] else SERVING] = workers
    used[STORING] = busy[STORING] / BUSY / (setup.databases * CORES)
    used[COMPUTING] = busy[COMPUTING] / BUSY / setup.engines if setup.engines else 0.0
    return used


def most_players(setup: Setup, costs: Costs) -> tuple[float, str]:
    """How many players at once a site carries, and the resource that is used up first."""
    low, high = 1.0, 1e9
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if max(loads(setup, middle, costs).values()) < 1 else (low, middle)
    full = loads(setup, low, costs)
    return low, max(full, key=lambda name: full[name])


class Waiting(NamedTuple):
    """How a server of one core is used, and how long a move waits for its answer, in milliseconds."""

    busy: float
    mean: float
    p99: float = math.nan


def predicted(moves: float, processor_us: float, commit_us: float) -> Waiting:
    """Moves come at random times, wait for the processor (M/D/1), and then for a commit that takes all that wait."""
    service, commit = processor_us / 1e6, commit_us / 1e6
    busy = moves * service
    queue = busy * service / (2 * (1 - busy)) + service
    commits = commit * math.exp(moves * commit)  # the length of a period in which the disk is never idle
    at_commit = commit + commits / (commits + 1 / moves) * commit / 2
    return Waiting(busy, (queue + at_commit) * 1000)


def simulated(moves: float, processor_us: float, commit_us: float, count: int = 100_000, seed: int = 1) -> Waiting:
    """The same server, event by event: one processor, and a disk that commits in batches."""
    rng, service, commit = random.Random(seed), processor_us / 1e6, commit_us / 1e6
    now = free = used = 0.0
    ready: list[tuple[float, float]] = []  # when a move has been computed, and when it came
    for _ in range(count):
        now += rng.expovariate(moves)
        free = max(free, now) + service
        used += service
        heapq.heappush(ready, (free, now))
    waits, disk = [], 0.0
    while ready:
        begins = max(disk, ready[0][0])
        disk = begins + commit
        while ready and ready[0][0] <= begins:
            waits.append(disk - heapq.heappop(ready)[1])
    waits.sort()
    mean, p99 = sum(waits) / len(waits) * 1000, waits[int(0.99 * len(waits))] * 1000
    return Waiting(used / free, mean, p99)


# The page


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *rows])


def steps(costs: Costs) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for setup in SETUPS:
        players, bottleneck = most_players(setup, costs)
        now = rates(players)
        day = now.moves * 86_400 / 9 * costs.match_stored_bytes / 1e9
        figures = (f"{now.moves:,.0f}", f"{now.sockets:,.0f}", f"{day:,.0f} GB")
        rows.append((setup.name, f"{setup.machines}", rounded(players), *figures, bottleneck))
    return rows


def rounded(number: float) -> str:
    """Two digits that mean something.

    >>> rounded(123_456)
    '120,000'
    """
    size = 10 ** max(0, math.floor(math.log10(number)) - 1)
    return f"{int(number / size) * size:,}"


def needs(costs: Costs) -> list[tuple[str, ...]]:
    """The cores that players need, for every step up to a million."""
    rows: list[tuple[str, ...]] = []
    everything = Setup("", 1, workers=1, databases=1, engines=1, has_broker=True)
    for players in (1_000, 10_000, 100_000, 1_000_000):
        now, busy = rates(players), processors(everything, players, costs)
        cores = [f"{math.ceil(busy[name] / BUSY):,}" for name in (SERVING, STORING, COMPUTING)]
        memory = now.sockets * costs.socket_memory_bytes + now.matches * costs.match_memory_bytes
        rows.append((f"{players:,}", f"{now.moves:,.0f}", *cores, f"{memory / 1e9:,.1f} GB"))
    return rows


def price_of_a_million(costs: Costs) -> list[tuple[str, str]]:
    one = rates(1.0)
    busy = processors(Setup("", 1, workers=1, databases=1, engines=1, has_broker=True), 1.0, costs)
    seconds = {name: busy[name] / one.moves * 1e6 for name in (SERVING, STORING, COMPUTING)}
    rows = [
        (name, f"{spent:,.0f} core seconds, ${spent / BUSY / 3600 * CORE_HOUR:.3f}") for name, spent in seconds.items()
    ]
    stored = costs.match_stored_bytes * 1e6 / 9
    return [*rows, ("storage", f"{stored / 1e9:.2f} GB, ${stored / 1e9 * GIGABYTE_MONTH:.3f} a month")]


def check(costs: Costs) -> list[tuple[str, ...]]:
    """The model beside the simulation, for one core."""
    rows: list[tuple[str, ...]] = []
    for share in (0.3, 0.5, 0.7, 0.8, 0.9):
        moves = share * 1e6 / costs.move_socket_us
        model, run = (each(moves, costs.move_socket_us, costs.commit_us) for each in (predicted, simulated))
        busy = f"{model.busy:.0%} / {run.busy:.0%}"
        rows.append((f"{moves:,.0f}", busy, f"{model.mean:.1f} / {run.mean:.1f} ms", f"{run.p99:.1f} ms"))
    return rows


REMEDIES = """\
What comes next, in the order of the rows:

1. **One core** is shared by the event loop, the writer and the engine. Several workers need PostgreSQL.
2. **One machine** is full when workers, engine and PostgreSQL have used its cores. More machines stand behind a proxy
   ([operate.md](operate.md#several-machines)).
3. **Ten machines with one PostgreSQL**: the engine takes whole machines. In matches that are kept in the browser it
   runs there already, as WebAssembly ([offline.md](offline.md#the-computer-in-the-page-online-too)); in the others it
   can, because the server checks every move anyhow.
4. **One PostgreSQL** is full. Matches can be partitioned: no transaction touches two of them, except a rematch,
   which creates one. The id of a match chooses the database, or a PostgreSQL-compatible distributed database does
   (Citus, YugabyteDB, CockroachDB), where the id of a match is the first column of every key. What is left for all are
   profiles, which change once in a match, and the list of public matches, which may be seconds old.
5. **Every worker hears of every move** (LISTEN/NOTIFY), a cost that grows with the square of the site. A broker (NATS,
   Redis) tells a worker only of the matches that somebody follows there; `PubSub` and `NotificationListener` are all
   that knows how notifications travel.
6. **A million players at once**: nothing in the last row is shared by all that play, so it grows by adding machines."""


def page(costs: Costs, document: dict[str, Any]) -> str:
    machine: dict[str, str] = document["machine"]
    measured = [(name, f"{value:,.0f}") for name, value in costs._asdict().items()]
    heads = ("moves/s", "busy: model / simulation", "mean wait: model / simulation", "p99, simulation")
    parts = [
        "# What a site carries",
        "Written by `make scale`: a model fed by measured costs. It says where the next bottleneck is; its figures\n"
        "are good for an order of magnitude, not for a promise. [serving.md](serving.md) has what was measured of a\n"
        "whole server.",
        "## From one core to a million players",
        f"Players at once, if a match sees a move every {SECONDS_A_MOVE:g} s, {AGAINST_COMPUTER:.0%} of the players\n"
        f"play against the computer ({LEVEL}, in ultimate), there are {SPECTATORS:g} spectators for each player, all\n"
        f"use sockets, and processors are busy for {BUSY:.0%} of the time. A machine has {CORES} cores and\n"
        f"{MEMORY / 1e9:g} GB.",
        table(("site", "machines", "players", "moves/s", "sockets", "stored a day", "used up first"), steps(costs)),
        REMEDIES,
        "## What players need",
        "Cores, without what it costs to tell every worker of every move:",
        table(("players", "moves/s", "that serve", "of the database", "of the engine", "memory"), needs(costs)),
        "## What a million moves cost",
        f"With {CORE_HOUR:g} dollars for an hour of a core and {GIGABYTE_MONTH:g} for a gigabyte in a month.",
        table(("what", "a million moves"), price_of_a_million(costs)),
        "## The model beside a simulation",
        "One core: moves come at random times, wait for the processor, and then for a commit that takes all that\n"
        "wait. The model's formulas beside a simulation of 100,000 moves, event by event.",
        table(heads, check(costs)),
        "## The costs",
        f"Measured by `{document['command']}`, stored in `benchmarks/costs.json`: {machine['processor']},\n"
        f"Python {machine['Python']}, {machine['date']}. Times are microseconds of processor.",
        table(("cost", "value"), measured),
    ]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/scale.md")
    text = page(read_costs(), json.loads(COSTS.read_text(encoding="utf-8")))
    print(text)
    if parser.parse_args().write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
