"""Lists class names that are defined more than once in the package: a name should mean one thing.

python -m scripts.class_names    exits with 1 if there are any
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "ninefold"


def repeated(package: Path = PACKAGE) -> dict[str, list[str]]:
    """The names, with the places where they are defined."""
    places: dict[str, list[str]] = defaultdict(list)
    for file in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name.lstrip("_")].append(f"{file.relative_to(package)}:{node.lineno}")
    return {name: found for name, found in sorted(places.items()) if len(found) > 1}


def main() -> int:
    found = repeated()
    for name, places in found.items():
        print(f"{name}: {', '.join(places)}")
    print(f"{len(found)} class names are defined more than once.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
