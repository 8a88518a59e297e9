"""Writes the manual page of the command, from its parser: docs/ninefold.1. The wheel installs it for `man ninefold`.

python -m scripts.man_page    writes it anew
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from ninefold import __version__
from ninefold.cli.parser import parser, subcommands
from ninefold.cli.parsers.command import EXIT_CODES

FILE = Path(__file__).parents[1] / "docs" / "ninefold.1"
EXAMPLES = {
    "ninefold": "the full-screen app",
    "ninefold play classic --o hard": "a game at the line console against the computer",
    "ninefold play --load game.log": "continue a saved match",
    "ninefold replay --rescue game.log --save rescued.log": "read what is whole of a damaged log",
    "ninefold analyze classic XX./OO./... X": "what the moves of a position are worth",
    "ninefold show squared --svg - > board.svg": "draw a position",
    "ninefold serve --lan": "play in the browsers of this network",
}
ENVIRONMENT = {
    "NO_COLOR": "if it is set, no colour is used",
    "NINEFOLD_PLAIN, ACCESSIBLE": "if one is set, ninefold without a command opens the menu line by line",
    "NINEFOLD_PORT, NINEFOLD_DATABASE ...": "the flags of ninefold serve, which win over them",
    "XDG_STATE_HOME": "the folder below which saved games and seats on servers are kept, in ninefold/",
}


def man_page() -> str:
    """The whole page, in the man macros of roff."""
    ninefold = parser()
    lines = [
        f'.TH NINEFOLD 1 "" "Ninefold {__version__}" "User Commands"',
        *_section("NAME", rf"ninefold \- {_text(_summary(ninefold))}"),
        *_section("SYNOPSIS", r"\fBninefold\fR [\fICOMMAND\fR] [\fIOPTION\fR ...]"),
        *_section("DESCRIPTION", *(_text(part) for part in (ninefold.description, ninefold.epilog) if part)),
        *_section("OPTIONS", *_arguments(ninefold)),
        *_section("COMMANDS", *_commands(ninefold)),
        *_section("EXAMPLES", *(line for one in EXAMPLES.items() for line in _item(*one))),
        *_section("EXIT STATUS", *(line for code, why in EXIT_CODES.items() for line in _item(str(code), why))),
        *_section("ENVIRONMENT", *(line for one in ENVIRONMENT.items() for line in _item(*one))),
    ]
    return "\n".join(lines) + "\n"


def _summary(command: argparse.ArgumentParser) -> str:
    return (command.description or "").partition(":")[0].lower()


def _section(title: str, *lines: str) -> list[str]:
    return [f".SH {title}", *lines]


def _commands(parent: argparse.ArgumentParser) -> Iterator[str]:
    for command in subcommands(parent).values():
        if subcommands(command):
            yield from _commands(command)
            continue
        yield f".SS {_text(command.prog)}{''.join(f' {_place(action)}' for action in _places(command))}"
        yield _text(command.description or "")
        yield from _arguments(command)
        if command.epilog:
            yield from (".PP", ".nf", *map(_text, command.epilog.splitlines()), ".fi")


def _places(command: argparse.ArgumentParser) -> list[argparse.Action]:
    """The arguments that have a place instead of a name."""
    return [action for action in command._actions if not action.option_strings and not _is_command(action)]


def _is_command(action: argparse.Action) -> bool:
    return isinstance(action, argparse._SubParsersAction)


def _place(action: argparse.Action) -> str:
    many = " ..." if action.nargs in ("*", "+") else ""
    return f"{_value(action)}{many}" if action.nargs not in ("*", "?") else f"[{_value(action)}{many}]"


def _value(action: argparse.Action) -> str:
    """What stands for the value of an argument; nothing for one that takes none."""
    if action.nargs == 0:
        return ""
    if action.choices:
        return "|".join(map(str, action.choices))
    return str(action.metavar or action.dest.upper())


def _arguments(command: argparse.ArgumentParser) -> Iterator[str]:
    for action in command._actions:
        if _is_command(action) or isinstance(action, argparse._HelpAction):
            continue
        names = ", ".join(action.option_strings)
        yield from _item(f"{names} {_value(action)}".strip() if names else _value(action), action.help or "")


def _item(term: str, meaning: str) -> list[str]:
    return [".TP", rf"\fB{_text(term)}\fR", _text(meaning[:1].upper() + meaning[1:])]


def _text(text: str) -> str:
    """Text as roff shows it as it is: no escapes, no requests, hyphens that can be copied."""
    shown = text.replace("\\", r"\e").replace("-", r"\-").replace("`", r"\(ga").replace("'", r"\(aq")
    return re.sub(r"^([.])", r"\\&\1", shown)


def main() -> None:
    FILE.write_text(man_page(), encoding="utf-8", newline="\n")
    print(f"wrote {FILE}")


if __name__ == "__main__":
    main()
