"""Pictures of the full screen for the README and the documentation.

make pictures     writes docs/pictures/screen-*.svg anew
"""

from __future__ import annotations

import os
import re
from itertools import product
from pathlib import Path
from typing import NamedTuple

from ninefold.terminal.tui.themes import ANSI, DARK
from tests.support import tui_scenes as scenes
from tests.support.tui_person import LARGE, SMALL
from tests.support.tui_scenes import Scene, seen

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
HUGE = (200, 60)
ALL, SIXTEEN, NONE = "", "16-colours", "no-colours"
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_CLASSES = re.compile(r"terminal-[0-9]+-")


class Picture(NamedTuple):
    """A screen at a size, in all colours, in the terminal's sixteen or in none. ``is_one_of_many``: there are pictures
    of it at other sizes, too, so that its name says which this is."""

    scene: Scene
    size: tuple[int, int]
    colours: str = ALL
    is_one_of_many: bool = False

    @property
    def file(self) -> Path:
        size = "{}x{}".format(*self.size) if self.is_one_of_many else ""
        parts = ["screen", self.scene.__name__.replace("_", "-"), size, self.colours]
        return FOLDER / f"{'-'.join(filter(None, parts))}.svg"

    def draw(self) -> str:
        """As SVG that asks nobody for a font, and is the same whenever it is drawn."""
        if self.colours == NONE:
            os.environ["NO_COLOR"] = "1"
        try:
            theme = ANSI if self.colours else DARK
            drawn = seen(self.scene, self.size, lambda person: person.app.export_screenshot(), theme)
        finally:
            os.environ.pop("NO_COLOR", None)
        return _CLASSES.sub("terminal-", _FONTS.sub("", drawn).replace("Fira Code", "ui-monospace"))


# In every size and with every number of colours.
COMPARED = (scenes.start,)
SHOWN = (
    Picture(scenes.squared, SMALL),
    Picture(scenes.analysis_big, LARGE),
    Picture(scenes.claimed, SMALL),
    Picture(scenes.swap_nine_preview, SMALL),
    Picture(scenes.saved, SMALL),
    Picture(scenes.invitation, SMALL),
    *(Picture(*given, True) for given in product(COMPARED, (SMALL, LARGE, HUGE), (ALL, SIXTEEN, NONE))),
)


def main() -> None:
    for one in SHOWN:
        one.file.write_text(one.draw(), encoding="utf-8")
        print(f"wrote {one.file}")


if __name__ == "__main__":
    main()
