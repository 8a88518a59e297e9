"""The colours of Ninefold by role, for pictures, the full screen and the browser: docs/design-language.md."""

from __future__ import annotations

from typing import NamedTuple


class Theme(NamedTuple):
    """The colours of one theme. X and O differ for people who are colour-blind (Okabe and Ito), and by their shape."""

    ground: str
    """Behind everything."""
    surface: str
    """A cell, a card, a field."""
    sunken: str
    """Between the cells of a board."""
    ink: str
    soft: str
    """Text of less weight."""
    faint: str
    """Signs that may be overlooked."""
    rule: str
    """Edges of cards and buttons."""
    grid: str
    """Lines between cells."""
    x: str
    o: str
    x_wash: str
    """Behind what belongs to X."""
    o_wash: str
    on_side: str
    """A mark on the colour of its side."""
    go: str
    """What may be played or chosen now, where no side is meant."""
    go_ink: str
    go_wash: str
    last: str
    """The last move."""
    note: str
    """What deserves attention and is no danger."""
    danger: str
    danger_wash: str
    strong: str
    """The main button."""
    on_strong: str
    win: str
    draw: str
    loss: str


LIGHT = Theme(
    ground="#f3efe6",
    surface="#fffdf8",
    sunken="#e2dccf",
    ink="#1d2430",
    soft="#555c68",
    faint="#857d6d",
    rule="#d8d1c2",
    grid="#b9b1a0",
    x="#0067a8",
    o="#c24e00",
    x_wash="#d6e7f4",
    o_wash="#fbe2cf",
    on_side="#fffdf8",
    go="#00866a",
    go_ink="#00664f",
    go_wash="#d9f0e6",
    last="#fdeeb0",
    note="#7a5200",
    danger="#a3271f",
    danger_wash="#fbe5e0",
    strong="#1d2430",
    on_strong="#fffdf8",
    win="#00664f",
    draw="#555c68",
    loss="#96306f",
)
DARK = Theme(
    ground="#12161c",
    surface="#232a34",
    sunken="#0b0e13",
    ink="#edf1f5",
    soft="#a9b4c1",
    faint="#707b88",
    rule="#353e4a",
    grid="#505b69",
    x="#5ab6f0",
    o="#ff9a52",
    x_wash="#17374e",
    o_wash="#4d2c17",
    on_side="#12161c",
    go="#34cb9c",
    go_ink="#72e4bf",
    go_wash="#15382f",
    last="#4c4420",
    note="#e8c170",
    danger="#ff9f95",
    danger_wash="#43201d",
    strong="#edf1f5",
    on_strong="#12161c",
    win="#72e4bf",
    draw="#c3ccd6",
    loss="#f0a3d3",
)
CONTRAST = Theme(
    ground="#000000",
    surface="#000000",
    sunken="#3a3a3a",
    ink="#ffffff",
    soft="#e6e6e6",
    faint="#c8c8c8",
    rule="#b0b0b0",
    grid="#d0d0d0",
    x="#6cc8ff",
    o="#ffb000",
    x_wash="#00335c",
    o_wash="#5a3000",
    on_side="#000000",
    go="#00f0a8",
    go_ink="#5cffcb",
    go_wash="#004030",
    last="#5c5200",
    note="#ffe08a",
    danger="#ffb3ab",
    danger_wash="#5c0f0a",
    strong="#ffffff",
    on_strong="#000000",
    win="#5cffcb",
    draw="#ffffff",
    loss="#ffb0e4",
)
THEMES = {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}
