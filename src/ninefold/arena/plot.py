"""Ratings as an SVG chart."""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.arena.ratings import Rating

ROW, LEFT, WIDTH = 28, 200, 640


def plot(ratings: Sequence[Rating], title: str) -> str:
    """An SVG with one row for each player: the rating and its confidence interval."""
    low, high = min(row.low for row in ratings) - 20, max(row.high for row in ratings) + 20
    height = ROW * (len(ratings) + 2)

    def x(elo: float) -> float:
        return LEFT + (elo - low) / (high - low) * (WIDTH - LEFT - 80)

    body = [f'<text x="10" y="20" font-weight="bold">{_safe(title)}</text>']
    for place, row in enumerate(ratings):
        y = ROW * (place + 1.7)
        body += [
            f'<text x="10" y="{y + 5:g}">{_safe(row.player[:28])}</text>',
            f'<path d="M{x(row.low):g} {y:g}H{x(row.high):g}" stroke="#888" stroke-width="3"/>',
            f'<circle cx="{x(row.elo):g}" cy="{y:g}" r="5" fill="#0072b2"/>',
            f'<text x="{WIDTH - 70}" y="{y + 5:g}">{row.elo:+.0f}</text>',
        ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        ' font-family="sans-serif" font-size="13">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
