"""What holds for every test of the full screen: nothing depends on where it runs. And a server to play on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.server_process import Serving, serving


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running
