"""The console of every game: it walks the paths of choices and asks the game's own question for each step."""

from __future__ import annotations

from collections.abc import Callable

from ninefold.core.errors import Refusal, quoted
from ninefold.core.position import Path
from ninefold.core.rendering import picture
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.match import Match
from ninefold.match.narration import describe_event, describe_result
from ninefold.match.state import steps
from ninefold.match.summary import last_changed
from ninefold.terminal.console import claims
from ninefold.terminal.console.prompt import Help, Left, News, Spoken, Terminal, Undone
from ninefold.terminal.console.table import Screen, Table
from ninefold.terminal.hints import hint


class Console:
    """One match at one terminal. ``save`` is called with the match after every event."""

    def __init__(self, terminal: Terminal, *, pause: float = 0.0, save: Callable[[Match], None] | None = None) -> None:
        self.terminal = terminal
        self.pause = pause
        self.save = save

    def run(self, match: Match) -> Match:
        """Play at this screen, to the end or until a player leaves."""
        table = Screen(match, self.pause, self.save)
        if not match.events:
            table.keep()
            if match.setup.toss:
                self.terminal.say(f"The toss: {match.position.turn} starts.")
        self.play(table)
        return table.match

    def play(self, table: Table) -> None:
        """Play at any table, to the end or until the player leaves it."""
        self._show(table.match)
        while table.match.result is None:
            shown = table.match
            try:
                self._turn(table)
            except News:
                self.terminal.say()  # the question that was interrupted has not ended its line
            except Left:
                table.leave()
                self._tell(table, shown)
                break
            self._tell(table, shown)
        if table.match.result:
            self.terminal.say(describe_result(table.match.setup, table.match.state))

    def _turn(self, table: Table) -> None:
        seat = table.to_act
        if seat is None:
            table.wait()
            return
        try:
            table.act(*self._ask(table, seat))
            self.terminal.heard()
        except Refusal as refusal:
            self.terminal.refuse(refusal)

    def _ask(self, table: Table, seat: int) -> tuple[int, Action]:
        """What is to be done, and by which seat: in the agents' game that may be the other one at this screen."""
        match, help = table.match, self._help(table.match)
        try:
            if table.is_offered(seat):
                return seat, self._ask_offer(match, seat, help)
            if match.state.pending:
                return claims.ask_answer(self.terminal, match, seat, help)
            if match.setup.has_claims:
                return claims.ask_move_or_claim(self.terminal, match, seat, help)
            return seat, self._ask_move(match, seat)
        except Undone:
            return seat, table.undo(seat)
        except Spoken as spoken:
            return seat, spoken.action

    def _ask_offer(self, match: Match, seat: int, help: Help) -> Action:
        """What the opponent's offer is answered."""
        while True:
            answer = self.terminal.ask(f"{match.setup.label(seat)}, do you accept (y/n)? ", help).lower()
            if answer in ("y", "n"):
                return actions.ACCEPT if answer == "y" else actions.DECLINE
            self.terminal.refuse(f"{quoted(answer)} is neither y nor n.")

    def _ask_move(self, match: Match, seat: int) -> Action:
        """Walk the tree of legal paths from question to question."""
        prefix: Path = ()
        chosen = False
        while True:
            choices, move = match.game.choices(match.position, prefix)
            if not choices and move is not None:
                return actions.move(move)
            if match.game.steps[len(prefix)].skip_single and len(choices) == 1:
                prefix = (*prefix, choices[0])
                continue
            try:
                answer = self._ask_step(match, seat, prefix, choices, may_decline=move is not None)
            except Undone:
                if not chosen:
                    raise
                prefix, chosen = (), False  # only the beginning of this move is taken back
                self._show(match)
                continue
            if answer is None and move is not None:
                return actions.move(move)
            prefix, chosen = (*prefix, answer or 0), True
            if match.game.picture.boards and match.game.choices(match.position, prefix)[0]:
                self._show(match, chosen=prefix)

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
            answer = self.terminal.ask(question, self._help(match, prefix))
            if answer == "" and may_decline:
                return None
            cell = naming.parse_cell(answer)
            if cell is None:
                self.terminal.refuse(f"{quoted(answer)} is not {naming.help}. Choose one of: {naming.format(choices)}.")
            elif cell not in choices:
                self.terminal.refuse(match.position.why_not((*prefix, cell), naming))
            else:
                return cell

    def _tell(self, table: Table, before: Match) -> None:
        """What has happened since a match was shown."""
        for line in table.news():
            self.terminal.say(line)
        after = table.match
        for _, event, state in steps(after.setup, after.events[len(before.events) :], before.state):
            if line := describe_event(after.setup, state, event):
                self.terminal.say(line)
        self._show(after, before=before)

    def _help(self, match: Match, prefix: Path = ()) -> Help:
        return Help(lambda: hint(match, prefix), lambda: match.game.console_rules)

    def _show(self, match: Match, *, before: Match | None = None, chosen: Path = ()) -> None:
        if before and before.position == match.position and not (match.result and match.result.outcome.lines):
            return
        last = last_changed(match.game, match.state)
        outcome = match.result.outcome if match.result else None
        look = self.terminal.look
        board = picture(match.game, match.position, last=last, chosen=chosen, outcome=outcome, look=look)
        self.terminal.say(f"\n{board}\n")
