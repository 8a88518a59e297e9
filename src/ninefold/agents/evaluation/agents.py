"""Who sits at a match: the agents of a plan, each made anew for its seat."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

from ninefold.agents.evaluation.chat import ChatAgent
from ninefold.agents.evaluation.endpoint import Endpoint
from ninefold.agents.evaluation.keys import Keys
from ninefold.agents.evaluation.loop import Agent, Answer
from ninefold.agents.evaluation.plan import Plan, Spec
from ninefold.agents.evaluation.transcript import Transcript
from ninefold.core.errors import NotAllowed, quoted
from ninefold.match.actions import Action
from ninefold.match.match import Match
from ninefold.players.player import make_player
from ninefold.players.scripted import ABOUT_CLAIMS, SCRIPTS, make_script


def check_agents(plan: Plan) -> None:
    """Who cannot play is refused before the first match."""
    for spec in plan.agents:
        if spec.kind == "script":
            make_script(plan.game, str(spec.what), 0)
            _check_claims(plan, spec)
        elif spec.kind == "player":
            make_player(plan.game, str(spec.what), 0)
        elif spec.kind == "command" and not shutil.which(spec.what[0].replace("{python}", sys.executable)):
            raise NotAllowed("no_such_program", f"There is no program {quoted(spec.what[0], 60)}.", "Check its name.")


def _check_claims(plan: Plan, spec: Spec) -> None:
    if spec.what in ABOUT_CLAIMS and plan.game.settle_options(plan.options).get("claims") != "yes":
        others = " ".join(name for name in SCRIPTS if name not in ABOUT_CLAIMS)
        said = f"The script {spec.what} of agent {quoted(spec.name)} is about claims, and there are none in this game."
        raise NotAllowed("no_claims", said, f"Scripts for every game: {others}.")


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
