"""The ways to open a match: a new one, a saved one, a record, a link."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App

from ninefold.client.local import LocalSession
from ninefold.core.errors import Refusal
from ninefold.core.messages import text
from ninefold.core.text import NAME_LENGTH, clean_name
from ninefold.match.files import load
from ninefold.server.hosting.commands import MatchRequest
from ninefold.terminal import saves
from ninefold.terminal.game_lock import GameLock
from ninefold.terminal.new_match import invite
from ninefold.terminal.new_match_form import NewMatchForm
from ninefold.terminal.saved_session import SavedGameSession
from ninefold.terminal.saves import SavedGame, SavedLink
from ninefold.terminal.tui.dialogs import Choice, ChoiceDialog, FormDialog, FormField, ListDialog
from ninefold.terminal.tui.executor import run_once, start_worker
from ninefold.terminal.tui.invitation import InvitationDialog
from ninefold.terminal.tui.match_screen import MatchScreen
from ninefold.terminal.tui.session_adapter import (
    LocalScreenSession,
    RemoteScreenSession,
    ScreenSession,
    WatchingScreenSession,
)

if TYPE_CHECKING:
    from ninefold.terminal.tui.app import NinefoldApp

PAUSE = 1.0  # seconds between the moves of two computers
INVITATION = "http://host:8090/m/ID#invite=SECRET"
TO_WATCH = "http://host:8090/m/ID"
SERVER = "http://host:8090"


def open_session(app: App[Any], session: ScreenSession | None) -> None:
    if not session:
        return
    app.push_screen(MatchScreen(session))
    if isinstance(session, RemoteScreenSession) and session.invitation and session.state.open_seats:
        app.push_screen(InvitationDialog(session.invitation, lambda: not session.state.open_seats))


def ask_names(app: App[Any], form: NewMatchForm, done: Callable[[NewMatchForm | None], None]) -> None:
    async def submit(*names: str) -> NewMatchForm:
        given = tuple(map(clean_name, names))
        return form._replace(names=(given[0], given[1] if len(given) > 1 else form.names[1]))

    labels = [text("open.name")] if form.named_players == 1 else [text("open.names.player", seat=n) for n in (1, 2)]
    fields = [FormField(label, name, longest=NAME_LENGTH) for label, name in zip(labels, form.names, strict=False)]
    app.push_screen(FormDialog(text("open.names"), fields, submit), done)


# Matches at this screen


def play_new(app: NinefoldApp, form: NewMatchForm, folder: Path) -> None:
    session = LocalSession.create(form.request(), pause=PAUSE)
    open_session(app, _saved_session(app, session, saves.new_file(session.match, folder)))


def _saved_session(
    app: NinefoldApp, session: LocalSession, file: Path, lock: GameLock | None = None
) -> LocalScreenSession:
    saver = app.make_saver(file, app.report_afterwards)
    saver.lock = lock
    return LocalScreenSession(session, saver, partial(ask_where_to_save, app))


def ask_where_to_save(app: App[Any], session: LocalScreenSession, why: str) -> None:
    """The disk is full, say: offer another place, or to go on unsaved."""

    async def submit(file: str) -> bool:
        await session.save_elsewhere(Path(os.path.expanduser(file.strip())))
        return True

    def done(is_saved: bool | None) -> None:
        session.report(text("save.moved", file=session.file) if is_saved else text("save.unsaved"))

    suggested = str(Path.home() / session.file.name) if session.file else ""
    fields = [FormField(text("save.another_file"), suggested, longest=4096)]
    back = text("dialog.go_on_unsaved")
    app.push_screen(FormDialog(text("save.elsewhere", why=why), fields, submit, back=back), done)


# Saved games


async def continue_saved(app: NinefoldApp, folder: Path, report: Callable[[str], None]) -> None:
    """Choose one of the saved games, and continue it."""
    saved = await run_once(partial(saves.list_saved, folder))
    if not saved:
        report(text("save.none"))
        return

    def chosen(place: int | None) -> None:
        one = None if place is None else saved[place]
        if isinstance(one, SavedGame):
            start_worker(app, _continue_game, app, one, folder)
        elif one:
            report(text("open.connecting"))
            start_worker(app, _rejoin, app, one, folder, report)

    async def delete(place: int) -> None:
        await run_once(partial(saves.delete, saved[place].file))

    lines = list(map(saves.describe_saved, saved))
    app.push_screen(ListDialog(saves.heading(folder, saved), saves.columns(), lines, delete), chosen)


async def _continue_game(app: NinefoldApp, saved: SavedGame, folder: Path) -> None:
    """Continue a game, unless another window plays it: then a copy can be played, or the game looked at."""
    try:
        lock = await run_once(partial(GameLock.acquire, saved.file), GameLock.release)
    except Refusal as refusal:
        ask_copy_or_look(app, saved, folder, str(refusal))
    else:
        session = LocalSession.resume(saved.match, saved.control, saved.clock, pause=PAUSE)
        open_session(app, _saved_session(app, session, saved.file, lock))


def ask_copy_or_look(app: NinefoldApp, saved: SavedGame, folder: Path, why: str) -> None:
    choices = [Choice("c", text("dialog.copy"), "copy"), Choice("l", text("dialog.look"), "look")]
    app.push_screen(ChoiceDialog(why, choices), partial(_open_anyway, app, saved, folder))


def _open_anyway(app: NinefoldApp, saved: SavedGame, folder: Path, how: str | None) -> None:
    if how == "copy":
        session = LocalSession.resume(saved.match, saved.control, saved.clock, pause=PAUSE)
        opened: ScreenSession = _saved_session(app, session, saves.new_file(saved.match, folder))
        opened.news = text("open.copy")
        open_session(app, opened)
    elif how == "look":
        opened = WatchingScreenSession(SavedGameSession(saved.file, saved.match))
        opened.news = text("open.look")
        open_session(app, opened)


async def _rejoin(app: App[Any], saved: SavedLink, folder: Path, report: Callable[[str], None]) -> None:
    try:
        session = await join(saved.link, "", folder=folder, rematches=saved.rematches, invitation=saved.invitation)
    except Refusal as refusal:
        report(str(refusal))
    else:
        report("")
        open_session(app, session)


# Records


def ask_record(app: NinefoldApp, folder: Path) -> None:
    fields = [FormField(text("open.file"), example="game.record", longest=4096)]
    app.push_screen(FormDialog(text("open.record"), fields, partial(_load, app, folder)), partial(open_session, app))


async def _load(app: NinefoldApp, folder: Path, file: str) -> ScreenSession:
    """A match from a file. It continues among the saved games; the file stays as it is."""
    session = await run_once(lambda: LocalSession.resume(load(os.path.expanduser(file.strip())), pause=PAUSE))
    return _saved_session(app, session, saves.new_file(session.match, folder))


# Links


def ask_join(app: App[Any], folder: Path) -> None:
    link = FormField(text("open.invitation"), example=INVITATION, longest=400)
    fields = [link, FormField(text("open.name"), longest=40)]
    app.push_screen(FormDialog(text("open.join"), fields, partial(join, folder=folder)), partial(open_session, app))


def ask_watch(app: App[Any]) -> None:
    fields = [FormField(text("open.link"), example=TO_WATCH, longest=400)]
    app.push_screen(FormDialog(text("open.watch"), fields, watch), partial(open_session, app))


def invite_friend(app: NinefoldApp, form: NewMatchForm, folder: Path) -> None:
    """Ask for a server, begin a match on it, and show the link that invites the other player."""

    async def submit(address: str) -> ScreenSession:
        session = await run_once(partial(_invite, address, form.request(), folder), _close)
        app.preferences.remember(server=address.strip().rstrip("/"))
        return session

    fields = [FormField(text("open.server"), app.preferences.current.server, SERVER, longest=200)]
    app.push_screen(FormDialog(text("open.invite"), fields, submit), partial(open_session, app))


def _invite(address: str, request: MatchRequest, folder: Path) -> ScreenSession:
    mine, theirs = invite(address.strip(), request)
    return _join(str(mine), request.seats[0].name, folder, invitation=str(theirs))


async def join(link: str, name: str, *, folder: Path, rematches: int = 0, invitation: str = "") -> ScreenSession:
    """Take the seat that a link opens, or the one so many rematches later; on this device the same link opens the same
    seat again. A link for watching shows the match."""
    return await run_once(partial(_join, link, name, folder, rematches, invitation), _close)


def _join(written: str, name: str, folder: Path, rematches: int = 0, invitation: str = "") -> ScreenSession:
    from ninefold.client import Server, read_link
    from ninefold.client.device import take_seat
    from ninefold.client.remote import RemoteSession

    link = read_link(written.strip())
    if link.kind == "watch":
        return _watch(written)
    server = Server(link.server)
    try:
        session = RemoteSession(take_seat(server, link, name, rematches))
    except Refusal:
        server.close()
        raise
    return RemoteScreenSession(session, str(link), folder, rematches=rematches, invitation=invitation)


def _close(session: ScreenSession) -> None:
    """The dialog was closed before the session was opened."""
    session.close()


async def watch(link: str) -> ScreenSession:
    return await run_once(partial(_watch, link), _close)


def _watch(written: str) -> ScreenSession:
    from ninefold import client
    from ninefold.client.remote import RemoteSession

    watched = client.watch(written.strip())
    try:
        return RemoteScreenSession(RemoteSession(watched), written.strip())
    except Refusal:
        watched.close()
        raise
