"""What the networks of the package are, and how long the engine takes to make their tables.

python -m scripts.network_facts
"""

from __future__ import annotations

import time

from ninefold import _native
from ninefold.analysis.network import FOLDER, read_network


def main() -> None:
    for file in sorted(FOLDER.glob("*.net")):
        found = read_network(file)
        began = time.perf_counter()
        _native.Network(found.weights, found.scale)
        made = time.perf_counter() - began
        print(f"{file.stem}: {file.stat().st_size} bytes, tables made in {1000 * made:.0f} ms, {found.about}")


if __name__ == "__main__":
    main()
