"""A match of others that a server keeps, watched at this terminal."""

from __future__ import annotations

import contextlib

from ninefold.actions import Action
from ninefold.core import NotAllowed
from ninefold.terminal.afar import Afar
from ninefold.terminal.prompt import Help, Undone

ONLY_WATCHING = NotAllowed("only_watching", "You are watching.", "e leaves, ? shows the rules.")


class Watching(Afar):
    """A table at which nobody here is ever asked."""

    asked = None

    def _greeting(self) -> str:
        return f"you are watching {self._players()}."

    def _seated(self) -> str:
        return f"{self._players()} are at the board."

    def _players(self) -> str:
        setup = self.match.setup
        return f"{setup.label(1)} and {setup.label(2)}"

    def is_offered(self, seat: int) -> bool:  # noqa: ARG002 - to nobody here
        return False

    def act(self, seat: int, action: Action) -> None:  # noqa: ARG002
        raise ONLY_WATCHING

    def undo(self, seat: int) -> Action:  # noqa: ARG002
        raise ONLY_WATCHING

    def wait(self) -> None:
        if not self._reads_meanwhile:
            self._wait_for_news()
            return
        with contextlib.suppress(Undone):
            self.terminal.ask(f"Waiting for {self._whom} ... ", Help(rules=lambda: self.match.game.console_rules))
        self.terminal.refuse(ONLY_WATCHING)

    def leave(self) -> None:
        """Nobody is told."""
