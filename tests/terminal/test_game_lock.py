"""A game is open in one window at a time, and a crash leaves nothing locked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ninefold.core.errors import NotAllowed
from ninefold.terminal.game_lock import GameLock

HOLD = """
import sys
from pathlib import Path
from ninefold.terminal.game_lock import GameLock

lock = GameLock.acquire(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


def test_a_second_window_is_told_which_process_has_the_game(tmp_path: Path) -> None:
    file = tmp_path / "a.log"
    lock = GameLock.acquire(file)
    with pytest.raises(NotAllowed) as refused:
        GameLock.acquire(file)
    assert refused.value.reason == "game_open"
    assert str(refused.value).startswith(f"a.log is open in another window (process {os.getpid()}).")
    GameLock.acquire(tmp_path / "b.log").release()
    lock.release()
    lock.release()  # which does nothing any more
    GameLock.acquire(file).release()
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_was_killed_locks_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a.log"
    given = [sys.executable, "-c", HOLD, str(file)]
    with subprocess.Popen(given, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout
        assert other.stdout.readline() == "open\n"
        with pytest.raises(NotAllowed, match=f"process {other.pid}"):
            GameLock.acquire(file)
        other.kill()
        other.wait()
    assert list(tmp_path.iterdir()) != []  # its file is still there
    GameLock.acquire(file).release()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_locks_nothing(tmp_path: Path) -> None:
    lock = GameLock.acquire(tmp_path / "nowhere" / "a.log")
    GameLock.acquire(tmp_path / "nowhere" / "a.log").release()
    lock.release()
