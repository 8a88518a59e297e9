"""Screens as text: the characters, and below them a letter for the style of each.

make golden     writes tests/golden/screens anew; review the diff
"""

from __future__ import annotations

import string
from pathlib import Path

from rich.style import Style

from tests.support.tui_person import LARGE, SMALL, Person
from tests.support.tui_scenes import ALL, Scene, seen

FOLDER = Path(__file__).parents[1] / "golden" / "screens"
SIZES = (SMALL, LARGE)
LETTERS = string.ascii_letters + string.digits


def file_of(scene: Scene, size: tuple[int, int]) -> Path:
    return FOLDER / f"{scene.__name__.replace('_', '-')}-{size[0]}x{size[1]}.txt"


def snapshot(scene: Scene, size: tuple[int, int]) -> str:
    return seen(scene, size, as_text)


def as_text(person: Person) -> str:
    styles: dict[str, str] = {}
    letters = []
    for strip in person.app.screen._compositor.render_strips(person.app.size):
        row = ""
        for text, style, _ in strip:
            row += styles.setdefault(_told(style), LETTERS[min(len(styles), len(LETTERS) - 1)]) * len(text)
        letters.append(row)
    legend = [f"{letter} {style}" for style, letter in styles.items()]
    return "\n".join([person.text, "", *letters, "", *legend]) + "\n"


def _told(style: Style | None) -> str:
    """A style without what cannot be seen of it."""
    if style is None:
        return "none"
    seen = (style.color, style.bgcolor, style.bold, style.dim, style.italic, style.underline, style.reverse)
    plain = Style(color=seen[0], bgcolor=seen[1], bold=seen[2], dim=seen[3], italic=seen[4], underline=seen[5])
    return str(plain + Style(reverse=seen[6]))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for scene in ALL:
        for size in SIZES:
            file_of(scene, size).write_text(snapshot(scene, size), encoding="utf-8")


if __name__ == "__main__":
    main()
