"""What the tests need besides Python, from Debian's packages: installed as root, unpacked as anybody else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

HAS_APT = shutil.which("apt-get") is not None


def can_install() -> bool:
    return HAS_APT and os.geteuid() == 0


def install(*packages: str) -> None:
    """What goes wrong is seen by what is still missing."""
    _apt("update")
    _apt("install", "--yes", "--no-install-recommends", *packages)


def unpack(package: str, program: str, folder: Path) -> None:
    """A package, with what it needs and this machine has not, in a folder of ours. Its program is started from there by
    a script of the same name."""
    for place in ("lists/partial", "archives/partial"):
        (folder / place).mkdir(parents=True, exist_ok=True)
    places = {
        "Dir::State": folder,
        "Dir::State::status": "/var/lib/dpkg/status",
        "Dir::Cache": folder,
        "Debug::NoLocking": "1",
        "APT::Sandbox::User": "",
    }
    options = [f"--option={name}={value}" for name, value in places.items()]
    _apt(*options, "update")
    _apt(*options, "install", "--yes", "--no-install-recommends", "--download-only", "--reinstall", package)
    for archive in (folder / "archives").glob("*.deb"):
        subprocess.run(["dpkg", "-x", archive, folder / "root"], check=False)
    binary = folder / "root" / program
    if binary.exists():
        libraries = ":".join(sorted({str(file.parent) for file in (folder / "root").rglob("*.so*")}))
        starter = folder / binary.name
        starter.write_text(f'#!/bin/sh\nLD_LIBRARY_PATH="{libraries}" exec "{binary}" "$@"\n', encoding="utf-8")
        starter.chmod(0o755)


def provide(
    find: Callable[[], str | None], package: str, program: str, folder: Path, purpose: str, missing: str
) -> None:
    """Install a package whose program is missing, or unpack it into a folder. If that fails, print ``missing``."""
    if find() is None and can_install():
        print(f"Installing {package} (Debian's package) for the {purpose} ...", flush=True)
        install(package)
    if find() is None and HAS_APT:
        print(f"Unpacking {package} (Debian's package) in build/{folder.name} for the {purpose} ...", flush=True)
        unpack(package, program, folder)
    if find() is None:
        print(f"{'!' * 80}\n{missing}\n{'!' * 80}", file=sys.stderr)


def _apt(*arguments: str) -> None:
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "-qq", *arguments], check=False, env=quiet, stdout=subprocess.DEVNULL)
