"""The commands that play at the line console: ``ninefold play`` and ``ninefold watch``, and its menu."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from ninefold.client.local import LocalSession
from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.messages import text
from ninefold.core.position import Side
from ninefold.core.rendering import BoardStyle
from ninefold.games import all_games, find_game
from ninefold.match.match import Match
from ninefold.match.state import HUMAN
from ninefold.server.hosting.commands import MatchRequest, SeatRequest
from ninefold.server.hosting.seats import start_match
from ninefold.terminal.console.console import Console
from ninefold.terminal.console.prompt import Help, PlayerLeft, Terminal, UndoRequested, ask_player_1_side
from ninefold.terminal.console.saving import ConsoleSaver
from ninefold.terminal.new_match import Continuation, local_request

if TYPE_CHECKING:
    from ninefold.client import Link, Server
    from ninefold.client.remote import RemoteSession
    from ninefold.server.hosting.model import HostedMatch

PAUSE = 1.0  # seconds between the moves of two computers


def continue_at_console(continuation: Continuation) -> int:
    """Continue line by line what was begun on the full screen, or chosen from the menu."""
    look = BoardStyle(has_colour())
    if continuation.watches:
        return _watch(continuation.link, look)
    if continuation.link:
        return _play_remote(continuation.link, continuation.name, look, continuation.rematches)
    if continuation.match is None:
        return line_menu()
    session = LocalSession.resume(continuation.match, continuation.control, continuation.clock, pause=PAUSE)
    return _play_saved(Terminal(look=look), session, continuation.file)


def line_menu() -> int:
    from ninefold.terminal.console.menu import choose
    from ninefold.terminal.preferences import PreferencesFile, settings_file

    terminal = Terminal(look=BoardStyle(colour=has_colour()))
    preferences = PreferencesFile(settings_file())
    choice = choose(terminal, preferences)
    preferences.close()
    if isinstance(choice, Continuation):
        return continue_at_console(choice)
    from ninefold.terminal.saves import new_saved_file

    session = LocalSession.create(choice, pause=PAUSE)
    return _play_saved(terminal, session, new_saved_file(session.match))


def _play_saved(terminal: Terminal, session: LocalSession, file: str) -> int:
    """Play on. The match is saved in its file, if it has one, from its first event on; a rematch in one of its own."""
    from ninefold.terminal.saves import new_saved_file

    saver = _saver_in_new_folder(terminal, file, session.match) if file else None
    _play_local(terminal, session, saver, new_saved_file)
    return 0


def _saver_in_new_folder(terminal: Terminal, file: str, match: Match) -> ConsoleSaver | None:
    """None where the folder cannot be made: a game that cannot be saved is played all the same. Of a game that another
    window plays, a copy is offered."""
    from ninefold.terminal.saves import describe_failure, new_saved_file

    try:
        Path(file).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return ConsoleSaver(terminal, Path(file))
    except OSError as error:
        terminal.say(describe_failure(error))
        return None
    except Refusal as refusal:
        terminal.refuse(refusal)
    while True:
        try:
            if terminal.ask_yes(text("console.play_copy"), Help(lambda: text("console.play_copy.help"))):
                return ConsoleSaver(terminal, Path(new_saved_file(match)))
        except UndoRequested:
            terminal.say(text("menu.nothing_to_undo"))
        else:
            raise PlayerLeft


def _play_local(
    terminal: Terminal, session: LocalSession, saver: ConsoleSaver | None, file_of_rematch: Callable[[Match], str]
) -> None:
    """Play a match and its rematches."""
    while True:
        if saver:
            session.store = partial(_store, saver)
        match = session.match
        if match.setup.toss and not match.events:
            terminal.say(text("console.toss", side=match.position.turn))
        with saver or nullcontext(), session:
            again = Console(terminal, session, saver=saver).play()
        if not isinstance(again, LocalSession):
            return
        session, setup = again, again.match.setup
        terminal.say(text("after.rematch_begins", one=setup.label(1), two=setup.label(2)))
        if saver:
            saver = ConsoleSaver(terminal, Path(file_of_rematch(session.match)))
            terminal.say(text("console.saved", file=saver.file))


def _store(saver: ConsoleSaver, hosted: HostedMatch) -> None:
    """Save the match, and beside it its clock: without one it is continued without clocks."""
    from ninefold.terminal.saves import save_clock

    saver.store(hosted.match)
    if saver.is_saved and hosted.clock:
        with suppress(OSError, Refusal):
            save_clock(saver.file, hosted.settings.clock, hosted.clock.left)


def _numbered(file: str) -> str:
    """A new file beside another: game-2.log beside game.log."""
    first = Path(file)
    return str(next(new for number in count(2) if not (new := first.with_stem(f"{first.stem}-{number}")).exists()))


def play(given: argparse.Namespace) -> int:
    if given.join is not None:
        return _join(given)
    if given.name is not None:
        raise NotAllowed("already_settled.name")
    terminal = Terminal(look=BoardStyle(has_colour(), "-" if given.dashes else None))
    if given.save is not None and given.save != given.load:
        from ninefold.match.files import check_new

        check_new(given.save)
    if given.load is not None:
        session = LocalSession.resume(_load(given), pause=given.pause)
    else:
        session = LocalSession.create(_request(given, terminal), pause=given.pause)
    file = given.load if given.save is None else given.save
    if file and not session.match.events:
        from ninefold.match.files import save

        save(file, session.match)  # a place that cannot be written is refused before the first move
    saver = ConsoleSaver(terminal, Path(file)) if file else None
    _play_local(terminal, session, saver, lambda _: _numbered(file))
    return 0


def _request(given: argparse.Namespace, terminal: Terminal) -> MatchRequest:
    if given.game is None:
        raise Unreadable("no_such_game.play", games=" ".join(all_games()))
    if given.first and "first" in dict(given.option):
        raise NotAllowed("said_twice")
    game = find_game(given.game)
    x = SeatRequest(HUMAN if given.x is None else given.x, given.x_name)
    o = SeatRequest(HUMAN if given.o is None else given.o, given.o_name)
    request = local_request(game.id, x, o, first=given.first, options=dict(given.option), seed=given.seed)
    start_match(request, 0)  # what is wrong is refused before anything is asked
    if not game.ask_sign or given.x is not None or given.o is not None:
        return request
    player_1 = ask_player_1_side(terminal, game)
    return request if player_1 is Side.X else request._replace(seats=(o, x), sides="OX")


def _settings(given: argparse.Namespace) -> list[str]:
    """The options that say what a new match is like."""
    names = ("x", "o", "first", "seed", "option", "x_name", "o_name")
    return [f"--{name.replace('_', '-')}" for name in names if getattr(given, name) not in (None, "", [])]


def _join(given: argparse.Namespace) -> int:
    files = [f"--{name}" for name in ("load", "save") if getattr(given, name) is not None]
    if settings := (["GAME"] if given.game else []) + _settings(given) + files:
        raise NotAllowed("already_settled.join", option=settings[0])
    return _play_remote(given.join, given.name or "", BoardStyle(has_colour(), "-" if given.dashes else None))


def _play_remote(written: str, name: str, look: BoardStyle, rematches: int = 0) -> int:
    """``rematches``: so many after the match that the link leads to."""
    from ninefold.client import read_link
    from ninefold.client.device import take_seat
    from ninefold.client.remote import RemoteSession
    from ninefold.terminal.console.remote_console import RemoteConsole

    link = read_link(written)
    if link.kind == "watch":
        return _watch(written, look)
    session: RemoteSession | None = RemoteSession(take_seat(_server_of(link), link, name, rematches))
    taken_with: Link | None = None if rematches else link
    while session:
        with RemoteConsole(session, taken_with, look=look) as console:
            try:
                again = console.play()
                session, taken_with = again if isinstance(again, RemoteSession) else None, None
            except KeyboardInterrupt:
                console.say_how_to_return()
                raise
    return 0


def watch(given: argparse.Namespace) -> int:
    return _watch(given.link, BoardStyle(has_colour()))


def _watch(written: str, look: BoardStyle) -> int:
    from ninefold.client.links import TO_WATCH, read_link
    from ninefold.client.remote import RemoteSession
    from ninefold.terminal.console.remote_console import RemoteConsole

    link = read_link(written, example=TO_WATCH)
    with RemoteConsole(RemoteSession(_server_of(link).watch(link)), look=look) as console:
        console.play()
    return 0


def _server_of(link: Link) -> Server:
    from ninefold.client import Server

    return Server(link.server, on_retry=lambda: print(text("console.no_response"), file=sys.stderr))


def _load(given: argparse.Namespace) -> Match:
    from ninefold.match.files import load

    if settings := _settings(given):
        raise NotAllowed("already_settled.load", option=settings[0])
    match = load(given.load)
    if given.game not in (None, match.game.id):
        raise NotAllowed("another_game", file=quoted(given.load, 100), found=match.game.id, game=given.game)
    return match


def has_colour() -> bool:
    """True if the screen shows colour and its owner wants it."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
