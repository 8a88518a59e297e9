"""Where games are played: in processes of this machine, or on a Ray cluster. The results are the same."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from itertools import islice
from typing import Any

from ninefold.arena.schedule import GameResult, ScheduledGame, play_game
from ninefold.core.errors import NotAllowed


def in_processes(games: Sequence[ScheduledGame], workers: int | None) -> Generator[GameResult, None, None]:
    """Results as games finish, by default in one process a core. Closing the iterator cancels games not yet begun."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = [pool.submit(play_game, game) for game in games]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def on_ray(games: Sequence[ScheduledGame], workers: int | None) -> Generator[GameResult, None, None]:
    """Results from the cluster that Ray finds, or from a local one that it starts; one CPU a game. Only as many games
    are submitted as run at a time: a cluster need not hold a long schedule, and closing the iterator cancels little."""
    ray = _ray()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage reports
    ray.init(include_dashboard=False, log_to_driver=False)
    remote = ray.remote(play_game)
    left = iter(games)
    try:
        at_once = workers or int(ray.cluster_resources()["CPU"])
        running = [remote.remote(game) for game in islice(left, at_once)]
        while running:
            done, running = ray.wait(running)
            running += [remote.remote(game) for game in islice(left, 1)]
            yield GameResult(*ray.get(done[0]))
    finally:
        ray.shutdown()


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise NotAllowed("no_ray") from None
    return ray


EXECUTORS = {"processes": in_processes, "ray": on_ray}
