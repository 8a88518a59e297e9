"""Pictures of the full screen for the README.

make pictures     writes docs/pictures/screen-*.svg anew
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.support import tui_scenes as scenes
from tests.support.tui_person import LARGE, SMALL
from tests.support.tui_scenes import Scene, seen

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN: dict[Scene, tuple[int, int]] = {
    scenes.start: LARGE,
    scenes.squared: SMALL,
    scenes.analysis_big: LARGE,
    scenes.claimed: SMALL,
    scenes.swap_nine_preview: SMALL,
}
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def file_of(scene: Scene) -> Path:
    return FOLDER / f"screen-{scene.__name__.replace('_', '-')}.svg"


def picture(scene: Scene, size: tuple[int, int]) -> str:
    """A screen as SVG that asks nobody for a font."""
    drawn = seen(scene, size, lambda person: person.app.export_screenshot())
    return _FONTS.sub("", drawn).replace("Fira Code", "ui-monospace")


def main() -> None:
    for scene, size in SHOWN.items():
        file_of(scene).write_text(picture(scene, size), encoding="utf-8")
        print(f"wrote {file_of(scene)}")


if __name__ == "__main__":
    main()
