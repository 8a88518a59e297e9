"""Joins screenshots of an earlier commit with those of docs/pictures, each pair in one picture.

python -m scripts.side_by_side FOLDER     FOLDER has the earlier ones; writes docs/pictures/compared
"""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
COMPARED = PICTURES / "compared"
NAMES = ("start-desktop", "start-phone", "play-desktop", "play-phone", "over-phone", "review-desktop")
HEIGHT = 520  # pixels
GAP = 16  # pixels
BACKGROUND = "#808080"
COLOURS = Image.Quantize.FASTOCTREE  # keeps those of few pixels, such as marks


def compared(folder: Path = COMPARED) -> list[Path]:
    """The joined pictures."""
    return [folder / f"{name}.png" for name in NAMES]


def join(before: Image.Image, after: Image.Image) -> Image.Image:
    """Both pictures at the same height, the earlier one on the left."""
    left, right = (picture.resize(_size(picture), Image.Resampling.LANCZOS) for picture in (before, after))
    joined = Image.new("RGB", (left.width + GAP + right.width, HEIGHT), BACKGROUND)
    joined.paste(left, (0, 0))
    joined.paste(right, (left.width + GAP, 0))
    return joined


def _size(picture: Image.Image) -> tuple[int, int]:
    return round(picture.width * HEIGHT / picture.height), HEIGHT


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the screenshots of the earlier commit")
    earlier: Path = parser.parse_args().folder
    if missing := [name for name in NAMES if not (earlier / f"{name}.png").exists()]:
        raise SystemExit(f"{earlier} has no pictures of: {', '.join(missing)}.")
    COMPARED.mkdir(exist_ok=True)
    for name, file in zip(NAMES, compared(), strict=True):
        before, after = (Image.open(folder / f"{name}.png").convert("RGB") for folder in (earlier, PICTURES))
        join(before, after).quantize(128, method=COLOURS).save(file, optimize=True)
        print(f"wrote {file}")


if __name__ == "__main__":
    main()
