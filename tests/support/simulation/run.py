"""``make simulate``: many seeds, or one with its trace."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import statistics
import sys
import time
from collections.abc import Sequence

from tests.support.simulation.planted import PLANTED
from tests.support.simulation.simulation import Outcome, simulate

CHUNK = 50  # seeds that a process is given at a time
LAST_STEPS = 80  # of a trace that are shown


def command(seed: int, planted: str = "") -> str:
    """The command that repeats a seed."""
    return f"make simulate SEED={seed}" + (f" PLANTED={planted}" if planted else "")


def explained(outcome: Outcome, planted: str = "") -> str:
    """What went wrong in a seed, how it came to that, and how to repeat it."""
    trace = simulate(outcome.seed, PLANTED[planted], tracing=True).trace
    return "\n".join(
        (*trace[-LAST_STEPS:], f"seed {outcome.seed}: {outcome.problem}", f"Again: {command(outcome.seed, planted)}")
    )


def run_seeds(seeds: Sequence[int]) -> list[tuple[Outcome, float]]:
    """The outcome of each seed, and its milliseconds."""
    results = []
    for seed in seeds:
        began = time.perf_counter()
        outcome = simulate(seed)
        results.append((outcome, (time.perf_counter() - began) * 1000))
    gc.collect()
    return results


def main() -> int:
    parser = argparse.ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument("--seed", type=int, help="run this seed alone, and show its trace")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--planted", choices=list(PLANTED), default="", help="with a bug that is planted on purpose")
    given = parser.parse_args()
    if given.seed is not None:
        outcome = simulate(given.seed, PLANTED[given.planted], tracing=True)
        print("\n".join(outcome.trace))
        print(outcome._replace(trace=[]))
        return 1 if outcome.problem else 0
    gc.freeze()
    chunks = [
        range(first, min(first + CHUNK, given.first + given.seeds))
        for first in range(given.first, given.first + given.seeds, CHUNK)
    ]
    failed: list[Outcome] = []
    times: list[float] = []
    steps = commits = events = crashes = 0
    with multiprocessing.get_context("spawn").Pool(given.jobs) as pool:
        for number, results in enumerate(pool.imap_unordered(run_seeds, chunks), 1):
            for outcome, milliseconds in results:
                times.append(milliseconds)
                steps, commits = steps + outcome.steps, commits + outcome.commits
                events, crashes = events + outcome.events, crashes + outcome.crashes
                if outcome.problem:
                    failed.append(outcome)
                    print(f"seed {outcome.seed}: {outcome.problem}\nAgain: {command(outcome.seed)}", flush=True)
            if number % 20 == 0 and sys.stderr.isatty():
                print(f"{len(times)} of {given.seeds} seeds", file=sys.stderr)
    if failed:
        print(explained(min(failed, key=lambda outcome: outcome.steps)))
    print(f"{len(times)} seeds, {len(failed)} failed: {steps} steps, {commits} commits, {events} events, {crashes} crashes.")
    times.sort()
    print(f"A seed took {statistics.median(times):.0f} ms (median), {times[len(times) * 99 // 100]:.0f} ms (99 of 100).")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
