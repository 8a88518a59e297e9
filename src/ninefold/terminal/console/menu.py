"""The menu line by line: a new game (which, who plays, which level), or one that exists already."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from ninefold.core.errors import Refusal, quoted
from ninefold.core.game import Game
from ninefold.core.messages import Message, text
from ninefold.core.position import Side
from ninefold.games import all_games
from ninefold.match.match import Match
from ninefold.match.state import HUMAN
from ninefold.players.player import levels
from ninefold.server.hosting.commands import First, MatchRequest, SeatRequest
from ninefold.terminal.console.prompt import Help, Terminal, UndoRequested
from ninefold.terminal.new_match import Continuation, local_request

if TYPE_CHECKING:
    from ninefold.terminal.saves import SavedMatch

T = TypeVar("T")
STARTS: tuple[First, ...] = ("X", "O", "toss")


def choose(terminal: Terminal) -> MatchRequest | Continuation:
    """Ask until there is a match to play; u starts again from the first question."""
    terminal.say(text("menu.welcome"))
    while True:
        try:
            return _choose(terminal)
        except UndoRequested:
            terminal.say(text("menu.again"))


def _choose(terminal: Terminal) -> MatchRequest | Continuation:
    games = list(all_games().values())
    others: dict[str, Callable[[Terminal], Continuation]] = {
        text("menu.continue"): _continue,
        text("menu.open"): _open,
        text("menu.join"): _join,
        text("menu.watch"): _watch,
    }
    titles = [f"{game.title:<21} {game.summary}" for game in games]
    place = pick(terminal, text("menu.what"), [*titles, *others])
    return _new(terminal, games[place]) if place < len(games) else list(others.values())[place - len(games)](terminal)


def _new(terminal: Terminal, game: Game) -> MatchRequest:
    help = Help(rules=lambda: game.console_help)
    modes = [text("menu.two_people"), text("menu.against_computer"), text("menu.two_computers")]
    mode = pick(terminal, text("menu.who_plays"), modes, help)
    players = {Side.X: HUMAN, Side.O: HUMAN}
    if mode == 1:
        level = _level(terminal, game, text("menu.level"), help)
        players[ask_side(terminal, text("menu.your_side"), help).other] = level
    elif mode == 2:
        players = {side: _level(terminal, game, text("menu.level.side", side=side), help) for side in Side}
    first: First | None = None
    if game.ask_first:
        first = STARTS[pick(terminal, text("menu.who_starts"), ["X", "O", text("menu.toss")], help)]
    player_1 = Side.X
    if game.ask_sign and mode == 0:
        player_1 = ask_side(terminal, text("menu.player_1_side"), help)
    x, o = (SeatRequest(players[side]) for side in Side)
    return local_request(game.id, x, o, player_1=player_1, first=first)


def _continue(terminal: Terminal) -> Continuation:
    """One of the saved games by its number. The list is filtered by words, and a game is deleted by its number."""
    from ninefold.terminal import saves

    saved = saves.list_saved(saves.games_folder())
    words: list[str] = []
    while saved:
        shown = [one for one in saved if all(word in saves.describe_saved(one).lower() for word in words)]
        if not shown:
            terminal.say(text("dialog.no_match"))
            shown = saved
        for number, one in enumerate(shown, 1):
            terminal.say(f"  {number}  {saves.describe_saved(one)}")
        answer = terminal.ask(text("menu.which_saved", most=len(shown)))
        command, _, written = answer.strip().rpartition(" ")
        place = int(written) - 1 if written.isascii() and written.isdigit() else -1
        if command not in ("", "delete") or place == -1:
            words = answer.lower().split()
        elif not 0 <= place < len(shown):
            terminal.refuse(text("menu.not_a_number", answer=quoted(written), most=len(shown)))
        elif command:
            saved = _without(terminal, saved, shown[place])
        else:
            terminal.say()
            return _continuation(shown[place])
    terminal.say(text("save.none"))
    raise UndoRequested


def _without(terminal: Terminal, saved: list[SavedMatch], one: SavedMatch) -> list[SavedMatch]:
    """The games without one that is deleted, if the player means it."""
    from ninefold.terminal import saves

    if not terminal.ask_yes(text("menu.delete", game=saves.describe_saved(one))):
        return saved
    try:
        saves.delete(one.file)
    except Refusal as refusal:
        terminal.refuse(refusal)
        return saved
    return [other for other in saved if other is not one]


def _continuation(saved: SavedMatch) -> Continuation:
    from ninefold.terminal.saves import SavedLink

    if isinstance(saved, SavedLink):
        return Continuation(link=saved.link, rematches=saved.rematches)
    return Continuation(saved.match, str(saved.file))


def _open(terminal: Terminal) -> Continuation:
    """A game from a file continues among the saved games; the file stays as it is."""
    from ninefold.match.files import load

    match = _ask_for(terminal, text("menu.file"), lambda answer: load(os.path.expanduser(answer.strip())))
    return Continuation(match, file_for(match))


def _join(terminal: Terminal) -> Continuation:
    from ninefold.client.links import INVITATION

    link = _ask_for(terminal, text("menu.invitation"), lambda answer: _link(answer, INVITATION))
    return Continuation(link=link, name=terminal.ask(text("menu.name")))


def _watch(terminal: Terminal) -> Continuation:
    from ninefold.client.links import TO_WATCH

    link = _ask_for(terminal, text("menu.link_to_watch"), lambda answer: _link(answer, TO_WATCH))
    return Continuation(link=link, watches=True)


def _ask_for(terminal: Terminal, question: str, read: Callable[[str], T]) -> T:
    """What an answer stands for, asked until it can be read."""
    while True:
        try:
            return read(terminal.ask(question))
        except Refusal as refusal:
            terminal.refuse(refusal)


def _link(answer: str, example: str | Message) -> str:
    from ninefold.client.links import read_link

    return str(read_link(answer.strip(), example=example))


def file_for(match: Match) -> str:
    """The file of a new game among the saved games."""
    from ninefold.terminal import saves

    return str(saves.new_file(match, saves.games_folder()))


def _level(terminal: Terminal, game: Game, question: str, help: Help) -> str:
    names = levels(game)
    return names[pick(terminal, question, names, help)]


def pick(terminal: Terminal, question: str, choices: Sequence[str], help: Help = Help()) -> int:
    """The place of the choice whose number was typed."""
    for number, choice in enumerate(choices, 1):
        terminal.say(f"  {number}  {choice}")
    numbers = [str(number) for number in range(1, len(choices) + 1)]
    while True:
        answer = terminal.ask(text("menu.pick", question=question, most=len(choices)), help)
        if answer in numbers:
            terminal.say()
            return numbers.index(answer)
        terminal.refuse(text("menu.not_a_number", answer=quoted(answer), most=len(choices)))


def ask_side(terminal: Terminal, question: str, help: Help = Help()) -> Side:
    while True:
        answer = terminal.ask(text("menu.side", question=question), help)
        if answer.upper() in ("X", "O"):
            return Side[answer.upper()]
        terminal.refuse(text("menu.not_a_side", answer=quoted(answer)))


def ask_player_1_side(terminal: Terminal, game: Game) -> Side:
    """Player 1 chooses a side; player 2 gets the other one."""
    while True:
        try:
            return ask_side(terminal, text("menu.player_1_side"), Help(rules=lambda: game.console_help))
        except UndoRequested:
            terminal.say(text("menu.nothing_to_undo"))
