"""Writes the catalogues of the browser client from those of the package: the texts of its pages and of the server.

`make languages` runs it, after every change in src/ninefold/core/languages.
"""

from __future__ import annotations

import json
from pathlib import Path

from ninefold.core.language import NAMES, read_catalogue
from ninefold.core.messages import ENGLISH
from ninefold.server.http.static_files import STATIC

FOLDER = STATIC / "languages"


def browser_catalogue(language: str) -> str:
    """The text of the file that a browser loads."""
    catalogue = read_catalogue(language)
    sections = {"browser": catalogue.browser, "server": catalogue.server}
    return json.dumps(sections, ensure_ascii=False, indent=0, sort_keys=True) + "\n"


def write(folder: Path = FOLDER) -> None:
    folder.mkdir(exist_ok=True)
    for language in NAMES:
        if language != ENGLISH:
            (folder / f"{language}.json").write_text(browser_catalogue(language), encoding="utf-8")


if __name__ == "__main__":
    write()
