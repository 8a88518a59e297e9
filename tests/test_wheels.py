"""What ``make wheels`` finds out before it builds; the wheels themselves are tried by the command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.wheels import Interpreter, compilers, glibc_of, interpreters


def test_a_wheel_says_which_glibc_it_needs() -> None:
    name = "ninefold-0.1.0-cp312-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl"
    assert glibc_of(Path(name)) == "2.17"
    assert glibc_of(Path("ninefold-0.1.0-cp311-cp311-manylinux_2_9_x86_64.manylinux_2_28_x86_64.whl")) == "2.28"
    assert glibc_of(Path("ninefold-0.1.0-cp311-cp311-linux_x86_64.whl")) == "unknown"


def test_from_python_3_12_on_one_wheel_is_for_all() -> None:
    kinds = [Interpreter((3, minor), "python").kind for minor in (11, 12, 13, 14)]
    assert kinds == [(3, 11), (3, 12), (3, 12), (3, 12)]


def test_what_is_named_must_be_a_python_and_one_of_a_version_is_enough(tmp_path: Path) -> None:
    assert [found.version for found in interpreters([sys.executable, sys.executable])] == [sys.version_info[:2]]
    with pytest.raises(SystemExit, match=r"is not a Python from 3\.11 on that can be run"):
        interpreters([str(tmp_path / "python3.12")])


def test_the_compiler_is_called_for_the_glibc_with_the_levels_as_zig_spells_them(tmp_path: Path) -> None:
    variables = compilers(tmp_path, "2.17")
    script = Path(variables["CXX"])
    script.write_text(script.read_text().replace(f"exec '{sys.executable}' -m ziglang", "echo"))
    told = subprocess.check_output([script, "-march=x86-64-v3", "a b.cpp"], text=True)
    assert told.startswith("c++ -target ")
    assert told.endswith("-linux-gnu.2.17 -march=x86_64_v3 a b.cpp\n")
