"""The native core, or None where it was installed without a compiler: the only module that imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["native"]

try:
    from ninefold import _native as native
except ImportError:
    native = None  # type: ignore[assignment] # a module is not None to mypy

if TYPE_CHECKING:
    from ninefold._native import BigBatch as BigBatch
    from ninefold._native import LevelBatch as LevelBatch
    from ninefold._native import NativePosition as NativePosition
    from ninefold._native import Network as Network
    from ninefold._native import RawPvLine as RawPvLine
    from ninefold._native import RawSearchInfo as RawSearchInfo
    from ninefold._native import SingleGame as SingleGame
    from ninefold._native import TableBatch as TableBatch
