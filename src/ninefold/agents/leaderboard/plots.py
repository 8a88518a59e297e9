"""Plots as SVG, in the colours of a theme: ratings with their intervals, results, and rates with their intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor, sqrt
from typing import NamedTuple

from ninefold.agents.leaderboard.standings import Standing
from ninefold.arena.pairs import Z_95
from ninefold.core.palette import LIGHT, Theme

WIDTH, LEFT, RIGHT, ROW, TOP = 720, 170, 70, 28, 12
STEPS = (10, 20, 25, 50, 100, 200, 250, 500, 1000)  # between two lines of a grid
MOST_LINES = 8


class Proportion(NamedTuple):
    """A share of something, with its 95% interval (Wilson)."""

    agent: str
    found: int
    total: int

    @property
    def share(self) -> float:
        return self.found / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        if not self.total:
            return 0.0, 1.0
        n, z, p = self.total, Z_95, self.share
        middle, margin = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = ((middle + sign * margin) / (1 + z * z / n) for sign in (-1, 1))
        return max(0.0, min(low, p)), min(1.0, max(high, p))


def ratings_plot(standings: Sequence[Standing], theme: Theme = LIGHT) -> str:
    """A row for each agent: a point for its Elo, and a line for the interval."""
    low, high = min(one.rating.low for one in standings), max(one.rating.high for one in standings)
    step = next((step for step in STEPS if (high - low) / step <= MOST_LINES), STEPS[-1])
    low, high = floor(low / step) * step, max(ceil(high / step), floor(low / step) + 1) * step

    def x(elo: float) -> float:
        return LEFT + (elo - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    ticks = [(x(elo), f"{elo:+d}" if elo else "0") for elo in range(int(low), int(high) + 1, step)]
    body = list(_grid(ticks, len(standings), theme))
    for row, one in enumerate(standings):
        _, elo, least, most, *_ = one.rating
        y = _y(row)
        body += [
            _label(one.agent, y, theme),
            f'<path d="M{x(least):.1f} {y}H{x(most):.1f}" stroke="{theme.x}" stroke-width="6" stroke-linecap="round" '
            'stroke-opacity="0.35"/>',
            f'<circle cx="{x(elo):.1f}" cy="{y}" r="6" fill="{theme.x}"/>',
            _value(f"{elo:+.0f}", y, theme),
        ]
    return _picture("Elo with 95% intervals", body, len(standings), theme)


def results_plot(standings: Sequence[Standing], theme: Theme = LIGHT) -> str:
    """A bar for each agent: the shares of games that it has won (filled), drawn (striped) and lost (outlined)."""
    width = WIDTH - LEFT - RIGHT
    ticks = [(LEFT + width * part / 4, f"{part * 25}%") for part in range(5)]
    body = [_stripes(theme), *_grid(ticks, len(standings), theme)]
    for row, one in enumerate(standings):
        y, left = _y(row), float(LEFT)
        body.append(_label(one.agent, y, theme))
        fills = ((one.total.won, theme.win), (one.total.drawn, "url(#stripes)"), (one.total.lost, theme.surface))
        for count, fill in fills:
            part = width * count / max(1, one.total.games)
            if count:
                body.append(
                    f'<rect x="{left:.1f}" y="{y - 8}" width="{part:.1f}" height="16" fill="{fill}" '
                    f'stroke="{theme.grid}"/>'
                )
            left += part
        body.append(_value(f"{one.total.won}-{one.total.drawn}-{one.total.lost}", y, theme))
    return _picture("Games won, drawn and lost", body, len(standings), theme)


def rates_plot(title: str, rates: Sequence[Proportion], theme: Theme = LIGHT) -> str:
    """A bar for each rate, with its interval."""
    width = WIDTH - LEFT - RIGHT
    largest = max((rate.interval[1] for rate in rates), default=1.0)
    top = next(top for top in (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0) if top >= min(1.0, largest))
    ticks = [(LEFT + width * part / 4, f"{top * part * 25:g}%") for part in range(5)]
    body = list(_grid(ticks, len(rates), theme))
    for row, rate in enumerate(rates):
        y, (low, high) = _y(row), rate.interval
        body += [
            _label(rate.agent, y, theme),
            f'<rect x="{LEFT}" y="{y - 7}" width="{width * rate.share / top:.1f}" height="14" fill="{theme.o}"/>',
            f'<path d="M{LEFT + width * low / top:.1f} {y}H{LEFT + width * high / top:.1f}" stroke="{theme.ink}" '
            'stroke-width="2"/>',
            _value(f"{rate.found}/{rate.total}", y, theme),
        ]
    return _picture(title, body, len(rates), theme)


def _y(row: int) -> int:
    return TOP + ROW // 2 + row * ROW


def _grid(ticks: Sequence[tuple[float, str]], rows: int, theme: Theme) -> Iterator[str]:
    bottom = TOP + rows * ROW
    for x, name in ticks:
        yield f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="{theme.rule}"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle" fill="{theme.soft}">{escape(name)}</text>'


def _label(name: str, y: int, theme: Theme) -> str:
    shown = name if len(name) <= 22 else f"{name[:21]}…"
    return f'<text x="{LEFT - 12}" y="{y + 5}" text-anchor="end" fill="{theme.ink}">{escape(shown)}</text>'


def _value(value: str, y: int, theme: Theme) -> str:
    return f'<text x="{WIDTH - RIGHT + 10}" y="{y + 5}" fill="{theme.ink}">{escape(value)}</text>'


def _stripes(theme: Theme) -> str:
    return (
        '<defs><pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="6" height="6" fill="{theme.surface}"/>'
        f'<rect width="3" height="6" fill="{theme.draw}"/></pattern></defs>'
    )


def _picture(title: str, body: Sequence[str], rows: int, theme: Theme) -> str:
    height = TOP + rows * ROW + 28
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}" font-family="system-ui, sans-serif" font-size="13">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{WIDTH}" height="{height}" fill="{theme.surface}"/>\n' + "\n".join(body) + "\n</svg>\n"
    )
