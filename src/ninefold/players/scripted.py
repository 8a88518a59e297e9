"""Scripted agents: one is honest, the others lie or fail in one way each. The referee is tested against them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.grid import CELLS, LINES
from ninefold.core.messages import text
from ninefold.core.random_choice import pick
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.match import Match
from ninefold.players.player import Player, make_player

Script = Callable[[Match], Action | None]  # None is silence

LEVEL = "easy"  # of their moves
FALSE_CLAIM_AT = 3  # the number of the move with the false claim
LATEST_SILENCE = 3  # turns after which a silent agent is silent at the latest


def make_script(game: Game, name: str, seed: int) -> Script:
    """A scripted agent for one match. The same seed and the same match give the same action."""
    if name not in _SCRIPTS:
        raise Unreadable("no_such_player.script", name=quoted(name), scripts=" ".join(SCRIPTS))
    return _SCRIPTS[name](make_player(game, LEVEL, seed), seed)


def _honest(play: Player, _: int) -> Script:
    """Claims what is won, answers claims as they are."""
    return play


def _claims_falsely(play: Player, seed: int) -> Script:
    def act(match: Match) -> Action:
        action = play(match)
        if not isinstance(action.move, int) or not match.setup.has_claims or _turns(match) != FALSE_CLAIM_AT - 1:
            return action
        return action._replace(cells=_false_line(match, action.move, _random(seed, match)))

    return act


def _misreports(play: Player, seed: int) -> Script:
    def act(match: Match) -> Action:
        action = play(match)
        if not isinstance(action.move, int):
            return action
        other = pick(_random(seed, match), [move for move in range(len(match.game.paths)) if move != action.move])
        return action._replace(text=text("script.misreport", move=match.game.name(other)))

    return act


def _confirms(play: Player, _: int) -> Script:
    return lambda match: actions.CONFIRM if match.state.pending else play(match)


def _disputes(play: Player, _: int) -> Script:
    return lambda match: actions.dispute(text("script.dispute")) if match.state.pending else play(match)


def _never_claims(play: Player, _: int) -> Script:
    """Never claims its own lines, and leaves them to the referee."""

    def act(match: Match) -> Action:
        action = play(match)
        if match.state.pending:
            return action
        return actions.move(match.position.moves()[0] if action.move is None else action.move)

    return act


def _falls_silent(play: Player, seed: int) -> Script:
    last = pick(Random(f"{seed}/silent"), range(LATEST_SILENCE + 1))
    return lambda match: None if _turns(match) >= last else play(match)


def _turns(match: Match) -> int:
    """The number of moves that the seat to act has made."""
    return sum(event.action.kind == "move" and event.seat == match.to_act for event in match.played)


def _false_line(match: Match, move: int, rng: Random) -> tuple[int, ...]:
    """Three cells that are not a line of the mover after its move; every way of being false is equally likely."""
    cells, side = match.position.play(move).cells, match.position.turn
    ways: dict[object, list[tuple[int, ...]]] = {}
    for three in _TRIPLES:
        marks = tuple(cells[cell] for cell in three)
        if three not in LINES or marks != (side,) * 3:
            ways.setdefault((three in LINES, marks), []).append(three)
    way = list(ways.values())[pick(rng, range(len(ways)))]
    return way[pick(rng, range(len(way)))]


def _random(seed: int, match: Match) -> Random:
    return Random(f"{seed}/{len(match.state.moves)}")


_TRIPLES = tuple(combinations(CELLS, 3))
_SCRIPTS: dict[str, Callable[[Player, int], Script]] = {
    "honest": _honest,
    "claims-falsely": _claims_falsely,
    "misreports": _misreports,
    "confirms-all": _confirms,
    "disputes-all": _disputes,
    "never-claims": _never_claims,
    "falls-silent": _falls_silent,
}
SCRIPTS = tuple(_SCRIPTS)
ABOUT_CLAIMS = ("claims-falsely", "confirms-all", "disputes-all", "never-claims")  # honest where there are none
