"""The players of the matches: turns their names into participants of the arena, or says what is missing."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from ninefold.arena.program_process import has_cpu_clocks
from scripts.earlier_engine import command as earlier_engine

SOURCE = Path(__file__).parent / "cpu_clock.c"
LIBRARY = Path(__file__).parents[2] / "build" / "bench" / "cpu_clock.so"
OVERHEAD = 0.03  # seconds that our engine keeps back from the time of a move over UGI
PATIENCE = 3600  # seconds for a move of a program that takes as long as it takes
BOT_LIMIT = 0.2  # seconds of a turn after which a bot forfeits; it thinks for 0.1 of them
BOTS = ("tomalard", "crossfish")


class CannotPlay(Exception):
    """An opponent that is not there; the text says what to do."""


def participant(name: str) -> str:
    """The participant of the arena for ``engine:cpu=0.1``, ``hard``, ``mcts:100000``, ``be10cff:0.1`` (our engine at a
    commit, with seconds a move), ``openspiel:100000`` (simulations), ``tomalard`` or ``crossfish``."""
    kind, _, rest = name.partition(":")
    if kind in BOTS:
        return f"codingame,cpu={BOT_LIMIT}:{_by_cpu_clock(_bot(kind))}"
    if kind == "openspiel":
        return f"ugi,time={PATIENCE}:{_openspiel(rest)}"
    if kind == "be10cff":
        return f"ugi,time={float(rest) + OVERHEAD:g}:{_by_cpu_clock(earlier_engine(kind))}"
    return name


def variable(bot: str) -> str:
    """The environment variable with the command that starts a bot."""
    return f"NINEFOLD_{bot.upper()}"


def _bot(bot: str) -> str:
    command = os.environ.get(variable(bot))
    if not command:
        raise CannotPlay(f"Set {variable(bot)} to the command that starts it, to think 0.1 s a move.")
    return command


def _openspiel(simulations: str) -> str:
    if not find_spec("pyspiel"):
        raise CannotPlay("OpenSpiel is not installed; make bench-strength installs it.")
    return shlex.join([sys.executable, "-m", "benchmarks.openspiel_ugi", "--simulations", simulations])


def _by_cpu_clock(command: str) -> str:
    """The command with a clock that stands still while other programs have the processor."""
    return f"env LD_PRELOAD={shlex.quote(str(cpu_clock()))} {command}"


def cpu_clock() -> Path:
    """The library that gives a program such a clock; it is compiled once."""
    if not LIBRARY.is_file() or LIBRARY.stat().st_mtime < SOURCE.stat().st_mtime:
        compiler = shutil.which("cc") or shutil.which("gcc")
        if not compiler or not has_cpu_clocks():
            raise CannotPlay("Clocks by CPU time need Linux and a C compiler.")
        LIBRARY.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", str(SOURCE), "-o", str(LIBRARY)], check=True)
    return LIBRARY
