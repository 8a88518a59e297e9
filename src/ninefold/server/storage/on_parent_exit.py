"""A process that goes when its parent has gone, so that a kill leaves nothing behind."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.connection import wait


def when_the_parent_goes(leave: Callable[[], object]) -> None:
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        leave()

    threading.Thread(target=watch, name="ninefold-parent", daemon=True).start()
