"""What the tests need besides Python, installed where that can be done without asking: as root on Debian."""

from __future__ import annotations

import os
import shutil
import subprocess

HAS_APT = shutil.which("apt-get") is not None


def can_install() -> bool:
    return HAS_APT and os.geteuid() == 0


def install(*packages: str) -> None:
    """Debian's packages. What goes wrong is seen by what is still missing."""
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (("update", "-qq"), ("install", "-y", "-qq", "--no-install-recommends", *packages)):
        subprocess.run(["apt-get", *arguments], check=False, env=quiet, stdout=subprocess.DEVNULL)
