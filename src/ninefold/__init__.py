"""Ninefold: the tic-tac-toe family, played, refereed and solved.

>>> import ninefold
>>> match = ninefold.begin("classic").act(1, 4).act(2, 0)
>>> match
<Match of classic: 5 1, X to act>
>>> ninefold.analyze(match.game, match.position).lines[0]
<MoveEvaluation 2: draw>

These are the names that people need most. Each is imported from its module when it is first asked for.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from ninefold.analysis.engine import Engine
    from ninefold.analysis.evaluation import analyze, solve
    from ninefold.analysis.report.metrics import report
    from ninefold.arena.tournament import play_tournament
    from ninefold.core.errors import IllegalMove, Refusal, Unreadable
    from ninefold.core.game import Game
    from ninefold.core.position import O, Outcome, Position, Side, X
    from ninefold.games import all_games, find_game
    from ninefold.match import actions
    from ninefold.match.actions import move
    from ninefold.match.files import load, save
    from ninefold.match.log import read_log, write_log
    from ninefold.match.match import Match, begin
    from ninefold.match.record import read_record, write_record
    from ninefold.match.state import Seat
    from ninefold.players.player import make_player, play_match

__all__ = [
    "Engine",
    "Game",
    "IllegalMove",
    "Match",
    "O",
    "Outcome",
    "Position",
    "Refusal",
    "Seat",
    "Side",
    "Unreadable",
    "X",
    "actions",
    "all_games",
    "analyze",
    "begin",
    "find_game",
    "load",
    "make_player",
    "move",
    "play_match",
    "play_tournament",
    "read_log",
    "read_record",
    "report",
    "save",
    "solve",
    "write_log",
    "write_record",
]

# The modules, and the names that come from them.
_EXPORTS = {
    "ninefold.core.errors": ("IllegalMove", "Refusal", "Unreadable"),
    "ninefold.core.game": ("Game",),
    "ninefold.core.position": ("O", "Outcome", "Position", "Side", "X"),
    "ninefold.games": ("all_games", "find_game"),
    "ninefold.match.actions": ("actions", "move"),
    "ninefold.match.files": ("load", "save"),
    "ninefold.match.log": ("read_log", "write_log"),
    "ninefold.match.match": ("Match", "begin"),
    "ninefold.match.record": ("read_record", "write_record"),
    "ninefold.match.state": ("Seat",),
    "ninefold.analysis.engine": ("Engine",),
    "ninefold.analysis.evaluation": ("analyze", "solve"),
    "ninefold.analysis.report.metrics": ("report",),
    "ninefold.players.player": ("make_player", "play_match"),
    "ninefold.arena.tournament": ("play_tournament",),
}
_MODULES = {name: module for module, names in _EXPORTS.items() for name in names}

if not TYPE_CHECKING:  # a name that is not there is an error to type checkers

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _MODULES:
            raise AttributeError(f"module 'ninefold' has no attribute {name!r}")
        module = import_module(_MODULES[name])
        value = module if module.__name__.endswith(f".{name}") else getattr(module, name)
        globals()[name] = value  # asked for once
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
