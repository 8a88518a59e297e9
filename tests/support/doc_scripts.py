"""The programs on the pages of the documentation, each followed by what it prints."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

_SCRIPT = re.compile(r"^```python script\n(.*?)^```\n\n^```text script\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Script(NamedTuple):
    """A program of a page, and what the page says that it prints."""

    line: int
    code: str
    printed: str

    def __str__(self) -> str:
        return f"line {self.line}"


def scripts(page: Path) -> list[Script]:
    text = page.read_text(encoding="utf-8")
    found = [Script(text.count("\n", 0, part.start()) + 1, part[1], part[2]) for part in _SCRIPT.finditer(text)]
    assert len(found) == text.count("```python script") == text.count("```text script")
    return found


def output(code: str) -> str:
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(code, "a page", "exec"), {"__name__": "__main__"})  # noqa: S102
    return printed.getvalue()
