"""What the examples share: their command line, and the picture they leave behind."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from examples.chart import Axis, chart
from ninefold.cli.arguments import whole
from ninefold.core.errors import quoted

Points = list[tuple[float, float]]


class Learned(NamedTuple):
    """The result in a sentence, and the learning curve: how much was played, and how well."""

    sentence: str
    curve: Points


class Example(NamedTuple):
    name: str
    title: str
    across: str
    up: str  # a share, from 0 to 1
    learn: Callable[[int], Learned]  # from a seed


def run(example: Example, arguments: Sequence[str] | None = None) -> None:
    """Learn, print the result, draw the curve. Ctrl-C ends it."""
    parser = argparse.ArgumentParser(prog=f"python -m examples.{example.name}", description=example.title)
    parser.add_argument("--seed", type=whole(0, 2**31), default=1, help="the same seed learns the same (default: 1)")
    svg = Path(f"{example.name}.svg")
    parser.add_argument("--svg", type=Path, default=svg, help=f"where the learning curve is drawn (default: {svg})")
    chosen = parser.parse_args(arguments)
    if not chosen.svg.parent.is_dir():  # checked before the learning, not after it
        parser.error(f"there is no folder {quoted(str(chosen.svg.parent))} to draw the curve in")
    try:
        sentence, curve = example.learn(chosen.seed)
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    print(sentence)
    across, up = Axis(example.across, curve[-1][0]), Axis(example.up, 1)
    chosen.svg.write_text(chart(example.title, across, up, curve), encoding="utf-8")
    print(f"The learning curve is in {chosen.svg}.")
