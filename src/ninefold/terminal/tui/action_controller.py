"""Acting at the table of a match: asking first where a key is not enough, and saying what is refused."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from textual.screen import Screen

from ninefold.core.errors import Refusal
from ninefold.terminal.tui import table_actions
from ninefold.terminal.tui.dialogs import AskYes, ask_text
from ninefold.terminal.tui.prompts import Situation
from ninefold.terminal.tui.table_actions import Act
from ninefold.terminal.tui.tables import Table


class Acting:
    """``screen`` is where questions are asked, ``now`` tells the situation, and ``refuse`` is called with the reason
    for what cannot be done."""

    def __init__(
        self, screen: Screen[None], table: Table, now: Callable[[], Situation], refuse: Callable[[str], None]
    ) -> None:
        self._screen, self._table, self._now, self._refuse = screen, table, now, refuse

    @contextlib.contextmanager
    def saying_why_not(self) -> Iterator[None]:
        """What is refused changes nothing, and is said."""
        try:
            yield
        except Refusal as refusal:
            self._refuse(str(refusal))

    def act(self, choose: Callable[[Situation], Act]) -> None:
        with self.saying_why_not():
            self._table.act(*choose(self._now()))

    def say(self) -> None:
        with self.saying_why_not():
            table_actions.speaker(self._now())
            self._ask("Say something", table_actions.say)

    def resign(self) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self.act(lambda _: resigned)

        with self.saying_why_not():
            resigned = table_actions.resign(self._now())
            who = self._table.match.setup.label(resigned[0])
            self._screen.app.push_screen(AskYes(f"{who}, do you resign?"), answered)

    def agree(self) -> None:
        self.act(table_actions.agree)

    def disagree(self) -> None:
        """Who disputes a claim says why."""
        if self._now().answers_claim:
            self._ask("Why is the claim not true?", table_actions.dispute)
        else:
            self.act(table_actions.decline)

    def _ask(self, question: str, act: Callable[[Situation, str], Act]) -> None:
        """Act with what is answered, if anything is."""

        def answered(text: str | None) -> None:
            if text is not None:
                self.act(lambda now: act(now, text))

        self._screen.app.push_screen(ask_text(question), answered)
