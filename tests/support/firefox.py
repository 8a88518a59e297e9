"""Journeys in Firefox: scripts for Node that drive it with puppeteer-core, each against a server of its own."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from scripts import firefox, npm
from tests.support.server_process import Serving

ENTRY = Path("lib") / "puppeteer" / "puppeteer-core.js"


def run_journey(script: Path, data: Path) -> None:
    """Run a journey to its end; what it throws fails the test."""
    browser, driver = firefox.find(), firefox.driver()
    if browser is None or driver is None:
        pytest.skip(firefox.NO_DRIVER if browser else firefox.MISSING)
    server = Serving(data)
    places = {"FIREFOX": browser, "PUPPETEER": str(driver / ENTRY), "SERVER": server.url}
    try:
        with subprocess.Popen(
            [npm.PROGRAM, script], env=os.environ | places, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            _follow(process, server)
            assert process.stderr
            errors = process.stderr.read()
        assert process.returncode == 0, errors
    finally:
        server.close()


def _follow(process: subprocess.Popen[str], server: Serving) -> None:
    """Stop and start the server when the journey asks for it."""
    assert process.stdin
    assert process.stdout
    for line in process.stdout:
        if not line.startswith('{"ask"'):
            print(line, end="")
            continue
        if json.loads(line)["ask"] == "stop":
            server.stop()
        else:
            server.start()
        process.stdin.write("done\n")
        process.stdin.flush()
