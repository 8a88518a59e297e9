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
from ninefold.match.files import load
from ninefold.terminal import saves
from ninefold.terminal.saves import SavedGame, SavedLink
from ninefold.terminal.tui.dialogs import FormDialog, FormField, ListDialog
from ninefold.terminal.tui.executor import run_once
from ninefold.terminal.tui.match_screen import MatchScreen
from ninefold.terminal.tui.new_match_form import NewMatchForm
from ninefold.terminal.tui.session_adapter import LocalScreenSession, RemoteScreenSession, ScreenSession

if TYPE_CHECKING:
    from ninefold.terminal.tui.app import NinefoldApp

PAUSE = 1.0  # seconds between the moves of two computers
INVITATION = "http://host:8090/m/ID#invite=SECRET"
TO_WATCH = "http://host:8090/m/ID"


def open_session(app: App[Any], session: ScreenSession | None) -> None:
    if session:
        app.push_screen(MatchScreen(session))


def play_new(app: NinefoldApp, form: NewMatchForm, folder: Path) -> None:
    session = LocalSession.create(form.request(), pause=PAUSE)
    file = saves.new_file(session.match, folder)
    open_session(app, LocalScreenSession(session, app.make_saver(file, app.report_afterwards)))


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
            session = LocalSession.resume(one.match, one.control, one.clock, pause=PAUSE)
            open_session(app, LocalScreenSession(session, app.make_saver(one.file, app.report_afterwards)))
        elif one:
            report(text("open.connecting"))
            app.run_worker(_rejoin(app, one, folder, report))

    async def delete(place: int) -> None:
        await run_once(partial(saves.delete, saved[place].file))

    app.push_screen(ListDialog(saves.heading(folder, saved), list(map(saves.describe_saved, saved)), delete), chosen)


async def _rejoin(app: App[Any], saved: SavedLink, folder: Path, report: Callable[[str], None]) -> None:
    try:
        session = await join(saved.link, "", folder=folder, rematches=saved.rematches)
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
    return LocalScreenSession(session, app.make_saver(saves.new_file(session.match, folder), app.report_afterwards))


# Links


def ask_join(app: App[Any], folder: Path) -> None:
    link = FormField(text("open.invitation"), example=INVITATION, longest=400)
    fields = [link, FormField(text("open.name"), longest=40)]
    app.push_screen(FormDialog(text("open.join"), fields, partial(join, folder=folder)), partial(open_session, app))


def ask_watch(app: App[Any]) -> None:
    fields = [FormField(text("open.link"), example=TO_WATCH, longest=400)]
    app.push_screen(FormDialog(text("open.watch"), fields, watch), partial(open_session, app))


async def join(link: str, name: str, *, folder: Path, rematches: int = 0) -> ScreenSession:
    """Take the seat that a link opens, or the one so many rematches later; on this device the same link opens the same
    seat again. A link for watching shows the match."""
    return await run_once(partial(_join, link, name, folder, rematches), _close)


def _join(written: str, name: str, folder: Path, rematches: int) -> ScreenSession:
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
    return RemoteScreenSession(session, str(link), folder, rematches=rematches)


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
