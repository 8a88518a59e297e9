"""One match, turn by turn: who is asked answers, and has so many attempts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ninefold.actions import Action
from ninefold.agents.evaluation.local import LocalMatch
from ninefold.core import Refusal
from ninefold.match import Match

Agent = Callable[[Match, Sequence[Refusal]], Action | None]  # what was refused at this turn so far; None is silence


def play(table: LocalMatch, agents: Mapping[int, Agent]) -> None:
    while (seat := table.match.asked) is not None:
        action = agents[seat](table.match, ())
        if action is None:
            table.wait()
        else:
            table.act(seat, action)
