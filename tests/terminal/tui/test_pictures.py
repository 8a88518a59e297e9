"""The pictures in the README and in docs/screen.md."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from rich.terminal_theme import SVG_EXPORT_THEME

from tests.support.tui_pictures import FOLDER, NO_COLOUR, PICTURES, SIXTEEN, Picture

DOCS = FOLDER.parent
# The sixteen colours of a picture, its background, and the colour of its text.
PALETTE = [SVG_EXPORT_THEME.ansi_colors[number] for number in range(16)]
PALETTE += [SVG_EXPORT_THEME.background_color, SVG_EXPORT_THEME.foreground_color]


def words(svg: str) -> list[str]:
    """What is written on a picture."""
    return [unescape(text) for text in re.findall(r"<text [^>]*>([^<]*)</text>", svg)]


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_a_picture_shows_the_screen_as_it_is(picture: Picture) -> None:
    assert words(picture.draw()) == words(picture.file.read_text(encoding="utf-8")), "make pictures"


def test_every_picture_is_used_and_exists() -> None:
    pages = [DOCS / "screen.md", DOCS.parent / "README.md"]
    shown = {name for page in pages for name in re.findall(r"screen-[a-z0-9-]*\.svg", page.read_text(encoding="utf-8"))}
    assert shown == {picture.file.name for picture in PICTURES} == {file.name for file in FOLDER.glob("screen-*.svg")}


@pytest.mark.parametrize("file", sorted(FOLDER.glob("screen-*.svg")), ids=lambda file: file.stem)
def test_a_picture_loads_nothing_from_elsewhere(file: Path) -> None:
    assert "url(http" not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("picture", [one for one in PICTURES if one.colours is NO_COLOUR], ids=lambda one: one.name)
def test_without_colours_only_grey_is_used(picture: Picture) -> None:
    used = set(re.findall(r"fill: #([0-9a-f]{6})", picture.file.read_text(encoding="utf-8")))
    assert [ink for ink in used if max(bytes.fromhex(ink)) - min(bytes.fromhex(ink)) > 8] == []


@pytest.mark.parametrize("picture", [one for one in PICTURES if one.colours is SIXTEEN], ids=lambda one: one.name)
def test_with_sixteen_colours_no_others_are_used(picture: Picture) -> None:
    used = set(re.findall(r"fill: (#[0-9a-f]{6})", picture.file.read_text(encoding="utf-8")))
    assert len(used) >= 2
    assert used <= {colour.hex for colour in PALETTE}
