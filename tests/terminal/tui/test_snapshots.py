"""Every screen looks as it did, at the smallest size and at a comfortable one. `make golden` writes them anew."""

from __future__ import annotations

import pytest

from tests.support.tui_scenes import ALL, Scene
from tests.support.tui_snapshots import FOLDER, SIZES, file_of, snapshot


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", ALL, ids=lambda scene: scene.__name__)
def test_a_screen_looks_as_it_did(scene: Scene, size: tuple[int, int]) -> None:
    assert snapshot(scene, size) == file_of(scene, size).read_text(encoding="utf-8")


def test_every_snapshot_is_of_a_screen() -> None:
    assert {file_of(scene, size) for scene in ALL for size in SIZES} == set(FOLDER.iterdir())
