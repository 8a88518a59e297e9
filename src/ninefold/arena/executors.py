"""Where games are played: in processes of this machine, or on a Ray cluster. The results are the same."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from ninefold.arena.schedule import Job, Played, play
from ninefold.core.errors import NotAllowed


def in_processes(jobs: Sequence[Job], workers: int | None) -> Iterator[Played]:
    """As they are finished, one a processor unless told otherwise. Closing the iterator cancels what has not begun."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = [pool.submit(play, job) for job in jobs]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def on_ray(jobs: Sequence[Job], workers: int | None) -> Iterator[Played]:
    """On the cluster that Ray finds, or a local one that it starts; one CPU a game. No more games are handed out than
    are played at a time: a cluster need not hold a long schedule, and closing the iterator leaves little to cancel."""
    ray = _ray()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told that a tournament is played
    ray.init(include_dashboard=False, log_to_driver=False)
    remote = ray.remote(play)
    left = iter(jobs)
    try:
        at_once = workers or int(ray.cluster_resources()["CPU"])
        playing = [remote.remote(job) for job in islice(left, at_once)]
        while playing:
            done, playing = ray.wait(playing)
            playing += [remote.remote(job) for job in islice(left, 1)]
            yield Played(*ray.get(done[0]))
    finally:
        ray.shutdown()


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise NotAllowed("no_ray", "Ray is not installed.", "pip install 'ninefold[cluster]'") from None
    return ray


EXECUTORS = {"processes": in_processes, "ray": on_ray}
