"""Players: functions from a match to the action of the seat to act. Seeds are passed in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.grid import completed_line
from ninefold.core.position import Side
from ninefold.core.random_choice import pick
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.claims import judge
from ninefold.match.match import Match, begin
from ninefold.match.state import HUMAN, Seat
from ninefold.match.summary import player_seed

if TYPE_CHECKING:
    from random import Random

Player = Callable[[Match], Action]
AnyPlayer = Callable[[Match], Action | int | str]  # what a match takes as an action
Chooser = Callable[[Match, "Random"], int]
ShouldContinue = Callable[[], bool]

_SMALL = ("easy", "medium", "hard", "perfect")
_BIG = ("easy", "medium", "hard", "expert")
DEFAULT_LEVEL = 1  # the place of the level that forms offer first, among the levels of a game


def levels(game: Game) -> tuple[str, ...]:
    """The computer's levels for a game, weakest first."""
    return _SMALL if game.small else _BIG


def player_names(game: Game) -> tuple[str, ...]:
    """All players that can take a seat in a game."""
    return (HUMAN, "random", *levels(game))


def is_local(name: str) -> bool:
    """True for ``mcts:SIMULATIONS``, ``mcts-python:SIMULATIONS`` and ``alphazero:FILE``, which servers do not offer:
    whoever names one waits for it, however long it takes, and it may read a file."""
    return name.partition(":")[0] in ("mcts", "mcts-python", "alphazero")


def no_such_player(game: Game, name: str) -> Unreadable:
    players = " ".join(player_names(game)[1:])
    return Unreadable("no_such_player", game=game.title, name=quoted(name), players=players)


def make_player(game: Game | str, name: str, seed: int = 0, should_continue: ShouldContinue | None = None) -> Player:
    """A computer player: ``random``, a level of the game, or ``mcts:SIMULATIONS`` in a big one. The same seed and the
    same match give the same action on every machine.

    ``should_continue`` is called now and then while the computer searches. Once it returns False the search stops, and
    the action is of no use.

    >>> from ninefold import begin
    >>> match = begin("classic").act(1, 0)
    >>> perfect = make_player("classic", "perfect")
    >>> perfect(match)
    Action('move', move=4)
    """
    chosen = find_game(game)
    if not isinstance(name, str):
        raise no_such_player(chosen, str(name))
    choose = _chooser(chosen, name, should_continue)

    def act(match: Match) -> Action:
        from random import Random

        return _act(match, choose, Random(f"{seed}/{name}/{len(match.state.moves)}"))

    return act


def play_match(game: Game | str, x: AnyPlayer | str, o: AnyPlayer | str, *, seed: int = 0, **options: str) -> Match:
    """A match of two players, played to its end. A player is a name as ``make_player`` takes it, or a function from a
    match to an action, or to a move.

    >>> play_match("classic", lambda match: match.position.moves()[0], lambda match: match.position.moves()[-1])
    <Match of classic: 1 9 2 8 3, 1-0>
    >>> play_match("swap-nine", "perfect", "random", seed=3).result.score
    '1-0'
    """
    found = find_game(game)
    for player in (x, o):
        if not isinstance(player, str) and not callable(player):
            raise no_such_player(found, str(player))
    seats = [Seat(side, player=_label(player)) for side, player in ((Side.X, x), (Side.O, o))]
    match = begin(found, options, (seats[0], seats[1]), seed=seed)
    players = [
        make_player(found, player, player_seed(seed, side)) if isinstance(player, str) else player
        for side, player in ((Side.X, x), (Side.O, o))
    ]
    while seat := match.to_act:
        match = match.act(seat, players[match.setup.side(seat)](match))
    return match


def _label(player: AnyPlayer | str) -> str:
    return player if isinstance(player, str) else getattr(player, "__name__", type(player).__name__)


def _chooser(game: Game, name: str, should_continue: ShouldContinue | None) -> Chooser:
    if name == "random":
        return lambda match, rng: pick(rng, match.position.moves())
    kind = name.partition(":")[0]
    if kind == "mcts-python" or (kind == "mcts" and not game.small):
        from ninefold.players import mcts

        return mcts.player(name, should_continue)
    if kind == "alphazero":
        from ninefold.players import alphazero

        return alphazero.player(game, name, should_continue)
    if name not in levels(game):
        raise no_such_player(game, name)
    if game.small:
        from ninefold.players import solved

        return solved.level(name)
    from ninefold.analysis.engine import is_native

    if is_native():
        from ninefold.players import engine_levels

        return engine_levels.level(name, should_continue)
    from ninefold.players import mcts

    return mcts.level(name)


def _act(match: Match, choose: Chooser, rng: Random) -> Action:
    """Claim a line, answer claims honestly, or else play the chosen move."""
    position, pending = match.position, match.state.pending
    if pending:
        verdict = judge(position.cells, pending)
        return actions.CONFIRM if verdict.true else actions.dispute(verdict.sentence(match.game.naming))
    if not match.setup.has_claims:
        return actions.move(choose(match, rng))
    side = position.turn
    line = completed_line(position.cells, side)
    if line and side not in match.state.barred:
        return actions.claim(line)
    move = choose(match, rng)
    return actions.move(move, claim=completed_line(position.play(move).cells, side))
