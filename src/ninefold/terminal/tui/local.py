"""A table at this screen: two people, a person and the computer, or two computers. Every event is kept on disk."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from ninefold.core.errors import Refusal
from ninefold.core.position import Side
from ninefold.match import actions
from ninefold.match.actions import REFEREE, Action
from ninefold.match.clock import ClockReading, ClockState, TimeControl, full_clock, now
from ninefold.match.match import Match
from ninefold.match.state import HUMAN
from ninefold.server.hosting.commands import MatchRequest
from ninefold.server.hosting.deadlines import advance, is_running, read_clock
from ninefold.server.hosting.model import HostedMatch, SeatHolder
from ninefold.terminal.console.table import computer_at, undo_at_one_screen
from ninefold.terminal.new_match import Lines, new_match
from ninefold.terminal.saves import Saved, new_file
from ninefold.terminal.tui.threads import Work, into_loop

PAUSE = 1.0  # seconds between the moves of two computers
LEAVING = 0.2  # seconds that a thought is given to end when its table is left


class Local:
    """``clock`` is what the match is played with; ``time`` is what is left of it where the match began earlier."""

    is_online = False
    is_sending = False
    connection = no_hint = ""

    def __init__(
        self,
        match: Match,
        *,
        clock: TimeControl | None = None,
        time: ClockState | None = None,
        save: Saved | None = None,
        pause: float = PAUSE,
    ) -> None:
        person = SeatHolder("person")
        left = time or full_clock(clock)
        at = now()
        settings = MatchRequest(match.game.id).settings._replace(clock=clock)
        self._kept = HostedMatch("", match, settings, (person, person), at, at, left)
        if left and is_running(match.state):
            self._kept = self._kept._replace(clock=left._replace(since=at))
        self._save = save
        self._opened = match
        self._pause = pause
        self._thought: Work[Action] | None = None
        self._closed = False
        self._changed: Callable[[], None] = _nobody
        self._tell: Callable[[str], None] = _nobody

    @property
    def match(self) -> Match:
        return self._kept.match

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(number for number, seat in enumerate(self.match.setup.seats, 1) if seat.player == HUMAN)

    @property
    def to_act(self) -> int | None:
        return self.match.to_act if self.match.to_act in self.seats else None

    @property
    def waits_for(self) -> str:
        asked = self.match.to_act
        return "" if asked is None or asked in self.seats else f"{self.match.setup.label(asked)} is thinking ..."

    def is_away(self, seat: int) -> bool:  # noqa: ARG002 - everybody is here
        return False

    def is_free(self, seat: int) -> bool:  # noqa: ARG002 - everybody is here
        return False

    def begin(self, changed: Callable[[], None], tell: Callable[[str], None]) -> None:
        self._changed, self._tell = changed, tell
        if self._save:
            call = into_loop()
            self._save.on_trouble = lambda text: call(lambda: self._tell(text))
        self._go_on()

    def act(self, seat: int, action: Action) -> None:
        self._advance(seat, action)

    def undo(self, seat: int) -> Action:
        return undo_at_one_screen(self.match, seat)

    def clocks(self) -> ClockReading | None:
        return read_clock(self._kept, now(), ())

    def tick(self) -> None:
        """Let the flag fall of who has no time left. At one screen nothing else happens by itself."""
        clocks = self.clocks()
        if clocks and clocks.running is not None and clocks.left[clocks.running] <= 0 and not self.match.result:
            self._advance(REFEREE, actions.flag(self.match.setup.seat(clocks.running)))

    async def again(self) -> Local:
        setup = self.match.setup
        first, second = (seat._replace(side=seat.side.other) for seat in setup.seats)
        seats = (first, second) if first.side is Side.X else (second, first)
        match = new_match(self.match.game, dict(setup.options), seats, first.side)
        save = self._save.another(new_file(match, self._save.file.parent)) if self._save else None
        return Local(match, clock=self._kept.settings.clock, save=save, pause=self._pause)

    @property
    def lines(self) -> Lines:
        return Lines(self.match, str(self._save.file) if self._save and self.match.events else "")

    def close(self) -> None:
        self._closed = True
        self._changed, self._tell = _nobody, _nobody
        if self._thought:
            self._thought.stop(LEAVING)
        if self._save:
            if self.match is not self._opened or self._kept.clock:
                self._keep()
            self._save.close()

    def _advance(self, seat: int, action: Action) -> None:
        """Everything that happens happens here."""
        self._kept = advance(self._kept, seat, action, now(), ())
        self._keep()
        self._changed()
        self._go_on()

    def _keep(self) -> None:
        if self._save and self.match.events:
            clocks = self.clocks()
            self._save.keep(self.match, self._kept.settings.clock, clocks and clocks.left)

    def _go_on(self) -> None:
        """Put the computer to work where it is asked."""
        if self._thought:
            self._thought.stop()
            self._thought = None
        seat = self.match.to_act
        if seat is None or seat in self.seats or self._closed:
            return
        pause = self._pause if not self.seats and self.match.events else 0.0
        self._thought = Work(partial(_think, self.match, seat, pause), partial(self._thought_of, self.match, seat))

    def _thought_of(self, match: Match, seat: int, action: Action) -> None:
        if match is self.match and not self._closed:
            try:
                self._advance(seat, action)
            except Refusal as refusal:
                self._tell(str(refusal))


def _think(match: Match, seat: int, pause: float, work: Work[Action]) -> Action:
    """In a thread: what the computer at a seat does."""
    until = time.monotonic() + pause
    action = computer_at(match.setup, seat, work.is_wanted)(match)
    while work.is_wanted() and time.monotonic() < until:
        time.sleep(0.02)
    return action


def _nobody(*_: object) -> None:
    """Nobody listens."""
