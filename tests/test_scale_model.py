"""The model of what a site carries: it agrees with a simulation, and its page is that of the stored costs."""

from __future__ import annotations

import json
import re

import pytest

from benchmarks.costs import COMMAND
from scripts.scale_model import (
    COMPUTING,
    CORES,
    COSTS,
    NOTIFYING,
    PAGE,
    REMEDIES,
    SETUPS,
    STORING,
    Setup,
    loads,
    most_players,
    page,
    predicted,
    read_costs,
    simulated,
)


@pytest.mark.parametrize("share", [0.3, 0.7, 0.9])
def test_the_model_agrees_with_the_simulation(share: float) -> None:
    processor_us, commit_us = 500.0, 2_000.0
    moves = share * 1e6 / processor_us
    model, run = (each(moves, processor_us, commit_us) for each in (predicted, simulated))
    assert run.busy == pytest.approx(share, rel=0.02)
    assert run.mean == pytest.approx(model.mean, rel=0.05)
    assert run.p99 > run.mean


def test_every_step_carries_more_up_to_a_million_players() -> None:
    carried = [most_players(setup, read_costs())[0] for setup in SETUPS]
    assert carried == sorted(carried)
    assert carried[-1] > 1e6


def test_each_step_removes_the_bottleneck_of_the_one_before() -> None:
    bottlenecks = [most_players(setup, read_costs())[1] for setup in SETUPS]
    for site, following, bottleneck in zip(SETUPS, SETUPS[1:], bottlenecks, strict=False):
        if bottleneck == COMPUTING:
            assert following.engines is None or following.engines > (site.engines or 0)
        elif bottleneck == NOTIFYING:
            assert following.has_broker
        elif bottleneck == STORING:
            assert following.databases > site.databases
        else:
            assert following.workers > site.workers
    named = re.findall(r"^\d\. (.*?)\*\*(?=[:. ])", REMEDIES, re.MULTILINE)
    assert len(named) == len(SETUPS)  # each row has its next step


def test_the_resource_that_is_used_up_first_is_named() -> None:
    costs = read_costs()._replace(database_us=1e6)
    site = Setup("", 10, workers=9 * CORES, databases=1)
    assert most_players(site, costs)[1] == STORING
    costs = costs._replace(database_us=1.0, notification_us=1e5)
    players, first = most_players(site, costs)
    assert first == NOTIFYING
    assert max(loads(site, players, costs).values()) == pytest.approx(1.0, rel=0.01)
    assert most_players(site._replace(has_broker=True), costs)[0] > players


def test_the_page_is_that_of_the_stored_costs_with_the_command_that_measured_them() -> None:
    document = json.loads(COSTS.read_text(encoding="utf-8"))
    assert document["command"] == COMMAND
    assert PAGE.read_text(encoding="utf-8") == page(read_costs(), document), "run: make scale"
