"""What has changed between two states of a session besides the events of the match, in words."""

from __future__ import annotations

from ninefold.client.session import SessionState
from ninefold.core.messages import text


def describe_changes(before: SessionState, after: SessionState) -> list[str]:
    """The connection, players who have joined, a rematch."""
    setup, lines = after.match.setup, []
    if before.is_connected and not after.is_connected:
        lines.append(text("session.disconnected"))
    if after.is_connected and not before.is_connected:
        lines.append(text("session.reconnected"))
    if before.open_seats and not after.open_seats:
        if after.seats:
            lines.append(text("session.joined", player=setup.label(3 - after.seats[0])))
        else:
            lines.append(text("session.both_joined", one=setup.label(1), two=setup.label(2)))
    if after.rematch and not before.rematch:
        lines.append(text("session.rematch"))
    return lines


def has_news(before: SessionState, after: SessionState) -> bool:
    """True if there is something to say: clocks, and who is connected, are not news."""
    return after.match is not before.match or after.ended is not before.ended or bool(describe_changes(before, after))
