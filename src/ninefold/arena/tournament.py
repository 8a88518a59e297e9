"""A tournament from Python: played here, and its ratings as a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ninefold.arena.config import PAIRS
from ninefold.arena.executors import in_processes
from ninefold.arena.participants import make_participant
from ninefold.arena.ratings import Rating, ratings
from ninefold.arena.schedule import GameResult, play_game, schedule
from ninefold.core.data_frame import data_frame
from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game
from ninefold.core.integers import as_integer
from ninefold.games import find_game

if TYPE_CHECKING:
    from ninefold.core.data_frame import DataFrame

__all__ = ["Tournament", "play_tournament"]


class Tournament(NamedTuple):
    """The games of a tournament that were played, in the order of its schedule.

    >>> from ninefold import play_tournament
    >>> tournament = play_tournament("classic", ["random", "perfect"], pairs=2)
    >>> tournament.to_pandas()[["player", "games"]]
        player  games
    0  perfect      4
    1   random      4
    >>> tournament.games_to_pandas()[["x", "o", "plies"]].shape
    (4, 3)
    """

    game: Game
    players: tuple[str, ...]
    results: tuple[GameResult, ...]

    def __repr__(self) -> str:
        return f"<Tournament of {self.game.id}: {', '.join(self.players)}, {len(self.results)} games>"

    @property
    def ratings(self) -> list[Rating]:
        """Elo of every player with its interval, strongest first.

        >>> from ninefold import play_tournament
        >>> [rating.player for rating in play_tournament("swap-nine", ["random", "perfect"], pairs=3).ratings]
        ['perfect', 'random']
        """
        return ratings(self.results, self.players)

    def to_pandas(self) -> DataFrame:
        """The ratings, a row for each player. It needs the extra ``pandas``.

        >>> from ninefold import play_tournament
        >>> list(play_tournament("classic", ["random", "perfect"], pairs=1).to_pandas())
        ['player', 'elo', 'low', 'high', 'points', 'games']
        """
        rows = self.ratings
        return data_frame({field: [getattr(row, field) for row in rows] for field in Rating._fields})

    def games_to_pandas(self) -> DataFrame:
        """The games, a row for each. It needs the extra ``pandas``.

        >>> from ninefold import play_tournament
        >>> play_tournament("classic", ["random", "perfect"], pairs=1).games_to_pandas()[["x", "o"]].values.tolist()
        [['random', 'perfect'], ['perfect', 'random']]
        """
        return data_frame({field: [getattr(row, field) for row in self.results] for field in GameResult._fields})


def play_tournament(
    game: Game | str,
    players: Sequence[str],
    *,
    pairs: int = PAIRS,
    seed: int = 0,
    openings: str = "random",
    workers: int = 1,
    options: Mapping[str, str] | None = None,
) -> Tournament:
    """Play a round robin as ``ninefold arena`` does: every two players meet from every opening, once with each side, in
    one process or in several.

    >>> tournament = play_tournament("classic", ["random", "easy", "perfect"], pairs=4)
    >>> tournament
    <Tournament of classic: random, easy, perfect, 24 games>
    >>> tournament.ratings[0].player, sum(rating.points for rating in tournament.ratings)
    ('perfect', 24.0)
    """
    if isinstance(players, str) or not all(isinstance(name, str) for name in players):
        raise TypeError(f"players must be a list of names, such as ['easy', 'hard'], not {players!r}.")
    pairs, seed, workers = as_integer("pairs", pairs), as_integer("seed", seed), as_integer("workers", workers)
    if pairs < 1 or workers < 1:
        raise ValueError(f"A tournament has at least one pair of games and one worker, not {pairs} and {workers}.")
    found, names = find_game(game), tuple(dict.fromkeys(players))
    if len(names) < 2:
        raise NotAllowed("too_few")
    start = found.begin(options)
    for name in names:
        with make_participant(found, name, start, 0):
            pass  # a participant that cannot play is refused before the first game
    games = schedule(found, dict(options or {}), list(names), pairs, seed, openings)
    played = map(play_game, games) if workers == 1 else in_processes(play_game, games, workers)
    return Tournament(found, names, tuple(sorted(played)))
