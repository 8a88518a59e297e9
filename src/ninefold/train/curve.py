"""Scores against players over time, as an SVG plot and as a table in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 90, 50, 50
COLOURS = ("#009e73", "#0072b2", "#e69f00", "#d55e00", "#cc79a7")


class CurvePoint(NamedTuple):
    """The games against a player after so many iterations; the times are those of training alone."""

    iteration: int
    seconds: float
    cpu_seconds: float
    opponent: str
    won: int
    drawn: int
    lost: int

    @property
    def share(self) -> float:
        return (self.won + self.drawn / 2) / (self.won + self.drawn + self.lost)


def read_curve(points: Iterable[Mapping[str, Any]]) -> list[CurvePoint]:
    return [CurvePoint(**point) for point in points]


def curve_table(points: Sequence[CurvePoint]) -> str:
    """A row for every time that was measured, with the share of the points against each player."""
    opponents = _opponents(points)
    lines = [
        f"| iteration | minutes | CPU seconds | {' | '.join(opponents)} |",
        "|" + "---|" * (3 + len(opponents)),
    ]
    for iteration in dict.fromkeys(point.iteration for point in points):
        here = {point.opponent: point for point in points if point.iteration == iteration}
        first = next(iter(here.values()))
        shares = (f"{here[name].share:.0%}" if name in here else "-" for name in opponents)
        times = f"{first.seconds / 60:.1f} | {first.cpu_seconds:.0f}"
        lines.append(f"| {iteration} | {times} | {' | '.join(shares)} |")
    return "\n".join(lines) + "\n"


def curve_plot(points: Sequence[CurvePoint], title: str, *, on_gpu: bool = False) -> str:
    """The shares of the points over the minutes of the processor, a line for every player. Those of a run on a GPU are
    over the minutes of training: the processor only waits."""

    def minutes(point: CurvePoint) -> float:
        return (point.seconds if on_gpu else point.cpu_seconds) / 60

    longest = max(map(minutes, points)) or 1

    def place(time: float, share: float) -> str:
        x = LEFT + time / longest * (WIDTH - LEFT - RIGHT)
        return f"{x:.1f},{HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM):.1f}"

    body = [f'<text x="10" y="24">{title}</text>']
    for part in range(5):
        x, y = place(longest * part / 4, part / 4).split(",")
        body.append(f'<path d="M{x} {TOP}V{HEIGHT - BOTTOM}M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        body.append(f'<text x="{x}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{longest * part / 4:.3g}</text>')
        body.append(f'<text x="{LEFT - 8}" y="{float(y) + 4:.1f}" text-anchor="end">{part / 4:.0%}</text>')
    measured = "minutes of training" if on_gpu else "minutes of the processor"
    body.append(f'<text x="{LEFT}" y="{HEIGHT - 12}">{measured}</text>')
    for number, (name, colour) in enumerate(zip(_opponents(points), COLOURS, strict=False)):
        line = [place(minutes(point), point.share) for point in points if point.opponent == name]
        body.append(f'<polyline points="{" ".join(line)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        body.append(f'<text x="{WIDTH - RIGHT + 8}" y="{TOP + 10 + 18 * number}" fill="{colour}">{name}</text>')
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12"'
    background = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', background, *body, "</svg>", ""])


def _opponents(points: Sequence[CurvePoint]) -> list[str]:
    return list(dict.fromkeys(point.opponent for point in points))
