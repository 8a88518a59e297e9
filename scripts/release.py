"""Check the version, changelog and tags, build everything that is published, and try each part in a clean place.

python -m scripts.release [--rehearse] [--only PART ...]

It writes `dist`: the sdist and wheels, the browser client as static files, the documentation, the container file, and
their checksums. Nothing is uploaded. With --rehearse it goes on where the checks find something, and fails at the end.
"""

from __future__ import annotations

import argparse
import http.server
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from urllib.parse import urljoin

from scripts.release_checks import version_of, wrong

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
SUMS = "SHA256SUMS"


class NotDone(Exception):
    """A part that could not be built or tried, and why."""


def make(target: str, *variables: str) -> None:
    if subprocess.run(["make", target, *variables], cwd=ROOT).returncode:
        raise NotDone(f"`make {target}` failed")


def packages() -> str:
    """The sdist and the wheels, which are tried by the command that builds them."""
    make("wheels")
    return "installed in clean environments without a compiler, and used"


def site() -> str:
    """The browser client as static files, written by the new wheel in an environment of its own."""
    with tempfile.TemporaryDirectory() as place:
        folder, environment = Path(place) / "site", Path(place) / "environment"
        command = _installed(environment)
        if "site" not in subprocess.check_output([command, "help"], text=True):
            raise NotDone("this version has no command `ninefold site`")
        subprocess.run([command, "site", folder], check=True, env=_bare(environment))
        archive = _pack(folder, "site")
        with tempfile.TemporaryDirectory() as elsewhere:
            count = _serve_and_load(_unpack(archive, Path(elsewhere)))
    return f"unpacked and served by itself: {count} files of its first page load"


def _installed(environment: Path) -> Path:
    """The command of a wheel of this version, installed in a new environment."""
    wheels = sorted(DIST.glob(f"ninefold-{version_of(ROOT)}-*.whl"))
    ours = [wheel for wheel in wheels if f"-cp{sys.version_info[0]}{sys.version_info[1]}-" in wheel.name] or wheels[-1:]
    if not ours:
        raise NotDone("there is no wheel: build the packages first")
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "--constraint", str(ROOT / "constraints.txt"), f"{ours[0]}[server]"], check=True)
    return environment / "bin" / "ninefold"


def _bare(environment: Path) -> dict[str, str]:
    return {"PATH": str(environment / "bin"), "HOME": str(environment), "LANG": "C.UTF-8"}


def documentation() -> str:
    """The documentation, with the pages of the course; it checks its own links and search."""
    make("course")
    make("docs")
    archive = _pack(ROOT / "build" / "site", "docs")
    with tempfile.TemporaryDirectory() as elsewhere:
        count = _serve_and_load(_unpack(archive, Path(elsewhere)))
    return f"links and search checked; unpacked and served by itself: {count} files of its first page load"


def container() -> str:
    """The container file; its image is built and run."""
    shutil.copy(ROOT / "docs" / "examples" / "Containerfile", DIST)
    if not any(map(shutil.which, ("podman", "docker"))):
        raise NotDone("there is no podman or docker here, so the image was not built")
    make("container", f"ARGUMENTS={os.environ.get('CONTAINER', '')}")
    return "the image was built and run, and a move was stored in it"


PARTS: dict[str, Callable[[], str]] = {
    "packages": packages, "site": site, "documentation": documentation, "container": container,
}  # fmt: skip


def _pack(folder: Path, kind: str) -> Path:
    archive = DIST / f"ninefold-{version_of(ROOT)}-{kind}.tar.gz"
    with tarfile.open(archive, "w:gz") as opened:
        opened.add(folder, arcname=archive.name.removesuffix(".tar.gz"), filter=_anonymous)
    return archive


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def _unpack(archive: Path, place: Path) -> Path:
    with tarfile.open(archive) as opened:
        opened.extractall(place, filter="data")
    (folder,) = place.iterdir()
    return folder


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *_: object) -> None:
        """Requests are not logged."""


def _serve_and_load(folder: Path) -> int:
    """Serve a folder as any web space would, load its first page and what that names; returns how many files loaded."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    try:
        page = _load(address).decode()
        named = {link for link in re.findall(r'(?:src|href)="([^"#?:]+)"', page) if not link.startswith("//")}
        if not named:
            raise NotDone("its first page names no file")
        missing = [link for link in sorted(named) if not _loads(urljoin(address, link))]
        if missing:
            raise NotDone(f"its first page names files that do not load: {' '.join(missing)}")
        return 1 + len(named)
    finally:
        server.shutdown()


def _load(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310 - a server of our own
        content: bytes = answer.read()
    return content


def _loads(address: str) -> bool:
    try:
        return bool(_load(address))
    except OSError:
        return False


def _report() -> None:
    """Print what is in dist, and write the checksums."""
    files = sorted(file for file in DIST.iterdir() if file.is_file() and file.name != SUMS)
    lines = [f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (DIST / SUMS).write_text("".join(lines), encoding="utf-8")
    print("\nIn dist:")
    for file in files:
        print(f"  {file.stat().st_size:>11,} bytes  {file.name}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.release", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rehearse", action="store_true", help="go on where the checks find something")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help=" ".join(PARTS))
    given = parser.parse_args()
    faults = list(wrong(ROOT))
    for fault in faults:
        print(f"Not ready: {fault}", file=sys.stderr)
    if faults and not given.rehearse:
        return 1
    DIST.mkdir(exist_ok=True)
    for name in (part for part in PARTS if part in given.only):  # the packages first: the site is written by the wheel
        started = time.monotonic()
        try:
            done = PARTS[name]()
        except (NotDone, OSError, subprocess.CalledProcessError) as error:
            faults.append(f"{name}: {error}")
            print(f"NOT DONE: {name}: {error}", file=sys.stderr)
        else:
            print(f"{name}: {done} ({time.monotonic() - started:.0f} s)", flush=True)
    _report()
    for fault in faults:
        print(f"Not ready: {fault}", file=sys.stderr)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
