"""Time management: what the engine makes of a clock."""

from __future__ import annotations

import io
import os

import pytest

from ninefold.analysis import engine
from ninefold.analysis.engine import Engine, EngineClock
from ninefold.games import find_game

if not engine.is_native():
    if os.environ.get("CI"):
        pytest.fail("The native core was not built.", pytrace=False)
    pytest.skip("Without a C++ compiler there is no engine; install one and run make test.", allow_module_level=True)

from ninefold.analysis.ugi import Ugi

ULTIMATE = find_game("ultimate")
FORCED = "XOXOXO.X./........./........./........./........./........./........./........./......... O 1"
print_only = None
