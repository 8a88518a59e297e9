"""Pages of benchmarks: a figure is a row, a section is a table, and a page names its machine."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from ninefold.analysis.engine import processor

DOCS = Path(__file__).parents[1] / "docs"
DAY_MARKS = ("<!-- written by make day -->", "<!-- end of what make day wrote -->")
_DAY = re.compile(".*".join(map(re.escape, DAY_MARKS)), re.DOTALL)  # a section of serving.md


class Row(NamedTuple):
    what: str
    ours: str
    theirs: str = "-"
    ratio: str = "-"
    target: str = "-"

    def __str__(self) -> str:
        return f"{self.what:<36} {self.ours:>20}  {self.theirs:>20}  {self.ratio:<20} {self.target}".rstrip(" -")


class Section(NamedTuple):
    """``rows`` measures, and yields every row as soon as it is known. ``heads`` are the titles of the columns."""

    title: str
    about: str
    rows: Callable[[], Iterator[Row]]
    heads: tuple[str, ...] = Row._fields


def a_second(count: float) -> str:
    return f"{count:,.0f} a second"


def times(ratio: float, than: str) -> str:
    return f"{ratio:,.{1 if ratio < 10 else 0}f} times as {than}"


def measure(section: Section) -> list[Row]:
    """The rows of a section, each printed as soon as it is known."""
    print(f"{section.title} ...", file=sys.stderr, flush=True)
    print(Row(*section.heads))
    rows = []
    for row in section.rows():
        print(row, flush=True)
        rows.append(row)
    return rows


def page(
    title: str,
    about: str,
    facts: Iterable[tuple[str, str]],
    measured: Iterable[tuple[Section, Sequence[Row]]],
) -> str:
    """The text of a page: what it is, the machine, and a table for each section."""
    parts = [f"# {title}", about, table(("machine", ""), facts)]
    parts += [section_text(section, rows) for section, rows in measured]
    return "\n\n".join(parts) + "\n"


def section_text(section: Section, rows: Sequence[Row]) -> str:
    figures = table(section.heads, (row[: len(section.heads)] for row in rows))
    return f"## {section.title}\n\n{section.about}\n\n{figures}"


def with_section(page: str, text: str) -> str:
    """The page with the section of ``make day``, marks and all, in its place or at its end."""
    if _DAY.search(page):
        return _DAY.sub(lambda _: text, page)
    return page.rstrip("\n") + "\n\n" + text + "\n"


def with_section_of(earlier: str, page: str) -> str:
    """The page with the section of ``make day`` that an earlier page has."""
    found = _DAY.search(earlier)
    return with_section(page, found[0]) if found else page


def measured_later() -> str:
    """When a section was measured that is newer than its page, and how busy the machine was."""
    return f"Measured on {date.today().isoformat()}, at a load average of {load_average()} on {os.cpu_count()} cores."


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    above, *lines = (f"| {' | '.join(cells)} |" for cells in (heads, *rows))
    return "\n".join([above, "|---" * len(heads) + "|", *lines])


def machine(*packages: str) -> list[tuple[str, str]]:
    """What was measured on, and with which of these packages."""
    return [
        ("processor", _processor()),
        ("cores", str(os.cpu_count())),
        ("system", f"{platform.system()} on {platform.machine()}"),
        ("Python", platform.python_version()),
        ("native core", processor()),
        *_installed(packages),
        ("date", date.today().isoformat()),
        ("load average at the end", load_average()),
    ]


def load_average() -> str:
    """How many processes wanted a core in the last minute; some systems do not count them."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def _installed(packages: Iterable[str]) -> Iterator[tuple[str, str]]:
    for name in packages:
        with suppress(PackageNotFoundError):
            yield name, version(name)


def _processor() -> str:
    """Linux knows the model; elsewhere Python knows at least the family."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text(encoding="utf-8").splitlines() if known.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown"
