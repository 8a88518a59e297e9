"""The short version of ``make torture``: kill -9 loses no acknowledged event, and duplicates none."""

from __future__ import annotations

from pathlib import Path
from random import Random

from ninefold.games import find_game
from ninefold.match.actions import move
from ninefold.match.match import begin
from tests.support.postgres import Postgres
from tests.support.torture import Totals, compare, kill_all, kill_worker, tortured


def test_a_killed_server_loses_nothing_and_serves_again(tmp_path: Path) -> None:
    with tortured(tmp_path, matches=12, players=4) as torture:
        for number in range(3):
            kill_all(torture, Random(number))
        torture.wait_for(20)


def test_two_workers_lose_nothing_when_one_or_both_or_postgresql_are_killed(tmp_path: Path, postgres: Postgres) -> None:
    options = ("--workers", "2", "--database", postgres.new_database())
    with tortured(tmp_path, *options, matches=12, players=4) as torture:
        kill_worker(torture, Random(1))
        torture.wait_for(20)
        postgres.restart()
        torture.wait_for(20)
        kill_all(torture, Random(2))
        torture.wait_for(20)


def test_what_is_lost_doubled_or_invented_is_counted() -> None:
    first, second, third = events = begin(find_game("classic")).act(1, move(4)).act(2, move(0)).act(1, move(8)).events
    assert compare(events, events) == Totals(3)
    assert compare(events, [first, second]) == Totals(3, lost=1)
    assert compare(events, [first, second, third, third]) == Totals(3, doubled=1)
    assert compare([first, second], events) == Totals(2, invented=1)
    assert compare([first, third], [first, second]) == Totals(2, lost=1, invented=1)
