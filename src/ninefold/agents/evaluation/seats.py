"""Who sits at a match: the agents of a plan, each made anew for its seat."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from ninefold.actions import Action
from ninefold.agents.evaluation.chat import ChatAgent
from ninefold.agents.evaluation.endpoint import Endpoint
from ninefold.agents.evaluation.keys import Keys
from ninefold.agents.evaluation.plan import Plan, Spec
from ninefold.agents.evaluation.transcript import Transcript
from ninefold.agents.evaluation.turns import Agent, Answer
from ninefold.agents.scripted import make_script
from ninefold.core import NotAllowed, quoted
from ninefold.match import Match
from ninefold.players import make_player


def check_agents(plan: Plan) -> None:
    """Who cannot play is refused before the first match."""
    for spec in plan.agents:
        if spec.kind == "script":
            make_script(plan.game, str(spec.what), 0)
        elif spec.kind == "player":
            make_player(plan.game, str(spec.what), 0)
        elif spec.kind == "command" and not shutil.which(spec.what[0]):
            raise NotAllowed("no_such_program", f"There is no program {quoted(spec.what[0], 60)}.", "Check its name.")


def make_agent(plan: Plan, spec: Spec, seed: int, keys: Keys, transcript: Callable[[], Transcript]) -> Agent:
    """An agent that is asked turn by turn. Whoever is no such agent, or cannot play this game, is refused."""
    if spec.kind == "chat":
        return ChatAgent(
            Endpoint(str(spec.what), keys.of(spec.name), keys.hide),
            transcript(),
            keys,
            model=spec.model,
            parameters=dict(spec.parameters),
            seconds=plan.seconds,
            show_moves=plan.show_moves,
        )
    make = make_script if spec.kind == "script" else make_player
    return _turn_by_turn(make(plan.game, str(spec.what), seed))


def _turn_by_turn(act: Callable[[Match], Action | None]) -> Agent:
    def answer(match: Match, _: object) -> Answer | None:
        action = act(match)
        return None if action is None else Answer(action)

    return answer
