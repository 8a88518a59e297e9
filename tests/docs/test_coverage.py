"""docs/coverage.md: every requirement of the rule documents has a number and a test, and every named test exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "coverage.md"
NODE = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
REQUIREMENTS = {"000": 42, "001": 68, "002": 49, "003": 64, "004": 42}


class Requirement(NamedTuple):
    number: str
    sentence: str
    tests: tuple[tuple[str, str], ...]  # their files and names


def requirements(page: str) -> list[Requirement]:
    rows = re.findall(r"^\| (\d{3}\.\d+) \| (.*) \| (.*) \|$", page, re.MULTILINE)
    return [Requirement(number, sentence, tuple(NODE.findall(tests))) for number, sentence, tests in rows]


@cache
def names_in(file: str) -> frozenset[str]:
    """The names of the tests in a file, which is read and not run."""
    path = ROOT / file
    tree = ast.parse(path.read_text(encoding="utf-8") if path.is_file() else "")
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def missing(page: str) -> list[str]:
    """What is wrong with the rows of a page: a test that does not exist, or none at all."""
    found = requirements(page)
    unknown = [f"{file}::{name}" for one in found for file, name in one.tests if name not in names_in(file)]
    return [one.number for one in found if not one.tests] + unknown


def test_every_requirement_names_tests_that_exist() -> None:
    assert missing(PAGE.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("document", REQUIREMENTS)
def test_the_requirements_of_a_document_are_numbered_and_none_is_left_out(document: str) -> None:
    numbers = [one.number for one in requirements(PAGE.read_text(encoding="utf-8")) if one.number[:3] == document]
    assert numbers == [f"{document}.{number}" for number in range(1, REQUIREMENTS[document] + 1)]


def test_everything_that_looks_like_a_row_or_a_test_is_read() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(requirements(page)) == len(re.findall(r"^\| \d", page, re.MULTILINE)) == sum(REQUIREMENTS.values())
    assert sum(len(one.tests) for one in requirements(page)) == page.count("`tests/") - 1  # this file is named above


def test_a_missing_test_and_an_open_row_are_found() -> None:
    page = """\
| 000.1 | X starts. | `tests/games/test_classic.py::test_x_starts_on_an_empty_board_and_may_play_anywhere` |
| 000.2 | O is second. | `tests/games/test_classic.py::test_that_nobody_wrote` |
| 000.3 | Nobody cheats. | open |
| 000.4 | All is well. | `tests/games/test_of_nothing.py::test_something` |
"""
    assert missing(page) == [
        "000.3",
        "tests/games/test_classic.py::test_that_nobody_wrote",
        "tests/games/test_of_nothing.py::test_something",
    ]
