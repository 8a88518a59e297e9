"""Agents that lie, and agents that fail: the referee comes out right against all of them."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from ninefold.analysis.report.audit import audit_of
from ninefold.analysis.report.metrics import AgentMetrics, report
from ninefold.match.log import read_log, write_log
from ninefold.players.scripted import SCRIPTS
from ninefold.server.storage.config import ServiceConfig
from ninefold.server.storage.service import Service
from tests.support.clocks import ManualClock
from tests.support.handlers import match_request
from tests.support.hosted_matches import on_a_loop, serving, until
from tests.support.liars import MANY, Tally, agent, played, second_opinion, sides_of, tally

FEW, CHUNK = 100, 1_000


@pytest.mark.parametrize("script", SCRIPTS)
def test_no_false_win_no_stolen_win_no_stuck_match(script: str) -> None:
    assert tally(script, range(FEW)) == Tally(games=FEW)


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(0, MANY, CHUNK))
@pytest.mark.parametrize("script", SCRIPTS)
def test_not_in_ten_thousand_games(script: str, first: int) -> None:
    assert tally(script, range(first, first + CHUNK)) == Tally(games=CHUNK)


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_report_counts_the_lies_that_a_second_referee_counts(script: str) -> None:
    for number in range(FEW):
        table = played(number, script)
        seen = second_opinion(write_log(table.match))
        rows = report(table.match, audit_of(table.hosted.refused).refused).rows
        for seat, (row, name) in enumerate(zip(rows, sides_of(number, script), strict=True), 1):
            assert row.agent == name
            assert row.metrics.false_claims == seen.false_claims[seat]
            assert row.metrics.wrong_confirmations == seen.wrong_confirmations[seat]
            assert row.metrics.wrong_disputes == seen.wrong_disputes[seat]


def test_every_script_does_what_its_name_says() -> None:
    totals = dict.fromkeys(SCRIPTS, AgentMetrics())
    talkers = set()
    for number, script in itertools.product(range(6 * len(SCRIPTS)), SCRIPTS):
        match = played(number, script).match
        for row in report(match).rows:
            totals[row.agent] = totals[row.agent].plus(row.metrics)
        talkers |= {match.setup.seats[event.seat - 1].name for event in match.events if event.action.kind == "say"}
    did = {
        "claims-falsely": {name for name, one in totals.items() if one.false_claims},
        "confirms-all": {name for name, one in totals.items() if one.wrong_confirmations},
        "disputes-all": {name for name, one in totals.items() if one.wrong_disputes},
        # Who claims something false with a true line on the board leaves that one unclaimed too.
        "never-claims": {name for name, one in totals.items() if one.unclaimed_lines} - {"claims-falsely"},
        "falls-silent": {name for name, one in totals.items() if one.unanswered_claims},
        "misreports": talkers,
    }
    assert did == {name: {name} for name in did}


def test_a_misreported_move_is_never_the_move_that_was_played() -> None:
    for number in range(20):
        match = played(number, "misreports").match
        plays = [event for event in match.events if event.action.kind in ("move", "say")]
        for move, said in itertools.pairwise(plays):
            if said.action.kind == "say":
                assert isinstance(move.action.move, int)
                assert match.game.name(move.action.move) not in said.action.text


async def play_on_a_service(service: Service, clock: ManualClock, number: int, script: str) -> str:
    """A game through the service itself, with its database, its timers and a manual clock."""
    created = await service.create(match_request("agents"))
    match, tokens = created["match"], created["seats"]
    agents = {seat: agent(name, 2 * number + seat) for seat, name in enumerate(sides_of(number, script), 1)}
    for turn in itertools.count():
        known = read_log(await service.log(match))
        if known.to_act is None:
            return write_log(known)
        answer = agents[known.to_act](known, ())
        clock.at += 1_000
        if answer is not None:
            await service.act(match, tokens[known.to_act], f"r{turn}", known.version, answer.action)
            continue
        clock.at += 600_000  # nothing is said: the claim is settled by the sweep, or the opponent need not wait longer
        if known.state.pending is None:
            await service.claim_absent(match, tokens[3 - known.to_act], f"r{turn}")
        await until(service, match, lambda view, before=known.version: bool(view["version"] > before))  # type: ignore[misc]
    raise AssertionError


@pytest.mark.parametrize("script", SCRIPTS)
@on_a_loop
async def test_the_service_and_its_timers_come_out_right(script: str, tmp_path: Path) -> None:
    no_outages = ServiceConfig(outage_ms=10**12)  # the clock jumps, and the server was not down
    clock, unanswered = ManualClock(), 0
    async with serving(tmp_path, now=clock, config=no_outages) as service:
        for number in range((4 if script == "falls-silent" else 2) * len(SCRIPTS)):
            log = await play_on_a_service(service, clock, number, script)
            seen, match = second_opinion(log), read_log(log)
            assert seen.ended
            assert match.result
            winner = match.result.outcome.winner
            assert (None if winner is None else str(winner)) == seen.winner
            unanswered += sum(row.metrics.unanswered_claims for row in report(match).rows)
    assert unanswered or script != "falls-silent"
