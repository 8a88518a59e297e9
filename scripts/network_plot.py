"""Draw docs/pictures/network-chances.svg: how often positions are won that a network of the package gives a chance.

python -m scripts.network_plot

The games are new: no network was fitted to them. They take half a minute of one core, and are alike on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ninefold.analysis.network import FOLDER, read_network
from ninefold.train import features, network
from ninefold.train.generate import play_games
from ninefold.train.labels import GamePlan

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "network-chances.svg"
PLANS = {
    "ultimate": GamePlan("ultimate", (), seed=17),
    "ultimate-boards": GamePlan("ultimate", (("tie_break", "boards"),), seed=17),
    "squared": GamePlan("squared", (), seed=17),
}
GAMES = 600  # of each rule set
BINS = 10
COLOURS = ("#0072b2", "#009e73", "#d55e00")
SIZE, MARGIN, LEGEND = 420, 50, 150


class Chances(NamedTuple):
    """Chances that a network gives, what share of the points was made there, and how they agree with a search."""

    name: str
    given: Sequence[float]
    made: Sequence[float]
    positions: int
    correlation: float  # of the chances by the network, without a search, and by the search


def measure(name: str, games: int = GAMES) -> Chances:
    """The chances of a network in new games of the engine that uses it."""
    file = read_network(FOLDER / f"{name}.net")
    rows = play_games(PLANS[name]._replace(network=str(FOLDER / f"{name}.net")), range(games))
    values = network.evaluate(network.Tables(network.parse_payload(file.weights)), features.inputs(rows), file.scale)
    given, searched = _chance(values, file.scale), _chance(rows["value"], file.scale)
    points = (rows["result"].astype(float) + 1) / 2
    bins = np.minimum((given * BINS).astype(int), BINS - 1)
    used = [number for number in range(BINS) if (bins == number).any()]
    correlation = float(np.corrcoef(given, searched)[0, 1])
    means, made = ([float(of[bins == number].mean()) for number in used] for of in (given, points))
    return Chances(name, means, made, len(rows), correlation)


def _chance(values: Any, scale: int) -> Any:
    return 1 / (1 + np.exp(-values.astype(float) / scale))


def picture(found: Sequence[Chances]) -> str:
    """The share of the points over the chance, a line for each network; on the diagonal they are the same."""

    def place(given: float, made: float) -> str:
        return f"{MARGIN + given * (SIZE - 2 * MARGIN):.1f},{SIZE - MARGIN - made * (SIZE - 2 * MARGIN):.1f}"

    body = ['<text x="10" y="24">Points made, by the chance that the network gives</text>']
    for part in range(5):
        x, y = place(part / 4, part / 4).split(",")
        body.append(f'<path d="M{x} {MARGIN}V{SIZE - MARGIN}M{MARGIN} {y}H{SIZE - MARGIN}" stroke="#ddd"/>')
        body.append(f'<text x="{x}" y="{SIZE - MARGIN + 18}" text-anchor="middle">{part / 4:.0%}</text>')
        body.append(f'<text x="{MARGIN - 8}" y="{float(y) + 4:.1f}" text-anchor="end">{part / 4:.0%}</text>')
    body.append(f'<polyline points="{place(0, 0)} {place(1, 1)}" fill="none" stroke="#888" stroke-dasharray="4"/>')
    for number, (one, colour) in enumerate(zip(found, COLOURS, strict=True)):
        line = " ".join(map(place, one.given, one.made))
        body.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        body.append(f'<text x="{SIZE - MARGIN + 8}" y="{MARGIN + 10 + 18 * number}" fill="{colour}">{one.name}</text>')
    size = f'viewBox="0 0 {SIZE + LEGEND - MARGIN} {SIZE}" font-family="sans-serif" font-size="12"'
    background = f'<rect width="{SIZE + LEGEND - MARGIN}" height="{SIZE}" fill="#fff"/>'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', background, *body, "</svg>", ""])


def main() -> None:
    found = [measure(name) for name in PLANS]
    for one in found:
        made = ", ".join(
            f"{100 * given:.0f}: {100 * made:.0f}" for given, made in zip(one.given, one.made, strict=True)
        )
        print(f"{one.name}: {one.positions} positions, correlation {one.correlation:.3f}; {made}")
    PICTURE.write_text(picture(found), encoding="utf-8")
    print(PICTURE)


if __name__ == "__main__":
    main()
