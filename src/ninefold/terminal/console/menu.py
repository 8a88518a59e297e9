"""The menu line by line: a new game (which, who plays, which level), or one that is there already."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from ninefold.core.errors import Refusal, quoted
from ninefold.core.game import Game
from ninefold.core.position import Side
from ninefold.games import all_games
from ninefold.match.match import Match
from ninefold.match.state import HUMAN
from ninefold.players.player import levels
from ninefold.terminal.console.prompt import Help, Terminal, Undone
from ninefold.terminal.new_match import Lines

T = TypeVar("T")


class Choice(NamedTuple):
    """What the menu found out: the players by side, and who starts (None for the game's default)."""

    game: Game
    x: str
    o: str
    first: str | None
    ask_sign: bool


def choose(terminal: Terminal) -> Choice | Lines:
    """Ask until everything is settled, or found; u starts again from the first question."""
    terminal.say("Ninefold: the tic-tac-toe family. At every prompt e leaves and ? explains.\n")
    while True:
        try:
            return _choose(terminal)
        except Undone:
            terminal.say("Once more from the start.")


def _choose(terminal: Terminal) -> Choice | Lines:
    games = sorted(all_games().values(), key=lambda game: game.picture.boards)  # as the full screen numbers them
    others = {
        "Go on with a game that was kept": _go_on,
        "Open a log or a record": _open,
        "Join a match by link": _join,
        "Watch a match": _watch,
    }
    place = pick(terminal, "What shall it be", [*(f"{game.title:<21} {game.summary}" for game in games), *others])
    return _new(terminal, games[place]) if place < len(games) else list(others.values())[place - len(games)](terminal)


def _new(terminal: Terminal, game: Game) -> Choice:
    help = Help(rules=lambda: game.console_rules)
    modes = ["two people at this screen", "you against the computer", "the computer against itself"]
    mode = pick(terminal, "Who plays", modes, help)
    players = {Side.X: HUMAN, Side.O: HUMAN}
    if mode == 1:
        level = _level(terminal, game, "Which level", help)
        players[ask_side(terminal, "Your sign", help).other] = level
    elif mode == 2:
        players = {side: _level(terminal, game, f"Which level plays {side}", help) for side in Side}
    first = None
    if game.ask_first:
        first = ("X", "O", "toss")[pick(terminal, "Who starts", ["X", "O", "toss for it"], help)]
    return Choice(game, players[Side.X], players[Side.O], first, game.ask_sign and mode == 0)


def _go_on(terminal: Terminal) -> Lines:
    from ninefold.terminal import saves

    kept = saves.all_kept(saves.folder())
    if not kept:
        terminal.say("No game has been kept yet.")
        raise Undone
    one = kept[pick(terminal, "Which one", list(map(saves.told, kept)))]
    if isinstance(one, saves.KeptLink):
        return Lines(link=one.link, rematches=one.rematches)
    return Lines(one.match, str(one.file))


def _open(terminal: Terminal) -> Lines:
    """What is played on is kept with the other games; the file stays as it is."""
    from ninefold.match.files import load

    match = _found(terminal, "The file of a log or a record: ", lambda text: load(os.path.expanduser(text.strip())))
    return Lines(match, kept_as(match))


def _join(terminal: Terminal) -> Lines:
    from ninefold.client.links import INVITATION

    link = _found(terminal, "The link that you were given: ", lambda text: _link(text, INVITATION))
    return Lines(link=link, name=terminal.ask("What are you called? "))


def _watch(terminal: Terminal) -> Lines:
    from ninefold.client.links import TO_WATCH

    return Lines(link=_found(terminal, "The link of a match: ", lambda text: _link(text, TO_WATCH)), watches=True)


def _found(terminal: Terminal, question: str, read: Callable[[str], T]) -> T:
    """What an answer stands for, asked until it can be read."""
    while True:
        try:
            return read(terminal.ask(question))
        except Refusal as refusal:
            terminal.refuse(refusal)


def _link(text: str, example: str) -> str:
    from ninefold.client.links import read_link

    return str(read_link(text.strip(), example=example))


def kept_as(match: Match) -> str:
    """The file of a new game, in the folder of the others."""
    from ninefold.terminal import saves

    return str(saves.new_file(match, saves.folder()))


def _level(terminal: Terminal, game: Game, question: str, help: Help) -> str:
    names = levels(game)
    return names[pick(terminal, question, names, help)]


def pick(terminal: Terminal, question: str, choices: Sequence[str], help: Help = Help()) -> int:
    """The place of the choice whose number was typed."""
    for number, choice in enumerate(choices, 1):
        terminal.say(f"  {number}  {choice}")
    numbers = [str(number) for number in range(1, len(choices) + 1)]
    while True:
        answer = terminal.ask(f"{question} (1-{len(choices)})? ", help)
        if answer in numbers:
            terminal.say()
            return numbers.index(answer)
        terminal.refuse(f"{quoted(answer)} is not a number from 1 to {len(choices)}.")


def ask_side(terminal: Terminal, question: str, help: Help = Help()) -> Side:
    while True:
        answer = terminal.ask(f"{question}, X or O? ", help)
        if answer.upper() in ("X", "O"):
            return Side[answer.upper()]
        terminal.refuse(f"{quoted(answer)} is neither X nor O.")


def ask_sign(terminal: Terminal, game: Game) -> Side:
    """Player 1 chooses a sign; player 2 gets the other one."""
    while True:
        try:
            return ask_side(terminal, "Player 1, choose your sign", Help(rules=lambda: game.console_rules))
        except Undone:
            terminal.say("There is nothing to take back yet.")
