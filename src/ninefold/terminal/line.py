"""The console of every game: it walks the paths of choices and asks the game's own question for each step."""

from __future__ import annotations

import time
from collections.abc import Callable

from ninefold import actions
from ninefold.actions import Action
from ninefold.core import Path, Refusal, quoted
from ninefold.match import Match
from ninefold.players import Player, make_player
from ninefold.render import picture
from ninefold.state import HUMAN, Result
from ninefold.terminal import claims
from ninefold.terminal.hints import hint
from ninefold.terminal.prompt import Help, Left, Terminal, Undone
from ninefold.terminal.story import tell_checklist, tell_event


class Console:
    """One match at one terminal. ``save`` is called with the match after every event."""

    def __init__(self, terminal: Terminal, *, pause: float = 0.0, save: Callable[[Match], None] | None = None) -> None:
        self.terminal = terminal
        self.pause = pause
        self.save = save

    def run(self, match: Match) -> Match:
        """Play to the end, or until a player leaves."""
        players = _computers(match)
        self._keep(match)
        if match.setup.toss and not match.events:
            self.terminal.say(f"The toss: {match.position.turn} starts.")
        self._show(match)
        try:
            while match.asked:
                player = players.get(match.asked)
                match = self._computer(match, player, len(players) == 2) if player else self._human(match)
        except Left:
            match = self._leave(match)
        if match.result:
            self._close(match, match.result)
        return match

    def _close(self, match: Match, result: Result) -> None:
        if result.by == "rules" and match.setup.option("claims") == "yes":
            self.terminal.say(f"The referee checks the full board:\n{tell_checklist(match.game, match.position)}")
        self.terminal.say(result.sentence(match.game))

    def _computer(self, match: Match, player: Player, alone: bool) -> Match:
        if alone and match.events:
            time.sleep(self.pause)
        seat = match.asked or 1
        return self._act(match, seat, player(match))

    def _human(self, match: Match) -> Match:
        seat = match.asked or 1
        try:
            if match.state.pending:
                seat, action = claims.ask_answer(self.terminal, match, self._help(match))
            elif match.setup.option("claims") == "yes":
                seat, action = claims.ask_move_or_claim(self.terminal, match, self._help(match))
            else:
                action = self._ask_move(match)
            return self._act(match, seat, action)
        except Undone:
            return self._undo(match)
        except Refusal as refusal:
            self.terminal.say(str(refusal))
            return match

    def _ask_move(self, match: Match) -> Action:
        """Walk the tree of legal paths from question to question."""
        game, position = match.game, match.position
        prefix: Path = ()
        while True:
            choices, declined = game.choices(position, prefix)
            if not choices and declined is not None:
                return actions.move(declined)
            if game.steps[len(prefix)].skip_single and len(choices) == 1:
                prefix = (*prefix, choices[0])
                continue
            try:
                answer = self._ask_step(match, prefix, choices, declined)
            except Undone:
                if len(self._asked_so_far(match, prefix)) == 0:
                    raise
                prefix = ()  # only the beginning of this move is taken back
                self._show(match)
                continue
            if answer is None and declined is not None:
                return actions.move(declined)
            prefix = (*prefix, *(() if answer is None else (answer,)))
            if game.picture.boards and len(prefix) == 1:
                self._show(match, chosen=prefix)

    def _asked_so_far(self, match: Match, prefix: Path) -> Path:
        """The part of a prefix that the player chose, as against what there was no choice about."""
        game = match.game
        forced = [
            game.steps[n].skip_single and len(game.choices(match.position, prefix[:n])[0]) == 1
            for n in range(len(prefix))
        ]
        return tuple(cell for cell, skipped in zip(prefix, forced, strict=True) if not skipped)

    def _ask_step(self, match: Match, prefix: Path, choices: tuple[int, ...], declined: int | None) -> int | None:
        """The cell chosen at one step, or None when it was declined with an empty line."""
        game = match.game
        naming = game.naming
        question = game.steps[len(prefix)].question.format(
            player=match.setup.label(match.asked or 1), choices=naming.say(choices), chosen=naming.say(prefix)
        )
        while True:
            answer = self.terminal.ask(question, self._help(match, prefix))
            if answer == "" and declined is not None:
                return None
            cell = naming.cell(answer)
            if cell is None:
                self.terminal.say(f"{quoted(answer)} is not {naming.help}. Choose one of: {naming.say(choices)}.")
            elif cell not in choices:
                self.terminal.say(str(match.position.why_not((*prefix, cell), naming)))
            else:
                return cell

    def _act(self, match: Match, seat: int, action: Action) -> Match:
        after = match.act(seat, action, _now())
        self._keep(after)
        for event in after.events[len(match.events) :]:
            if line := tell_event(after.setup, after.state, event):
                self.terminal.say(line)
        self._show(after, before=match)
        return after

    def _undo(self, match: Match) -> Match:
        """Back to the last choice of the player who is asked: two plies against the computer, else one."""
        seat = match.asked or 1
        against_computer = match.setup.seats[2 - seat].player != HUMAN
        if len(match.state.moves) < (2 if against_computer else 1):
            self.terminal.say("There is no move of yours to take back.")
            return match
        try:
            after = match.act(seat, actions.take_back(2 if against_computer else 1), _now())
        except Refusal as refusal:
            self.terminal.say(str(refusal))
            return match
        self._keep(after)
        self.terminal.say(tell_event(after.setup, after.state, after.events[-1]))
        self._show(after)
        return after

    def _leave(self, match: Match) -> Match:
        """A kept game is only put aside, so that it can be gone on with; another ends without a winner."""
        if self.save:
            self.terminal.say("You left the game. It is saved and can be gone on with.")
            return match
        return self._act(match, match.asked or 1, actions.LEAVE)

    def _help(self, match: Match, prefix: Path = ()) -> Help:
        return Help(lambda: hint(match, prefix), lambda: match.game.rules)

    def _keep(self, match: Match) -> None:
        if self.save:
            self.save(match)

    def _show(self, match: Match, *, before: Match | None = None, chosen: Path = ()) -> None:
        if before and before.position == match.position and not (match.result and match.result.outcome.lines):
            return
        last = last_cells(match)
        outcome = match.result.outcome if match.result else None
        look = self.terminal.look
        board = picture(match.game, match.position, last=last, chosen=chosen, outcome=outcome, look=look)
        self.terminal.say(f"\n{board}\n")


def last_cells(match: Match) -> tuple[int, ...]:
    """The cells that the last move changed."""
    if not match.state.moves:
        return ()
    position = match.setup.start
    for move in match.state.moves[:-1]:
        position = position.play(move)
    return tuple(match.game.effects(position, match.state.moves[-1]).cells)


def _computers(match: Match) -> dict[int, Player]:
    """The seats that the computer plays, with its players; their seeds differ so that they do not mirror each other."""
    seed = match.setup.seed or 0
    return {
        number: make_player(match.game, seat.player, seed * 2 + number)
        for number, seat in enumerate(match.setup.seats, 1)
        if seat.player != HUMAN
    }


def _now() -> int:
    return time.time_ns() // 1_000_000
