"""The console of every game: it walks the paths of choices and asks the game's own question for each step."""

from __future__ import annotations

import time
from collections.abc import Callable

from ninefold import actions
from ninefold.actions import Action
from ninefold.core import Path, Refusal, quoted
from ninefold.game import Game
from ninefold.match import Match
from ninefold.players import Player, make_player
from ninefold.render import picture
from ninefold.state import HUMAN, State
from ninefold.terminal import claims
from ninefold.terminal.hints import hint
from ninefold.terminal.prompt import Help, Left, Terminal, Undone
from ninefold.terminal.story import tell_event, tell_result


class Console:
    """One match at one terminal. ``save`` is called with the match after every event."""

    def __init__(self, terminal: Terminal, *, pause: float = 0.0, save: Callable[[Match], None] | None = None) -> None:
        self.terminal = terminal
        self.pause = pause
        self.save = save

    def run(self, match: Match) -> Match:
        """Play to the end, or until a player leaves."""
        players = _computers(match)
        if not match.events:
            self._keep(match)
            if match.setup.toss:
                self.terminal.say(f"The toss: {match.position.turn} starts.")
        self._show(match)
        while (seat := match.asked) is not None:
            try:
                player = players.get(seat)
                match = self._computer(match, seat, player, len(players) == 2) if player else self._human(match, seat)
            except Left:
                match = self._leave(match, seat)
                break
        if match.result:
            self.terminal.say(tell_result(match.setup, match.state))
        return match

    def _computer(self, match: Match, seat: int, player: Player, alone: bool) -> Match:
        if alone and match.events:
            time.sleep(self.pause)
        return self._act(match, seat, player(match))

    def _human(self, match: Match, seat: int) -> Match:
        help = self._help(match)
        try:
            if match.state.pending:
                return self._act(match, *claims.ask_answer(self.terminal, match, seat, help))
            if match.setup.has_claims:
                return self._act(match, *claims.ask_move_or_claim(self.terminal, match, seat, help))
            return self._act(match, seat, self._ask_move(match, seat))
        except Undone:
            return self._undo(match, seat)
        except Refusal as refusal:
            self.terminal.refuse(refusal)
            return match

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
            player=match.setup.label(seat), choices=naming.say(choices), chosen=naming.say(prefix)
        )
        while True:
            answer = self.terminal.ask(question, self._help(match, prefix))
            if answer == "" and may_decline:
                return None
            cell = naming.cell(answer)
            if cell is None:
                self.terminal.refuse(f"{quoted(answer)} is not {naming.help}. Choose one of: {naming.say(choices)}.")
            elif cell not in choices:
                self.terminal.refuse(match.position.why_not((*prefix, cell), naming))
            else:
                return cell

    def _act(self, match: Match, seat: int, action: Action) -> Match:
        after = match.act(seat, action, _now())
        self.terminal.heard()
        self._keep(after)
        for event in after.events[len(match.events) :]:
            if line := tell_event(after.setup, after.state, event):
                self.terminal.say(line)
        self._show(after, before=match)
        return after

    def _undo(self, match: Match, seat: int) -> Match:
        """Against the computer back to the player's own last move, else the last move of all."""
        against_computer = match.setup.seats[2 - seat].player != HUMAN
        plies = match.state.plies_back(match.setup.side(seat)) if against_computer else 1
        try:
            return self._act(match, seat, actions.take_back(plies))
        except Refusal as refusal:
            self.terminal.refuse(refusal)
            return match

    def _leave(self, match: Match, seat: int) -> Match:
        """A kept game is only put aside, so that it can be gone on with; another ends without a winner."""
        if self.save:
            self.terminal.say("You left the game. It is saved and can be gone on with.")
            return match
        return self._act(match, seat, actions.LEAVE)

    def _help(self, match: Match, prefix: Path = ()) -> Help:
        return Help(lambda: hint(match, prefix), lambda: match.game.rules)

    def _keep(self, match: Match) -> None:
        if self.save:
            self.save(match)

    def _show(self, match: Match, *, before: Match | None = None, chosen: Path = ()) -> None:
        if before and before.position == match.position and not (match.result and match.result.outcome.lines):
            return
        last = last_cells(match.state, match.game)
        outcome = match.result.outcome if match.result else None
        look = self.terminal.look
        board = picture(match.game, match.position, last=last, chosen=chosen, outcome=outcome, look=look)
        self.terminal.say(f"\n{board}\n")


def last_cells(state: State, game: Game) -> tuple[int, ...]:
    """The cells that the last move changed."""
    return tuple(game.effects(state.previous.position, state.moves[-1]).cells) if state.previous else ()


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
