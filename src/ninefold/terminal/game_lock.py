"""Marks a saved game as open in this process, so that a second window does not write into the same file."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from ninefold.core.errors import NotAllowed
from ninefold.core.file_lock import try_lock


class GameLock:
    """A lock on a file beside the game's, with the number of the process in it. The system releases it when the process
    ends, however it ends; a file that is left behind then locks nothing. Where nothing can be locked, everybody gets
    the game."""

    def __init__(self, path: Path, handle: int | None) -> None:
        self._path, self._handle = path, handle

    @classmethod
    def acquire(cls, file: Path) -> GameLock:
        """The lock of a game. Refused while another window has it."""
        path = file.with_name(f".{file.name}.lock")
        while True:
            try:
                handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:  # it is read only, or full
                return cls(path, None)
            if not _lock(handle):
                holder = os.read(handle, 20).decode(errors="replace").strip()
                os.close(handle)
                raise NotAllowed("game_open", file=file.name, process=holder or "?")
            if _is_at(handle, path):
                break
            os.close(handle)  # its holder has just deleted it
        with contextlib.suppress(OSError):  # a full disk
            os.ftruncate(handle, 0)
            os.lseek(handle, 0, os.SEEK_SET)
            os.write(handle, f"{os.getpid()}\n".encode())
        return cls(path, handle)

    def release(self) -> None:
        if self._handle is None:
            return
        handle, self._handle = self._handle, None
        with contextlib.suppress(OSError):  # on Windows an open file is not deleted; it locks nothing
            self._path.unlink()
        os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    """True if the open file is still the one with that name."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except OSError:
        return False


def _lock(handle: int) -> bool:
    """False if somebody else has locked it."""
    try:
        return try_lock(handle)
    except OSError:  # a file system without locks
        return True
