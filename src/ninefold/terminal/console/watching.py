"""A match of others that a server keeps, watched at this terminal."""

from __future__ import annotations

import contextlib

from ninefold.client.remote import ONLY_WATCHING
from ninefold.match.actions import Action
from ninefold.terminal.console.afar import Afar
from ninefold.terminal.console.prompt import Help, Undone


class Watching(Afar):
    """A table at which nobody here is ever asked."""

    def _greeting(self) -> str:
        setup = self.match.setup
        return f"you are watching {setup.label(1)} and {setup.label(2)}."

    def undo(self, seat: int) -> Action:  # noqa: ARG002 - nobody sits here
        raise ONLY_WATCHING

    def wait(self) -> None:
        if not self._reads_meanwhile:
            self._wait_for_news()
            return
        with contextlib.suppress(Undone):
            self.terminal.ask(
                f"Waiting for {self._remote.known.awaited} ... ", Help(rules=lambda: self.match.game.console_rules)
            )
        self.terminal.refuse(ONLY_WATCHING)

    def leave(self) -> None:
        """Nobody is told."""
