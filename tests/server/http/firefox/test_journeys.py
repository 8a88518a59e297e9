"""Journeys through the browser client in Firefox, behind ``make test-firefox``: one script each, beside this file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.firefox import run_journey

JOURNEYS = sorted(Path(__file__).parent.glob("*.mjs"))


@pytest.mark.firefox
@pytest.mark.usefixtures("bundle", "engine_in_page")
@pytest.mark.parametrize("script", JOURNEYS, ids=lambda script: script.stem)
def test_a_journey_in_firefox(script: Path, tmp_path: Path) -> None:
    run_journey(script, tmp_path / "data")
