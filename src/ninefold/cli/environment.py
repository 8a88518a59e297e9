"""Arguments of a command from environment variables: a flag wins, then the variable, then the default."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from typing import Any

from ninefold.core.errors import quoted

PREFIX = "NINEFOLD_"
_ANSWERS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


class CommandParser(argparse.ArgumentParser):
    """A parser that may take the flags of its command from the environment: set ``from_environment`` to let it."""

    from_environment = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if not self.from_environment:
            return super().parse_known_args(args, namespace)
        values = self._given_by(os.environ)
        self.set_defaults(**values)
        given, rest = super().parse_known_args(args, namespace)
        used = {name for name, value in values.items() if getattr(given, name) == value}
        given.variables = {name: PREFIX + name.upper() for name in used}  # where these values come from
        return given, rest

    def variables(self) -> dict[str, argparse.Action]:
        """The flags by the names of their variables."""
        flags = [action for action in self._actions if action.option_strings and action.dest != "help"]
        return {PREFIX + action.dest.upper(): action for action in flags}

    def _given_by(self, environment: Mapping[str, str]) -> dict[str, object]:
        given = {}
        for variable, action in self.variables().items():
            value = environment.get(variable, "")
            if value:
                try:
                    given[action.dest] = _switch(value) if action.nargs == 0 else _converted(action, value)
                except argparse.ArgumentTypeError as error:
                    self.error(f"variable {variable}: {error}")
        return given


def _switch(value: str) -> bool:
    if value.lower() not in _ANSWERS:
        raise argparse.ArgumentTypeError(f"{quoted(value)} is not 1 or 0")
    return _ANSWERS[value.lower()]


def _converted(action: argparse.Action, value: str) -> object:
    return action.type(value) if callable(action.type) else value
