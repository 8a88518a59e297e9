"""Tests of Glicko-2."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.arena.glicko2 import LEAST_DEVIATION, MOST_DEVIATION, NEW, GlickoRating, RatedResult, rate


def test_the_worked_example_of_glickmans_paper() -> None:
    results = (
        RatedResult(GlickoRating(1400, 30), 1),
        RatedResult(GlickoRating(1550, 100), 0),
        RatedResult(GlickoRating(1700, 300), 0),
    )
    after = rate(GlickoRating(1500, 200, 0.06), results, tau=0.5)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_draw_of_two_new_players_changes_no_rating_but_makes_both_more_certain() -> None:
    after = rate(NEW, [RatedResult(NEW, 0.5)])
    assert after.rating == pytest.approx(1500)
    assert after.deviation < NEW.deviation


def test_a_player_who_does_not_play_grows_uncertain_up_to_a_bound() -> None:
    known = GlickoRating(1700, 60, 0.06)
    assert rate(known, [], periods=10).deviation == pytest.approx((60**2 + 10 * (0.06 * 173.7178) ** 2) ** 0.5)
    assert rate(known, [], periods=1e6).deviation == MOST_DEVIATION
    assert rate(known, [], periods=10).rating == pytest.approx(1700)


ratings = st.builds(
    GlickoRating, st.floats(100, 3500), st.floats(LEAST_DEVIATION, MOST_DEVIATION), st.floats(0.02, 0.1)
)


@given(ratings, ratings, st.floats(0, 300))
def test_a_win_never_costs_points_and_a_loss_never_gives_any(
    one: GlickoRating, other: GlickoRating, periods: float
) -> None:
    won, lost = (rate(one, [RatedResult(other, score)], periods) for score in (1, 0))
    assert lost.rating <= one.rating <= won.rating
    assert LEAST_DEVIATION <= won.deviation <= MOST_DEVIATION
    assert 0 < won.volatility < 1
