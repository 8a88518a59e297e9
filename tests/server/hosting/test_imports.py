"""Hosting needs only the standard library."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from ninefold.server import hosting

FOLDER = Path(hosting.__file__).parent
SOURCE = FOLDER.parents[2]
MODULES = sorted(f"ninefold.server.hosting.{file.stem}" for file in FOLDER.glob("*.py") if file.stem != "__init__")
SCRIPT = """
import importlib, sys
assert not any("site-packages" in folder for folder in sys.path)
for module in sys.argv[1:]:
    importlib.import_module(module)
"""


def test_every_module_of_hosting_imports_without_any_package() -> None:
    command = [sys.executable, "-S", "-c", SCRIPT, *MODULES]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(MODULES) >= 7
