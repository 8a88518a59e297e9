"""A match on a server as it is known here: of one moment, and with everything that was heard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ninefold.client import Change, Watch
from ninefold.client.known import Known
from ninefold.client.remote import BACK, LOST, Remote
from ninefold.core.errors import NotAllowed
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.match import Match, begin

START = begin(find_game("classic"))
PLAYED = START.act(1, actions.move(4))
CLOCK = {"X": 60_000, "O": 60_000, "running": "O"}


def view_of(match: Match, status: str = "live", **more: Any) -> dict[str, Any]:
    return {"status": status, "size": len(match.events), "clock": None, "rematch": None, "seats": [], **more}


class Far(Watch):
    """A match on a server that is nowhere: its log, and what will be heard of it."""

    def __init__(self, *coming: Change | Exception) -> None:
        self._to_come = coming
        self.log: Callable[[], Match] = lambda: START

    def match(self) -> Match:
        return self.log()

    def view(self) -> dict[str, Any]:
        return view_of(START, "open")

    def changes(self, after: int | None = None) -> Any:  # noqa: ARG002 - nothing is missed here
        return self

    def __iter__(self) -> Iterator[Change]:
        for one in self._to_come:
            if isinstance(one, Exception):
                raise one
            yield one

    def close(self) -> None:
        pass


def listened(far: Far) -> Remote:
    """To the end of what comes; nothing of it has been taken in."""
    remote = Remote(far, lambda: None)
    remote.open()
    remote._listener.join()
    return remote


def test_the_log_the_view_and_the_clocks_are_known_together() -> None:
    far = Far(Change("events", view_of(PLAYED, clock=CLOCK)))
    remote = listened(far)
    before = remote.known
    while_it_is_read: list[Known] = []

    def read() -> Match:
        while_it_is_read.append(remote.known)
        return PLAYED

    far.log = read
    assert remote.hear()
    assert while_it_is_read == [before]
    assert remote.known.match == PLAYED
    assert remote.known.view["size"] == 1
    assert str(remote.known.clocks.read(remote.known.clocks.at)) == "X 1:00  O 1:00"
    assert remote.told() == ["Player 1 (X) and Player 2 (O) are at the board."]


def test_what_cannot_be_read_now_is_told_when_it_is_heard_of_again() -> None:
    view = view_of(PLAYED)
    far = Far(Change("events", view), Change("lost"), Change("events", view))
    remote = listened(far)
    attempts: Iterator[Exception | Match] = iter([NotAllowed("no_connection", "Nobody is there."), PLAYED])

    def read() -> Match:
        found = next(attempts)
        if isinstance(found, Exception):
            raise found
        return found

    far.log = read
    assert remote.hear()
    assert remote.known.match == PLAYED
    assert remote.told() == [LOST, BACK, "Player 1 (X) and Player 2 (O) are at the board."]


def test_a_refusal_ends_everything() -> None:
    remote = listened(Far(NotAllowed("gone", "The match is gone.")))
    assert remote.hear()
    assert not remote.is_reached
    with pytest.raises(NotAllowed, match=r"The match is gone\."):
        remote.told()


def test_what_breaks_the_listener_is_raised_to_whoever_takes_it_in() -> None:
    remote = listened(Far(Change("presence", seats={"1": True}), RuntimeError("broken")))
    assert not remote.is_reached
    with pytest.raises(RuntimeError, match="broken"):
        remote.hear()
