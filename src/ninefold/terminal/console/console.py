"""The console of every game: it walks the paths of choices and asks the game's own question for each step."""

from __future__ import annotations

from collections.abc import Callable

from ninefold.client.session import SeatAction, Session, SessionState
from ninefold.core.errors import Refusal, quoted
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
from ninefold.terminal.changes import describe_changes
from ninefold.terminal.console import claims
from ninefold.terminal.console.prompt import ActionTyped, Help, PlayerLeft, PromptInterrupted, Terminal, UndoRequested
from ninefold.terminal.hints import hint

WAIT = 1.0  # seconds; on Windows, Ctrl-C is noticed only between two waits


class Console:
    """A session at a terminal, line by line. ``is_saved``: the match is in a file and can be continued."""

    def __init__(self, terminal: Terminal, session: Session, *, is_saved: bool = False) -> None:
        self.terminal = terminal
        self.session = session
        self._is_saved = is_saved
        self._shown: SessionState = session.state  # as the player knows it

    def play(self) -> None:
        """Play to the end, or until the player leaves."""
        self._show_board(self._shown.match.game, self._shown.match.state)
        while self._shown.match.result is None:
            try:
                self._take_turn()
            except PromptInterrupted:
                self.terminal.say()  # the question has not ended its line
            except PlayerLeft:
                self._leave()
                self._show_changes()
                break
            self._show_changes()
        if self._shown.match.result:
            self.terminal.say(describe_result(self._shown.match.setup, self._shown.match.state))

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
        if not self._is_saved:
            self.session.act(self._shown.to_act or 1, actions.LEAVE)
        elif self._shown.match.events:
            self.terminal.say(text("console.left.saved"))
        else:
            self.terminal.say(text("console.left"))

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
                self.terminal.refuse(text("console.not_a_cell", text=quoted(answer), cell=naming.help, choices=named))
            elif cell not in choices:
                self.terminal.refuse(match.position.why_not((*prefix, cell), naming))
            else:
                return cell

    def _help(self, prefix: Path = ()) -> Help:
        match = self._shown.match
        return Help(lambda: hint(match, prefix), lambda: match.game.console_help)

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
