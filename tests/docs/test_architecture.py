"""docs/architecture.md shows the package as it is: its picture is the folder listing, its tables name every module."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "ninefold"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
STATIC = PACKAGE / "server" / "http" / "static"
FOLDERS = sorted(
    str(path.relative_to(PACKAGE).as_posix())
    for path in PACKAGE.rglob("*")
    if path.is_dir() and not {"__pycache__", "static", "bundle"} & set(path.parts)
)


def pictured() -> list[str]:
    """The folders of the picture, with those that they are in."""
    folders, above = [], ""
    for indent, name in re.findall(r"^    ( {2}| {4})([a-z_]+)/ ", PAGE, re.MULTILINE):
        above, folder = (name, name) if len(indent) == 2 else (above, f"{above}/{name}")
        folders.append(folder)
    return folders


def tabled(folder: str) -> set[str]:
    """The modules in the table of a folder."""
    _, _, rest = PAGE.partition(f"| in `{folder}/` | |\n|---|---|\n")
    return set(re.findall(r"^\| `([\w-]+\.(?:py|js))` \| .+ \|$", rest.partition("\n\n")[0], re.MULTILINE))


def test_the_picture_is_the_folder_listing() -> None:
    assert sorted(pictured()) == FOLDERS


@pytest.mark.parametrize("folder", [folder for folder in FOLDERS if list((PACKAGE / folder).glob("*.py"))])
def test_the_tables_name_every_module(folder: str) -> None:
    assert tabled(folder) == {file.name for file in (PACKAGE / folder).glob("*.py")} - {"__init__.py"}


@pytest.mark.parametrize("folder", ["learn", "lib", "lobby", "match", "offline", "puzzle", "review"])
def test_the_tables_name_every_module_of_the_browser_client(folder: str) -> None:
    assert tabled(f"server/http/static/{folder}") == {file.name for file in (STATIC / folder).glob("*.js")}


def test_the_files_to_edit_exist() -> None:
    _, _, table = PAGE.partition("## Where to change what")
    named = re.findall(r"`([\w/-]+\.\w+)`", table.partition("## The modules")[0])
    assert len(named) > 20
    places = [PACKAGE, ROOT, *(PACKAGE / folder for folder in FOLDERS), STATIC / "match"]
    assert [name for name in named if not any((place / name).exists() for place in places)] == []


def test_the_glossary_has_at_most_forty_terms() -> None:
    terms = re.findall(r"^\| \*\*(.+?)\*\* \|", GLOSSARY, re.MULTILINE)
    assert 20 <= len(terms) <= 40
    assert terms == sorted(set(terms), key=str.lower)
