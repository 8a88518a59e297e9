"""Execute the notebooks of the course, each on one core, and write them with their output.

python -m scripts.course [--out build/course] [NAME ...]

`make docs` makes pages of what is written. A notebook that fails, or takes more than a minute of the processor, makes
this fail.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).parents[1]
COURSE = ROOT / "course"
MOST_SECONDS = 60  # of one core, for a notebook
PATIENCE = 600  # seconds for a cell, on a machine that has other things to do


class LocalKernel(AsyncKernelManager):  # type: ignore[misc]  # Jupyter has no types
    """A kernel to which nobody else on this machine can listen."""

    transport = "ipc"


class Took(NamedTuple):
    """Seconds of the processor, and on the clock."""

    processor: float
    clock: float


def execute(file: Path) -> tuple[Any, Took]:
    """A notebook with its output, and how long it took in a process of its own."""
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    place = {"metadata": {"path": str(ROOT)}}
    NotebookClient(notebook, kernel_manager_class=LocalKernel, timeout=PATIENCE, resources=place).execute()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return notebook, Took(processor, time.monotonic() - started)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.course", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "course", metavar="DIR")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these, as in 3-mcts (default: all)")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    failed = False
    for file in [COURSE / f"{name}.ipynb" for name in given.names] or sorted(COURSE.glob("*.ipynb")):
        try:
            notebook, took = execute(file)
        except CellExecutionError as error:
            print(f"{file.name}: {error}", file=sys.stderr)
            failed = True
            continue
        nbformat.write(notebook, given.out / file.name)
        is_slow = took.processor > MOST_SECONDS
        failed |= is_slow
        note = f"; more than {MOST_SECONDS} s" if is_slow else ""
        print(f"{file.name}: {took.processor:.1f} s of one core, {took.clock:.1f} s on the clock{note}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
