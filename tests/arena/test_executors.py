"""Work in processes: what has not begun when the iterator is closed is not done."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import IO, cast

from ninefold.arena.executors import in_processes
from tests.support.waiting import PATIENCE

PARTS = 3_000
IN_PROCESSES = """
import sys
from tests.arena.test_executors import double
from ninefold.arena.executors import in_processes
done = in_processes(double, range(10), 2)
print(sum(done), flush=True)
done = in_processes(double, range(10), 2)
print(next(done), flush=True)
sys.stdin.read()
"""


def leave_a_file(folder: Path, part: int) -> int:
    (folder / str(part)).touch()
    return part


def double(part: int) -> int:
    return 2 * part


def test_parts_that_have_not_begun_are_cancelled_when_the_iterator_is_closed(tmp_path: Path) -> None:
    with closing(in_processes(partial(leave_a_file, tmp_path), range(PARTS), 1)) as done:
        assert next(done) == 0
    assert len(list(tmp_path.iterdir())) < PARTS / 2


def test_workers_end_when_their_parent_is_killed() -> None:
    command = [sys.executable, "-c", IN_PROCESSES]
    with subprocess.Popen(
        command, cwd=Path(__file__).parents[2], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        printed = cast("IO[str]", process.stdout)
        assert printed.readline() == "90\n"
        assert int(printed.readline()) % 2 == 0
        process.kill()
        process.communicate(timeout=PATIENCE)  # until nobody is left who could write: the workers inherit the pipe
