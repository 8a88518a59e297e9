"""Sessions on the event loop: the only place where the screen meets threads and calls that block."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from ninefold.client.errors import spectators_cannot_act
from ninefold.client.local import LocalSession
from ninefold.client.remote import RemoteSession
from ninefold.client.session import Session, SessionState
from ninefold.core.errors import Refusal
from ninefold.core.messages import text
from ninefold.match.actions import Action
from ninefold.match.clock import ClockReading
from ninefold.match.match import Match
from ninefold.server.hosting.model import HostedMatch
from ninefold.terminal.changes import describe_changes
from ninefold.terminal.new_match import Continuation
from ninefold.terminal.saves import GameSaver, SavedState, new_file, save_link
from ninefold.terminal.tui.executor import SerialExecutor, call_in_loop, run_once


def _ignore(*_: object) -> None:
    pass


class ScreenSession(ABC):
    """A session as the screen uses it. ``state`` is replaced as a whole, and in the loop only: between two messages
    everything that is shown is of one moment."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.state: SessionState = session.state
        self.news = ""  # reported when it begins
        self.parting = ""  # set by ``close``: what became of the match, and how to go on; "" if there is nothing to say
        self._on_change: Callable[[], object] = _ignore
        self._report: Callable[[str], object] = _ignore
        self._unsubscribe: Callable[[], object] = _ignore

    @property
    def match(self) -> Match:
        return self.state.match

    @property
    def is_sending(self) -> bool:
        """True while an action is on its way to a server."""
        return False

    def clock(self) -> ClockReading | None:
        return self.session.clock()

    def start(self, on_change: Callable[[], object], report: Callable[[str], object]) -> None:
        """Begin the session. ``on_change`` is called after every change, ``report`` with news, both in the loop that is
        running now."""
        self._on_change, self._report = on_change, report
        self._unsubscribe = self.session.subscribe(partial(call_in_loop(), self.refresh))
        self.session.start()
        self.refresh()
        if self.news:
            self._report(self.news)

    def refresh(self) -> None:
        """In the loop: show the session as it is now."""
        if self.session.error:
            raise self.session.error
        before, self.state = self.state, self.session.state
        if self.state is before:
            return
        for line in describe_changes(before, self.state):
            self._report(line)
        self._on_change()

    def undo_action(self, seat: int) -> Action:
        return self.session.undo_action(seat)

    @abstractmethod
    def act(self, seat: int, action: Action) -> None:
        """Take an action, or raise its refusal. On a server that takes its time, and a refusal is reported later."""

    @abstractmethod
    async def rematch(self) -> ScreenSession:
        """The same players once more; the other one starts."""

    @property
    @abstractmethod
    def continuation(self) -> Continuation:
        """How to continue at the line console."""

    @property
    def leave_note(self) -> str:
        """What leaving does now, for the help."""
        return text("keys.leave")

    def close(self) -> None:
        """Leave. The match is not ended by this."""
        self._unsubscribe()
        self._on_change = self._report = self._unsubscribe = _ignore


AskWhere = Callable[["LocalScreenSession", str], object]


class LocalScreenSession(ScreenSession):
    """A match at this screen. It is called directly: a move is made before the next key is looked at. Every event is
    saved, unless there is no ``saver``. ``ask_where`` is called when that fails for the first time."""

    parting: str

    def __init__(
        self, session: LocalSession, saver: GameSaver | None = None, ask_where: AskWhere | None = None
    ) -> None:
        super().__init__(session)
        self._local, self._saver, self._ask_where = session, saver, ask_where
        self._opened = session.match
        self._has_asked = False
        if saver:
            session.store = self._save

    def start(self, on_change: Callable[[], object], report: Callable[[str], object]) -> None:
        if self._saver:
            call = call_in_loop()
            self._saver.on_error = lambda error: call(lambda: self._save_failed(error))
        super().start(on_change, report)

    def _save_failed(self, error: str) -> None:
        """Ask once; whoever goes on unsaved is told the rest when the game is left."""
        if self._has_asked or self._ask_where is None:
            self._report(error)
        else:
            self._has_asked = True
            self._ask_where(self, error)

    @property
    def file(self) -> Path | None:
        return self._saver.file if self._saver else None

    async def save_elsewhere(self, file: Path) -> None:
        """Save the match in another file from now on, or raise why that cannot be."""
        if self._saver:
            state = self._state_to_save()
            await run_once(partial(self._saver.save_elsewhere, file, *state))
            self._has_asked = False

    def report(self, news: str) -> None:
        self._report(news)

    def act(self, seat: int, action: Action) -> None:
        self.session.act(seat, action)
        self.refresh()

    async def rematch(self) -> ScreenSession:
        again = self._local.rematch()
        saver = self._saver and self._saver.for_another(new_file(again.match, self._saver.file.parent))
        return LocalScreenSession(again, saver, self._ask_where)

    @property
    def continuation(self) -> Continuation:
        return Continuation(self.match, str(self._saver.file) if self._saver and self.match.events else "")

    def close(self) -> None:
        super().close()
        self.session.close()
        if not self._saver:
            return
        state, is_in_file = self._state_to_save(), self._is_in_file
        if state.match.events and (state.match is not self._opened or state.left):
            self._saver.save(*state)
        if not self._saver.close():
            return  # it has said why
        file = quote(str(self._saver.file))
        ended = "parting.ended" if state.match.result else "parting.saved"
        self.parting = text(ended, file=file) if is_in_file else text("parting.nothing")

    @property
    def _is_in_file(self) -> bool:
        """True if the match has a file, or will have one when it is left."""
        has_changed = bool(self.match.events) and self.match is not self._opened
        return has_changed or (self._saver is not None and self._saver.lock is not None)

    @property
    def leave_note(self) -> str:
        if not self._saver:
            return super().leave_note
        if self._saver.has_failed:
            return text("keys.leave.failed")
        return text("keys.leave.saved" if self._is_in_file else "keys.leave.nothing")

    def _state_to_save(self) -> SavedState:
        clock = self.session.clock()
        return SavedState(self.session.match, self._local.hosted.settings.clock, clock.left if clock else None)

    def _save(self, hosted: HostedMatch) -> None:
        if self._saver and hosted.match.events:
            self._saver.save(hosted.match, hosted.settings.clock, hosted.clock.left if hosted.clock else None)


class WatchingScreenSession(ScreenSession):
    """A match that is only looked at: everything else is refused."""

    def act(self, seat: int, action: Action) -> None:
        self.session.act(seat, action)

    async def rematch(self) -> ScreenSession:
        raise spectators_cannot_act()

    @property
    def continuation(self) -> Continuation:
        return Continuation()

    def close(self) -> None:
        super().close()
        self.session.close()


class SentAction(NamedTuple):
    """An action on its way to a server. The socket may bring its event before the request is answered."""

    seat: int
    action: Action
    sent_after: int  # the number of events that were known when it was sent

    def has_arrived(self, match: Match) -> bool:
        since = match.events[self.sent_after :]
        return any(event.seat == self.seat and event.action.kind == self.action.kind for event in since)


class RemoteScreenSession(ScreenSession):
    """A seat on a server, or a match that is watched there.

    ``link`` opened it, or the match that this is a later rematch of. A seat is saved in ``folder``, also when this is
    made: not in the loop. ``invitation`` is the link for the opponent, if the match was begun here.
    """

    parting: str

    def __init__(
        self,
        session: RemoteSession,
        link: str = "",
        folder: Path | None = None,
        *,
        rematches: int = 0,
        invitation: str = "",
    ) -> None:
        super().__init__(session)
        self.invitation = invitation
        self._remote, self._link, self._folder, self._rematches = session, link, folder, rematches
        self._executor = SerialExecutor()
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending: list[SentAction] = []
        self._save_link()

    @property
    def is_sending(self) -> bool:
        return any(not sent.has_arrived(self.match) for sent in self._sending)

    def act(self, seat: int, action: Action) -> None:
        sent = SentAction(seat, action, len(self.match.events))
        self._sending.append(sent)
        self._spawn(self._act(sent))
        self._on_change()

    async def _act(self, sent: SentAction) -> None:
        try:
            await self._executor.run(partial(self.session.act, sent.seat, sent.action))
        except Refusal as refusal:
            self._report(str(refusal))
        finally:
            self._sending.remove(sent)
            self.refresh()
            self._on_change()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)  # the loop itself holds tasks loosely
        task.add_done_callback(self._tasks.discard)

    async def rematch(self) -> ScreenSession:
        return await self._executor.run(self._rematch, RemoteScreenSession.close)

    def _rematch(self) -> RemoteScreenSession:
        return RemoteScreenSession(self._remote.rematch(), self._link, self._folder, rematches=self._rematches + 1)

    @property
    def continuation(self) -> Continuation:
        return Continuation(link=self._link, rematches=self._rematches, watches=not self.state.seats)

    @property
    def _is_seat_kept(self) -> bool:
        return bool(self._folder and self.state.seats and not self.match.result)

    @property
    def leave_note(self) -> str:
        return text("keys.leave.seat") if self._is_seat_kept else super().leave_note

    def close(self) -> None:
        super().close()
        self.parting = text("parting.seat") if self._is_seat_kept else ""
        self._executor.finish(self._close)

    def _close(self) -> None:
        self.session.close()
        self._save_link()

    def _save_link(self) -> None:
        if self._folder and self.session.state.seats:
            seat, invitation = self.session.state.seats[0], self.invitation if self.session.state.open_seats else ""
            save_link(self._folder, self._link, self.session.match, self._rematches, seat=seat, invitation=invitation)
