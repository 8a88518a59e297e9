"""The picture of docs/network.md of what a network's chances are worth."""

from __future__ import annotations

import re
from pathlib import Path

from scripts.network_plot import PICTURE, PLANS, Chances, measure, picture


def test_the_chances_of_a_network_rise_with_the_points_and_agree_with_the_search() -> None:
    found = measure("ultimate-boards", games=30)
    assert found.positions > 1000
    assert found.correlation > 0.7
    assert found.made[0] < 0.25 < 0.75 < found.made[-1]
    assert list(found.given) == sorted(found.given)
    assert all(number / 10 <= given <= (number + 1) / 10 for number, given in enumerate(found.given))


def test_a_network_whose_chances_are_right_is_drawn_on_the_diagonal() -> None:
    found = [Chances(name, (0.0, 0.5, 1.0), (0.0, 0.5, 1.0), 3, 1.0) for name in PLANS]
    lines = re.findall(r'<polyline points="([^"]*)"', picture(found))
    assert lines[0] == "50.0,370.0 370.0,50.0"
    assert lines[1:] == ["50.0,370.0 210.0,210.0 370.0,50.0"] * 3


def test_the_picture_of_the_page_has_every_network() -> None:
    assert all(f">{name}</text>" in PICTURE.read_text(encoding="utf-8") for name in PLANS)
    page = (Path(PICTURE).parents[1] / "network.md").read_text(encoding="utf-8")
    assert f"pictures/{PICTURE.name}" in page
