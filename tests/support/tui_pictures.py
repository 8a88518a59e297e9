"""Pictures of the full screen for the README and for docs/screen.md.

make pictures     writes docs/pictures/screen-*.svg anew
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from textual.theme import Theme

from ninefold.terminal.tui.themes import ANSI, DARK
from tests.support import tui_scenes as scenes
from tests.support.tui_person import HUGE, LARGE, SMALL
from tests.support.tui_scenes import Scene, seen

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_NAMES = re.compile(r"terminal-[0-9]+-")  # a number that depends on what was drawn


class Colours(NamedTuple):
    """What a terminal can show."""

    name: str
    theme: Theme
    environment: dict[str, str]


ALL_COLOURS = Colours("", DARK, {})
SIXTEEN = Colours("-16-colours", ANSI, {})
NO_COLOUR = Colours("-no-colour", ANSI, {"NO_COLOR": "1"})


class Picture(NamedTuple):
    """A scene at a size, in the colours of a terminal. ``has_size``: it is drawn at several sizes, and named by it."""

    scene: Scene
    size: tuple[int, int]
    colours: Colours = ALL_COLOURS
    has_size: bool = False

    @property
    def name(self) -> str:
        size = f"-{self.size[0]}x{self.size[1]}" if self.has_size else ""
        return f"screen-{self.scene.__name__.replace('_', '-')}{size}{self.colours.name}"

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.svg"

    def draw(self) -> str:
        """The screen as SVG that asks nobody for a font."""
        with patch.dict(os.environ, self.colours.environment):
            drawn = seen(self.scene, self.size, lambda person: person.app.export_screenshot(), self.colours.theme)
        return _NAMES.sub("t-", _FONTS.sub("", drawn)).replace("Fira Code", "ui-monospace")


PICTURES = (
    Picture(scenes.squared, SMALL),
    Picture(scenes.saved, SMALL),
    Picture(scenes.invitation, SMALL),
    Picture(scenes.analysis_big, LARGE),
    Picture(scenes.claimed, SMALL),
    *(
        Picture(scene, size, colours, has_size=True)
        for scene in (scenes.start, scenes.swap_nine_preview, scenes.hint, scenes.analysis_paused)
        for size in (SMALL, LARGE, HUGE)
        for colours in (ALL_COLOURS, SIXTEEN, NO_COLOUR)
    ),
)


def main() -> None:
    for picture in PICTURES:
        picture.file.write_text(picture.draw(), encoding="utf-8")
        print(f"wrote {picture.file}")


if __name__ == "__main__":
    main()
