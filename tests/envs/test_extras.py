"""What is not installed: the environments say how to get it, and nothing else needs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ninefold.envs import EXTRA

ROOT = Path(__file__).parents[2]

MODULES = {
    "numpy": "ninefold.envs.batch",
    "gymnasium": "ninefold.envs.gym",
    "pettingzoo": "ninefold.envs.aec",
}


def run_without(package: str, code: str) -> subprocess.CompletedProcess[str]:
    """Python where a package cannot be imported."""
    hidden = f"import sys; sys.modules[{package!r}] = None; {code}"
    return subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.parametrize("package", MODULES)
def test_a_missing_package_is_named_with_the_command_that_brings_it(package: str) -> None:
    ended = run_without(package, f"import {MODULES[package]}")
    last = ended.stderr.splitlines()[-1]
    assert last == f"ModuleNotFoundError: There is no {package} here. {EXTRA}"
    assert EXTRA.endswith(" pip install -c constraints.txt -e '.[rl]'")
    assert EXTRA.partition(": ")[2] in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("package", ["numpy", "gymnasium"])
@pytest.mark.parametrize("example", ["q_learning", "policy_gradient"])
def test_an_example_says_what_it_misses(package: str, example: str) -> None:
    ended = run_without(package, f"import examples.{example}")
    assert ended.stderr == f"There is no {package} here. {EXTRA}\n"


def test_openspiel_is_asked_for_only_by_who_uses_it() -> None:
    state = "from ninefold.envs.interop import *; openspiel_state(begin(find_game('classic')))"
    ended = run_without("pyspiel", state)
    assert ended.stderr.splitlines()[-1].endswith("There is no pyspiel here. Install it with: pip install open_spiel")


@pytest.mark.parametrize("package", [*MODULES, "pyspiel"])
def test_a_game_at_the_console_needs_none_of_them(package: str) -> None:
    ended = run_without(package, "from ninefold.cli.main import main; sys.exit(main(['solve', 'classic']))")
    assert ended.returncode == 0, ended.stderr
