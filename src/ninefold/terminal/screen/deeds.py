"""What a player does at a table besides choosing a move: the keys that everybody has, and the dialogs behind them."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.screen import Screen

from ninefold import actions
from ninefold.actions import Action
from ninefold.core import Refusal, Side
from ninefold.grid import LINES
from ninefold.terminal.hints import hint
from ninefold.terminal.screen import walking
from ninefold.terminal.screen.board import CLAIMED, Board
from ninefold.terminal.screen.claims import Checklist
from ninefold.terminal.screen.dialogs import AskYes, Page, ask_text
from ninefold.terminal.screen.help import KEYS_OF_A_MATCH
from ninefold.terminal.screen.seen import Seen
from ninefold.terminal.screen.tables import Table
from ninefold.terminal.screen.thread import Work
from ninefold.terminal.screen.words import Situation


class Deeds(Screen[None]):
    """The screen of a table, without its looks."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", show=False),
        Binding("h", "hint", show=False),
        Binding("question_mark,f1", "rules", show=False),
        Binding("c", "claim", show=False),
        Binding("x", "claim_for('X')", show=False),
        Binding("o", "claim_for('O')", show=False),
        Binding("m", "place", show=False),
        Binding("y", "answer(True)", show=False),
        Binding("n", "answer(False)", show=False),
        Binding("w", "withdraw", show=False),
        Binding("s", "say", show=False),
        Binding("d", "offer_draw", show=False),
        Binding("r", "resign", show=False),
        Binding("g", "again", show=False),
        Binding("e,q", "leave", show=False),
        Binding("f2", "lines", show=False),
    ]

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.message = ""
        self.placed: int | None = None  # the cell of a move that goes with a claim
        self._hint: Work[str] | None = None

    # What the looks give us

    @property
    def board(self) -> Board:
        raise NotImplementedError

    def look(self) -> Seen:
        raise NotImplementedError

    def now(self) -> Situation:
        raise NotImplementedError

    def show(self) -> None:
        raise NotImplementedError

    def show_words(self) -> None:
        raise NotImplementedError

    def say(self, text: str) -> None:
        self.message = text
        self.show_words()

    # Acting

    def act(self, seat: int, action: Action) -> None:
        try:
            self.table.act(seat, action)
        except Refusal as refusal:
            self.message = str(refusal)
            self.show()

    def _me(self) -> int | None:
        """The seat that speaks from here: the one that is asked, or else the first."""
        return self.table.asked or next(iter(self.table.seats), None)

    def action_undo(self) -> None:
        seat = self._me()
        if not self.board.cancel() and seat:
            self.act(seat, self.table.undo(seat))

    def action_hint(self) -> None:
        if self.table.match.result or self._hint or not self.table.seats:
            return
        if self.table.no_hint:
            self.say(self.table.no_hint)
            return
        match = self.look().match
        way = self.board.way or walking.begun(match.game, match.position)  # what is not asked is not hinted at
        self.say("Looking for a hint ...")
        self._hint = Work(lambda _: hint(match, way), self._hinted)

    def _hinted(self, text: str) -> None:
        self._hint = None
        self.say(text.partition("\n")[0])

    def action_rules(self) -> None:
        game = self.table.match.game
        self.app.push_screen(Page(game.title, f"{game.rules}\n{KEYS_OF_A_MATCH}"))

    def action_say(self) -> None:
        def said(text: str | None) -> None:
            if text and (seat := self._me()):
                self.act(seat, actions.say(text))

        if self.table.seats:
            self.app.push_screen(ask_text("Say something"), said)

    def action_offer_draw(self) -> None:
        seat = self._me()
        if not self.table.is_online:
            self.say("A draw is offered to somebody on a server. At one screen you can leave the game, or resign.")
        elif seat:
            self.act(seat, actions.OFFER_DRAW)

    def action_resign(self) -> None:
        seat = self._me()

        def asked(yes: bool | None) -> None:
            if yes and seat:
                self.act(seat, actions.RESIGN)

        if seat and not self.table.match.result:
            who = self.table.match.setup.label(seat)
            self.app.push_screen(AskYes(f"{who}, do you resign?"), asked)

    def action_again(self) -> None:
        if self.table.match.result and self.table.seats:
            self.run_worker(self._again(), exclusive=True)

    async def _again(self) -> None:
        try:
            table = await self.table.again()
        except Refusal as refusal:
            self.say(str(refusal))
        else:
            self.app.call_later(self.app.switch_screen, type(self)(table))  # which ends this screen, and so this worker

    def action_leave(self) -> None:
        self.dismiss()

    def action_lines(self) -> None:
        """Go on at the line console, as screen readers need it."""
        self.app.exit(self.table.lines)

    def on_unmount(self) -> None:
        self.leave_table()

    def leave_table(self) -> None:
        if self._hint:
            self._hint.stop()
        self.table.close()

    # Claims, and other answers

    def action_claim(self) -> None:
        """Begin to pick cells, or claim what was picked."""
        if self.board.picked is not None:
            self.claim_picked()
        elif self.now().may_claim:
            self.board.pick(frozenset())
            self.say("")

    def claim_picked(self) -> None:
        if len(self.table.seats) > 1:
            self.say("Whose line is it? x claims it for X, o for O.")
        else:
            self._claim(self._me())

    def action_claim_for(self, side: str) -> None:
        if self.board.picked is not None:
            seat = self.table.match.setup.seat(Side[side])
            self._claim(seat if seat in self.table.seats else None)

    def _claim(self, seat: int | None) -> None:
        cells, placed = sorted(self.board.picked or ()), self.placed
        if seat is None:
            self.say("Your opponent speaks for himself.")
        elif len(cells) != CLAIMED:
            self.say("A claim is three cells. Pick them, or a line by its number.")
        elif not self.table.is_sending:  # what is refused can be mended: the claim ends when it has been made
            self.act(seat, actions.claim(cells) if placed is None else actions.move((placed,), claim=cells))

    def stop_claiming(self) -> None:
        self.placed = None
        self.board.pick(None)

    def action_place(self) -> None:
        """While a claim is made: the move that goes with it is here."""
        if self.board.picked is not None:
            self.placed = None if self.placed == self.board.cursor else self.board.cursor
            self.say("")

    def picked(self) -> None:
        self.say("")

    def picked_too_many(self) -> None:
        self.say("A claim is three cells. Space on one of them puts it back.")

    def on_checklist_chosen(self, event: Checklist.Chosen) -> None:
        if self.board.picked is not None:
            self.chose_line(event.number)

    def chose_line(self, number: int) -> None:
        self.board.pick(frozenset(LINES[number - 1]))
        self.say("")

    def action_answer(self, yes: bool) -> None:
        now, seat = self.now(), self._me()
        if now.is_offered and seat:
            self.act(seat, actions.ACCEPT if yes else actions.DECLINE)
        elif now.answers_claim and seat and yes:
            self.act(seat, actions.CONFIRM)
        elif now.answers_claim and seat:
            self.app.push_screen(ask_text("Why is the claim not true?"), self._dispute)

    def _dispute(self, reason: str | None) -> None:
        if reason is not None and (seat := self._me()):
            self.act(seat, actions.dispute(reason))

    def action_withdraw(self) -> None:
        claim = self.table.match.state.pending
        if claim and self.now().withdraws:
            self.act(self.table.match.setup.seat(claim.side), actions.WITHDRAW)
