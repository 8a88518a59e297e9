"""Bugs that are planted on purpose: the simulation has to find them."""

from __future__ import annotations

from contextlib import nullcontext

from tests.support.simulation.simulation import Planted

PLANTED: dict[str, Planted] = {"": nullcontext}
