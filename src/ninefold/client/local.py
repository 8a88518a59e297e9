"""A session whose match is hosted in this process, by the same handlers as on a server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from ninefold.client.background import lower_priority
from ninefold.client.clock import SessionClock
from ninefold.client.clock import now as system_now
from ninefold.client.errors import spectators_cannot_act
from ninefold.client.session import Session, SessionState
from ninefold.core.errors import NotAllowed, Refusal
from ninefold.match import actions
from ninefold.match.actions import REFEREE, Action
from ninefold.match.clock import ClockState, TimeControl, full_clock
from ninefold.match.match import Match
from ninefold.match.state import HUMAN, Setup
from ninefold.match.summary import player_seed
from ninefold.players.player import Player, ShouldContinue, make_player
from ninefold.server.hosting import tokens
from ninefold.server.hosting.commands import Act, Arrive, Command, Create, HandlerContext, MatchRequest, Rematch
from ninefold.server.hosting.deadlines import advance, apply_due, is_running, next_deadline
from ninefold.server.hosting.handlers import execute, with_audit_entry
from ninefold.server.hosting.model import HostedMatch, Responses, SeatHolder

TICK = 0.25  # seconds after which a running clock is looked at again: the time may be set, or stand
JOIN_TIMEOUT = 0.2  # seconds for a computer to stop when the session is closed

Store = Callable[[HostedMatch], object]
MakeComputer = Callable[[Setup, int, ShouldContinue], Player]


def make_computer(setup: Setup, seat: int, should_continue: ShouldContinue) -> Player:
    """The computer that plays at a seat."""
    return make_player(setup.game, setup.seats[seat - 1].player, player_seed(setup.seed, seat), should_continue)


class LocalSession(Session):
    """All people sit at this screen, or at none: then computers, or other programs of this process, play.

    ``store`` is called with the match before a change is seen by anybody: if it refuses, nothing has changed. It may be
    set until the session is started. Without ``start`` the session has no thread: nothing happens unless it is called.
    ``pause`` is the time between the moves of two computers, in seconds. ``timers`` are those of a server, for claims
    and for idle matches: at one screen there are none.
    """

    def __init__(
        self,
        hosted: HostedMatch,
        secrets: Mapping[int, str],
        *,
        store: Store | None = None,
        now: Callable[[], int] = system_now,
        pause: float = 0.0,
        timers: bool = False,
        computer: MakeComputer = make_computer,
    ) -> None:
        self.store = store
        self._make_computer = computer
        self._hosted, self._secrets = hosted, dict(secrets)
        self._pause, self._timers = pause, timers
        self._keys = count(1)
        self._is_started = self._is_watching_clock = False
        self._computing_for: tuple[int, int] | None = None  # for which seat and version
        self._move_thread: threading.Thread | None = None
        super().__init__(self._session_state(), now)

    @classmethod
    def create(cls, request: MatchRequest, *, now: Callable[[], int] = system_now, **more: Any) -> LocalSession:
        """A new match, as somebody requests it; ``more`` is for the session."""
        one, two, watch = (tokens.new_secret() for _ in range(3))
        result = execute(None, Create(tokens.new_id(), request, (one, two, watch)), HandlerContext(now()))
        if result.refusal:
            raise result.refusal
        (hosted,), secrets = result.matches, result.document["seats"]
        return cls(hosted, secrets, now=now, **more)

    @classmethod
    def resume(
        cls,
        match: Match,
        control: TimeControl | None = None,
        clock: ClockState | None = None,
        *,
        now: Callable[[], int] = system_now,
        **more: Any,
    ) -> LocalSession:
        """A match from a file goes on. ``clock`` is what was left of its time; it stood while nobody played."""
        if match.result is None:
            _check_computers(match)
        at, clock = now(), clock or full_clock(control)
        if clock and is_running(match.state):
            clock = clock._replace(since=at)
        secrets = {n: tokens.new_secret() for n, seat in enumerate(match.setup.seats, 1) if seat.player == HUMAN}
        one, two = (
            SeatHolder("person", tokens.digest(secrets[n])) if n in secrets else SeatHolder("computer") for n in (1, 2)
        )
        settings = MatchRequest(match.game.id).settings._replace(clock=control)
        hosted = HostedMatch(tokens.new_id(), match, settings, (one, two), at, at, clock)
        return cls(hosted, secrets, now=now, **more)

    @property
    def hosted(self) -> HostedMatch:
        """The match with everything that belongs to it, such as the audit of refused attempts."""
        return self._hosted

    def start(self) -> None:
        with self._changed:
            self._is_started = True
            self._consider_computer()
            self._consider_clock()

    def act(self, seat: int, action: Action, typed: str = "", *, version: int | None = None) -> None:
        if seat not in self._secrets:
            raise spectators_cannot_act() if not self._secrets else NotAllowed("not_yours")
        with self._changed:
            if self._state.ended:
                raise self._state.ended
            if action.kind == "take_back":
                self._take_back(seat, action)
            else:
                version = self.match.version if version is None else version
                self._execute(Act(self._hosted.id, self._secrets[seat], self._key(), version, action, typed))

    def undo_action(self, seat: int) -> Action:
        """Against the computer back to the player's own last move, else the last move of all."""
        setup, state = self.match.setup, self.match.state
        is_against_computer = setup.seats[2 - seat].player != HUMAN
        return actions.take_back(state.plies_back(setup.side(seat)) if is_against_computer else 1)

    def rematch(self) -> LocalSession:
        """It has no store yet: it is another match."""
        if not self._secrets:
            raise spectators_cannot_act()
        with self._changed:
            token = next(iter(self._secrets.values()))
            result = execute(self._hosted, Rematch(self._hosted.id, token, tokens.new_id()), self._context())
            if result.refusal:
                raise result.refusal
            again = result.matches[1]
            for secret in self._secrets.values():  # all who play here are there
                (again,) = execute(again, Arrive(again.id, secret), self._context()).matches
        # The first match need not remember it: whoever plays once more decides anew.
        return LocalSession(
            again,
            self._secrets,
            now=self._now,
            pause=self._pause,
            timers=self._timers,
            computer=self._make_computer,
        )

    def close(self) -> None:
        with self._changed:
            self._closed, self._computing_for = True, None
            move_thread = self._move_thread
            self._changed.notify_all()
        if move_thread and move_thread is not threading.current_thread():
            move_thread.join(JOIN_TIMEOUT)

    # For programs that run a match

    def note(self, seat: int, kind: str, reason: str) -> None:
        """Write an attempt that could not be read into the audit."""
        with self._changed:
            self._hosted = with_audit_entry(self._hosted, seat, kind, reason, self._now())

    def referee(self, action: Action) -> None:
        """The referee rules: settles a claim, or declares a seat gone."""
        with self._changed:
            self._commit(advance(self._hosted, REFEREE, action, self._now(), ()))

    # Changes; the lock is held

    def _take_back(self, seat: int, action: Action) -> None:
        """No handler of the server does this, because there both players have to agree. At one screen they have.

        The computer may have moved since the action was chosen. That move goes back too: else it would only move again.
        """
        self._apply_due()
        chosen, needed = action.number, self.undo_action(seat).number
        if type(chosen) is int and needed is not None and 0 < chosen < needed:
            action = actions.take_back(needed)
        self._commit(advance(self._hosted, seat, action, self._now(), ()))

    def _execute(self, command: Command) -> None:
        result = execute(self._hosted, command, self._context())
        self._commit(result.matches[0])
        if result.refusal:
            raise result.refusal

    def _apply_due(self) -> None:
        self._commit(apply_due(self._hosted, self._now(), (), timers=self._timers))

    def _commit(self, after: HostedMatch) -> None:
        """Store, then publish."""
        after = after._replace(responses=Responses())  # nobody repeats a request here
        if after.match is self._hosted.match:
            self._hosted = after
            return
        if self.store:
            self.store(after)
        self._hosted = after
        self._publish(self._session_state())
        self._consider_computer()
        self._consider_clock()

    def _session_state(self) -> SessionState:
        hosted = self._hosted
        control, clock = hosted.settings.clock, None
        if hosted.clock and control:
            since = hosted.clock.since
            running = None if since is None else hosted.match.position.turn
            clock = SessionClock(hosted.clock.left, running, since or 0, control.increment)
        return SessionState(hosted.match, tuple(sorted(self._secrets)), clock)

    def _context(self) -> HandlerContext:
        return HandlerContext(self._now(), timers=self._timers)

    def _key(self) -> str:
        return f"request-{next(self._keys)}"

    # The computer, in a thread for each of its moves

    def _consider_computer(self) -> None:
        """Start to compute a move if it is a computer's turn. A computation for another position is dropped."""
        seat = self._hosted.computer_to_act
        wanted = (seat, self.match.version) if seat and self._is_started and not self._closed else None
        if wanted == self._computing_for:
            return
        self._computing_for = wanted
        if wanted:
            self._move_thread = threading.Thread(
                target=self._compute_move, args=(self.match, wanted), name="ninefold-computer", daemon=True
            )
            self._move_thread.start()

    def _compute_move(self, match: Match, wanted: tuple[int, int]) -> None:
        lower_priority()
        seat, until = wanted[0], time.monotonic() + (self._pause if not self._secrets and match.events else 0.0)

        def should_continue() -> bool:
            return self._computing_for == wanted

        try:
            action = self._make_computer(match.setup, seat, should_continue)(match)
            with self._changed:
                self._changed.wait_for(lambda: not should_continue(), max(0.0, until - time.monotonic()))
                if should_continue():
                    self._computing_for = None
                    command = Act(self._hosted.id, None, self._key(), self.match.version, action, computer=seat)
                    self._execute(command)
        except Refusal as refusal:
            if self.match.result is None:  # else a flag has fallen; this is a file that cannot be written, say
                self._end(refusal)
        except Exception as error:
            self._fail(error)

    # Clocks

    def _consider_clock(self) -> None:
        """Watch the clocks while the game goes on: also when a game that was over is open again."""
        if self._hosted.clock and self._is_started and not (self._is_watching_clock or self.match.result):
            self._is_watching_clock = True
            threading.Thread(target=self._watch_clock, name="ninefold-clock", daemon=True).start()

    def _watch_clock(self) -> None:
        """In a thread: let flags fall."""
        try:
            with self._changed:
                while not (self._closed or self._state.ended or self.match.result):
                    self._apply_due()
                    deadline = next_deadline(self._hosted, (), timers=self._timers)
                    left = (deadline.at - self._now()) / 1000 if deadline else TICK
                    self._changed.wait(max(0.0, min(TICK, left)))
                self._is_watching_clock = False
        except Refusal as refusal:
            self._end(refusal)
        except Exception as error:
            self._fail(error)


def _check_computers(match: Match) -> None:
    """Refuse computers that cannot play this game."""
    for seat in match.setup.seats:
        if seat.player != HUMAN:
            make_player(match.game, seat.player, 0)
