"""Chat endpoints that answer well, slowly, wrongly or not at all, that are busy, or that withhold an answer."""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from ninefold.agents.evaluation.endpoint import LARGEST, RETRY, ChatEndpoint, ChatReply
from ninefold.agents.evaluation.ledger import SeatAccount, UsageLedger
from ninefold.agents.evaluation.limits import EndpointThrottle
from ninefold.agents.evaluation.loop import AgentCrashed, AgentRejected, AgentTimedOut, TurnForfeited
from ninefold.agents.evaluation.plan_tables import BudgetSpec
from ninefold.agents.evaluation.usage import read_usage
from tests.support import chat_server as chat
from tests.support.chat_server import Behaviour, Handler, Request, chat_server
from tests.support.clocks import ManualSeconds
from tests.support.plans import AT_ONCE

HELLO = [{"role": "user", "content": "hello"}]


def ask(behave: Behaviour, seconds: float = 60.0, *, key: str = "", largest: int = LARGEST) -> ChatReply:
    with chat_server(behave) as served:
        return ask_at(served.url, seconds, key=key, largest=largest)


def ask_at(url: str, seconds: float = 60.0, *, key: str = "", largest: int = LARGEST) -> ChatReply:
    with contextlib.closing(ChatEndpoint(url, key, retry=AT_ONCE, largest=largest)) as endpoint:
        return endpoint.ask("a-model", HELLO, {"temperature": 0}, seconds)


def ask_patiently(behave: Behaviour, seconds: float = 60.0) -> tuple[ChatReply, list[float]]:
    """The reply of an endpoint, and the pauses between the attempts, which pass at once."""
    clock = ManualSeconds()
    with chat_server(behave) as served:
        endpoint = ChatEndpoint(served.url, clock=clock, sleep=clock.sleep, throttle=EndpointThrottle(clock=clock))
        with contextlib.closing(endpoint):
            return endpoint.ask("a-model", HELLO, {}, seconds), clock.pauses


def test_a_request_has_the_form_of_the_chat_protocol() -> None:
    with chat_server(chat.answers("hi")) as served:
        assert ask_at(served.url, key="secret-key").text == "hi"
    (asked,) = served.requests
    assert asked.path == "/v1/chat/completions"
    assert asked.body == {"model": "a-model", "messages": HELLO, "temperature": 0}
    assert asked.headers["Authorization"] == "Bearer secret-key"


def test_without_a_key_none_is_sent() -> None:
    with chat_server(chat.answers("hi")) as served:
        ask_at(served.url)
    assert "Authorization" not in served.requests[0].headers


@pytest.mark.parametrize(
    ("content", "text"), [("hi", "hi"), (None, ""), ([{"type": "text", "text": "h"}, {"text": "i"}], "hi")]
)
def test_the_content_of_a_reply_may_have_several_forms(content: object, text: str) -> None:
    assert ask(chat.answers(content)).text == text


def test_a_reply_that_was_cut_off_is_marked() -> None:
    assert ask(chat.cut_off).completion.is_cut


BROKEN = {
    "redirect": chat.status(302, Location="http://127.0.0.1:9/"),
    "not JSON": chat.raw(b"<html>"),
    "half of JSON": chat.raw(b'{"choices": [{"message"'),
    "not UTF-8": chat.raw(b"\xff\xfe\x00"),
    "deep": chat.raw(b"[" * 100_000),
    "no choices": chat.raw(b"{}"),
    "empty choices": chat.raw(b'{"choices": []}'),
    "a number": chat.raw(b'{"choices": [{"message": {"content": 5}}]}'),
    "a list": chat.raw(b"[]"),
    "hangs up": chat.hangs_up,
    "breaks off": chat.breaks_off,
    "half of a stream": chat.raw(b'data: {"choices": [{"delta": {"content": "hi"}}]}\n\n'),
}


@pytest.mark.parametrize("trouble", BROKEN)
def test_a_failed_request_is_repeated_and_then_the_agent_has_crashed(trouble: str) -> None:
    assert RETRY.attempts
    assert ask(chat.fails_first(RETRY.attempts - 1, BROKEN[trouble], chat.answers("hi"))).text == "hi"
    with pytest.raises(AgentCrashed, match=r"[Ii]ts endpoint"):
        ask(BROKEN[trouble])


def test_an_unreachable_endpoint_has_crashed() -> None:
    with chat_server(chat.plays) as served:
        pass
    with pytest.raises(AgentCrashed, match="cannot be reached"):
        ask_at(served.url)


def test_an_unreachable_endpoint_has_used_no_tokens(tmp_path: Path) -> None:
    with chat_server(chat.plays) as served:
        pass
    ledger = UsageLedger(tmp_path / "usage.jsonl", {}, BudgetSpec())
    with contextlib.closing(ChatEndpoint(served.url, retry=AT_ONCE)) as endpoint, pytest.raises(AgentCrashed):
        endpoint.ask("a-model", HELLO, {}, 60, SeatAccount(ledger, 0, 1, "ann", "a-model"))
    assert RETRY.attempts
    assert [one.charged.total for one in read_usage(tmp_path / "usage.jsonl")] == [0] * RETRY.attempts


def test_a_response_that_is_too_large_is_not_read_to_its_end() -> None:
    with pytest.raises(AgentCrashed, match="too large"):
        ask(chat.raw(b" " * 100_000), largest=1000)


@pytest.mark.parametrize("code", [400, 401, 403, 404, 422])
def test_an_endpoint_that_rejects_a_request_is_not_asked_again(code: int) -> None:
    with chat_server(chat.status(code)) as served, pytest.raises(AgentRejected, match=str(code)):
        ask_at(served.url)
    assert len(served.requests) == 1


def test_an_account_without_money_stops_the_run() -> None:
    with pytest.raises(AgentRejected, match="429"):
        ask(chat.error(429, code="insufficient_quota"))


@pytest.mark.parametrize("slow", [chat.never_answers, chat.trickles])
def test_a_slow_endpoint_times_out(slow: Behaviour) -> None:
    with pytest.raises(AgentTimedOut, match="did not answer in time"):
        ask(slow, seconds=0.2)


# Patience


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504, 529])
def test_a_busy_endpoint_is_waited_for_without_retry_after(code: int) -> None:
    reply, pauses = ask_patiently(chat.fails_first(6, chat.status(code), chat.answers("hi")))
    assert (reply.text, reply.attempts) == ("hi", 7)
    longest = [1, 2, 4, 8, 15, 15]
    assert all(most / 2 <= pause <= most for pause, most in zip(pauses, longest, strict=True))


def test_pauses_are_not_the_same_twice() -> None:
    busy = chat.fails_first(4, chat.status(429), chat.answers("hi"))
    again = chat.fails_first(4, chat.status(429), chat.answers("hi"))
    assert ask_patiently(busy)[1] != ask_patiently(again)[1]


def test_a_busy_endpoint_is_waited_for_no_longer_than_the_turn_lasts() -> None:
    clock = ManualSeconds()
    with chat_server(chat.status(429)) as served:
        endpoint = ChatEndpoint(served.url, clock=clock, sleep=clock.sleep, throttle=EndpointThrottle(clock=clock))
        with contextlib.closing(endpoint), pytest.raises(AgentCrashed, match="429"):
            endpoint.ask("a-model", HELLO, {}, 40)
    assert 25 <= clock.at <= 40


def in_seconds(seconds: int) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({"Retry_After": "7"}, 7, 7.7),
        ({"Retry_After": "0.25"}, 0.25, 0.275),
        ({"Retry_After_Ms": "1500"}, 1.5, 1.65),
        ({"Retry_After": "soon"}, 0.5, 1),
        ({"Retry_After": in_seconds(-50)}, 0.5, 1),
        ({"Retry_After": "Wed, 99 Nov 2026 25:61:61 GMT"}, 0.5, 1),
    ],
)
def test_retry_after_may_be_a_number_or_a_fraction(headers: dict[str, str], least: float, most: float) -> None:
    _, (pause,) = ask_patiently(chat.fails_first(1, chat.status(429, **headers), chat.answers("hi")))
    assert least <= pause <= most


def test_retry_after_may_be_a_date_by_the_clock_of_the_endpoint() -> None:
    def in_an_hour(handler: Handler, _: Request) -> None:
        handler.date_time_string = lambda *_: in_seconds(3600)  # type: ignore[method-assign]
        handler.reply(b"", 503, Retry_After=in_seconds(3610))

    _, (pause,) = ask_patiently(chat.fails_first(1, in_an_hour, chat.answers("hi")))
    assert 9 <= pause <= 12.1


def test_all_matches_leave_an_endpoint_alone_for_as_long_as_it_asks_one_of_them() -> None:
    clock, waits = ManualSeconds(), list[float]()
    throttle = EndpointThrottle(clock=clock)

    def sleep(seconds: float) -> None:
        waits.append(throttle.delay(1))
        clock.sleep(seconds)

    for behave in (chat.status(429, Retry_After="7"), chat.status(429)):
        with chat_server(chat.fails_first(1, behave, chat.answers("hi"))) as served:
            ChatEndpoint(served.url, clock=clock, sleep=sleep, throttle=throttle).ask("a-model", HELLO, {}, 60)
    assert 7 <= waits[0] <= 7.7
    assert waits[1] == 0  # it has asked for nothing


def test_an_endpoint_that_asks_for_more_time_than_there_is_has_crashed() -> None:
    with pytest.raises(AgentCrashed, match="503"):
        ask(chat.status(503, Retry_After="100"), seconds=50)


def test_an_endpoint_that_was_there_once_is_waited_for() -> None:
    clock = ManualSeconds()
    away = chat.fails_first(6, chat.hangs_up, chat.answers("hi"))
    behaviours = iter([chat.answers("hi"), *[away] * 7])
    with chat_server(lambda handler, request: next(behaviours)(handler, request)) as served:
        endpoint = ChatEndpoint(served.url, clock=clock, sleep=clock.sleep, throttle=EndpointThrottle(clock=clock))
        with contextlib.closing(endpoint):
            assert [endpoint.ask("a-model", HELLO, {}, 60).attempts for _ in range(2)] == [1, 7]


# Answers that are withheld


@pytest.mark.parametrize(
    "filters",
    [
        chat.error(400, code="content_filter"),
        chat.error(400, code=None, innererror={"code": "ResponsibleAIPolicyViolation"}),
        chat.error(400, type="content_policy_violation"),
        chat.error(403, message="Your input was flagged by our moderation"),
        chat.error(403, message="Your input was flagged"),
        chat.error(403, message="This request violates our usage policies."),
        chat.error(403, message="Blocked for safety reasons", code=403),
        chat.status_text(403, "Request rejected by the moderation service"),
        chat.error(400, message="The response was filtered due to Azure OpenAI's content management policy."),
    ],
)
def test_a_content_filter_forfeits_the_turn_and_not_the_run(filters: Behaviour) -> None:
    with chat_server(filters) as served, pytest.raises(TurnForfeited, match="A content filter refused the prompt"):
        ask_at(served.url)
    assert len(served.requests) == 1


@pytest.mark.parametrize(
    "refuses",
    [
        chat.error(403, message="Your API key is blocked by the policy of your organization."),
        chat.error(403, message="Your account was flagged for unusual activity."),
        chat.error(403, message="You are not authorized to use this model, see our policies."),
        chat.error(403, message="Country, region, or territory not supported"),
        chat.error(401, message="This does not meet our safety policy."),
        chat.error(400, message="Unsafe value of 'temperature'."),
        chat.status_text(403, "<html><title>403</title>See our privacy policy.</html>"),
    ],
)
def test_an_endpoint_that_refuses_who_asks_stops_the_run_although_it_speaks_of_policies(refuses: Behaviour) -> None:
    with pytest.raises(AgentRejected, match="Its endpoint refuses the request"):
        ask(refuses)


def test_an_answer_that_a_filter_cut_out_forfeits_the_turn() -> None:
    with pytest.raises(TurnForfeited, match="A content filter withheld the answer"):
        ask(lambda handler, _: handler.say("", "content_filter"))


def test_a_refusal_of_the_model_forfeits_the_turn() -> None:
    message = {"role": "assistant", "content": None, "refusal": "I do not play games."}
    with pytest.raises(TurnForfeited, match=r"The model refused to answer: I do not play games\."):
        ask(chat.raw(json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()))


# Streams


def test_a_stream_is_put_together() -> None:
    reply = ask(chat.streams('{"action": "move", "move": "5"}'))
    assert reply.text == '{"action": "move", "move": "5"}'
    assert reply.completion.finish_reason == "stop"


def test_a_call_of_a_function_in_a_stream_is_put_together() -> None:
    parts = [{"id": "c1", "function": {"name": "move", "arguments": ""}}]
    parts += [{"function": {"arguments": part}} for part in ('{"mo', 've": "5"}')]
    events: list[dict[str, object]] = [
        {"choices": [{"delta": {"tool_calls": [{"index": 0, **part}]}}]} for part in parts
    ]
    events.append({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})
    (call,) = ask(chat.raw(chat.event_stream(*events))).completion.calls
    assert call == ("move", '{"move": "5"}', "c1")


def test_a_stream_that_is_cut_is_asked_for_again() -> None:
    reply = ask(chat.fails_first(2, chat.cuts_stream("hello there"), chat.streams("hello there")))
    assert (reply.text, reply.attempts) == ("hello there", 3)
