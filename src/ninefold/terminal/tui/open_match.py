"""How a match begins, or goes on: a new one, one that was kept, a record, a link."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from textual.app import App

from ninefold.core.errors import Refusal
from ninefold.match.clock import TimeControl
from ninefold.match.files import load
from ninefold.match.match import Match
from ninefold.terminal import saves
from ninefold.terminal.console.table import check_players
from ninefold.terminal.saves import KeptGame, KeptLink, Saved
from ninefold.terminal.tui.dialogs import Ask, Field, Pick
from ninefold.terminal.tui.local import Local
from ninefold.terminal.tui.new_match_form import Wishes
from ninefold.terminal.tui.play import PlayScreen
from ninefold.terminal.tui.tables import Table
from ninefold.terminal.tui.threads import Errands, let_go

if TYPE_CHECKING:
    from ninefold.terminal.tui.app import Ninefold

T = TypeVar("T")


async def beside(errand: Callable[[], T], unwanted: Callable[[T], object] = let_go) -> T:
    """Something that may take its time, done beside the screen."""
    errands = Errands()
    try:
        return await errands.run(errand, unwanted)
    finally:
        errands.leave(lambda: None)


def sit(app: App[Any], table: Table | None) -> None:
    if table:
        app.push_screen(PlayScreen(table))


def play_new(app: Ninefold, wishes: Wishes, home: Path) -> None:
    match = wishes.match()
    clock = TimeControl(*(1000 * seconds for seconds in wishes.time)) if wishes.time else None
    sit(app, Local(match, clock=clock, save=Saved(saves.new_file(match, home), app.tell_afterwards)))


# Games that were kept


async def go_on(app: Ninefold, home: Path, tell: Callable[[str], None]) -> None:
    """Choose one of the games that were kept, and go on with it."""
    kept = await beside(partial(saves.all_kept, home))
    if not kept:
        tell("No game has been kept yet.")
        return

    def chosen(place: int | None) -> None:
        one = None if place is None else kept[place]
        if isinstance(one, KeptGame):
            save = Saved(one.file, app.tell_afterwards)
            sit(app, Local(one.match, clock=one.clock, time=one.time, save=save))
        elif one:
            tell("Going to the server ...")
            app.run_worker(_sit_again(app, one, home, tell))

    async def forget(place: int) -> None:
        await beside(partial(saves.forget, kept[place].file))

    app.push_screen(Pick(saves.heading(home, kept), list(map(saves.told, kept)), forget), chosen)


async def _sit_again(app: App[Any], kept: KeptLink, home: Path, tell: Callable[[str], None]) -> None:
    try:
        table = await join(kept.link, "", home=home, rematches=kept.rematches)
    except Refusal as refusal:
        tell(str(refusal))
    else:
        tell("")
        sit(app, table)


# Records


def open_record(app: Ninefold, home: Path) -> None:
    fields = [Field("The file of a log or a record", example="game.record", longest=4096)]
    app.push_screen(Ask("Open a record", fields, partial(_load, app, home)), partial(sit, app))


async def _load(app: Ninefold, home: Path, file: str) -> Local:
    """A match from a file. What is played on is kept with the other games; the file stays as it is."""
    match = await beside(lambda: _read(os.path.expanduser(file.strip())))
    return Local(match, save=Saved(saves.new_file(match, home), app.tell_afterwards))


def _read(file: str) -> Match:
    match = load(file)
    if not match.result:
        check_players(match.setup)
    return match


# Links


def ask_join(app: App[Any], home: Path) -> None:
    example = "http://host:8090/m/ID#invite=SECRET"
    fields = [Field("The link that you were given", "", example, 400), Field("What are you called?", longest=40)]
    app.push_screen(Ask("Join by link", fields, partial(join, home=home)), partial(sit, app))


def ask_watch(app: App[Any]) -> None:
    fields = [Field("The link of a match", example="http://host:8090/m/ID", longest=400)]
    app.push_screen(Ask("Watch a match", fields, watch), partial(sit, app))


async def join(link: str, name: str, *, home: Path, rematches: int = 0) -> Table:
    """Take the seat that a link opens, or the one so many rematches later; at this computer the same link opens the
    same seat again. A link for watching shows the match."""
    return await beside(partial(_join, link, name, home, rematches), _close)


def _join(text: str, name: str, home: Path, rematches: int) -> Table:
    from ninefold.client import Server, read_link
    from ninefold.client.device import take_seat
    from ninefold.terminal.tui.distant import Distant

    link = read_link(text.strip())
    if link.kind == "watch":
        return _watch(text)
    server = Server(link.server)
    try:
        return Distant(take_seat(server, link, name, rematches), str(link), home, rematches=rematches)
    except Refusal:
        server.close()
        raise


def _close(table: Table) -> None:
    """Whoever asked for it did not wait for it."""
    table.close()


async def watch(link: str) -> Table:
    return await beside(partial(_watch, link), _close)


def _watch(text: str) -> Table:
    from ninefold import client
    from ninefold.terminal.tui.distant import Distant

    watched = client.watch(text.strip())
    try:
        return Distant(watched, text.strip())
    except Refusal:
        watched.close()
        raise
