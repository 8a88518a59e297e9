"""How many connections there may be, and how fast they may send frames."""

from __future__ import annotations

import pytest

from ninefold.core.errors import Refusal
from ninefold.server.http.config import Limits, Rate
from ninefold.server.http.transport_limits import TransportLimits
from tests.support.clocks import ManualSeconds

MANY = Rate(1e9, 1e9)


def refusal_of(shared: TransportLimits, host: str) -> str:
    with pytest.raises(Refusal) as refused:
        shared.connect(host)
    return refused.value.reason


def test_connections_from_one_address_are_limited() -> None:
    shared = TransportLimits(Limits(writes=MANY, sockets_each=1, requests_each=2))
    for _ in range(3):
        shared.connect("192.0.2.1")
    assert refusal_of(shared, "192.0.2.1") == "too_many_connections"
    shared.connect("192.0.2.2")
    shared.disconnect("192.0.2.1")
    shared.connect("192.0.2.1")


def test_a_network_of_ipv6_is_one_address() -> None:
    shared = TransportLimits(Limits(writes=MANY, sockets_each=0, requests_each=1))
    shared.connect("2001:db8::1")
    assert refusal_of(shared, "2001:db8::2") == "too_many_connections"


def test_all_connections_are_limited() -> None:
    shared = TransportLimits(Limits(writes=MANY, sockets=1, requests=1))
    shared.connect("192.0.2.1")
    shared.connect("192.0.2.2")
    assert refusal_of(shared, "192.0.2.3") == "full"
    shared.disconnect("192.0.2.1")
    shared.connect("192.0.2.3")


def test_new_connections_are_limited_by_rate() -> None:
    now = ManualSeconds()
    shared = TransportLimits(Limits(writes=Rate(1, 3)), clock=now)
    for _ in range(3):
        shared.connect("192.0.2.1")
        shared.disconnect("192.0.2.1")
    assert refusal_of(shared, "192.0.2.1") == "too_many_connections"
    now.at += 1
    shared.connect("192.0.2.1")


def test_a_connection_that_had_to_be_closed_counts_as_ten() -> None:
    now = ManualSeconds()
    shared = TransportLimits(Limits(writes=Rate(1, 20)), clock=now)
    for _ in range(2):
        shared.punish("192.0.2.1")
    assert refusal_of(shared, "192.0.2.1") == "too_many_connections"
    shared.connect("192.0.2.2")
    now.at += 1
    shared.connect("192.0.2.1")


def test_only_some_refused_connections_are_told_why() -> None:
    shared = TransportLimits(Limits(), clock=ManualSeconds())
    assert [shared.may_explain("192.0.2.1") for _ in range(25)] == [True] * 20 + [False] * 5
    assert shared.may_explain("192.0.2.2")


def test_the_connections_of_a_proxy_are_those_of_others() -> None:
    shared = TransportLimits(Limits(writes=Rate(1, 3), sockets_each=0), "192.0.2.0/24", ManualSeconds())
    for _ in range(200):
        shared.connect("192.0.2.1")
        shared.punish("192.0.2.1")
    for _ in range(3):
        shared.connect("198.51.100.1")
    assert refusal_of(shared, "198.51.100.1") == "too_many_connections"


def test_a_socket_waits_when_it_has_sent_too_many_frames_or_bytes() -> None:
    now = ManualSeconds()
    shared = TransportLimits(Limits(reads=Rate(20, 40)), clock=now)  # 10 frames a second, 20 at once
    meter = shared.meter()
    assert meter.spend(20, 0, None) == (0, 0)
    assert meter.spend(5, 0, None) == (0.5, 0)
    now.at += 2.5
    assert meter.spend(0, 30 * 1024, None) == (1, 0)


def test_the_sockets_of_one_address_wait_for_each_other_but_not_long() -> None:
    shared = TransportLimits(Limits(reads=Rate(20, 40)), clock=ManualSeconds())  # 40 frames a second, 80 at once
    first, other = shared.meter(), shared.meter()
    assert first.spend(100, 0, "192.0.2.1") == (8, 0.5)
    assert other.spend(4, 0, "192.0.2.1") == (0, 0.6)
    assert first.spend(1000, 0, "192.0.2.1")[1] == 1
    assert shared.meter().spend(4, 0, "192.0.2.2") == (0, 0)


def test_there_are_no_more_connections_than_files_that_may_be_open() -> None:
    assert Limits().within(65_536).connections == Limits().connections
    few = Limits().within(1_024)
    assert (few.sockets, few.requests, few.connections) == (618, 206, 824)
    assert Limits().within(10).connections == 4
