"""A session that only looks at a saved game, which another window plays. The file is read again and again."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import NoReturn

from ninefold.client.clock import now
from ninefold.client.errors import spectators_cannot_act
from ninefold.client.session import Session, SessionState
from ninefold.core.errors import Refusal
from ninefold.match.actions import Action
from ninefold.match.files import load
from ninefold.match.match import Match

INTERVAL = 0.5  # seconds between two looks at the file


class SavedGameSession(Session):
    """Nobody sits here: every action is refused. A file that cannot be read now is tried again later."""

    def __init__(self, file: Path, match: Match, *, interval: float = INTERVAL) -> None:
        super().__init__(SessionState(match, ()), now)
        self._file, self._interval = file, interval

    def start(self) -> None:
        threading.Thread(target=self._watch_file, name="ninefold-watcher", daemon=True).start()

    def act(self, seat: int, action: Action, typed: str = "", *, version: int | None = None) -> NoReturn:  # noqa: ARG002
        raise spectators_cannot_act()

    def undo_action(self, seat: int) -> NoReturn:  # noqa: ARG002 - nobody acts here
        raise spectators_cannot_act()

    def rematch(self) -> NoReturn:
        raise spectators_cannot_act()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _watch_file(self) -> None:
        while not self._is_closed_within(self._interval):
            with contextlib.suppress(Refusal):
                match = load(str(self._file))
                if match != self.match:
                    self._publish(SessionState(match, ()))

    def _is_closed_within(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._closed, seconds)
