"""Work in processes: what has not begun when the iterator is closed is not done."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

from ninefold.arena.executors import in_processes

PARTS = 3_000


def leave_a_file(folder: Path, part: int) -> int:
    (folder / str(part)).touch()
    return part


def test_parts_that_have_not_begun_are_cancelled_when_the_iterator_is_closed(tmp_path: Path) -> None:
    with closing(in_processes(partial(leave_a_file, tmp_path), range(PARTS), 1)) as done:
        assert next(done) == 0
    assert len(list(tmp_path.iterdir())) < PARTS / 2
