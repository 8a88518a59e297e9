"""The screen of a match: every key, and what happens when somebody plays, here or far away."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.messages import Prune
from textual.screen import Screen

from ninefold.core.position import Path, Side
from ninefold.match import actions
from ninefold.terminal.tui import table_actions
from ninefold.terminal.tui.action_controller import Acting
from ninefold.terminal.tui.analysis_panel import Opinions
from ninefold.terminal.tui.board import Board
from ninefold.terminal.tui.checklist import Checklist
from ninefold.terminal.tui.claiming import Claiming
from ninefold.terminal.tui.dialogs import Page
from ninefold.terminal.tui.event_diff import News, told
from ninefold.terminal.tui.help import BINDINGS, KEYS_OF_A_MATCH
from ninefold.terminal.tui.hinting import Hinting
from ninefold.terminal.tui.history_view import Seen
from ninefold.terminal.tui.live_analysis import LiveAnalysis
from ninefold.terminal.tui.match_view import MatchView
from ninefold.terminal.tui.prompts import Situation
from ninefold.terminal.tui.tables import Table
from ninefold.terminal.tui.timeline import Looking

TICK = 0.25  # seconds between two looks at the clocks
LEAVING = 0.2  # seconds that the analyst is given to end


class PlayScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = list(BINDINGS)

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.board = Board(table.match.game, table.match.position, self, id="board")
        self.view = MatchView(self.board, shows_threats=not table.no_hint)
        self._is_left = False
        self.message = ""
        self._looking = Looking()
        self._claiming = Claiming(self.board)
        self._acting = Acting(self, table, self.now, self._refuse)
        self._hinting = Hinting(self.say)
        self._next: Table | None = None  # where the same players sit down once more
        self.analysis = LiveAnalysis(self.look, self.set_timer, self._show_board)
        self._news = News(table.match)

    def compose(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        self.board.focus()
        self.table.begin(self.changed, self.say)
        self.set_interval(TICK, self._tick)
        self.call_after_refresh(self.show)

    @on(Prune)
    def _before_it_is_taken_down(self) -> None:
        """While every part of it is still there: whoever has news finds all of it, or is not listened to any more."""
        self.workers.cancel_node(self)
        self.leave_table()

    def leave_table(self) -> None:
        self.analysis.rest(LEAVING)
        self._hinting.stop()
        for table in (self.table, self._next):
            if table:
                table.close()

    # What is shown

    def look(self) -> Seen:
        return self._looking.at(self.table.match)

    def now(self) -> Situation:
        return Situation(
            table=self.table,
            seen=self.look(),
            way=self.board.way,
            digits=self.board.digits,
            picked=self.board.picked,
            placed=self._claiming.placed,
            analyzing=self.analysis.is_open,
            numpad=self._looking.numpad,
            cursor=self.board.cursor,
        )

    def show(self) -> None:
        """Everything, from the match as it is."""
        now = self.now()
        if self._claiming.is_begun and not now.may_claim:
            self._claiming.stop()
            now = self.now()
        self.view.show(now, self.message, self.analysis.opinion)

    def _show_board(self) -> None:
        self.view.show_board(self.now(), self.analysis.opinion)

    def say(self, text: str) -> None:
        self.message = text
        self.view.show_words(self.now(), text)

    def _refuse(self, why: str) -> None:
        self.message = why
        self.show()  # the board too: what was chosen on it is not chosen any more

    def on_resize(self, event: events.Resize) -> None:
        self.view.fit(event.size)
        self.call_after_refresh(self.show)

    # What the table says

    def changed(self) -> None:
        """Something has happened at the table."""
        match = self.look().match
        fresh = self._news.of(match)
        self.message = told(match.setup, fresh) or self.message
        if any(event.action.kind in ("move", "take_back") for event, _ in fresh):
            self._looking.ply = None
        if any(event.action.cells is not None for event, _ in fresh):
            self._claiming.stop()
        self.show()
        if fresh:
            self.analysis.follow()

    def _tick(self) -> None:
        self.table.tick()
        if self.table.clocks():
            self.view.show_players(self.table, self.look())

    # The hands at the board

    def play(self, move: int) -> None:
        seat = self.table.to_act
        if seat is not None:
            self._acting.act(lambda _: (seat, actions.move(move)))

    def walked(self) -> None:
        self.message = ""
        if self.analysis.is_open:
            self.show()  # what the next choice is worth
        else:
            self.say("")

    def refused(self, path: Path) -> None:
        seen = self.look()
        self.say(str(seen.position.why_not(path, seen.match.game.naming)))

    def misread(self, digits: str) -> None:
        self.say(f"No cell is called {digits}. Type {self.look().match.game.naming.help}.")

    def unbound(self, key: str) -> None:
        self.say(f"{key} does nothing here. ? shows all keys.")

    def picked(self) -> None:
        self.say("")

    def picked_too_many(self) -> None:
        self.say("A claim is three cells. Space on one of them puts it back.")

    def claim_picked(self) -> None:
        self._acting.act(self._claiming.claim)

    def chose_line(self, number: int) -> None:
        self._claiming.pick_line(number)
        self.say("")

    # Keys: at the table

    def action_undo(self) -> None:
        if not self.board.cancel():
            self._acting.act(table_actions.undo)

    def action_say(self) -> None:
        self._acting.say()

    def action_offer_draw(self) -> None:
        self._acting.act(table_actions.offer_draw)

    def action_resign(self) -> None:
        self._acting.resign()

    def action_answer(self, yes: bool) -> None:
        if yes:
            self._acting.agree()
        else:
            self._acting.disagree()

    def action_withdraw(self) -> None:
        self._acting.act(table_actions.withdraw)

    def action_claim(self) -> None:
        """Begin to pick cells, or claim what was picked."""
        if self._claiming.is_begun:
            self.claim_picked()
        else:
            self._pick(self._claiming.begin)

    def _pick(self, step: Callable[[Situation], None]) -> None:
        """A step on the way to a claim."""
        with self._acting.saying_why_not():
            step(self.now())
            self.say("")

    def action_claim_for(self, side: str) -> None:
        self._acting.act(lambda now: self._claiming.claim(now, Side[side]))

    def action_place(self) -> None:
        self._pick(self._claiming.place)

    def on_checklist_chosen(self, event: Checklist.Chosen) -> None:
        if self._claiming.is_begun:
            self.chose_line(event.number)

    def action_hint(self) -> None:
        with self._acting.saying_why_not():
            table_actions.check_hint(self.now())
            self._hinting.look(self.look(), self.board.way)

    def action_again(self) -> None:
        with self._acting.saying_why_not():
            table_actions.check_once_more(self.now())
            self.run_worker(self._again(), exclusive=True)

    async def _again(self) -> None:
        with self._acting.saying_why_not():
            self._next = await self.table.again()
            self.app.call_later(self._move_on)

    def _move_on(self) -> None:
        """To the next table, once nothing lies over this one that is being read or written."""
        if self._next and self.is_active:
            self.app.switch_screen(PlayScreen(self._next))
            self._next = None

    def on_screen_resume(self) -> None:
        self._move_on()

    def action_leave(self) -> None:
        self._is_left = True  # keys that were pressed together with this one do nothing any more
        self.board.is_live = False
        self.dismiss()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        return not self._is_left

    def action_lines(self) -> None:
        """Go on at the line console, as screen readers need it."""
        self.app.exit(self.table.lines)

    # Keys: looking

    def action_rules(self) -> None:
        game = self.table.match.game
        self.app.push_screen(Page(game.title, f"{game.rules}\n{KEYS_OF_A_MATCH}"))

    def action_back(self) -> None:
        """Out of whatever was begun."""
        if self._claiming.is_begun:
            self._claiming.stop()
            self.show()
        elif not self.board.cancel() and self._looking.ply is not None:
            self.action_latest()

    def action_labels(self) -> None:
        self.message = self._looking.rename_cells(self.table.match)
        self.board.name_cells(self.look().match.game.naming)
        self.show()

    def action_threats(self) -> None:
        self.view.shows_threats = not self.view.shows_threats
        self.show()

    def action_step(self, by: int) -> None:
        """Look at an earlier or a later position."""
        self._seek(self.look().ply + by)

    def action_first(self) -> None:
        self._seek(0)

    def action_latest(self) -> None:
        self._seek(len(self.table.match.state.moves))

    def on_opinions_sought(self, event: Opinions.Sought) -> None:
        self._seek(event.ply)

    def _seek(self, ply: int) -> None:
        self.message = self._looking.seek(self.table.match, ply)
        self.show()
        self.analysis.follow()

    def action_analysis(self) -> None:
        if self.table.is_online and not self.table.match.result:
            self.say("A game on a server is analysed when it is over.")
            return
        self.analysis.turn()
        self.view.open_analysis(self.analysis.is_open)
        self.call_after_refresh(self.show)
