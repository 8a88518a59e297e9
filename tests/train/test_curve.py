"""Scores over time as a table and as a plot."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

from ninefold.train.curve import CurvePoint, curve_plot, curve_table, read_curve

POINTS = [
    CurvePoint(0, 0.0, 0.0, "random", 1, 2, 1),
    CurvePoint(0, 0.0, 0.0, "perfect", 0, 0, 4),
    CurvePoint(20, 90.0, 30.0, "random", 4, 0, 0),
]


def test_a_row_has_the_share_of_the_points_against_each_player() -> None:
    assert curve_table(POINTS) == (
        "| iteration | minutes | CPU seconds | random | perfect |\n"
        "|---|---|---|---|---|\n"
        "| 0 | 0.0 | 0 | 50% | 0% |\n"
        "| 20 | 1.5 | 30 | 100% | - |\n"
    )


def test_the_plot_has_a_line_for_each_player_that_rises_with_its_score() -> None:
    picture = fromstring(curve_plot(POINTS, "Classic"))  # noqa: S314 - our own
    random, perfect = picture.findall("{http://www.w3.org/2000/svg}polyline")
    (x1, y1), (x2, y2) = (map(float, point.split(",")) for point in (random.get("points") or "").split())
    assert x2 > x1
    assert y2 < y1  # up
    assert len((perfect.get("points") or "").split()) == 1


def test_the_plot_of_a_run_on_a_gpu_is_over_the_minutes_of_training() -> None:
    assert ">0.5</text>" in curve_plot(POINTS, "Classic")  # of the processor, at the right end
    assert ">1.5</text>" in curve_plot(POINTS, "Classic", on_gpu=True)


def test_points_are_read_as_they_were_written() -> None:
    assert read_curve([point._asdict() for point in POINTS]) == POINTS
