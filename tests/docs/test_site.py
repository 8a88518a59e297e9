"""The documentation site before it is rendered, and the check of what was rendered; ``make docs`` does all of it."""

from __future__ import annotations

import doctest
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from scripts.site import check, navigation, notebooks, pages, public, reference
from scripts.site.public import PUBLIC, described_in


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    pages.stage(folder)
    reference.stage(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notebooks, "drawn", lambda text, _: text)  # what draws formulas is not installed with the tests
        notebooks.stage(folder, Path(sys.executable))
    return folder


def test_the_navigation_has_every_page_and_no_other(staged: Path) -> None:
    lessons = [(file.stem, str(file.relative_to(staged))) for file in sorted((staged / "course").glob("*.md"))]
    tabs = navigation.sections(lessons, reference.stage(staged))
    listed = [page for tab in tabs for _, page in tab.pages]
    assert len(listed) == len(set(listed))
    assert {"index.md", *listed} == {str(file.relative_to(staged)) for file in staged.rglob("*.md")}


def test_links_of_pages_lead_to_pages_and_copied_files(staged: Path) -> None:
    for page in staged.rglob("*.md"):
        text = pages.FENCED.sub("", page.read_text(encoding="utf-8"))
        links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
        assert [link for link in links if not (page.parent / link).exists()] == [], page


def test_a_document_changes_only_where_the_site_needs_it() -> None:
    text = "[a] `b`\n```python script\n>>> [b](../README.md)\n```\nend\n"
    changed = pages.outside_code(pages.INFO.sub(r"\1", text), str.upper)
    assert changed == "[A] `B`\n```python\n>>> [b](../README.md)\n```\nEND\n"


def test_cells_in_a_row_are_no_link_and_stay_as_they_are_in_code(staged: Path) -> None:
    page = (staged / "rules.md").read_text(encoding="utf-8")
    assert "      1 | 2 | 3       7 | 8 | 9      [0,0] | [0,1] | [0,2]     0 | 1 | 2" in page
    assert "Top row: &#91;0,0&#93; &#91;0,1&#93; [0,2]." in (staged / "coverage.md").read_text(encoding="utf-8")


def test_every_public_name_is_in_the_reference(staged: Path) -> None:
    for module in PUBLIC:
        text = (staged / reference.FOLDER / f"{module.removeprefix('ninefold.')}.md").read_text(encoding="utf-8")
        shown = re.findall(r"^(?:::: [\w.]+\.|## )(\w+)$", text, re.MULTILINE)
        assert shown == described_in(module)


def test_the_output_of_a_notebook_that_was_changed_since_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(folder: Path, source: str | list[str], *outputs: object) -> None:
        folder.mkdir(exist_ok=True)
        cell = {"cell_type": "code", "source": source, "outputs": outputs}
        (folder / "1-minimax.ipynb").write_text(json.dumps({"cells": [cell]}))

    monkeypatch.setattr(notebooks, "WRITTEN", tmp_path / "written")
    monkeypatch.setattr(notebooks, "EXECUTED", tmp_path / "executed")
    printed = {"output_type": "stream", "text": "2\n"}
    write(tmp_path / "written", "print(2)")
    assert notebooks.not_executed() == ["1-minimax.ipynb"]
    write(tmp_path / "executed", ["print(2)"], printed)
    assert notebooks.not_executed() == []
    write(tmp_path / "written", "print(3)")
    assert notebooks.not_executed() == ["1-minimax.ipynb"]
    notebooks.stage(tmp_path / "pages", Path(sys.executable))
    assert (tmp_path / "pages" / "course" / "1-minimax.md").read_text() == "```python\nprint(3)\n```\n"


def test_links_of_notebooks_lead_to_pages(staged: Path) -> None:
    page = (staged / "course" / "2-alpha-beta.md").read_text(encoding="utf-8")
    assert "(../engine.md)" in page


def test_a_notebook_is_a_page_with_its_output_and_its_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Minimax\n", "Text."]},
        {
            "cell_type": "code",
            "source": "print(1)",
            "outputs": [
                {"output_type": "stream", "text": ["1\n"]},
                {"output_type": "display_data", "data": {"image/svg+xml": "<svg/>"}},
            ],
        },
    ]
    (tmp_path / "1-minimax.ipynb").write_text(json.dumps({"cells": cells}))
    monkeypatch.setattr(notebooks, "WRITTEN", tmp_path)
    monkeypatch.setattr(notebooks, "EXECUTED", tmp_path / "executed")
    assert notebooks.stage(tmp_path / "pages", Path(sys.executable)) == [("Minimax", "course/1-minimax.md")]
    page = (tmp_path / "pages" / "course" / "1-minimax.md").read_text()
    assert page.startswith("# Minimax\nText.\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n\n![")
    assert (tmp_path / "pages" / "course" / "1-minimax-1-1.svg").read_text() == "<svg/>"


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        ('<a href="nowhere.html">', "leads nowhere"),
        ('<a href="other.html#nowhere">', "no such anchor"),
        ('<script src="https://cdn.example/x.js">', "loads https://cdn.example/x.js"),
        ('<link rel="stylesheet" href="//cdn.example/x.css">', "loads //cdn.example/x.css"),
        ('<img src="gone.png">', "leads nowhere"),
    ],
)
def test_the_check_finds_what_is_wrong(page: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "other.html").write_text('<h2 id="here">')
    (tmp_path / "index.html").write_text('<a href="other.html#here"><a href="https://else.example/">')
    assert check.problems(tmp_path) == []
    (tmp_path / "index2.html").write_text(page)
    (found,) = check.problems(tmp_path)
    assert problem in found


def test_a_style_sheet_loads_nothing_from_outside(tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("@import 'https://fonts.example/a.css';")
    assert check.problems(tmp_path) == ["style.css: it loads something from outside."]


@pytest.mark.parametrize("module", [navigation, notebooks, pages, public], ids=lambda module: module.__name__)
def test_the_examples_in_the_scripts_are_true(module: ModuleType) -> None:
    failed, attempted = doctest.testmod(module)
    assert (failed, attempted > 0) == (0, True)


def test_an_example_in_a_docstring_becomes_a_code_block(monkeypatch: pytest.MonkeyPatch) -> None:
    griffe = ModuleType("griffe")  # it is installed only beside Zensical
    griffe.Extension = griffe.Object = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "griffe", griffe)
    from scripts.site import doctest_fences

    failed, attempted = doctest.testmod(doctest_fences)
    assert (failed, attempted) == (0, 1)
