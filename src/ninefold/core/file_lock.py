"""Locks on open files, which the system releases when their process ends, however it ends."""

from __future__ import annotations

import os
import sys

LOCKED_BYTE = 2**30  # on Windows a locked byte cannot be read: this one is behind all that is written

if sys.platform == "win32":
    import msvcrt

    def try_lock(handle: int) -> bool:
        """Lock an open file; False if somebody else has locked it."""
        os.lseek(handle, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def try_lock(handle: int) -> bool:
        """Lock an open file; False if somebody else has locked it. OSError on a file system without locks."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
