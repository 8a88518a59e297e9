"""Measures how much of the package's interface has known types, as users see it: ``basedpyright --verifytypes``.

It fails below the share that the project promises, and names what has no type.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LEAST = 0.95
SHOWN = 40


def measure() -> dict[str, Any]:
    """The report on the sources. Types of packages that others make do not count as ours."""
    folder = Path(sys.executable).parent  # basedpyright asks the first ``python`` of the path where packages are
    environment = os.environ | {
        "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONPATH": str(ROOT / "src"),
    }
    command: list[str | Path] = [
        folder / "basedpyright",
        "--verifytypes",
        "ninefold",
        "--ignoreexternal",
        "--outputjson",
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
    if "typeCompleteness" not in done.stdout:
        sys.exit(f"basedpyright failed: {done.stdout}{done.stderr}")
    report: dict[str, Any] = json.loads(done.stdout)["typeCompleteness"]
    return report


def main() -> None:
    report = measure()
    counts, share = report["exportedSymbolCounts"], report["completenessScore"]
    unknown = [symbol["name"] for symbol in report["symbols"] if symbol["isExported"] and not symbol["isTypeKnown"]]
    print(f"Types are known of {share:.2%} of {sum(counts.values()):,} names ({LEAST:.0%} are needed).")
    if share < LEAST:
        sys.exit("\n".join(["Not known, the first of them:", *unknown[:SHOWN]]))


if __name__ == "__main__":
    main()
