"""The console of every game: it walks the paths of choices and asks the game's own question for each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ninefold.client.session import SeatAction, Session, SessionState
from ninefold.core.errors import Refusal, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Path
from ninefold.core.rendering import picture
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.match import Match
from ninefold.match.narration import describe_event, describe_result
from ninefold.match.state import Setup, State, Transition, steps
from ninefold.match.summary import last_changed
from ninefold.terminal.changes import describe_changes, has_news
from ninefold.terminal.console import claims
from ninefold.terminal.console.prompt import (
    ActionTyped,
    EndOfInput,
    Help,
    PlayerLeft,
    PromptInterrupted,
    Terminal,
    UndoRequested,
)
from ninefold.terminal.hints import hint

if TYPE_CHECKING:
    from ninefold.terminal.console.saving import ConsoleSaver

WAIT = 1.0  # seconds; on Windows, Ctrl-C is noticed only between two waits


class Console:
    """A session at a terminal, line by line. With a ``saver`` the match is in a file and can be continued."""

    def __init__(self, terminal: Terminal, session: Session, *, saver: ConsoleSaver | None = None) -> None:
        self.terminal = terminal
        self.session = session
        self._saver = saver
        self._shown: SessionState = session.state  # as the player knows it
        terminal.clock = session.clock

    def play(self) -> Session | None:
        """Play until the player leaves, in the game or after it; the session of a rematch, if one is wanted."""
        self._show_board(self._shown.match.game, self._shown.match.state)
        with self._hearing_flags():
            while self._play_to_end():
                again = self._stay()
                if again or self._shown.match.result:
                    return again
        return None

    @contextmanager
    def _hearing_flags(self) -> Iterator[None]:
        """In a game with clocks a flag that falls interrupts the question, where a person types it."""
        if not (self._shown.clock and self.terminal.is_interactive):
            yield
            return
        from ninefold.terminal.console.keyboard import InterruptibleInput, Wakeup, can_interrupt

        stream = self.terminal.reader
        if not can_interrupt(stream):
            yield
            return
        wakeup = Wakeup()
        unsubscribe = self.session.subscribe(wakeup.wake)
        self.terminal.reader = InterruptibleInput(stream, wakeup, self._has_news)
        try:
            yield
        finally:
            unsubscribe()
            self.terminal.reader = stream
            wakeup.close()

    def _has_news(self) -> bool:
        return self.session.error is not None or has_news(self._shown, self.session.state)

    def _play_to_end(self) -> bool:
        """False if the player has left."""
        stays = True
        while stays and self._shown.match.result is None:
            try:
                self._ask_where_to_save()
                self._take_turn()
            except PromptInterrupted:
                self.terminal.say()  # the question has not ended its line
            except PlayerLeft:
                self._leave()
                stays = False
            self._show_changes()
        if self._shown.match.result:
            self.terminal.say(describe_result(self._shown.match.setup, self._shown.match.state))
            self._ask_where_to_save()
        return stays

    def _ask_where_to_save(self) -> None:
        if self._saver:
            self._saver.ask_where()

    # Turns

    def _take_turn(self) -> None:
        seat = self._shown.to_act
        if seat is None:
            self._wait()
        else:
            self._try(lambda: self._ask(seat))

    def _try(self, ask: Callable[[], SeatAction]) -> None:
        """Take the action that is answered, unless the answer is refused."""
        try:
            answer = ask()
        except Refusal as refusal:
            self.terminal.refuse(refusal)
        else:
            self._act(*answer)

    def _act(self, seat: int, action: Action) -> None:
        try:
            self.session.act(seat, action)
            self.terminal.accept()
        except Refusal as refusal:
            self.terminal.refuse(refusal)

    def _wait(self) -> None:
        """Let the others act."""
        self.session.wait(self._shown, WAIT)

    def _leave(self) -> None:
        """A match in a file is continued another day; any other ends without a winner."""
        if not self._saver:
            self.session.act(self._shown.to_act or 1, actions.LEAVE)
        elif self._shown.match.events and self._saver.is_saved:
            from shlex import quote

            self.terminal.say(text("console.left.saved", file=quote(str(self._saver.file))))
        else:
            self.terminal.say(text("console.left"))

    # After the game

    def _stay(self) -> Session | None:
        """A word, a review or a rematch, until the player leaves, or plays on after taking back the last move. A script
        is asked nothing: what it has still typed is done."""
        if not (self.terminal.is_interactive or self._shown.seats):
            return None
        self.terminal.end_game()
        while self._shown.match.result:
            try:
                self._ask_where_to_save()
                try:
                    if again := self._ask_after():
                        return again
                except Refusal as refusal:
                    self.terminal.refuse(refusal)
            except PromptInterrupted:
                self.terminal.say()
            except (PlayerLeft, EndOfInput):
                return None
            self._show_changes()
        return None

    def _ask_after(self) -> Session | None:
        """Do one thing after the game. The session of a rematch, if that is wanted."""
        choices = ", ".join(text(f"after.{choice}") for choice in self._choices())
        question = text("after.prompt", choices=choices) if self.terminal.is_interactive else ""
        try:
            line = self.terminal.ask(question, Help(lambda: self._shown.match.game.console_help))
        except UndoRequested:
            seat = self._last_mover()
            self.session.act(seat, self.session.undo_action(seat))
            return None
        word, _, words = line.partition(" ")
        if word == "say" and "say" in self._choices():
            self._say(words)
        elif line == "review" and "review" in self._choices():
            self._review()
        elif line == "rematch" and "rematch" in self._choices():
            return self.session.rematch()
        else:
            self.terminal.refuse(Unreadable("not_an_answer.after", answer=quoted(line), choices=choices))
            return None
        self.terminal.accept()
        return None

    def _choices(self) -> list[str]:
        """What can be done after the game."""
        state = self._shown
        can_talk = [("say", state.seats), ("rematch", state.seats and not state.open_seats)]
        offered = [*can_talk, ("review", state.match.state.moves), ("undo", self._may_undo()), ("leave", True)]
        return [name for name, is_possible in offered if is_possible]

    def _may_undo(self) -> bool:
        """True if the last move may be taken back after the end. The rules of the match decide, as when it is done."""
        if not self._shown.seats or self._shown.is_remote:
            return False
        seat = self._last_mover()
        try:
            self._shown.match.act(seat, self.session.undo_action(seat))
        except Refusal:
            return False
        return True

    def _last_mover(self) -> int:
        """The seat whose move is taken back: at one screen that of the last move, else the player's own."""
        seats, setup, state = self._shown.seats, self._shown.match.setup, self._shown.match.state
        return setup.seat(state.position.turn.other) if len(seats) != 1 else seats[0]

    def _say(self, words: str) -> None:
        """At one screen either player may have said it."""
        if not words.strip():
            raise Unreadable("no_text")
        seats, setup = self._shown.seats, self._shown.match.setup
        help = Help(lambda: text("after.who_says.help"))
        try:
            seat = seats[0] if len(seats) == 1 else setup.seat(self.terminal.ask_side(text("after.who_says"), help))
        except UndoRequested:
            return
        self.session.act(seat, actions.say(words))

    def _review(self) -> None:
        from ninefold.terminal.console.review import Review

        review = Review(self.terminal, self._shown.match, self._show_board)
        review.show()
        while True:
            try:
                review.ask()
            except PromptInterrupted:
                self.terminal.say()
                self._show_changes()
            except PlayerLeft:
                return

    # Questions

    def _ask(self, seat: int) -> SeatAction:
        """What is to be done, and by which seat: in the agents' game that may be the other one at this screen."""
        match, help = self._shown.match, self._help()
        try:
            if self._shown.is_offered:
                question = text("console.accept", player=match.setup.label(seat))
                return seat, actions.ACCEPT if self.terminal.ask_yes(question, help) else actions.DECLINE
            if match.state.pending:
                return claims.ask_answer(self.terminal, match, seat, help)
            if match.setup.has_claims:
                return claims.ask_move_or_claim(self.terminal, match, seat, help)
            return seat, self._ask_move(match, seat)
        except UndoRequested:
            return seat, self.session.undo_action(seat)
        except ActionTyped as typed:
            return seat, typed.action

    def _ask_move(self, match: Match, seat: int) -> Action:
        """Walk the tree of legal paths from question to question."""
        prefix: Path = ()
        is_begun = False
        while True:
            choices, move = match.game.choices(match.position, prefix)
            if not choices and move is not None:
                return actions.move(move)
            if match.game.steps[len(prefix)].skip_single and len(choices) == 1:
                prefix = (*prefix, choices[0])
                continue
            try:
                answer = self._ask_step(match, seat, prefix, choices, may_decline=move is not None)
            except UndoRequested:
                if not is_begun:
                    raise
                prefix, is_begun = (), False  # only the beginning of this move is taken back
                self._show_board(match.game, match.state)
                continue
            if answer is None and move is not None:
                return actions.move(move)
            prefix, is_begun = (*prefix, answer or 0), True
            if match.game.picture.boards and match.game.choices(match.position, prefix)[0]:
                self._show_board(match.game, match.state, prefix)

    def _ask_step(
        self, match: Match, seat: int, prefix: Path, choices: tuple[int, ...], *, may_decline: bool
    ) -> int | None:
        """The cell chosen at one step, or None when it was declined with an empty line."""
        game = match.game
        naming = game.naming
        question = game.steps[len(prefix)].question.format(
            player=match.setup.label(seat), choices=naming.format(choices), chosen=naming.format(prefix)
        )
        while True:
            answer = self.terminal.ask(question, self._help(prefix))
            if answer == "" and may_decline:
                return None
            cell = naming.parse_cell(answer)
            if cell is None:
                named = naming.format(choices)
                self.terminal.refuse(
                    Unreadable("not_a_move.choice", text=quoted(answer), cell=naming.help, choices=named)
                )
            elif cell not in choices:
                self.terminal.refuse(match.position.why_not((*prefix, cell), naming))
            else:
                return cell

    def _help(self, prefix: Path = ()) -> Help:
        match = self._shown.match
        return Help(lambda: match.game.console_help, lambda: hint(match, prefix))

    # What is shown

    def _show_changes(self) -> None:
        """Everything that has happened since the player was shown something. What ends the session is raised."""
        before, after = self._shown, self.session.state
        if self.session.error:
            raise self.session.error
        if after.ended:
            raise after.ended
        self._shown = after
        for line in describe_changes(before, after):
            self.terminal.say(line)
        for step in steps(after.match.setup, after.match.events[len(before.match.events) :], before.match.state):
            self._show_step(after.match.setup, step)

    def _show_step(self, setup: Setup, step: Transition) -> None:
        """An event, and the board if it has changed or is decided. Several may have happened since the last look."""
        if line := describe_event(setup, step.after, step.event):
            self.terminal.say(line)
        is_decided = step.after.result and not step.before.result and step.after.result.outcome.lines
        if step.after.position != step.before.position or is_decided:
            self._show_board(setup.game, step.after)

    def _show_board(self, game: Game, state: State, chosen: Path = ()) -> None:
        outcome = state.result.outcome if state.result else None
        last = last_changed(game, state)
        board = picture(game, state.position, last=last, chosen=chosen, outcome=outcome, look=self.terminal.look)
        self.terminal.say(f"\n{board}\n")
