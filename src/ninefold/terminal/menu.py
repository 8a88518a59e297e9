"""The short menu of ``ninefold`` alone: which game, who plays, which level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ninefold.core import Side, quoted
from ninefold.game import Game
from ninefold.games import all_games
from ninefold.players import levels
from ninefold.state import HUMAN
from ninefold.terminal.prompt import Help, Terminal, Undone


class Choice(NamedTuple):
    """What the menu found out: the players by side, and who starts (None for the game's default)."""

    game: Game
    x: str
    o: str
    first: str | None
    ask_sign: bool


def choose(terminal: Terminal) -> Choice:
    """Ask until everything is settled; u starts again from the first question."""
    terminal.say("Ninefold: the tic-tac-toe family. At every prompt e leaves and ? explains.\n")
    while True:
        try:
            return _choose(terminal)
        except Undone:
            terminal.say("Once more from the start.")


def _choose(terminal: Terminal) -> Choice:
    games = sorted(all_games().values(), key=lambda game: game.picture.boards)  # as the full screen numbers them
    game = games[pick(terminal, "Which game", [f"{game.title:<21} {game.summary}" for game in games])]
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
