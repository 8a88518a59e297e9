"""Players: functions from a match to the action of the seat that is asked. Seeds are passed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ninefold import actions
from ninefold.actions import Action
from ninefold.claims import judge, line_held
from ninefold.core import Unreadable, quoted
from ninefold.game import Game
from ninefold.match import Match
from ninefold.state import HUMAN

if TYPE_CHECKING:
    from random import Random

Player = Callable[[Match], Action]
Chooser = Callable[[Match, "Random"], int]
IsWanted = Callable[[], bool]

_SMALL = ("easy", "medium", "hard", "perfect")
_BIG = ("easy", "medium", "hard", "expert")  # nobody is perfect there


def levels(game: Game) -> tuple[str, ...]:
    """The computer's levels for a game, weakest first."""
    return _SMALL if game.small else _BIG


def player_names(game: Game) -> tuple[str, ...]:
    """Everybody who can be seated at a game."""
    return (HUMAN, "random", *levels(game))


def make_player(game: Game, name: str, seed: int, is_wanted: IsWanted | None = None) -> Player:
    """A computer player. The same seed and the same match give the same action on every machine.

    ``is_wanted`` is asked now and then while the engine thinks; when it says no, the action is any one at all.
    """
    choose = _chooser(game, name, is_wanted)

    def act(match: Match) -> Action:
        from random import Random

        return _act(match, choose, Random(f"{seed}/{name}/{len(match.state.moves)}"))

    return act


def _chooser(game: Game, name: str, is_wanted: IsWanted | None) -> Chooser:
    if name == "random":
        return lambda match, rng: pick(rng, match.position.moves())
    if name not in levels(game):
        raise Unreadable(
            "no_such_player",
            f"{game.title} has no player {quoted(name)}.",
            f"The computer plays as: {' '.join(player_names(game)[1:])}.",
        )
    if game.small:
        from ninefold.players.table import level

        return level(name)
    from ninefold.engine import is_native

    if is_native():
        from ninefold.players.big import level as thinking

        return thinking(name, is_wanted)
    from ninefold.players.search import level as searching

    return searching(name)


def pick(rng: Random, moves: Sequence[int]) -> int:
    """One of the moves. Only ``random()`` gives the same numbers in every version of Python."""
    return moves[int(rng.random() * len(moves))]


def _act(match: Match, choose: Chooser, rng: Random) -> Action:
    """Claim what is won, answer claims honestly, else play the chosen move."""
    position, pending = match.position, match.state.pending
    if pending:
        verdict = judge(position.cells, pending)
        return actions.CONFIRM if verdict.true else actions.dispute(verdict.sentence(match.game.naming, position.cells))
    if not match.setup.has_claims:
        return actions.move(choose(match, rng))
    side = position.turn
    line = line_held(position.cells, side)
    if line and side not in match.state.barred:
        return actions.claim(line)
    move = choose(match, rng)
    return actions.move(move, claim=line_held(position.play(move).cells, side))
