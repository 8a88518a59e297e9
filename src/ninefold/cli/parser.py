"""The command-line parser: every command with its arguments. The module of a command is imported when it is run."""

from __future__ import annotations

import argparse

from ninefold import __version__
from ninefold.cli.parsers.agents import add_agents, add_mcp
from ninefold.cli.parsers.analysis import add_analysis, add_arena, add_perft, add_rules
from ninefold.cli.parsers.command import NinefoldParser, add_command, lazy
from ninefold.cli.parsers.play import add_play, add_puzzles, add_replay, add_show, add_watch
from ninefold.cli.parsers.server import add_backup, add_moderate, add_serve, add_site
from ninefold.cli.parsers.train import add_data, add_train
from ninefold.core.language import NAMES
from ninefold.core.messages import text

SHELLS = ("bash", "zsh", "fish")


class _ShowVersion(argparse.Action):
    """Prints the version. The native core is imported only for that."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from ninefold.analysis.engine import is_native, processor

        core = text("cli.core.native", processor=processor()) if is_native() else text("cli.core.python")
        print(text("cli.version", version=__version__, core=core))
        parser.exit()


def parser() -> argparse.ArgumentParser:
    ninefold = NinefoldParser(
        prog="ninefold",
        allow_abbrev=False,
        description="The tic-tac-toe family: play it, replay it, solve it, serve it, and let agents play it.",
        epilog="Without a command, at a terminal: the full-screen app. `ninefold help COMMAND` explains a command.",
    )
    ninefold.add_argument(
        "--version", action=_ShowVersion, nargs=0, help="print the version, and whether the native core is installed"
    )
    ninefold.add_argument(
        "--plain", action="store_true", help="without a command: the menu line by line, for screen readers"
    )
    ninefold.add_argument(
        "--language",
        choices=tuple(NAMES),
        help="the language, at any place in the command (default: NINEFOLD_LANGUAGE, or that of the terminal)",
    )
    ninefold.set_defaults(run=lazy("menu"), command="", extra="")
    commands = ninefold.add_subparsers(metavar="COMMAND", prog="ninefold")  # a given prog saves a costly import
    add_play(commands)
    add_watch(commands)
    add_rules(commands)
    add_analysis(commands)
    add_arena(commands)
    add_agents(commands)
    add_train(commands)
    add_data(commands)
    add_puzzles(commands)
    add_perft(commands)
    add_replay(commands)
    add_show(commands)
    add_serve(commands)
    add_site(commands)
    add_mcp(commands)
    add_backup(commands)
    add_moderate(commands)
    help = add_command(commands, "help", "explain a command")
    help.add_argument("words", metavar="COMMAND", nargs="*", help="a command; by default all are listed")
    completion = add_command(commands, "completion", "print a shell completion script")
    completion.add_argument("shell", choices=SHELLS)
    return ninefold


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands directly below a parser; none below a command without subcommands."""
    kinds = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(kinds[0].choices) if kinds else {}
