"""Lists names of classes and type aliases that are defined more than once in the package: a name should mean one thing.

python -m scripts.class_names    exits with 1 if there are any
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "ninefold"


def type_aliases(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The names in CamelCase that are assigned at the top of a module, with their lines."""
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if isinstance(target, ast.Name) and re.fullmatch(r"_?([A-Z][a-z0-9]+)+", target.id):
                yield target.id, target.lineno


def repeated(package: Path = PACKAGE) -> dict[str, list[str]]:
    """The names, with the places where they are defined."""
    places: dict[str, list[str]] = defaultdict(list)
    for file in sorted(package.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        classes = [(node.name, node.lineno) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        for name, line in classes + list(type_aliases(tree)):
            places[name.lstrip("_")].append(f"{file.relative_to(package)}:{line}")
    return {name: found for name, found in sorted(places.items()) if len(found) > 1}


def main() -> int:
    found = repeated()
    for name, places in found.items():
        print(f"{name}: {', '.join(places)}")
    print(f"{len(found)} names are defined more than once.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
