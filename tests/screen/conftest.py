"""What holds for every test of the full screen: nothing depends on where it runs."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
