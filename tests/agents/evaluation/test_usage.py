"""Accounts of requests: tokens as endpoints report them, prices, the file of a run, and budgets."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from ninefold.agents.evaluation.ledger import BudgetUsedUp, SeatAccount, UsageLedger
from ninefold.agents.evaluation.loop import TurnForfeited
from ninefold.agents.evaluation.plan_tables import BudgetSpec, PriceSpec
from ninefold.agents.evaluation.usage import AgentUsage, Tokens, price_of, read_tokens, read_usage, usage_by_agent
from tests.support import chat_server as chat
from tests.support.chat_server import Behaviour, Handler, Request, chat_server
from tests.support.plans import Run, evaluations, model, run_command, write_plan

PRICE = PriceSpec(input=2.0, output=10.0, cached=0.5)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    return evaluations(capsys)


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}, Tokens(100, 20)),
        ({"input_tokens": 100, "output_tokens": 20}, Tokens(100, 20)),
        ({"prompt_tokens": 100, "prompt_tokens_details": {"cached_tokens": 64}}, Tokens(100, 0, 64)),
        ({"prompt_tokens": 100, "completion_tokens": 0, "prompt_cache_hit_tokens": 9}, Tokens(100, 0, 9)),
        (
            {"prompt_tokens": 1, "completion_tokens": 50, "completion_tokens_details": {"reasoning_tokens": 40}},
            Tokens(1, 50, 0, 40),
        ),
        (
            {
                "prompt_tokens": 1,
                "completion_tokens": 10,
                "total_tokens": 51,
                "completion_tokens_details": {"reasoning_tokens": 40},
            },
            Tokens(1, 50, 0, 40),
        ),
        ({"prompt_tokens": 5, "completion_tokens": None, "prompt_tokens_details": None}, Tokens(5)),
        ({"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 500}}, Tokens(5, 0, 5)),
        (None, None),
        ({}, None),
        ([], None),
        ({"prompt_tokens": "many"}, None),
        ({"prompt_tokens": True}, None),
        ({"prompt_tokens": -5}, None),
    ],
)
def test_tokens_are_read_as_endpoints_report_them(usage: object, tokens: Tokens | None) -> None:
    assert read_tokens(usage) == tokens


def test_cached_tokens_have_a_price_of_their_own() -> None:
    tokens = Tokens(1_000_000, 100_000, cached=400_000, reasoning=50_000)
    assert price_of(tokens, PRICE) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.1 * 10)
    assert price_of(tokens, PriceSpec(input=2, output=10)) == pytest.approx(2 + 1)
    assert price_of(tokens, None) is None


# The file


def account(folder: Path, *, number: int = 0, **budget: Any) -> SeatAccount:
    ledger = UsageLedger(folder / "usage.jsonl", {"m": PRICE}, BudgetSpec(**budget))
    return SeatAccount(ledger, number, 1, "ann", "m")


def test_a_request_is_in_the_file_before_it_is_sent(tmp_path: Path) -> None:
    begun = account(tmp_path).begin(1, 500)
    (written,) = read_usage(tmp_path / "usage.jsonl")
    assert written == begun
    assert (written.ended, written.is_unreported, written.charged) == (False, True, Tokens(500))


def test_the_end_of_a_request_replaces_its_beginning(tmp_path: Path) -> None:
    mine = account(tmp_path)
    mine.ask(4, 1)
    ended = mine.end(mine.begin(2, 500), Tokens(400, 100, 50, 20), status=200, milliseconds=7, served_model="m-1")
    (written,) = read_usage(tmp_path / "usage.jsonl")
    assert written == ended
    assert (written.ply, written.refusals, written.attempt) == (4, 1, 2)
    assert written.tokens == Tokens(400, 100, 50, 20)
    assert written.price == pytest.approx((350 * 2 + 50 * 0.5 + 100 * 10) / 1e6)


def test_a_line_that_a_crash_cut_short_harms_no_other(tmp_path: Path) -> None:
    mine = account(tmp_path)
    mine.end(mine.begin(1, 10), Tokens(10, 1), status=200)
    file = tmp_path / "usage.jsonl"
    with file.open("ab") as cut:
        cut.write(b'{"request": "ab", "at')
    later = account(tmp_path).begin(1, 10)
    assert [one.tokens for one in read_usage(file)] == [Tokens(10, 1), None]
    assert read_usage(file)[-1] == later


@pytest.mark.parametrize(("status", "charged"), [(200, 500), (0, 500), (429, 0), (500, 0), (400, 0)])
def test_tokens_that_were_not_reported_are_estimated_if_some_may_have_been_used(
    status: int, charged: int, tmp_path: Path
) -> None:
    mine = account(tmp_path)
    ended = mine.end(mine.begin(1, 500), None, status=status)
    assert ended.charged.total == charged
    assert ended.is_unreported == bool(charged)
    assert usage_by_agent([ended])["ann"].unreported == bool(charged)


def test_accounts_are_summed_by_agent_with_the_last_line_of_each_request(tmp_path: Path) -> None:
    begun = {"request": "a", "agent": "m", "ended": False, "estimate": 90}
    ended = begun | {"ended": True, "milliseconds": 900, "input_tokens": 100, "output_tokens": 7, "cached_tokens": 40}
    other = {"request": "b", "agent": "m", "ended": True, "milliseconds": 300, "input_tokens": 50, "price": 0.5}
    lines = [begun, ended | {"price": 0.25, "served_model": "m-1"}, other, {"nonsense": 1}, begun | {"price": "dear"}]
    file = tmp_path / "usage.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert usage_by_agent(read_usage(file)) == {
        "m": AgentUsage(
            2, input_tokens=150, output_tokens=7, cached_tokens=40, price=0.75, milliseconds=1200, latency=900,
            latency_95=900, served_models=("m-1",),
        )
    }  # fmt: skip


def test_a_sum_says_how_much_of_it_is_estimated(tmp_path: Path) -> None:
    mine = account(tmp_path)
    mine.end(mine.begin(1, 500), Tokens(400, 100), status=200)
    mine.end(mine.begin(1, 300), None, status=0)
    mine.begin(1, 200)  # killed here
    used = usage_by_agent(read_usage(tmp_path / "usage.jsonl"))["ann"]
    assert (used.input_tokens, used.output_tokens, used.unreported, used.estimated_tokens) == (400, 100, 2, 500)
    assert used.estimated_price == pytest.approx(500 * 2 / 1e6)
    assert used.price == pytest.approx((400 * 2 + 100 * 10) / 1e6 + 500 * 2 / 1e6)


@pytest.mark.parametrize("is_ended", [False, True])
def test_a_request_is_on_the_disk_before_anything_else_happens(
    is_ended: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bytes] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.pread(handle, 10_000, 0)))
    mine = account(tmp_path)
    begun = mine.begin(1, 500)
    if is_ended:
        mine.end(begun, Tokens(400, 100), status=200)
    assert len(synced) == 1 + is_ended
    assert synced[-1] == (tmp_path / "usage.jsonl").read_bytes()


# Budgets


def test_a_run_has_its_budget_over_all_its_calls(tmp_path: Path) -> None:
    first = account(tmp_path, run_tokens=1000)
    first.end(first.begin(1, 10), Tokens(600), status=200)
    first.begin(1, 399)  # killed here
    resumed = account(tmp_path, run_tokens=1000, number=1)
    resumed.end(resumed.begin(1, 10), Tokens(1), status=200)
    with pytest.raises(BudgetUsedUp, match=r"used up \(1,000 of 1,000 tokens, 399 of them estimated\)"):
        resumed.begin(1, 10)
    account(tmp_path, run_tokens=1001).begin(1, 10)


def test_a_budget_may_be_money(tmp_path: Path) -> None:
    mine = account(tmp_path, run_price=0.001)
    mine.end(mine.begin(1, 10), Tokens(500), status=200)
    with pytest.raises(BudgetUsedUp, match=r"0\.0010 of 0\.001"):
        mine.begin(1, 10)


def test_the_budget_of_a_match_is_that_of_one_agent_in_it(tmp_path: Path) -> None:
    mine = account(tmp_path, match_tokens=100)
    mine.end(mine.begin(1, 10), Tokens(100), status=200)
    with pytest.raises(TurnForfeited, match="budget for a match is used up"):
        mine.begin(1, 10)
    account(tmp_path, match_tokens=100, number=1).begin(1, 10)


# In a run


def with_usage(behave: Behaviour, **usage: object) -> Behaviour:
    """An endpoint that reports tokens too."""

    def reply(handler: Handler, request: Request) -> None:
        handler.extra = {"model": "a-model-1", "usage": usage}
        behave(handler, request)

    return reply


def test_the_report_has_what_every_agent_has_used(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    counted = with_usage(
        chat.plays, prompt_tokens=100, completion_tokens=10, prompt_tokens_details={"cached_tokens": 40}
    )
    plan = {"prices": {"a-model": {"input": 1.0, "output": 2.0, "cached": 0.5}}}
    with chat_server(chat.fails_first(3, chat.status(500, Retry_After="0.01"), counted)) as served:
        code, told = run(agents={"model": model(served.url), "easy": {"player": "easy"}}, **plan)
        asked = len(served.requests)
        assert run_command("plan.toml") == 0
    used = told["usage"]["model"]
    assert (code, used["requests"], used["failed"], used["unreported"]) == (0, asked, 3, 0)
    assert used["input_tokens"] == 100 * (asked - 3)
    assert (used["output_tokens"], used["cached_tokens"]) == (10 * (asked - 3), 40 * (asked - 3))
    assert used["price"] == pytest.approx((asked - 3) * (60 + 20 + 20) / 1e6)
    assert (used["served_models"], used["finish_reasons"]) == (["a-model-1"], {"stop": asked - 3})
    assert list(told["usage"]) == ["model"]
    assert f"Usage of model: requests {asked} (failed 3), tokens in {used['input_tokens']:,}" in capsys.readouterr().out


def test_a_price_says_how_much_of_it_is_estimated(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    counted = with_usage(chat.plays, prompt_tokens=1_000_000, completion_tokens=0)
    plan = {"prices": {"a-model": {"input": 1.0, "output": 2.0}}, "retries": 1}
    with chat_server(chat.fails_first(1, chat.breaks_off, counted)) as served:
        run(agents={"model": model(served.url), "easy": {"player": "easy"}}, **plan)
        run_command("plan.toml")
    (cut,) = (one for one in read_usage(Path("plan-run/usage.jsonl")) if one.is_unreported)
    assert cut.estimate > 100
    said = capsys.readouterr().out
    price = (len(served.requests) - 1) + cut.estimate / 1e6
    assert f", price {price:.4f} (of this {cut.estimate / 1e6:.4f} estimated)." in said
    assert f"its prompt is estimated as {cut.estimate:,} tokens." in said


def test_a_transcript_has_the_account_of_every_reply(run: Run) -> None:
    with chat_server(with_usage(chat.plays, prompt_tokens=100, completion_tokens=10)) as served:
        run(agents={"model": model(served.url), "easy": {"player": "easy"}})
    lines = [json.loads(line) for line in Path("plan-run/transcripts/00000-X.jsonl").read_text().splitlines()]
    replies = [line for line in lines if "received" in line]
    requests = {one.request: one for one in read_usage(Path("plan-run/usage.jsonl")) if one.match == 0}
    assert {reply["request"] for reply in replies} == set(requests)
    for reply in replies:
        assert (reply["input_tokens"], reply["output_tokens"], reply["finish_reason"]) == (100, 10, "stop")
        assert reply["milliseconds"] == requests[reply["request"]].milliseconds >= 0
    assert {header.headers["X-Client-Request-Id"] for header in served.requests} >= set(requests)


@pytest.mark.parametrize("at_once", [1, 3])
def test_a_run_stops_when_its_budget_is_used_up_and_goes_on_with_a_larger_one(
    at_once: int, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    with chat_server(with_usage(chat.plays, prompt_tokens=100, completion_tokens=10)) as served:
        agents = {"model": model(served.url), "easy": {"player": "easy"}}
        plan = {"agents": agents, "rounds": 3, "at_once": at_once}
        assert run_command(write_plan(**plan, budget={"run_tokens": 1000})) == 1
        stopped = capsys.readouterr()
        assert "The budget of the run is used up" in stopped.err
        assert "Set a larger budget, and run the same command to continue." in stopped.err
        assert 10 <= len(served.requests) <= 9 + at_once  # those that were on their way are counted too
        tokens = sum(one.charged.total for one in read_usage(Path("plan-run/usage.jsonl")))
        assert tokens == 110 * len(served.requests)
        assert run_command(write_plan(**plan, budget={"run_tokens": 100_000})) == 0
    assert len(list(Path("plan-run/matches").glob("*.log"))) == 6
    assert sum(one.charged.total for one in read_usage(Path("plan-run/usage.jsonl"))) == 110 * len(served.requests)


def test_an_agent_without_budget_for_its_match_forfeits_its_turns(run: Run) -> None:
    with chat_server(with_usage(chat.plays, prompt_tokens=100, completion_tokens=10)) as served:
        agents = {"model": model(served.url), "easy": {"player": "easy"}}
        code, told = run(agents=agents, budget={"match_tokens": 110}, forfeit="move")
    assert (code, len(served.requests)) == (0, 2)
    assert told["forfeits"]["model"] >= 2
    whys = {forfeit["why"] for one in told["results"] for forfeit in one["forfeits"]}
    assert whys == {"Its budget for a match is used up (110 of 110 tokens)."}


def test_a_budget_in_money_needs_the_prices_of_all_models(run: Run) -> None:
    agents = {"model": model("http://127.0.0.1:9/v1"), "easy": {"player": "easy"}}
    code, told = run(agents=agents, budget={"run_price": 1.5})
    assert (code, "agents.model: there is no price for 'a-model'." in told["error"]) == (2, True)


def test_tokens_of_a_stream_that_broke_off_are_counted(run: Run) -> None:
    part = chat.cuts_stream("hello there", {"prompt_tokens": 50, "completion_tokens": 3})
    with chat_server(chat.fails_first(2, part, with_usage(chat.plays, prompt_tokens=1, completion_tokens=1))) as served:
        _, told = run(agents={"model": model(served.url, stream=True), "easy": {"player": "easy"}})
    used = told["usage"]["model"]
    assert used["input_tokens"] == 2 * 50 + (len(served.requests) - 2)
    assert served.requests[0].body["stream_options"] == {"include_usage": True}
