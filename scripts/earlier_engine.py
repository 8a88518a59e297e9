"""The engine of an earlier commit, to play against: builds it from ``git archive`` and prints how the arena calls it.

python -m scripts.earlier_engine be10cff
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).parents[1]


def build(commit: str) -> Path:
    """The folder into which the package of a commit is installed; it is built once."""
    folder = PROJECT / "build" / "earlier" / commit
    if (folder / "ninefold").is_dir():
        return folder
    with tempfile.TemporaryDirectory() as source:
        archive = subprocess.run(["git", "archive", commit], cwd=PROJECT, stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "-x", "-C", source], input=archive.stdout, check=True)
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), source]
        subprocess.run(install, check=True)
    return folder


def command(commit: str) -> str:
    """The command that runs its engine as a UGI engine; -S keeps this installation out of its way."""
    return f"env PYTHONPATH={build(commit)} {sys.executable} -S -m ninefold engine"


if __name__ == "__main__":
    print(command(sys.argv[1] if len(sys.argv) > 1 else "be10cff"))
