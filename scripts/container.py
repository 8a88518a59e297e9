"""Build the image of docs/examples/Containerfile, run it, and play a move there.

python -m scripts.container [--build "--isolation chroot --network host"] [--run "--runtime runc"]

It needs podman, or docker with a running daemon, and the registry of the base image. Without a builder it fails. More
options for building and running are for machines that cannot do both by default, such as a container itself.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FILE = "docs/examples/Containerfile"
IMAGE = "ninefold-test"
PATIENCE = 60.0  # seconds


def builder() -> str | None:
    """A program that can build and run images here."""
    for name in ("podman", "docker"):
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True).returncode == 0:
            return name
    return None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.container", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--build", type=shlex.split, default=[], metavar="OPTIONS", help="more options for building")
    parser.add_argument("--run", type=shlex.split, default=[], metavar="OPTIONS", help="more options for running")
    given = parser.parse_args()
    tool = builder()
    if tool is None:
        print("NOT TESTED: there is no podman, and no docker with a running daemon.", file=sys.stderr)
        return 1
    image_format = ["--format", "docker"] if tool == "podman" else []  # podman's own format has no health check
    subprocess.run(
        [tool, "build", *image_format, *given.build, "--file", FILE, "--tag", IMAGE, "."], cwd=ROOT, check=True
    )
    run = [tool, "run", "--detach", "--publish", "127.0.0.1::8090", *given.run, IMAGE]
    name = subprocess.check_output(run, text=True).strip()
    try:
        port = subprocess.check_output([tool, "port", name, "8090"], text=True).strip().rpartition(":")[2]
        _play(f"http://127.0.0.1:{port}")
    finally:
        print(subprocess.run([tool, "logs", name], capture_output=True, text=True).stderr)
        subprocess.run([tool, "rm", "--force", name], capture_output=True)
    print("The image was built, is healthy, and has stored a move.")
    return 0


def _play(url: str) -> None:
    _wait_for(f"{url}/healthz")
    made = _ask(f"{url}/api/v1/matches", {"game": "classic", "seats": [{"player": "human"}, {"player": "human"}]})
    action = {"request": "r1", "version": 0, "action": {"kind": "move", "move": "5"}}
    answer = _ask(f"{url}/api/v1/matches/{made['match']}/actions", action, made["seats"]["1"])
    assert answer["version"] == 1, answer  # noqa: S101 - this is a test


def _wait_for(url: str) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()  # noqa: S310 - an address of our own
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def _ask(url: str, body: object, token: str = "") -> Any:
    # The port outside is not the one that the server knows, and its names are.
    headers = {"Content-Type": "application/json", "Host": "localhost:8090"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)  # noqa: S310 - an address of our own
    with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - as above
        return json.load(response)


if __name__ == "__main__":
    sys.exit(main())
