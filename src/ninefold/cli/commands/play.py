"""The commands that play: ``ninefold`` alone and ``ninefold play``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.position import Side
from ninefold.core.rendering import Look
from ninefold.core.text import clean_name
from ninefold.games import find_game
from ninefold.match.match import Match, begin
from ninefold.match.state import HUMAN, Seat
from ninefold.terminal.console.console import Console
from ninefold.terminal.console.menu import ask_sign, choose, kept_as
from ninefold.terminal.console.prompt import Terminal
from ninefold.terminal.console.table import check_players
from ninefold.terminal.new_match import Lines, new_match

if TYPE_CHECKING:
    from ninefold import client
    from ninefold.client import Link, Server

FIVE = """\
Ninefold: the tic-tac-toe family. It fills the screen of a terminal; here is none. Five commands to begin with:

  ninefold play classic --o hard     a game at the console; `ninefold games` lists them all
  ninefold rules squared             the rules of a game, on one screen
  ninefold analyze swap-nine         what the moves of a position are worth
  ninefold replay FILE               a saved match, move by move
  ninefold serve                     play in the browser, alone or with others

`ninefold --help` has the rest; `ninefold --plain` asks its way to a game line by line.
"""


def menu(given: argparse.Namespace) -> int:
    """``ninefold`` alone: the full screen, or what the terminal can do instead."""
    if given.plain:
        return _line_menu()
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(FIVE, end="")
        return 0
    if not can_fill_screen():
        return _line_menu()
    import gc

    gc.disable()  # nothing is garbage before the first frame; the app enables it then
    os.environ.setdefault("TEXTUAL_FPS", "120")  # else a key may wait a sixtieth of a second for its frame
    from ninefold.terminal.tui.launch import open_app

    app = open_app()
    if app.return_value is not None:
        return _go_on_with(app.return_value)
    return app.return_code or 0


def _go_on_with(lines: Lines) -> int:
    """Go on line by line with what was begun on the full screen."""
    if lines.watches:
        return _watch(lines.link, Look(has_colour()))
    if lines.link:
        return _play_online(lines.link, lines.name, Look(has_colour()), lines.rematches)
    if lines.match is None:
        return _line_menu()
    return _play_kept(Terminal(look=Look(has_colour())), lines.match, lines.file)


def _line_menu() -> int:
    terminal = Terminal(look=Look(colour=has_colour()))
    choice = choose(terminal)
    if isinstance(choice, Lines):
        return _go_on_with(choice)
    player_1 = ask_sign(terminal, choice.game) if choice.ask_sign else Side.X
    seats = (Seat(Side.X, player=choice.x), Seat(Side.O, player=choice.o))
    match = new_match(choice.game, {}, seats, player_1, choice.first)
    return _play_kept(terminal, match, kept_as(match))


def _play_kept(terminal: Terminal, match: Match, file: str) -> int:
    """Play on, and keep it in its file, if it has one, as soon as there is a move."""
    from shlex import quote

    save = _keeper(terminal, file) if file else None
    after = Console(terminal, pause=1.0, save=save).run(match)
    if save and after.events and not after.result:
        terminal.say(f"Go on with it from the menu, or with: ninefold play --load {quote(file)}")
    return 0


def _keeper(terminal: Terminal, file: str) -> Callable[[Match], None] | None:
    """None where there is no folder for it: a game that cannot be kept is played all the same."""
    try:
        Path(file).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        terminal.say(f"The game cannot be kept: {error.strerror}.")
        return None
    save = _saver(file)
    return lambda match: save(match) if match.events else None


def can_fill_screen() -> bool:
    """Whether this terminal can show more than lines, and its owner wants that: screen readers read lines."""
    from importlib.util import find_spec

    lines = any(os.environ.get(name) for name in ("NINEFOLD_PLAIN", "ACCESSIBLE"))
    able = os.environ.get("TERM", "dumb") not in ("", "dumb") or os.name == "nt"
    able = able and sys.stderr.encoding.lower().startswith("utf")
    return able and not lines and sys.stderr.isatty() and find_spec("textual") is not None


def play(given: argparse.Namespace) -> int:
    if given.join is not None:
        return _join(given)
    if given.name is not None:
        raise NotAllowed("already_settled", "--name goes with --join.", "Here it is --x-name or --o-name.")
    terminal = Terminal(look=Look(has_colour(), "-" if given.dashes else None))
    if given.save is not None and given.save != given.load:
        from ninefold.match.files import check_new

        check_new(given.save)
    match = _load(given) if given.load is not None else _start(given, terminal)
    file = given.load if given.save is None else given.save
    Console(terminal, pause=given.pause, save=_saver(file) if file else None).run(match)
    return 0


def _start(given: argparse.Namespace, terminal: Terminal) -> Match:
    if given.game is None:
        raise Unreadable("no_such_game", "Which game? Name one, or a file with --load.", "`ninefold games` lists them.")
    if given.first and "first" in dict(given.option):
        raise NotAllowed("said_twice", "Who starts is said twice: by --first and by --option first.", "Say it once.")
    game = find_game(given.game)
    seats = (
        Seat(Side.X, clean_name(given.x_name), HUMAN if given.x is None else given.x),
        Seat(Side.O, clean_name(given.o_name), HUMAN if given.o is None else given.o),
    )
    check_players(begin(game, dict(given.option), seats).setup)  # what is wrong is refused before anything is asked
    player_1 = ask_sign(terminal, game) if game.ask_sign and given.x is None and given.o is None else Side.X
    return new_match(game, dict(given.option), seats, player_1, given.first, given.seed)


def _settled(given: argparse.Namespace) -> list[str]:
    """The options that say how a new match is to be."""
    names = ("x", "o", "first", "seed", "option", "x_name", "o_name")
    return [f"--{name.replace('_', '-')}" for name in names if getattr(given, name) not in (None, "", [])]


def _join(given: argparse.Namespace) -> int:
    files = [f"--{name}" for name in ("load", "save") if getattr(given, name) is not None]
    if settled := (["GAME"] if given.game else []) + _settled(given) + files:
        raise NotAllowed("already_settled", f"{settled[0]} cannot go with --join: the server settles it.")
    return _play_online(given.join, given.name or "", Look(has_colour(), "-" if given.dashes else None))


def _play_online(text: str, name: str, look: Look, rematches: int = 0) -> int:
    """``rematches``: so many after the match that the link leads to."""
    from ninefold.client import read_link
    from ninefold.client.device import take_seat
    from ninefold.terminal.console.online import Online

    link = read_link(text)
    if link.kind == "watch":
        return _watch(text, look)
    seat: client.Seat | None = take_seat(_server_of(link), link, name, rematches)
    opened_by: Link | None = None if rematches else link
    while seat:
        with Online(seat, opened_by, look=look) as table:
            try:
                Console(table.terminal).play(table)
                seat, opened_by = table.rematch(), None
            except KeyboardInterrupt:
                table.tell_how_to_come_back()
                raise
    return 0


def watch(given: argparse.Namespace) -> int:
    return _watch(given.link, Look(has_colour()))


def _watch(text: str, look: Look) -> int:
    from ninefold.client.links import TO_WATCH, read_link
    from ninefold.terminal.console.watching import Watching

    link = read_link(text, example=TO_WATCH)
    with Watching(_server_of(link).watch(link), look=look) as table:
        Console(table.terminal).play(table)
    return 0


def _server_of(link: Link) -> Server:
    from ninefold.client import Server

    return Server(link.server, on_trouble=lambda: print("No answer. Trying again ...", file=sys.stderr))


def _load(given: argparse.Namespace) -> Match:
    from ninefold.match.files import load

    if settled := _settled(given):
        raise NotAllowed("already_settled", f"{settled[0]} cannot go with --load: the file settles it.")
    match = load(given.load)
    if given.game not in (None, match.game.id):
        raise NotAllowed(
            "another_game", f"{quoted(given.load, 100)} is a match of {match.game.id}, not of {given.game}."
        )
    check_players(match.setup)
    return match


def _saver(file: str) -> Callable[[Match], None]:
    from ninefold.match.files import save

    return lambda match: save(file, match)


def has_colour() -> bool:
    """Whether the screen shows colour and its owner wants it."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
