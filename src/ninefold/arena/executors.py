"""Where long work is done: in processes of this machine, or on a Ray cluster. The results are the same."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from ninefold.core.errors import NotAllowed

Part = TypeVar("Part")
Done = TypeVar("Done")


def in_processes(do: Callable[[Part], Done], parts: Sequence[Part], workers: int | None) -> Generator[Done, None, None]:
    """Results as parts are done, by default in one process a core. Closing the iterator cancels parts not yet begun."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    # Not `with`: leaving it shuts down a second time, which takes the cancelling back if the pool has not yet begun it.
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_end_with_parent)
    try:
        for done in as_completed([pool.submit(do, part) for part in parts]):
            yield done.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """Idle workers wait forever for a parent that was killed, unless something notices."""
    from ninefold.core.on_parent_exit import on_parent_exit

    on_parent_exit(partial(os._exit, 1))


def on_ray(do: Callable[[Part], Done], parts: Sequence[Part], workers: int | None) -> Generator[Done, None, None]:
    """Results from the cluster that Ray finds, or from a local one that it starts; one CPU a part. Only as many parts
    are submitted as run at a time: a cluster need not hold a long schedule, and closing the iterator cancels little."""
    ray = _ray()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage reports
    ray.init(include_dashboard=False, log_to_driver=False)

    def run(part: Part) -> Done:  # Ray takes a function, and nothing else that can be called
        return do(part)

    remote = ray.remote(run)
    left = iter(parts)
    try:
        at_once = workers or int(ray.cluster_resources()["CPU"])
        running = [remote.remote(part) for part in islice(left, at_once)]
        while running:
            done, running = ray.wait(running)
            running += [remote.remote(part) for part in islice(left, 1)]
            yield ray.get(done[0])
    finally:
        ray.shutdown()


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise NotAllowed("no_ray") from None
    return ray


EXECUTORS = {"processes": in_processes, "ray": on_ray}
