"""The commands for agents, each in a process of its own: a refusal is a sentence and an exit code."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.console import COMMAND, environment


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["agents", "report", "."], "There are no logs in '.'. Names of logs end in .log."),
        (["agents", "report", "nosuchmatch", "--data", "."], "There are no matches in"),
        (
            ["agents", "report", "nosuch"],
            "There is no file or folder 'nosuch', and no match with this id",
        ),
        (["agents", "evaluate", "plan.toml"], "Cannot read 'plan.toml'"),
        (["mcp", "--server", "nowhere"], "'nowhere' is not the address of a server."),
    ],
)
def test_a_refusal_is_a_sentence_and_an_exit_code(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [COMMAND, *arguments], cwd=tmp_path, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"ninefold: {sentence}")
