"""The questions of the agents' game at the console, and its words: claim, confirm, dispute, withdraw."""

from __future__ import annotations

from ninefold.client.session import SeatAction
from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.grid import OUTSIDE
from ninefold.core.messages import Message, message, text
from ninefold.core.position import Side
from ninefold.match import actions
from ninefold.match.match import Match
from ninefold.terminal.console.prompt import Help, Terminal


def ask_move_or_claim(terminal: Terminal, match: Match, seat: int, help: Help) -> SeatAction:
    """A cell; a cell, the word claim and three cells; the word claim, perhaps a side, and three cells; or a message."""
    choices = match.game.naming.format(match.position.moves())
    line = terminal.ask(match.game.steps[0].question.format(player=match.setup.label(seat), choices=choices), help)
    if line.startswith("say "):
        return seat, actions.say(line.removeprefix("say "))
    return read_move_or_claim(terminal, match, seat, line, help)


def read_move_or_claim(terminal: Terminal, match: Match, seat: int, line: str, help: Help) -> SeatAction:
    """What a line says; a claim that names no cells is asked for them."""
    naming = match.game.naming
    if line.partition(" ")[0] in actions.ANSWERS:
        raise NotAllowed("no_claim.console", free=naming.format(match.position.moves()), example=_example(match))
    place, word, rest = line.partition("claim")
    cells, claimant = None, seat
    if word:
        named, claimant = _claimant(match, rest.split(), seat)
        cells = _cells(match, named or terminal.ask(text("console.which_cells"), help))
    if not place.strip() and cells is not None:
        return claimant, actions.claim(cells)
    cell = place.rstrip() if word else place
    if naming.parse_cell(cell) is None and naming.parse_cells(cell) != (OUTSIDE,):
        free = naming.format(match.position.moves())
        raise Unreadable(
            "not_a_move.cell_or_claim", text=quoted(line), cell=naming.help, free=free, example=_example(match)
        )
    return seat, actions.move(match.game.parse_move(cell), claim=cells)


def _claimant(match: Match, words: list[str], seat: int) -> tuple[str, int]:
    """The cells named after the word claim, and whose claim it is: at one screen either player may claim."""
    if words and words[0] in ("X", "O"):
        seat = match.setup.seat(Side[words.pop(0)])
    elif len(words) > 1 and words[0].isalpha():
        raise Unreadable("not_a_claim.side", word=quoted(words[0]), example=_example(match))
    return "".join(words), seat


def _cells(match: Match, written: str) -> tuple[int, ...]:
    cells = match.game.naming.parse_cells("".join(written.removeprefix("claim").split()))
    if cells is None:
        raise Unreadable("not_a_claim.cells", text=quoted(written), example=_example(match))
    return cells


def _example(match: Match) -> Message:
    return message("console.claim_example", cells="".join(match.game.naming.name(cell) for cell in (0, 1, 2)))


def ask_answer(terminal: Terminal, match: Match, seat: int, help: Help) -> SeatAction:
    """How the opponent answers a claim, or that the claimant withdraws it."""
    line = terminal.ask(text("console.answer_claim", player=match.setup.label(seat)), help)
    word, _, reason = line.partition(" ")
    if line == "confirm":
        return seat, actions.CONFIRM
    if line == "withdraw":
        return 3 - seat, actions.WITHDRAW
    if word == "dispute":
        return seat, actions.dispute(reason or terminal.ask(text("console.why_dispute"), help))
    if word == "say":
        return seat, actions.say(reason)
    raise Unreadable("not_an_answer.claim", text=quoted(line))
