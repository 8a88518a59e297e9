"""The colours: legible in every theme, and the same in the browser as everywhere else."""

from __future__ import annotations

import pytest

from ninefold.core.palette import THEMES, Theme
from scripts import colours

TEXT, SHAPE = 4.5, 3.0  # the least contrast of text and of shapes, after WCAG 2


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_text_and_marks_are_legible(theme: Theme) -> None:
    for ground in (theme.ground, theme.surface):
        for text in (theme.ink, theme.soft, theme.danger, theme.go_ink, theme.note):
            assert contrast(text, ground) >= TEXT, (text, ground)
        for shape in (theme.x, theme.o):
            assert contrast(shape, ground) >= SHAPE, (shape, ground)
    for side in (theme.x, theme.o):
        assert contrast(theme.on_side, side) >= SHAPE
    assert contrast(theme.on_strong, theme.strong) >= TEXT
    assert contrast(theme.danger, theme.danger_wash) >= TEXT


def test_the_browser_has_the_same_colours() -> None:
    assert colours.FILE.read_text("utf-8") == colours.stylesheet(), "Run `make colours`."
