"""Type-checks the browser client with TypeScript (`tsc --checkJs --strict`), and installs TypeScript first if needed.

`make lint` runs it. TypeScript comes from npm into build/typescript, in the version that package.json names; Node comes
with the tests. Where npm cannot install it, the check is skipped loudly. In CI a skip is a failure.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from scripts import npm

HOME = npm.PROJECT / "build" / "typescript"


def main(home: Path = HOME) -> int:
    try:
        npm.install("typescript", home)
    except npm.NotInstalled as error:
        print(f"{'!' * 80}\nThe JavaScript was NOT type-checked: npm cannot install TypeScript.", file=sys.stderr)
        print(f"{error}\n{'!' * 80}", file=sys.stderr)
        return 1 if os.environ.get("CI") else 0
    return npm.run("typescript", home, "tsc", "-p", str(npm.PROJECT))


if __name__ == "__main__":
    sys.exit(main())
