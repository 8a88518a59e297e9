"""``make simulate``: many seeds, or one with its trace."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import statistics
import sys
import time
from collections.abc import Iterable, Sequence

from ninefold.arena.progress import Progress
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
    """The outcome of each seed, and its milliseconds of the processor."""
    results = []
    for seed in seeds:
        began = time.process_time()
        outcome = simulate(seed)
        results.append((outcome, (time.process_time() - began) * 1000))
    gc.collect()
    return results


def main() -> int:
    parser = argparse.ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument("--seed", type=int, help="run this seed alone, and show its trace")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--planted", choices=list(PLANTED), default="", help="with a bug that is planted on purpose")
    parser.add_argument("--find-planted", action="store_true", help="look for the first seed that finds each of them")
    given = parser.parse_args()
    if given.find_planted:
        return find_planted(1000)
    if given.seed is not None:
        outcome = simulate(given.seed, PLANTED[given.planted], tracing=True)
        print("\n".join(outcome.trace))
        print(outcome._replace(trace=[]))
        return 1 if outcome.problem else 0
    return run_many(given.first, given.first + given.seeds, given.jobs)


def run_many(first: int, end: int, jobs: int) -> int:
    """Run seeds in several processes, and print those that fail; the exit code."""
    chunks = [range(begin, min(begin + CHUNK, end)) for begin in range(first, end, CHUNK)]
    done: list[Outcome] = []
    times: list[float] = []
    progress = Progress(0, end - first, "seeds")
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        for results in pool.imap_unordered(run_seeds, chunks):
            for outcome, milliseconds in results:
                done.append(outcome)
                times.append(milliseconds)
                if outcome.problem:
                    print(f"seed {outcome.seed}: {outcome.problem}\nAgain: {command(outcome.seed)}", flush=True)
            progress.show(len(done))
    failed = [outcome for outcome in done if outcome.problem]
    if failed:
        print(explained(min(failed, key=lambda outcome: outcome.steps)))
    sums = {name: sum(getattr(outcome, name) for outcome in done) for name in ("steps", "commits", "events", "crashes")}
    print(f"{len(done)} seeds, {len(failed)} failed: {', '.join(f'{sums[name]} {name}' for name in sums)}.")
    times.sort()
    slowest = times[len(times) * 99 // 100]
    print(f"Processor time of a seed: {statistics.median(times):.0f} ms (median), {slowest:.0f} ms (99 of 100).")
    return 1 if failed else 0


def find_planted(most: int) -> int:
    """Print for each planted bug the first seed that finds it; the exit code."""
    missed = 0
    for name in filter(None, PLANTED):
        outcome = first_problem(name, range(most))
        missed += outcome is None
        found = f"seed {outcome.seed}: {outcome.problem}" if outcome else f"not found in {most} seeds"
        print(f"{name}: {found}\n{command(outcome.seed, name) if outcome else ''}", flush=True)
    return 1 if missed else 0


def first_problem(planted: str, seeds: Iterable[int]) -> Outcome | None:
    """What the first of these seeds says that finds a planted bug."""
    return next((outcome for seed in seeds if (outcome := simulate(seed, PLANTED[planted])).problem), None)


if __name__ == "__main__":
    sys.exit(main())
