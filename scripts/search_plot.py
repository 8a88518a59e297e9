"""Draw the table of docs/network.md that says what was tried in the search: Elo with intervals, one row a test.

python -m scripts.search_plot
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ninefold.arena.plot import plot
from ninefold.arena.ratings import Rating

PAGE = Path(__file__).parents[1] / "docs" / "network.md"
PICTURE = PAGE.parent / "pictures" / "search-tests.svg"
HEAD = "| change, and what it was tested against |"
ELO = re.compile(r"([+-]?\d+) \(([+-]?\d+) to ([+-]?\d+)\)")


def read_tests(page: str) -> Iterator[Rating]:
    """The tests of the table, in its order. A row without a name has that of the row above it."""
    lines = iter(page.split(HEAD, 1)[1].splitlines()[2:])
    name = ""
    for line in lines:
        if not line.startswith("|"):
            return
        change, rules, pairs, _, elo, *_ = (cell.strip() for cell in line.strip("|").split("|"))
        name = change or name
        found = ELO.fullmatch(elo)
        if found is None:
            raise SystemExit(f"This row of {PAGE.name} has no Elo with an interval: {line}")
        middle, low, high = map(float, found.groups())
        yield Rating(f"{rules[:8]}: {name}", middle, low, high, 0.0, 2 * int(pairs))


def main() -> None:
    PICTURE.write_text(plot(list(read_tests(PAGE.read_text())), "Elo of each change of the search, with 95% intervals"))
    print(PICTURE)


if __name__ == "__main__":
    main()
