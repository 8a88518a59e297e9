"""A watchdog for child processes: it notices that the parent has exited, also when the parent was killed."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.connection import wait


def on_parent_exit(stop: Callable[[], object]) -> None:
    """Call ``stop`` in a thread when the parent process has exited."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        stop()

    threading.Thread(target=watch, name="ninefold-parent", daemon=True).start()
