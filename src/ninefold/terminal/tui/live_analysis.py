"""The analysis that somebody has open beside the board: it follows what they look at."""

from __future__ import annotations

from collections.abc import Callable

from textual.timer import Timer

from ninefold.terminal.tui.analyst import Analyst, Opinion
from ninefold.terminal.tui.history_view import Seen

AFTERWARDS = 0.05  # seconds after a move before the analyst begins anew


class LiveAnalysis:
    """``look`` says what is looked at, ``set_timer`` calls something so many seconds later, and ``show`` is called with
    everything that is new."""

    def __init__(
        self,
        look: Callable[[], Seen],
        set_timer: Callable[[float, Callable[[], None]], Timer],
        show: Callable[[], None],
    ) -> None:
        self._look, self._set_timer, self._show = look, set_timer, show
        self.is_open = False
        self.opinion: Opinion | None = None
        self.analyst = Analyst(self.learn)
        self._soon: Timer | None = None

    def turn(self) -> None:
        """Open it, or close it."""
        self.is_open = not self.is_open
        self.opinion = None
        self.follow()

    def follow(self) -> None:
        """Look anew, once the screen shows what there is to look at: whoever pressed the key comes first."""
        self.rest()
        if self.is_open:
            self._soon = self._set_timer(AFTERWARDS, lambda: self.analyst.look(self._look()))

    def rest(self, wait: float = 0.0) -> None:
        """Give the analyst so many seconds to end."""
        if self._soon:
            self._soon.stop()
        self.analyst.rest(wait)

    def learn(self, opinion: Opinion) -> None:
        """What is already known of a position stays until more is known."""
        if opinion.analysis is None and self.opinion and self.opinion.position == opinion.position:
            opinion = opinion._replace(analysis=self.opinion.analysis)
        self.opinion = opinion
        self._show()
