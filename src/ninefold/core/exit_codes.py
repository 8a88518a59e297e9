"""The exit codes of the command, and of the processes that it starts. They are frozen."""

from __future__ import annotations

OK = 0
CRASHED = 1  # some matches of an evaluation could not be played
REFUSED = 2
END_OF_INPUT = 3
CANNOT_WRITE = 4
INTERRUPTED = 130  # as shells have it: 128 and the number of the signal
CLOSED_PIPE = 141
