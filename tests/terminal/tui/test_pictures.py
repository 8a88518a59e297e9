"""The pictures in the README and in docs/screen.md."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from tests.support.tui_pictures import FOLDER, NONE, SHOWN, SIXTEEN, Picture

DOCS = FOLDER.parent


def words(svg: str) -> list[str]:
    """What is written on a picture."""
    return [unescape(text) for text in re.findall(r"<text [^>]*>([^<]*)</text>", svg)]


def colours(svg: str) -> set[str]:
    """The colours of a picture that are no grey, without the three buttons of its window."""
    used = set(re.findall('fill[:=] ?"?#([0-9a-f]{6})', svg)) - {"ff5f57", "febc2e", "28c840"}
    return {colour for colour in used if max(bytes.fromhex(colour)) - min(bytes.fromhex(colour)) > 8}


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: shown.file.stem)
def test_a_picture_shows_the_screen_as_it_is(shown: Picture) -> None:
    assert words(shown.draw()) == words(shown.file.read_text(encoding="utf-8")), "make pictures"


def test_every_picture_is_used_and_exists() -> None:
    pages = [DOCS / "screen.md", DOCS.parent / "README.md"]
    shown = {name for page in pages for name in re.findall(r"screen-[a-z0-9-]*\.svg", page.read_text(encoding="utf-8"))}
    assert shown == {one.file.name for one in SHOWN} == {file.name for file in FOLDER.glob("screen-*.svg")}


def test_a_picture_without_colours_has_none() -> None:
    for one in SHOWN:
        found = len(colours(one.file.read_text(encoding="utf-8")))
        if one.colours == NONE:
            assert found == 0
        elif one.colours == SIXTEEN:
            assert 1 <= found <= 16


@pytest.mark.parametrize("file", sorted(FOLDER.glob("screen-*.svg")), ids=lambda file: file.stem)
def test_a_picture_loads_nothing_from_elsewhere(file: Path) -> None:
    assert "url(http" not in file.read_text(encoding="utf-8")
