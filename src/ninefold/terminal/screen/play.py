"""The screen of a match: the board, who plays, what was played, and what can be done now."""

from __future__ import annotations

import contextlib
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.css.query import NoMatches
from textual.timer import Timer

from ninefold import actions
from ninefold.core import Path
from ninefold.grid import NUMPAD
from ninefold.terminal.screen.analyst import Analyst, Opinion
from ninefold.terminal.screen.bars import LEAST, Bar, Keys, too_small
from ninefold.terminal.screen.board import Board, Shown
from ninefold.terminal.screen.claims import Checklist
from ninefold.terminal.screen.deeds import Deeds
from ninefold.terminal.screen.opinions import Opinions, values_on_board
from ninefold.terminal.screen.panes import Moves, Players, Words
from ninefold.terminal.screen.seen import Seen, look_at
from ninefold.terminal.screen.tables import Table
from ninefold.terminal.screen.words import Situation, keys, one_after_the_other, prompt
from ninefold.terminal.story import tell_event
from ninefold.threats import threats

TICK = 0.25  # seconds between two looks at the clocks
LEAVING = 0.2  # seconds that the analyst is given to end
AFTERWARDS = 0.05  # seconds after a move before the analyst begins anew
# While a screen is taken down some of it is gone already, and news from a server may still come in.
TAKEN_DOWN = contextlib.suppress(NoMatches)


class PlayScreen(Deeds):
    DEFAULT_CSS = """
    PlayScreen { overflow: hidden; }
    PlayScreen #table { height: 1fr; }
    PlayScreen Board { width: 1fr; height: 1fr; }
    PlayScreen #side { width: 40; padding: 0 1; }
    PlayScreen.wide #side { width: 46; }
    PlayScreen.narrow #side { display: none; }
    PlayScreen #players { height: 2; margin: 1 0; }
    PlayScreen #opinions { height: 15; display: none; }
    PlayScreen.wide #opinions { height: 18; margin-bottom: 1; }
    PlayScreen #moves { height: 1fr; }
    PlayScreen #prompt { height: 1; padding: 0 1; text-style: bold; }
    PlayScreen #message { height: 2; padding: 0 1; color: $label; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "labels", show=False),
        Binding("t", "threats", show=False),
        Binding("a", "analysis", show=False),
        Binding("comma,pageup", "step(-1)", show=False),
        Binding("full_stop,pagedown", "step(1)", show=False),
        Binding("home", "step(-999)", show=False),
        Binding("end", "step(999)", show=False),
        Binding("escape", "back", show=False),
    ]

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.ply: int | None = None  # None: the latest position
        self.numpad = False
        self.shows_threats = True
        self._analyst = Analyst(self._learn)
        self._opinion: Opinion | None = None
        self._analyzing = False
        self._soon: Timer | None = None
        self._told = len(table.match.events)

    def compose(self) -> ComposeResult:
        match = self.table.match
        yield Bar(match.game.title, id="title")
        with Horizontal(id="table"):
            yield Board(match.game, match.position, self, id="board")
            with Vertical(id="side"):
                yield Players(id="players")
                yield Checklist(id="checklist")
                yield Opinions(id="opinions")
                yield Moves(id="moves")
        yield Words(id="prompt")
        yield Words(id="message")
        yield Keys(id="keys")

    def on_mount(self) -> None:
        self.board.focus()
        self.table.begin(self.changed, self.say)
        self.set_interval(TICK, self._tick)
        self.call_after_refresh(self.show)

    def leave_table(self) -> None:
        self._look_away(LEAVING)
        super().leave_table()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= 110, "wide")
        self.set_class(event.size.width < LEAST.width, "narrow")  # the board first
        self.call_after_refresh(self.show)

    # What is shown

    @property
    def board(self) -> Board:
        return self.query_one(Board)

    def look(self) -> Seen:
        return look_at(self.table.match, self.ply, numpad=self.numpad)

    def now(self) -> Situation:
        board = self.board
        return Situation(
            self.table,
            self.look(),
            board.way,
            board.digits,
            board.picked,
            self.placed,
            self._analyzing,
            self.numpad,
            board.cursor,
        )

    def show(self) -> None:
        """Everything, from the match as it is."""
        with TAKEN_DOWN:
            self._show()

    def _show(self) -> None:
        now = self.now()
        if now.picked is not None and not now.may_claim:
            self.stop_claiming()
            now = self.now()
        self._show_board(now)
        self.query_one(Players).show(self.table, now.seen)
        self.query_one(Moves).show(now.seen)
        self.query_one(Bar).show(self._standing(now.seen))
        self._show_words()

    def _show_board(self, now: Situation) -> None:
        """The board, and beside it what the analyst thinks."""
        self.board.show(now.seen.position, self._shown(now), is_live=now.is_live)
        if self._analyzing:
            self.query_one(Opinions).show(now.seen, self._opinion)

    def show_words(self) -> None:
        """What is asked, what was said, and the keys."""
        with TAKEN_DOWN:
            self._show_words()

    def _show_words(self) -> None:
        now = self.now()
        self.query_one(Checklist).show(now)
        self.query_one("#prompt", Words).put(Content(prompt(now)))
        self.query_one("#message", Words).put(Content(self.message))
        self.query_one(Keys).offer(keys(now))

    def _shown(self, now: Situation) -> Shown:
        seen, match = now.seen, now.match
        pending = match.state.pending if seen.is_latest else None
        ended = seen.is_latest and match.result is not None
        going = self.shows_threats and seen.position.moves() and not ended
        return Shown(
            last=seen.last,
            lines=seen.lines,
            claimed=frozenset(pending.cells if pending else ()),
            winning=threats(match.game, seen.position, claims=match.setup.has_claims) if going else {},
            values=self._values(now),
        )

    def _values(self, now: Situation) -> dict[int, str]:
        opinion, seen = self._opinion, now.seen
        if not self._analyzing or not opinion or not opinion.analysis or opinion.position != seen.position:
            return {}
        return dict(values_on_board(seen.match.game, seen.position, opinion.analysis, now.way))

    def _standing(self, seen: Seen) -> str:
        latest = len(seen.positions) - 1
        looking_back = "" if seen.is_latest else f"move {seen.ply} of {latest}"
        parts = (too_small(self.size), looking_back, self.table.connection)
        return "  ".join(part for part in parts if part)

    def changed(self) -> None:
        """Something has happened at the table."""
        match = self.look().match
        fresh = match.events[self._told :]
        self._told = len(match.events)
        told = [tell_event(match.setup, match.state, event).partition("\n")[0] for event in fresh]
        if any(told):
            self.message = one_after_the_other([line for line in told if line])
        if any(event.action.kind in ("move", "take_back") for event in fresh):
            self.ply = None
        if any(event.action.cells is not None for event in fresh):
            self.stop_claiming()
        self.show()
        if fresh:
            self._look_again()

    def _tick(self) -> None:
        self.table.tick()
        if self.table.clocks():
            with TAKEN_DOWN:
                self.query_one(Players).show(self.table, self.look())

    # The hands at the board

    def play(self, move: int) -> None:
        if self.table.asked is not None:
            self.act(self.table.asked, actions.move(move))

    def walked(self) -> None:
        self.message = ""
        if self._analyzing:
            self.show()  # what the next choice is worth
        else:
            self.show_words()

    def refused(self, path: Path) -> None:
        seen = self.look()
        self.say(str(seen.position.why_not(path, seen.match.game.naming)))

    def misread(self, digits: str) -> None:
        self.say(f"No cell is called {digits}. Type {self.look().match.game.naming.help}.")

    def unbound(self, key: str) -> None:
        self.say(f"{key} does nothing here. ? shows all keys.")

    def action_back(self) -> None:
        """Out of whatever was begun."""
        if self.board.picked is not None:
            self.stop_claiming()
            self.show()
        elif not self.board.cancel() and self.ply is not None:
            self.action_step(999)

    def action_labels(self) -> None:
        if self.table.match.game.naming == NUMPAD:
            self.say("The cells of this game are always called as on the numpad.")
            return
        self.numpad = not self.numpad
        self.board.name_cells(self.look().match.game.naming)
        self.message = "Cells are called as on the numpad." if self.numpad else "Cells are called as in the rules."
        self.show()

    def action_threats(self) -> None:
        self.shows_threats = not self.shows_threats
        self.show()

    # Looking

    def action_step(self, by: int) -> None:
        """Look at an earlier or a later position."""
        seen = self.look()
        self._seek(seen.ply + by)

    def _seek(self, ply: int) -> None:
        latest = len(self.look().positions) - 1
        self.ply = None if ply >= latest else max(0, ply)
        self.message = ""
        self.show()
        self._look_again()

    def on_opinions_sought(self, event: Opinions.Sought) -> None:
        self._seek(event.ply)

    def action_analysis(self) -> None:
        if self.table.is_online and not self.table.match.result:
            self.say("A game on a server is analysed when it is over.")
            return
        self._analyzing = not self._analyzing
        self.query_one(Opinions).display = self._analyzing
        if not self._analyzing:
            self._opinion = None
        self._look_again()
        self.call_after_refresh(self.show)

    def _look_again(self) -> None:
        """Once the screen shows what there is to look at: whoever pressed the key comes first."""
        self._look_away()
        if self._analyzing:
            self._soon = self.set_timer(AFTERWARDS, lambda: self._analyst.look(self.look()))

    def _look_away(self, wait: float = 0.0) -> None:
        if self._soon:
            self._soon.stop()
        self._analyst.rest(wait)

    def _learn(self, opinion: Opinion) -> None:
        """The analyst has something to say."""
        if opinion.analysis is None and self._opinion and self._opinion.position == opinion.position:
            opinion = opinion._replace(analysis=self._opinion.analysis)
        self._opinion = opinion
        with TAKEN_DOWN:
            self._show_board(self.now())
