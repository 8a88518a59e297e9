"""``ninefold completion``: the completion script of a shell, which is made when the package is built."""

from __future__ import annotations

import argparse
from importlib.resources import files


def completion(given: argparse.Namespace) -> int:
    print((files("ninefold.cli") / "completions" / f"ninefold.{given.shell}").read_text(encoding="utf-8"), end="")
    return 0
