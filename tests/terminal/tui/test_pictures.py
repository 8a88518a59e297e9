"""The pictures in the README and in docs/screen.md."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from tests.support.tui_pictures import FOLDER, SHOWN, file_of, picture
from tests.support.tui_scenes import Scene

DOCS = FOLDER.parent


def words(svg: str) -> list[str]:
    """What is written on a picture."""
    return [unescape(text) for text in re.findall(r"<text [^>]*>([^<]*)</text>", svg)]


@pytest.mark.parametrize("scene", SHOWN, ids=lambda scene: scene.__name__)
def test_a_picture_shows_the_screen_as_it_is(scene: Scene) -> None:
    assert words(picture(scene, SHOWN[scene])) == words(file_of(scene).read_text(encoding="utf-8")), "make pictures"


def test_every_picture_is_used_and_exists() -> None:
    pages = [DOCS / "screen.md", DOCS.parent / "README.md"]
    shown = {name for page in pages for name in re.findall(r"screen-[a-z-]*\.svg", page.read_text(encoding="utf-8"))}
    assert shown == {file_of(scene).name for scene in SHOWN} == {file.name for file in FOLDER.glob("screen-*.svg")}


@pytest.mark.parametrize("file", sorted(FOLDER.glob("screen-*.svg")), ids=lambda file: file.stem)
def test_a_picture_loads_nothing_from_elsewhere(file: Path) -> None:
    assert "url(http" not in file.read_text(encoding="utf-8")
