"""A review at the line console: a game that has ended, move by move, and what its moves were worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.match.match import Match
from ninefold.match.narration import describe_event, describe_result
from ninefold.match.state import State, steps
from ninefold.terminal.console.prompt import Help, Terminal, UndoRequested
from ninefold.terminal.hints import hint, rate_move

ShowBoard = Callable[[Game, State], None]


class Frame(NamedTuple):
    """The game after a move and all that was said and claimed before the next one."""

    state: State
    lines: Sequence[str] = ()


class Review:
    """The player is at one place of the game: ``show`` shows it, ``ask`` asks once where to go."""

    def __init__(self, terminal: Terminal, match: Match, show_board: ShowBoard) -> None:
        self._terminal, self._match, self._show_board = terminal, match, show_board
        self._frames = _frames(match)
        self._place = 0

    @property
    def _last(self) -> int:
        return len(self._frames) - 1

    def show(self) -> None:
        state, lines = self._frames[self._place]
        if state.previous and self._match.game.small:
            move, *lines = lines
            self._terminal.say(move)
            self._terminal.say(rate_move(self._match._replace(state=state.previous), state.moves[-1]))
        for line in lines:
            self._terminal.say(line)
        self._show_board(self._match.game, state)
        if self._place == self._last:
            self._terminal.say(describe_result(self._match.setup, self._match.state))

    def ask(self) -> None:
        """Go where the player wants to go. To leave is raised, as at every prompt."""
        offered = {
            "next": self._place < self._last,
            "back": self._place > 0,
            "number": self._last > 0,
            "hint": not self._frames[self._place].state.result,
        }
        choices = ", ".join(text(f"review.{name}") for name, is_possible in offered.items() if is_possible)
        question = text("review.prompt", move=self._place, moves=self._last, choices=choices)
        try:
            answer = self._terminal.ask(question, Help(lambda: text("review.help"), self._hint))
        except UndoRequested:
            self._go(self._place - 1)
            return
        if answer == "":
            self._go(self._place + 1)
        elif answer.isascii() and answer.isdigit() and len(answer) < 4 and int(answer) <= self._last:
            self._go(int(answer))
        else:
            self._terminal.refuse(Unreadable("not_an_answer.review", answer=quoted(answer), moves=self._last))

    def _go(self, place: int) -> None:
        if 0 <= place <= self._last:
            self._terminal.accept()
            self._place = place
            self.show()
        else:
            self._terminal.refuse(Unreadable("not_an_answer.first" if place < 0 else "not_an_answer.latest"))

    def _hint(self) -> str:
        state = self._frames[self._place].state
        return text("review.ended") if state.result else hint(self._match._replace(state=state))


def _frames(match: Match) -> list[Frame]:
    """The start, and the game after each move that stands."""
    frames = [Frame(State(match.setup.start))]
    for step in steps(match.setup, match.played):
        line = describe_event(match.setup, step.after, step.event)
        lines = (line,) if line else ()
        if step.event.action.kind == "move":
            frames.append(Frame(step.after, lines))
        else:
            frames[-1] = Frame(step.after, (*frames[-1].lines, *lines))
    return frames
