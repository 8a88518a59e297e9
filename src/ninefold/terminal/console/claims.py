"""The questions of the agents' game at the console, and its words: claim, confirm, dispute, withdraw."""

from __future__ import annotations

from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.position import Side
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.match import Match
from ninefold.match.state import HUMAN
from ninefold.terminal.console.prompt import Help, Terminal


def ask_move_or_claim(terminal: Terminal, match: Match, seat: int, help: Help) -> tuple[int, Action]:
    """A cell; a cell, the word claim and three cells; the word claim, perhaps a side, and three cells; or a message."""
    choices = match.game.naming.format(match.position.moves())
    line = terminal.ask(match.game.steps[0].question.format(player=match.setup.label(seat), choices=choices), help)
    if line.startswith("say "):
        return seat, actions.say(line.removeprefix("say "))
    return read_move_or_claim(terminal, match, seat, line, help)


def read_move_or_claim(terminal: Terminal, match: Match, seat: int, line: str, help: Help) -> tuple[int, Action]:
    """What a line says; a claim that names no cells is asked for them."""
    if line.partition(" ")[0] in actions.ANSWERS:
        raise NotAllowed("no_claim", "There is no claim to answer.", _possible(match))
    place, word, rest = line.partition("claim")
    cells, claimant = None, seat
    if word:
        named, claimant = _claimant(match, rest.split(), seat)
        cells = _cells(match, named or terminal.ask("Which three cells? ", help))
    if not place.strip() and cells is not None:
        return claimant, actions.claim(cells)
    if match.game.naming.parse_cell(place.rstrip() if word else place) is None:
        raise Unreadable("not_a_move", f"{quoted(line)} is not {match.game.naming.help}.", _possible(match))
    return seat, actions.move(match.game.parse_move(place.rstrip()), claim=cells)


def _claimant(match: Match, words: list[str], seat: int) -> tuple[str, int]:
    """The cells named after the word claim, and whose claim it is: at one screen either player may claim."""
    if words and words[0] in ("X", "O"):
        seat = _person(match, match.setup.seat(Side[words.pop(0)]))
    elif len(words) > 1 and words[0].isalpha():
        raise Unreadable("not_a_claim", f"{quoted(words[0])} is neither X nor O.", _example(match))
    return "".join(words), seat


def _person(match: Match, seat: int) -> int:
    """The other seat at this screen, when a person sits there."""
    if match.setup.seats[seat - 1].player != HUMAN:
        raise NotAllowed("not_yours", "The computer speaks for itself.")
    return seat


def _cells(match: Match, text: str) -> tuple[int, ...]:
    cells = match.game.naming.parse_cells("".join(text.removeprefix("claim").split()))
    if cells is None:
        raise Unreadable("not_a_claim", f"{quoted(text)} does not name three cells.", _example(match))
    return cells


def _possible(match: Match) -> str:
    return f"Free cells: {match.game.naming.format(match.position.moves())}. {_example(match)}"


def _example(match: Match) -> str:
    return f"A claim looks like: claim {''.join(match.game.naming.name(cell) for cell in (0, 1, 2))}."


def ask_answer(terminal: Terminal, match: Match, seat: int, help: Help) -> tuple[int, Action]:
    """What the opponent says to a claim, or that the claimant takes it back."""
    line = terminal.ask(f"{match.setup.label(seat)}, confirm, or dispute and say why (or withdraw it): ", help)
    word, _, reason = line.partition(" ")
    if line == "confirm":
        return seat, actions.CONFIRM
    if line == "withdraw":
        return _person(match, 3 - seat), actions.WITHDRAW
    if word == "dispute":
        return seat, actions.dispute(reason or terminal.ask("Why? ", help))
    if word == "say":
        return seat, actions.say(reason)
    raise Unreadable(
        "not_an_answer", f"{quoted(line)} is no answer to a claim.", "Answers: confirm, dispute WHY, withdraw."
    )
