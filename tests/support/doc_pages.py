"""The examples on the pages of the documentation."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TYPED = re.compile(r"^ {4}(?:\.venv/bin/)?ninefold\b ?(.*)$", re.MULTILINE)


class Block(NamedTuple):
    """What stands between two fences of a page, and at which line."""

    page: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(language: str, page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    fences = [fence for fence in FENCE.finditer(text) if fence[1] == language]
    return [Block(page, text.count("\n", 0, fence.start()) + 1, fence[2]) for fence in fences]


def commands(block: Block) -> Iterator[tuple[list[str], str]]:
    """The commands of a console block, each with the output that the page promises."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield shlex.split(command), output


def typed(page: Path) -> list[list[str]]:
    """The words behind ``ninefold`` in the commands that a page shows without their output, as indented lines; two
    spaces separate a command from what is said about it."""
    lines = _TYPED.findall(FENCE.sub("", page.read_text(encoding="utf-8")).replace(" \\\n", ""))
    return [shlex.split(re.split(r" {2,}", line)[0]) for line in lines]
