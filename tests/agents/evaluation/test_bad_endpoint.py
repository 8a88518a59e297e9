"""Runs against an endpoint that fails in every way, killed and resumed: no match is lost, every token is counted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ninefold.agents.evaluation.usage import RequestUsage, Tokens, read_usage
from ninefold.match.files import load
from tests.support.bad_endpoint import BAD, FAILURES, GOOD, WITHHELD, BadEndpoint
from tests.support.chat_server import ChatServer, chat_server
from tests.support.plans import model, run_command, write_plan
from tests.support.waiting import PATIENCE

EVALUATE = "import sys; from tests.support.plans import run_command; sys.exit(run_command('plan.toml'))"
ROOT = Path(__file__).parents[3]
AT_ONCE = 8


class PlayedRun(NamedTuple):
    """A run that has come to its end: the results of its matches, their moves, and its accounts."""

    results: list[dict[str, Any]]
    moves: list[tuple[int, ...]]
    usage: list[RequestUsage]


def play(endpoint: BadEndpoint, folder: Path, monkeypatch: pytest.MonkeyPatch, **plan: Any) -> PlayedRun:
    """Play a plan to its end. ``kill_after`` has the numbers of requests after which the run is killed each time."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    kills = plan.pop("kill_after", ())
    with chat_server(endpoint.behave) as served:
        agents = {"model": model(served.url), "random": {"player": "random"}, "liar": {"script": "claims-falsely"}}
        pairs = [["model", "random"], ["model", "liar"]]
        write_plan(agents=agents, matches=pairs, forfeit="move", at_once=AT_ONCE, **plan)
        for requests in kills:
            kill_after(served, requests)
        assert run_command("plan.toml") == 0
    lines = Path("plan-run/journal.jsonl").read_text().splitlines()[1:]
    results = sorted(map(json.loads, lines), key=lambda one: int(one["number"]))
    moves = [load(f"plan-run/matches/{one['number']:05}.log").state.moves for one in results]
    return PlayedRun(results, moves, read_usage(Path("plan-run/usage.jsonl")))


def kill_after(served: ChatServer, requests: int) -> None:
    command, environment = [sys.executable, "-c", EVALUATE], os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        for _ in range(requests):
            assert served.received.acquire(timeout=PATIENCE)
        assert process.poll() is None, "the run ended before it was killed"
        process.kill()


def total(tokens: Any) -> Tokens:
    whole = Tokens()
    for one in tokens:
        whole = whole.plus(one)
    return whole


def check_accounts(endpoint: BadEndpoint, run: PlayedRun, kills: int) -> None:
    """Every request is in the accounts with what the endpoint has reported. Requests that were on their way when the
    run was killed are marked as such."""
    known = {one.request: one for one in run.usage}
    lost = {one.request for one in run.usage if not one.ended}
    assert len(lost) <= kills * AT_ONCE
    assert endpoint.requests <= set(known)
    assert set(known) - endpoint.requests <= lost
    for request, one in known.items():
        assert request in lost or one.tokens == endpoint.reported.get(request)
    counted = total(one.tokens for one in run.usage if one.tokens)
    assert counted == total(tokens for request, tokens in endpoint.reported.items() if request not in lost)


def check_results(run: PlayedRun, other: PlayedRun, matches: int) -> None:
    assert [one["number"] for one in run.results] == list(range(matches))
    assert not any(one["crash"] for one in run.results)
    assert run.results == other.results
    assert run.moves == other.moves


def test_a_killed_run_against_a_bad_endpoint_is_resumed_with_the_same_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steady, killed = BadEndpoint(1), BadEndpoint(2)
    one = play(steady, tmp_path / "steady", monkeypatch, rounds=3)
    other = play(killed, tmp_path / "killed", monkeypatch, rounds=3, kill_after=[40])
    check_results(one, other, 12)
    check_accounts(steady, one, 0)
    check_accounts(killed, other, 1)


@pytest.mark.exhaustive
def test_two_hundred_matches_against_a_bad_endpoint_survive_three_kills(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steady, killed = BadEndpoint(3, silences=True), BadEndpoint(4, silences=True)
    one = play(steady, tmp_path / "steady", monkeypatch, rounds=50, seconds=8)
    other = play(killed, tmp_path / "killed", monkeypatch, rounds=50, seconds=8, kill_after=[300, 400, 500])
    check_results(one, other, 200)
    check_accounts(steady, one, 0)
    check_accounts(killed, other, 3)
    for endpoint, run in ((steady, one), (killed, other)):
        assert set(endpoint.met) == {*FAILURES, *GOOD, *BAD, *WITHHELD, "silence"}
        tokens = total(used.tokens for used in run.usage if used.tokens)
        lost = sum(not used.ended for used in run.usage)
        print(f"{len(run.results)} matches, {len(run.usage):,} requests, {tokens.total:,} tokens, {lost} cut by kills")
        print(dict(endpoint.met))
