"""How fast something is, by the clock of the processor."""

from __future__ import annotations

import time
from collections.abc import Callable


def speed(run: Callable[[], int]) -> float:
    """How many it does a second of processor time: other work on the machine counts less that way."""
    begun = time.process_time()
    count = run()
    return count / (time.process_time() - begun)
