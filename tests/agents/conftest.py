"""Fixtures of the tests of agents."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(params=["local", "server"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The kind of a backend. What it remembers is in the folder of the test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return str(request.param)
