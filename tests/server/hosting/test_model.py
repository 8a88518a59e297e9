"""The values of a hosted match."""

from __future__ import annotations

from ninefold.server.hosting.model import Responses, StoredResponse


def response(text: str) -> StoredResponse:
    return StoredResponse("digest", text)


def test_older_responses_stay_as_they_were_when_one_is_added() -> None:
    none = Responses()
    one = none.added((1, "a"), response("first"))
    two = one.added((2, "a"), response("second"))
    assert (len(none), len(one), len(two)) == (0, 1, 2)
    assert dict(one) == {(1, "a"): response("first")}
    assert dict(two) == {(1, "a"): response("first"), (2, "a"): response("second")}
    assert (2, "a") not in one
    assert one.get((2, "a")) is None


def test_two_that_go_on_from_the_same_responses_do_not_share_their_own() -> None:
    one = Responses().added((1, "a"), response("first"))
    lost = one.added((2, "b"), response("of a batch that failed"))
    again = one.added((2, "b"), response("of the next batch")).added((1, "c"), response("third"))
    assert lost[2, "b"] == response("of a batch that failed")
    assert again[2, "b"] == response("of the next batch")
    assert (1, "c") not in lost


def test_a_response_is_added_without_a_copy_of_those_before_it() -> None:
    responses = Responses().added((1, "0"), response("first"))
    for number in range(1, 100):
        longer = responses.added((1, str(number)), response("another"))
        assert longer._shared is responses._shared
        responses = longer


def test_the_latest_responses_come_in_their_order() -> None:
    states = [Responses()]
    for number in range(5):
        states.append(states[-1].added((1, str(number)), response(str(number))))
    assert [key for key, _ in states[-1].since(2)] == [(1, "2"), (1, "3"), (1, "4")]
    assert [key for key, _ in states[3].since(2)] == [(1, "2")]
    assert states[-1].since(5) == []


def test_responses_are_equal_if_they_hold_the_same() -> None:
    one, two = (Responses().added((1, "a"), response("first")) for _ in range(2))
    assert one == two
    assert one != two.added((1, "b"), response("second"))
