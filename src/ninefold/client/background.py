"""Threads in the background."""

from __future__ import annotations

import os
import sys
import threading

NICENESS = 10


def lower_priority(niceness: int = NICENESS) -> None:
    """Let everybody else go first where there are fewer processors than threads. Only Linux has this for a thread, and
    passes it on to those that the thread starts."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        current = os.getpriority(os.PRIO_PROCESS, thread)  # to be less nice than that may be refused
        os.setpriority(os.PRIO_PROCESS, thread, max(niceness, current))
