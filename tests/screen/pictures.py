"""Pictures of the full screen for the README.

make pictures     writes docs/pictures/screen-*.svg anew
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from screen import scenes
from screen.people import LARGE, SMALL, at_screen, run
from screen.scenes import Scene

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

    async def take() -> str:
        with tempfile.TemporaryDirectory() as folder:
            async with at_screen(Path(folder), size) as person:
                await scene(person, Path(folder))
                await person.settle()
                return person.app.export_screenshot()

    return _FONTS.sub("", run(take())).replace("Fira Code", "ui-monospace")


def main() -> None:
    for scene, size in SHOWN.items():
        file_of(scene).write_text(picture(scene, size), encoding="utf-8")
        print(f"wrote {file_of(scene)}")


if __name__ == "__main__":
    main()
