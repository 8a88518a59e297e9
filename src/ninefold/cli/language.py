"""The language of the command line: which one somebody wants, and the help of the commands that players use in it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ninefold.cli.messages import ARGPARSE
from ninefold.core.errors import Unreadable, quoted
from ninefold.core.language import NAMES, language_of_environment
from ninefold.core.messages import ENGLISH, translated, use_language

FLAG, VARIABLE = "--language", "NINEFOLD_LANGUAGE"
# What operators, programmers and programs run is said in English, and so is all that programs read.
_ENGLISH_COMMANDS = {
    "agents", "arena", "backup", "completion", "data", "delete", "engine", "mcp", "moderate", "perft", "restore",
    "serve", "site", "train",
}  # fmt: skip
# The commands whose arguments are explained in every language; of the others only what they do.
_EXPLAINED = {
    "", "games", "help", "play", "puzzles", "puzzles play", "puzzles show", "replay", "rules", "show", "watch",
}  # fmt: skip


def choose_language(arguments: Sequence[str]) -> list[str]:
    """Choose the language of this process, by the flag, the variable or the terminal. Returns the other arguments."""
    rest, wanted = _without_flag(arguments)
    wanted = wanted or os.environ.get(VARIABLE, "")
    if wanted and wanted not in NAMES:
        raise Unreadable("no_such_language", language=quoted(wanted), languages=" ".join(NAMES))
    command = next((word for word in rest if not word.startswith("-") and word != "help"), "")
    is_english = command in _ENGLISH_COMMANDS or "--json" in rest
    use_language(ENGLISH if is_english else wanted or language_of_environment())
    return rest


def _without_flag(arguments: Sequence[str]) -> tuple[list[str], str]:
    rest, wanted = list(arguments), ""
    for place, word in enumerate(arguments):
        name, is_one, value = word.partition("=")
        if word == "--":
            break
        if name == FLAG and (is_one or place + 1 < len(arguments)):
            wanted = value if is_one else arguments[place + 1]
            del rest[place : place + (1 if is_one else 2)]
            break
    return rest, wanted


class HelpText(NamedTuple):
    """A text of a parser: its code, and where it is."""

    code: str
    holder: Any
    attribute: str

    @property
    def text(self) -> str:
        found: str = getattr(self.holder, self.attribute)
        return found


def translate_help(parser: argparse.ArgumentParser) -> None:
    """Put the help of a parser, and what argparse itself says, into the language of this process."""
    for one in list(help_texts(parser)):
        setattr(one.holder, one.attribute, translated(one.code, one.text))
    for listed, command in _commands(parser):
        command.description = f"{listed.help[0].upper()}{listed.help[1:]}." if listed.help else ""
    codes = {said: code for code, said in ARGPARSE.items()}
    # argparse has its texts from gettext, under this name.
    argparse._ = lambda said: translated(codes.get(said, ""), said)  # type: ignore[attr-defined]


def help_texts(parser: argparse.ArgumentParser) -> Iterator[HelpText]:
    """The texts of the commands that players use."""
    command = parser.prog.partition(" ")[2]
    code = ".".join(["help", *command.split()])
    for listed, below in _commands(parser):
        yield HelpText(f"{code}.{listed.dest}", listed, "help")
        if listed.dest not in _ENGLISH_COMMANDS:
            yield from help_texts(below)
    if command not in _EXPLAINED:
        return
    for action in parser._actions:
        if action.help and not isinstance(action, argparse._SubParsersAction):
            yield HelpText("help.--help" if action.dest == "help" else f"{code}.{_name(action)}", action, "help")
    groups = (("help.heading.arguments", parser._positionals), ("help.heading.options", parser._optionals))
    yield from (HelpText(heading, group, "title") for heading, group in groups)
    if parser.epilog:
        yield HelpText(f"{code}.epilog", parser, "epilog")
    if not command:
        yield HelpText(f"{code}.description", parser, "description")


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[argparse.Action, argparse.ArgumentParser]]:
    """The commands below a parser, as its help lists them."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for listed in action._choices_actions:
                yield listed, action.choices[listed.dest]


def _name(action: argparse.Action) -> str:
    """The name of an argument; that of an option begins with its dashes, so that no command has it too."""
    return action.option_strings[-1] if action.option_strings else action.dest
