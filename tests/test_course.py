"""The notebooks of the course; ``make course`` executes them."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "course").glob("*.ipynb"))


def cells(file: Path, kind: str) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(file.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == kind]


def test_there_are_six_and_the_page_names_each_in_their_order() -> None:
    page = (ROOT / "docs" / "course.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) == 6
    places = [page.index(f"(../course/{file.name})") for file in NOTEBOOKS]
    assert places == sorted(places)


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_is_stored_without_output(file: Path) -> None:
    code = cells(file, "code")
    assert [cell for cell in code if cell["outputs"] or cell["execution_count"]] == []


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_has_exercises_with_a_solution_each_and_asserts_what_it_says(file: Path) -> None:
    prose = ["".join(cell["source"]) for cell in cells(file, "markdown")]
    exercises = sum(text.count(f"**{number}.**") for text in prose for number in (1, 2, 3))
    solutions = [cell for cell in cells(file, "code") if "solution" in cell["metadata"].get("tags", ())]
    assert len(solutions) == exercises >= 2
    code = "".join("".join(cell["source"]).replace("%config", "# ") + "\n" for cell in cells(file, "code"))
    asserted = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Assert)]
    assert len(asserted) >= 5
    assert "plt.show()" in code
