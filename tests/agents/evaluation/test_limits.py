"""Limits of endpoints: requests and tokens a minute, requests in flight, and what an endpoint asks everybody for."""

from __future__ import annotations

import math
import threading

from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold.agents.evaluation.endpoint import ChatEndpoint
from ninefold.agents.evaluation.limits import MINUTE, EndpointThrottle, RateWindow
from ninefold.agents.evaluation.plan_tables import EndpointSpec
from tests.support import chat_server as chat
from tests.support.chat_server import Handler, Request, chat_server
from tests.support.waiting import PATIENCE


def test_requests_a_minute_are_those_of_the_last_sixty_seconds() -> None:
    window = RateWindow(EndpointSpec(requests_per_minute=2))
    for at in (0.0, 10.0):
        assert window.delay(at, 1) == 0
        window.begin(at, 1)
        window.end()
    assert window.delay(15, 1) == 45
    assert window.delay(60, 1) == 0
    window.begin(60, 1)
    assert window.delay(61, 1) == 9


def test_tokens_a_minute_count_as_reported_once_they_are() -> None:
    window = RateWindow(EndpointSpec(tokens_per_minute=100))
    ticket = window.begin(0, 90)
    assert window.delay(1, 20) == 59
    ticket.tokens = 30
    assert window.delay(1, 20) == 0


def test_a_request_waits_for_as_many_old_ones_as_it_needs_room_for() -> None:
    window = RateWindow(EndpointSpec(tokens_per_minute=100))
    for at in (0, 10, 20):
        window.begin(at, 30)
    assert window.delay(30, 10) == 0
    assert window.delay(30, 40) == 30
    assert window.delay(30, 41) == 40


def test_a_request_above_the_limit_is_let_through_alone() -> None:
    window = RateWindow(EndpointSpec(tokens_per_minute=100))
    assert window.delay(0, 500) == 0
    window.begin(0, 500)
    assert window.delay(1, 1) == 59


def test_another_request_may_begin_when_one_has_ended() -> None:
    window = RateWindow(EndpointSpec(in_flight=1))
    window.begin(0, 1)
    assert window.delay(0, 1) == math.inf
    window.end()
    assert window.delay(0, 1) == 0


def test_what_an_endpoint_asks_one_match_for_holds_for_all() -> None:
    window = RateWindow(EndpointSpec())
    window.hold(20)
    window.hold(10)
    assert window.delay(5, 1) == 15
    assert window.delay(20, 1) == 0


@settings(max_examples=40)
@given(
    st.integers(1, 5),
    st.integers(1, 300),
    st.lists(st.tuples(st.floats(0, 30), st.integers(0, 200)), max_size=40),
)
def test_no_minute_has_more_than_its_limits(requests: int, tokens: int, asked: list[tuple[float, int]]) -> None:
    window = RateWindow(EndpointSpec(requests_per_minute=requests, tokens_per_minute=tokens))
    now, let_through = 0.0, list[tuple[float, int]]()
    for pause, size in asked:
        now += pause
        now += window.delay(now, size) * (1 + 1e-12)
        assert window.delay(now, size) < 1e-6
        window.begin(now, size)
        let_through.append((now, size))
    for number, (at, _) in enumerate(let_through):
        minute = [size for other, size in let_through[number:] if other < at + MINUTE * (1 - 1e-9)]
        assert len(minute) <= requests
        assert sum(minute) <= tokens or sum(size > 0 for size in minute) == 1  # a large one is let through alone


class Crowd:
    """An endpoint that answers when it is told to, and knows how many requests it has at once."""

    def __init__(self) -> None:
        self.lock, self.now, self.most = threading.Lock(), 0, 0
        self.proceed = threading.Semaphore(0)

    def behave(self, handler: Handler, _: Request) -> None:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        assert self.proceed.acquire(timeout=PATIENCE)
        with self.lock:
            self.now -= 1
        handler.say("hi")


def test_matches_share_the_limit_of_requests_in_flight() -> None:
    crowd, throttle = Crowd(), EndpointThrottle(EndpointSpec(in_flight=2))
    texts: list[str] = []

    def one_match(url: str) -> None:
        texts.append(ChatEndpoint(url, throttle=throttle).ask("m", [], {}, PATIENCE).text)

    with chat_server(crowd.behave) as served:
        matches = [threading.Thread(target=one_match, args=(served.url,)) for _ in range(6)]
        for match in matches:
            match.start()
        for _ in matches:
            assert served.received.acquire(timeout=PATIENCE)
            crowd.proceed.release()
        for match in matches:
            match.join(PATIENCE)
    assert texts == ["hi"] * 6
    assert crowd.most <= 2


def test_the_time_that_a_request_waits_for_a_limit_is_not_charged_to_the_turn() -> None:
    clock = iter([0.0, 0.0, 100.0, *[100.0] * 20])
    endpoint_clock = list[float]()

    def now() -> float:
        endpoint_clock.append(next(clock))
        return endpoint_clock[-1]

    with chat_server(chat.answers("hi")) as served:
        assert ChatEndpoint(served.url, clock=now, throttle=EndpointThrottle()).ask("m", [], {}, 10).text == "hi"
    assert endpoint_clock[:3] == [0, 0, 100]  # the turn begins; the throttle is asked; the throttle is passed
