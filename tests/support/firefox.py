"""Journeys in Firefox: scripts for Node that drive it with puppeteer-core, each against a server of its own."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from scripts import firefox, npm
from tests.support.server_process import Serving
from tests.support.web_space import PATH, web_space_in

ENTRY = Path("lib") / "puppeteer" / "puppeteer-core.js"


def run_journey(script: Path, data: Path) -> None:
    """Run a journey to its end; what it throws fails the test."""
    browser, driver = firefox.find(), firefox.driver()
    if browser is None or driver is None:
        pytest.skip(firefox.NO_DRIVER if browser else firefox.MISSING)
    with contextlib.ExitStack() as until_closed:
        server = Serving(data)
        until_closed.callback(server.close)
        answers: dict[str, Callable[[], object]] = {
            "stop": server.stop,
            "start": server.start,
            "site": lambda: until_closed.enter_context(web_space_in(data.parent / "web-space")) + PATH + "/",
        }
        downloads = data.parent / "downloads"
        downloads.mkdir()
        places = {
            "FIREFOX": browser, "PUPPETEER": str(driver / ENTRY), "SERVER": server.url, "DOWNLOADS": str(downloads),
        }  # fmt: skip
        with subprocess.Popen(
            [npm.PROGRAM, script], env=os.environ | places, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            _follow(process, answers)
            assert process.stderr
            errors = process.stderr.read()
        assert process.returncode == 0, errors


def _follow(process: subprocess.Popen[str], answers: Mapping[str, Callable[[], object]]) -> None:
    """Do what the journey asks for, and tell it what came of that."""
    assert process.stdin
    assert process.stdout
    for line in process.stdout:
        if not line.startswith('{"ask"'):
            print(line, end="")
            continue
        process.stdin.write(json.dumps(answers[json.loads(line)["ask"]]()) + "\n")
        process.stdin.flush()
