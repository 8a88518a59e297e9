"""Draws the icons of the installed app from static/favicon.svg, as PNG. `make icons` runs it."""

from __future__ import annotations

from pathlib import Path

from ninefold.core.raster import Shape, draw_shapes, png, shapes_of
from ninefold.server.http.static_files import STATIC

SOURCE = STATIC / "favicon.svg"
FOLDER = STATIC / "icons"
GROUND = '<rect width="64" height="64" rx="14" fill="#12161c"/>'
ENDLESS = '<rect x="-64" y="-64" width="192" height="192" fill="#12161c"/>'  # systems cut icons to their own shape
# By name: so many pixels, and how much of the width the picture takes. A maskable icon may be cut to a circle.
ICONS = {"icon-180": (180, 1.0), "icon-192": (192, 1.0), "icon-512": (512, 1.0), "maskable-512": (512, 0.66)}


def pictures() -> dict[str, bytes]:
    """The icons, by the names of their files."""
    drawn = SOURCE.read_text(encoding="utf-8")
    if GROUND not in drawn:
        raise ValueError(f"{SOURCE} has another ground now: change GROUND")
    width, shapes = shapes_of(drawn.replace(GROUND, ENDLESS))
    return {f"{name}.png": _draw(width, shapes, *wanted) for name, wanted in ICONS.items()}


def _draw(width: float, shapes: list[Shape], size: int, share: float) -> bytes:
    edge = round(size * (1 - share) / 2)
    return png(draw_shapes(shapes, size * share / width, (-edge, -edge, size - edge, size - edge)))


def main(folder: Path = FOLDER) -> None:
    folder.mkdir(exist_ok=True)
    for name, content in pictures().items():
        (folder / name).write_bytes(content)
        print(f"wrote {folder / name}")


if __name__ == "__main__":
    main()
