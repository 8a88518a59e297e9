"""Fair shares of the engine: by address, and for cheap levels first. In memory: no log and no table has an address."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ninefold.core.errors import Refusal
from ninefold.players.player import levels
from ninefold.server.hosting.model import HostedMatch

CHEAP = 2  # the highest cost of a cheap move: up to medium in large games
MOST_REMEMBERED = 50_000  # matches whose address is known, and addresses that have used the engine


class EngineShares:
    """How long the engine has worked for each address: the next move is for the one with the shortest time.

    A match belongs to the address of whoever acted in it last. After a restart, or at another worker, all that nobody
    has acted in share one unknown address.
    """

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, str] = OrderedDict()  # by match
        self._used: dict[str, int] = {}  # milliseconds, by address
        self._least = 0  # what an address starts from that has not been served for long: it saves nothing up

    def address_of(self, match: str) -> str:
        return self._addresses.get(match, "")

    def assign(self, match: str, address: str) -> None:
        """The next moves of the computer in this match are for this address."""
        self._addresses[match] = address
        self._addresses.move_to_end(match)
        if len(self._addresses) > MOST_REMEMBERED:
            self._addresses.popitem(last=False)

    def forget(self, match: str) -> None:
        self._addresses.pop(match, None)

    def next(self, waiting: Iterable[HostedMatch]) -> HostedMatch:
        """The match whose turn it is: of those that wait longest, where everything else is equal."""
        chosen = min(waiting, key=lambda hosted: (self._used_by(hosted.id), _cost(hosted)))
        self._least = max(self._least, self._used_by(chosen.id))
        return chosen

    def _used_by(self, match: str) -> int:
        return max(self._least, self._used.get(self.address_of(match), 0))

    def charge(self, match: str, ms: int) -> None:
        """The engine has worked for a match. A move counts, however short it was."""
        if len(self._used) >= MOST_REMEMBERED:
            self._used = {address: used for address, used in self._used.items() if used > self._least}
        self._used[self.address_of(match)] = self._used_by(match) + max(1, ms)


class ComputerMatches:
    """Unfinished matches of two computers, which nobody has to play in: how many there are, in all and by address.

    Those that another worker has ended are found by the housekeeping.
    """

    def __init__(self) -> None:
        self._addresses: dict[str, str] = {}  # by match

    def __len__(self) -> int:
        return len(self._addresses)

    def __iter__(self) -> Iterator[str]:
        return iter(self._addresses)

    def __contains__(self, match: str) -> bool:
        return match in self._addresses

    def count(self, address: str) -> int:
        return Counter(self._addresses.values())[address]

    @contextmanager
    def creating(self, match: str, address: str) -> Iterator[None]:
        """Around the creation of a match: it counts before it is stored, and not if it is refused."""
        is_repeat = match in self
        self._addresses[match] = address
        try:
            yield
        except Refusal:
            if not is_repeat:
                self.remove(match)
            raise
        self._addresses[match] = address  # the housekeeping may have looked before it was stored

    def remove(self, match: str) -> None:
        self._addresses.pop(match, None)


def is_cheap(hosted: HostedMatch) -> bool:
    """True if the computer that is to act takes little time."""
    return _cost(hosted) <= CHEAP


def _cost(hosted: HostedMatch) -> int:
    """How much a move of this computer costs, compared with others."""
    game, seat = hosted.match.game, hosted.computer_to_act
    level = hosted.match.setup.seats[seat - 1].player if seat else ""
    if game.small or level not in levels(game):
        return 0
    return 1 + levels(game).index(level)
