"""Copies the documents to the staged pages, with links that lead somewhere on the site.

The documents are written for a plain Git host: they link to files of the repository, and their code blocks have words
behind the language that say which test runs them.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# Documents at the root of the repository, and their pages.
ROOT_PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
HOME = {"README.md": "index.md"}  # the home page of the site stands for it
SOURCES = "source"  # linked files that are no pages, as text
FENCED = re.compile(r"^( *)(```+)[^\n]*\n.*?^\1\2 *$", re.MULTILINE | re.DOTALL)
PROMPTS = re.compile(r"^```python$(?=\n>>> )", re.MULTILINE)  # a dialogue, which is coloured as one
INFO = re.compile(r"^( *```+[\w-]+) [^\n{]+$", re.MULTILINE)
LINK = re.compile(r"(?<=\]\()([^)\s#:]+)(#[^)\s]*)?(?=\))")
# Python's Markdown takes two cells in a row for a link by reference; code is left as it is.
CELLS = re.compile(r"^ {4}.*$|`[^`\n]*`|\[(\d,\d)\](?= )", re.MULTILINE)
PICTURES = {".gif", ".png", ".svg"}


def stage(folder: Path) -> list[str]:
    """Write all pages below a folder, with the files that they link to; return the names of the pages."""
    pages = {file: str(file.relative_to(DOCS)) for file in sorted(DOCS.rglob("*.md"))}
    pages |= {ROOT / name: page for name, page in ROOT_PAGES.items()}
    for file, page in pages.items():
        write_page(folder / page, on_the_site(file, page, folder))
    return sorted(pages.values())


def write_page(page: Path, text: str) -> None:
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")


def on_the_site(file: Path, page: str, folder: Path) -> str:
    """The text of a document as a page of the site."""
    text = INFO.sub(r"\1", file.read_text(encoding="utf-8"))
    return linked(PROMPTS.sub("```pycon", text), file, page, folder)


def linked(text: str, file: Path, page: str, folder: Path) -> str:
    """A text from a file with the links that its page on the site has."""

    def changed(part: str) -> str:
        part = CELLS.sub(lambda cell: f"&#91;{cell[1]}&#93;" if cell[1] else cell[0], part)
        return LINK.sub(lambda link: _moved(link, file, page, folder), part)

    return outside_code(text, changed)


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text that is changed between its code blocks.

    >>> outside_code("a\\n```\\na\\n```\\na", str.upper)
    'A\\n```\\na\\n```\\nA'
    """
    changed, end = [], 0
    for block in FENCED.finditer(text):
        changed += [change(text[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*changed, change(text[end:])])


def _moved(link: re.Match[str], file: Path, page: str, folder: Path) -> str:
    """A link of a document as its page has it; what it leads to is copied if it is no page."""
    target = (file.parent / link[1]).resolve()
    if not target.is_relative_to(ROOT):
        return link[0]
    name = str(target.relative_to(ROOT))
    if target.suffix == ".md":
        place = (ROOT_PAGES | HOME).get(name) or str(target.relative_to(DOCS))
    elif target.suffix == ".ipynb":  # notebooks.py makes a page of it
        place = str(Path(name).with_suffix(".md"))
    elif target.suffix in PICTURES and target.is_relative_to(DOCS):
        place = str(target.relative_to(DOCS))
        copy(target, folder / place)
    else:
        place = _copied_source(target, name, folder)
    return os.path.relpath(place, Path(page).parent) + (link[2] or "")


def copy(file: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, place)


def _copied_source(target: Path, name: str, folder: Path) -> str:
    """A linked file as text that every browser shows; a linked folder as a list of its files."""
    place = f"{SOURCES}/{name}.txt"
    if target.is_dir():
        names = "\n".join(f"{name}/{file.name}" for file in sorted(target.iterdir()))
        write_page(folder / place, f"{names}\n")
    else:
        copy(target, folder / place)
    return place
