"""What keys do in a match: whose seat acts and how, or a refusal that says why not now; and questions before it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from textual.screen import Screen

from ninefold.client.session import SeatAction
from ninefold.core.errors import Refusal
from ninefold.core.grid import LINES
from ninefold.core.messages import text
from ninefold.core.position import Side
from ninefold.match import actions
from ninefold.terminal.tui.board import CLAIMED, BoardWidget
from ninefold.terminal.tui.dialogs import ConfirmDialog, text_dialog
from ninefold.terminal.tui.prompts import ViewState
from ninefold.terminal.tui.session_adapter import ScreenSession


class NotNow(Refusal):
    """Why a key does nothing now. It is for people only."""


def speaker(view: ViewState) -> int:
    """The seat that a person here acts for: the one that has to act, or else the first."""
    seat = view.session.to_act or next(iter(view.session.seats), None)
    if seat is None:
        raise NotNow("not_now.watching")
    return seat


def speaker_before_the_end(view: ViewState) -> int:
    seat = speaker(view)
    if view.match.result:
        raise NotNow("not_now.ended")
    return seat


def offer_draw(view: ViewState) -> SeatAction:
    if not view.session.is_remote:
        raise NotNow("not_now.no_draw_offers")
    return speaker(view), actions.OFFER_DRAW


def agree(view: ViewState) -> SeatAction:
    """Accept an offer, or confirm a claim."""
    _check_asked(view)
    return speaker(view), actions.ACCEPT if view.session.is_offered else actions.CONFIRM


def decline(view: ViewState) -> SeatAction:
    _check_asked(view)
    return speaker(view), actions.DECLINE


def dispute(view: ViewState, why: str) -> SeatAction:
    _check_asked(view)
    return speaker(view), actions.dispute(why)


def _check_asked(view: ViewState) -> None:
    if not (view.session.is_offered or view.answers_claim):
        raise NotNow("not_now.nothing_to_answer")


def withdraw(view: ViewState) -> SeatAction:
    claim = view.match.state.pending
    if claim is None or not view.may_withdraw:
        raise NotNow("not_now.nothing_to_withdraw")
    return view.match.setup.seat(claim.side), actions.WITHDRAW


def check_hint(view: ViewState) -> None:
    speaker_before_the_end(view)
    if not view.session.has_hints:
        raise NotNow("not_now.no_hints")


def check_paused(view: ViewState) -> None:
    if not view.is_paused:
        raise NotNow("not_now.not_paused" if view.analyzing else "not_now.no_analysis")


def check_rematch(view: ViewState) -> None:
    speaker(view)
    if not view.match.result:
        raise NotNow("not_now.not_ended")


def check_claim(view: ViewState) -> None:
    if not view.match.setup.has_claims:
        raise NotNow("not_now.no_claims", game=view.match.game.title)
    speaker_before_the_end(view)
    if view.match.state.pending:
        raise NotNow("not_now.claim_pending" if view.answers_claim else "not_now.claim_waits")


class ActionController:
    """Acts in a session. ``screen`` shows the questions before an action, ``view`` returns what is seen now, and
    ``refuse`` is called with the reason of a refusal."""

    def __init__(
        self,
        screen: Screen[None],
        session: ScreenSession,
        view: Callable[[], ViewState],
        refuse: Callable[[str], None],
    ) -> None:
        self._screen, self._session, self._view, self._refuse = screen, session, view, refuse

    @contextlib.contextmanager
    def showing_refusals(self) -> Iterator[None]:
        try:
            yield
        except Refusal as refusal:
            self._refuse(str(refusal))

    def act(self, choose: Callable[[ViewState], SeatAction]) -> None:
        with self.showing_refusals():
            self._session.act(*choose(self._view()))

    def undo(self) -> None:
        def undone(view: ViewState) -> SeatAction:
            return view.undo or (speaker(view), actions.OFFER_TAKE_BACK)  # a spectator is refused

        self.act(undone)

    def undo_action(self) -> SeatAction | None:
        """What taking back a move is here; None for spectators."""
        state = self._session.state
        seat = state.to_act or next(iter(state.seats), None)
        return None if seat is None else (seat, self._session.undo_action(seat))

    def say(self) -> None:
        with self.showing_refusals():
            speaker(self._view())
            self._ask(text("dialog.say"), lambda view, said: (speaker(view), actions.say(said)))

    def resign(self) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self.act(lambda _: (seat, actions.RESIGN))

        with self.showing_refusals():
            seat = speaker_before_the_end(self._view())
            question = text("dialog.resign", player=self._session.match.setup.label(seat))
            self._screen.app.push_screen(ConfirmDialog(question), answered)

    def answer(self, yes: bool) -> None:
        """Agree, or not. A player who disputes a claim says why."""
        if yes:
            self.act(agree)
        elif self._view().answers_claim:
            self._ask(text("dialog.dispute"), dispute)
        else:
            self.act(decline)

    def _ask(self, question: str, act: Callable[[ViewState, str], SeatAction]) -> None:
        """Act with the text that is entered, if any is."""

        def answered(entered: str | None) -> None:
            if entered is not None:
                self.act(lambda view: act(view, entered))

        self._screen.app.push_screen(text_dialog(question), answered)


class ClaimInput:
    """A claim while it is made: three cells, or one of the eight lines, and perhaps a move that goes with it. From
    ``begin`` to ``stop`` cells are picked on the board, and nothing is played there."""

    def __init__(self, board: BoardWidget) -> None:
        self._board = board
        self.placed: int | None = None  # the cell of the move that goes with the claim

    @property
    def is_active(self) -> bool:
        return self._board.picked is not None

    def begin(self, view: ViewState) -> None:
        check_claim(view)
        self._board.pick(frozenset())

    def stop(self) -> None:
        self.placed = None
        self._board.pick(None)

    def pick_line(self, number: int) -> None:
        self._board.pick(frozenset(LINES[number - 1]))

    def place(self, view: ViewState) -> None:
        """Add a move on the cell under the cursor; a second time on the same cell removes it."""
        self._check_active(view)
        self.placed = None if self.placed == self._board.cursor else self._board.cursor

    def claim(self, view: ViewState, side: Side | None = None) -> SeatAction:
        """The claim of the picked cells, for a side; None: for the only one that is played from here. Picking goes on:
        a claim that is refused can be corrected."""
        self._check_active(view)
        seat = _claimant(view, side)
        cells = sorted(self._board.picked or ())
        if len(cells) != CLAIMED:
            raise NotNow("not_now.three_cells")
        if view.is_sending:
            raise NotNow("not_now.claim_sent")
        return seat, actions.claim(cells) if self.placed is None else actions.move((self.placed,), claim=cells)

    def _check_active(self, view: ViewState) -> None:
        if not self.is_active:
            check_claim(view)
            raise NotNow("not_now.no_claim_begun")


def _claimant(view: ViewState, side: Side | None) -> int:
    if side is None:
        if len(view.session.seats) > 1:
            raise NotNow("not_now.whose_line")
        return speaker(view)
    seat = view.match.setup.seat(side)
    if seat not in view.session.seats:
        raise NotNow("not_now.not_yours")
    return seat
