"""``ninefold help``: what ``--help`` prints, for all commands or for one."""

from __future__ import annotations

import argparse

from ninefold.cli.language import translate_help
from ninefold.cli.parser import parser, subcommands
from ninefold.core.errors import Unreadable, quoted
from ninefold.core.messages import ENGLISH, current_language


def help(given: argparse.Namespace) -> int:
    found = parser()
    if current_language() != ENGLISH:
        translate_help(found)
    for word in given.words:
        known = subcommands(found)
        if word not in known:
            code = "no_such_command" if known else "no_such_command.more"
            raise Unreadable(code, word=quoted(word), command=found.prog, commands=" ".join(known))
        found = known[word]
    print(found.format_help(), end="")
    return 0
