"""Packages that are not installed: the environments name the command that installs them; nothing else needs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

INSTALL = "pip install 'ninefold[rl]'"
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
    assert last == f"ModuleNotFoundError: {package} is not installed. {INSTALL}"
    assert INSTALL in (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("package", ["numpy", "gymnasium"])
@pytest.mark.parametrize("example", ["q_learning", "policy_gradient"])
def test_an_example_names_the_missing_package(package: str, example: str) -> None:
    ended = run_without(package, f"import examples.{example}")
    assert ended.stderr == f"{package} is not installed. {INSTALL}\n"


def test_openspiel_is_needed_only_by_conversions_to_it() -> None:
    state = "from ninefold import begin; from ninefold.envs.interop import *; openspiel_state(begin('classic'))"
    ended = run_without("pyspiel", state)
    assert ended.stderr.splitlines()[-1].endswith("pyspiel is not installed. pip install open_spiel")


def test_stable_baselines3_is_needed_only_by_its_own_environment() -> None:
    ended = run_without("stable_baselines3", "import ninefold.envs.sb3")
    assert ended.stderr.splitlines()[-1].endswith("stable_baselines3 is not installed. pip install sb3-contrib")


@pytest.mark.parametrize("package", [*MODULES, "pyspiel"])
def test_a_game_at_the_console_needs_none_of_them(package: str) -> None:
    ended = run_without(package, "from ninefold.cli.main import main; sys.exit(main(['solve', 'classic']))")
    assert ended.returncode == 0, ended.stderr
