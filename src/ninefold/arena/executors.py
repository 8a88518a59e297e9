"""Where games are played: in processes of this machine, or on a Ray cluster. The results are the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ninefold.arena.games import Job, Played, play
from ninefold.core import NotAllowed


def in_processes(jobs: Sequence[Job], workers: int) -> Iterator[Played]:
    """As they are finished. Closing the iterator cancels what has not begun."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = [pool.submit(play, job) for job in jobs]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def on_ray(jobs: Sequence[Job], workers: int) -> Iterator[Played]:
    """On the cluster that Ray finds, or a local one it starts; one CPU a game."""
    try:
        import ray
    except ImportError:
        raise NotAllowed("no_ray", "Ray is not installed.", "pip install 'ninefold[cluster]'") from None
    if not ray.is_initialized():
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    remote: Any = ray.remote(play)
    waiting = [remote.remote(job) for job in jobs]
    try:
        while waiting:
            done, waiting = ray.wait(waiting, num_returns=1)
            yield Played(*ray.get(done[0]))
    finally:
        ray.shutdown()


EXECUTORS = {"processes": in_processes, "ray": on_ray}
