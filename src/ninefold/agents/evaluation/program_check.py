"""Whether the program of an agent can be started: its folders, its command, and the script that an interpreter runs."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from ninefold.agents.evaluation.agent_specs import CommandSpec
from ninefold.agents.evaluation.isolation import ProgramPlace, find_program
from ninefold.core.errors import NotAllowed, quoted

_INTERPRETERS = re.compile(r"(python|pypy)[\d.]*|node|ruby|perl|(ba|da|z)?sh")
_WITH_VALUE = ("-W", "-X", "-r", "--require", "-I")  # options that the next word belongs to
_NO_SCRIPT = ("-m", "-c", "-e", "-p", "--eval", "--print", "-")  # options after which no script is named


def check_program(spec: CommandSpec, place: ProgramPlace) -> None:
    """Refuse a program that cannot be started, before the first match."""
    for folder in (spec.working_folder, *spec.writable_folders):
        if not folder.is_dir():
            raise NotAllowed("no_folder.program", folder=quoted(str(folder), 60))
    shown = quoted(spec.command[0], 60)
    if not find_program(place.command[0], place.folder):
        has_file = os.path.dirname(place.command[0]) and (place.folder / place.command[0]).is_file()
        raise NotAllowed("no_such_program.not_executable" if has_file else "no_such_program", program=shown)
    script = script_of(place.command)
    if script is None:
        return
    file, names = place.folder / script, {"file": quoted(script, 60), "program": shown}
    if not file.exists():
        raise NotAllowed("no_such_program.script", **names, folder=quoted(str(place.folder.absolute()), 100))
    if not os.access(file, os.R_OK):
        raise NotAllowed("no_such_program.unreadable", **names)


def script_of(command: Sequence[str]) -> str | None:
    """The script that a command names, if its program is an interpreter; None if it is none, or if nobody can tell.

    >>> script_of(["/usr/bin/python3", "-X", "dev", "agent.py", "--fast"])
    'agent.py'
    >>> script_of(["python3", "-m", "agent"]), script_of(["agent", "a.py"])
    (None, None)
    """
    words = iter(command[1:])
    if not _INTERPRETERS.fullmatch(Path(command[0]).name):
        return None
    for word in words:
        if word in _NO_SCRIPT or re.fullmatch(r"-[a-zA-Z]*[mce]", word):
            return None
        if not word.startswith("-"):
            return word
        if word in _WITH_VALUE:
            next(words, None)
    return None
