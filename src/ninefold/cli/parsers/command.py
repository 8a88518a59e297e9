"""What all parsers of commands share: a command whose module is imported when it is run, and frequent arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import NoReturn, TypeAlias

from ninefold.cli.arguments import option, whole
from ninefold.cli.environment import CommandParser
from ninefold.core.errors import Unreadable

DISTANCE = "`win in 3` means: the side to move wins with the third move from here, counting those of both sides."
EXIT_CODES = {
    0: "the command has done its work; a game has ended, or was left with e",
    1: "some matches of an evaluation crashed",
    2: "the command was refused, and the sentence says why",
    3: "the input ended in the middle of a game or of the menu, or 1000 answers in a row were refused",
    4: "the output cannot be written, or is closed",
    130: "Ctrl-C",
    141: "nobody reads the output any more (a broken pipe)",
}


class NinefoldParser(CommandParser):
    """It says which games there are where one is missing."""

    def error(self, message: str) -> NoReturn:
        missing = message.rpartition(": ")[2].split(", ")
        if "GAME" in missing:
            from ninefold.games import all_games

            example = f"{self.prog} classic{_MORE_ARGUMENTS.get(self.prog, '')}"
            raise Unreadable("no_such_game.missing", games=" ".join(all_games()), example=example)
        super().error(message)


Commands: TypeAlias = "argparse._SubParsersAction[NinefoldParser]"
_MORE_ARGUMENTS = {"ninefold perft": " 4", "ninefold arena": " easy hard"}  # for the example, behind the game


def add_command(
    commands: Commands,
    name: str,
    help: str,
    *places: str,
    json: bool = False,
    options: bool = False,
    extra: str = "",
    home: str = "",
) -> NinefoldParser:
    """Add a command; ``extra`` is the extra of the package that it needs, ``home`` its module if it has a namesake."""
    command = commands.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
    command.set_defaults(run=lazy(name, home), command=command.prog.removeprefix("ninefold "), extra=extra)
    if "game" in places:
        command.add_argument("game", metavar="GAME", help="its id, as `ninefold games` lists it")
    if "position" in places:
        command.add_argument(
            "position", metavar="POSITION", nargs="*", help="its text; by default the start of the game"
        )
    if "file" in places:
        command.add_argument("file", metavar="FILE", help="a log or a record")
    if json:
        command.add_argument("--json", action="store_true", help="print JSON")
    if options:
        add_options(command)
    return command


def add_number(
    command: argparse.ArgumentParser, name: str, help: str, default: float | None, least: int, most: int,
    metavar: str | None = None,
) -> None:  # fmt: skip
    """Add an option that is a whole number; its default is told unless it is 0 or None."""
    help = f"{help} (default {default:.15g})" if default else help
    command.add_argument(name, type=whole(least, most), default=default, metavar=metavar, help=help)


def add_storage(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", metavar="DIR", help="the folder where matches are stored")
    command.add_argument(
        "--database", metavar="URL", default="", help="a PostgreSQL database, instead of --data: postgresql://host/name"
    )


def add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=option,
        help="an option of the rules; may be repeated",
    )


_HOMES = {
    "play": "ninefold.cli.commands.play",
    "menu": "ninefold.cli.commands.menu",
    "watch": "ninefold.cli.commands.play",
    "arena": "ninefold.cli.commands.arena",
    "report": "ninefold.cli.commands.report",
    "data": "ninefold.cli.commands.data",
    "generate": "ninefold.cli.commands.train",
    "fit": "ninefold.cli.commands.train",
    "export": "ninefold.cli.commands.train",
    "alphazero": "ninefold.cli.commands.train",
    "evaluate": "ninefold.cli.commands.evaluate",
    "leaderboard": "ninefold.cli.commands.leaderboard",
    "mcp": "ninefold.cli.commands.mcp",
    "site": "ninefold.cli.commands.site",
    "backup": "ninefold.cli.commands.backup",
    "restore": "ninefold.cli.commands.backup",
    "delete": "ninefold.cli.commands.backup",
    "completion": "ninefold.cli.commands.completion",
    "help": "ninefold.cli.commands.help",
}


def lazy(name: str, home: str = "") -> Callable[[argparse.Namespace], int]:
    """A command whose module is imported when it is run."""

    def run(given: argparse.Namespace) -> int:
        module = import_module(home or _HOMES.get(name, "ninefold.cli.commands.tools"))
        code: int = getattr(module, name)(given)
        return code

    return run
