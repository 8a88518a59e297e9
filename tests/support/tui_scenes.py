"""Every screen as somebody sees it: for the snapshots, and for the pictures in the README."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from textual.theme import Theme

from ninefold.analysis.evaluation import Search, analyze
from ninefold.client.local import LocalSession
from ninefold.client.session import SessionState
from ninefold.core.errors import NotAllowed
from ninefold.core.messages import text
from ninefold.core.position import Side
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.clock import ClockReading, TimeControl
from ninefold.match.files import save
from ninefold.match.match import Match, begin
from ninefold.match.state import Seat
from ninefold.terminal.saves import SavedGame
from ninefold.terminal.tui.analyst import LIMIT, AnalysisReport, Analyst
from ninefold.terminal.tui.invitation import InvitationDialog
from ninefold.terminal.tui.open_match import ask_copy_or_look, ask_where_to_save
from ninefold.terminal.tui.session_adapter import LocalScreenSession
from ninefold.terminal.tui.themes import DARK
from ninefold.terminal.tui.timeline import HistoryView
from tests.support.short_games import MOVES
from tests.support.tui_person import Person, at_screen, local, run

Scene = Callable[[Person, Path], Awaitable[None]]


def seen(scene: Scene, size: tuple[int, int], take: Callable[[Person], str], theme: Theme = DARK) -> str:
    """What somebody takes away from a scene."""

    async def look() -> str:
        with tempfile.TemporaryDirectory() as folder:
            async with at_screen(Path(folder), size, theme) as person:
                await scene(person, Path(folder))
                await person.settle()
                return take(person)

    return run(look())


SQUARED = (
    "54 48 86 63 31 19 91 12 26 69 96 68 89 92 24 49 99 97 74 47 "
    "71 17 73 32 21 11 16 61 15 57 76 67 78 83 39 95 55 59 93 37"
)
SWAP_NINE = "5 2 8 4"


class StillSession(LocalSession):
    """A session in which no time passes. Parts of its state may be shown otherwise than they are."""

    shown: Mapping[str, Any] = {}

    @property
    def state(self) -> SessionState:
        return super().state._replace(**self.shown)

    def clock(self) -> ClockReading | None:
        return ClockReading((272_000, 18_000), self.match.position.turn) if self.hosted.settings.clock else None


def still(
    game: str, moves: str = "", x: str = "", o: str = "", *, clock: TimeControl | None = None, **shown: Any
) -> StillSession:
    """A session of two people, after some moves."""
    match = begin(find_game(game), {}, (Seat(Side.X, x), Seat(Side.O, o)), seed=1)
    session = StillSession.resume(played(match, moves), clock, now=lambda: 0)
    assert isinstance(session, StillSession)
    session.shown = shown
    return session


def played(match: Match, moves: str) -> Match:
    for move in moves.split():
        assert match.to_act
        match = match.act(match.to_act, actions.move(match.game.parse_move(move)))
    return match


class SilentAnalyst(Analyst):
    """Reports nothing."""

    def analyze(self, history: HistoryView) -> None:
        pass


async def start(person: Person, _: Path) -> None:
    await person.settle()


async def start_with_settings(person: Person, _: Path) -> None:
    await person.press(
        "4", "down", *["right"] * 3, "down", "right", "right", "down", "down", "down", "right", "down", "right", "right"
    )


async def classic(person: Person, _: Path) -> None:
    await person.open(still("classic", "5 1 2", "Ann", "Bob", clock=TimeControl(300_000, 0)))
    await person.press("right")


async def classic_won(person: Person, _: Path) -> None:
    await person.open(still("classic", MOVES["classic"], "Ann", "Bob"))


async def squared(person: Person, _: Path) -> None:
    await person.open(still("squared", SQUARED, "Ann", "Bob"))


async def squared_sent(person: Person, _: Path) -> None:
    await person.open(still("squared", "55 51 17 72", "Ann", "Bob"))
    await person.press("5")


async def squared_first_board(person: Person, _: Path) -> None:
    await person.open(still("squared", "", "Ann", "Bob"))
    await person.press("3")


async def ultimate_won(person: Person, _: Path) -> None:
    await person.open(still("ultimate", MOVES["ultimate"], "Ann", "Bob"))


async def swap_nine(person: Person, _: Path) -> None:
    await person.open(still("swap-nine", SWAP_NINE, "Ann", "Bob"))
    await person.press("7")


async def swap_nine_preview(person: Person, _: Path) -> None:
    await person.open(still("swap-nine", SWAP_NINE, "Ann", "Bob"))
    await person.press("7", "up")


async def hint(person: Person, _: Path) -> None:
    await person.open(still("classic", "5 2", "Ann", "Bob"))
    await person.press("h")
    await person.sees("Hint: 1.")


async def hint_big(person: Person, _: Path) -> None:
    await person.open(still("squared", "55 51 17 72", "Ann", "Bob"))
    await person.press("t", "h")
    await person.sees("by search")


async def refused(person: Person, _: Path) -> None:
    await person.open(still("squared", "55 51 17", "Ann", "Bob"))
    await person.click(40)


async def numpad(person: Person, _: Path) -> None:
    await person.open(still("agents", "[1,1]", "Ann", "Bob"))
    await person.press("l")


CLAIMED = "[0,0] [1,1] [0,1] [1,2] [0,2]"


async def claiming(person: Person, _: Path) -> None:
    await person.open(still("agents", CLAIMED, "Ann", "Bob"))
    await person.press("c", "1")


async def claimed(person: Person, folder: Path) -> None:
    await claiming(person, folder)
    await person.press("o")


async def claimed_falsely(person: Person, _: Path) -> None:
    await person.open(still("agents", CLAIMED, "Ann", "Bob"))
    await person.press("c", "2", "x", "y")


async def disputing(person: Person, _: Path) -> None:
    await person.open(still("agents", CLAIMED, "Ann", "Bob"))
    await person.press("c", "2", "x", "n")


async def analysis_small(person: Person, _: Path) -> None:
    await person.open(still("classic", "5 1 2", "Ann", "Bob"))
    await person.press("a")
    await person.sees("exact")
    await person.sees("█")


async def analysis_big(person: Person, _: Path) -> None:
    await analyzed(person, SQUARED)


async def analysis_paused(person: Person, _: Path) -> None:
    await analyzed(person, SQUARED.partition(" 16 61")[0], paused_after=LIMIT)


async def analyzed(person: Person, moves: str, paused_after: float = 0.0) -> None:
    """After so many nodes, which are the same everywhere; a real analyst searches for a time."""
    await person.open(still("squared", moves, "Ann", "Bob"), make_analyst=SilentAnalyst)
    screen = person.screen
    history, game = screen.history(), person.match.game
    await person.press("a")
    quick = Search(nodes=20_000, lines=1, memory=2**20)
    scores = {position: analyze(game, position, search=quick).for_x(position) for position in history.positions}
    thought = analyze(game, history.position, search=Search(nodes=300_000, lines=screen.analysis.analyst.lines))
    screen.analysis.receive(AnalysisReport(history.position, thought, scores, paused_after))
    await person.settle()


async def looking_back(person: Person, _: Path) -> None:
    await person.open(still("squared", SQUARED, "Ann", "Bob"))
    await person.press(*["comma"] * 6)


async def online(person: Person, _: Path) -> None:
    await person.open(still("classic", "5 1", "Ann", "Bob", clock=TimeControl(300_000, 0), is_remote=True))
    await person.press("s")
    await person.paste("good luck")
    await person.press("enter")


async def online_lost(person: Person, _: Path) -> None:
    lost: dict[str, Any] = {"is_remote": True, "is_connected": False, "absent_seats": frozenset({1})}
    await person.open(still("ultimate", "55 51 17", "Ann", "Bob", **lost))
    person.screen.say(text("session.disconnected"))
    await person.settle()


async def rules(person: Person, _: Path) -> None:
    await person.open(still("squared", SQUARED, "Ann", "Bob"))
    await person.press("question_mark")


async def names(person: Person, _: Path) -> None:
    await person.press("down", "right", "n")
    await person.paste("Ann")


async def invitation(person: Person, _: Path) -> None:
    link = f"http://192.168.1.20:8090/m/{'0f' * 8}#invite={'x' * 22}"
    await person.app.push_screen(InvitationDialog(link, lambda: False))


async def join(person: Person, _: Path) -> None:
    await person.press("j")
    await person.paste("nowhere")
    await person.press("enter", "enter")
    await person.sees("is not a link to a match")


async def watch(person: Person, _: Path) -> None:
    await person.press("w")


async def record(person: Person, _: Path) -> None:
    await person.press("o")


async def resign(person: Person, _: Path) -> None:
    await person.open(still("classic", "5 1", "Ann", "Bob"))
    await person.press("r")


async def saying(person: Person, _: Path) -> None:
    await person.open(still("classic", "5 1", "Ann", "Bob"))
    await person.press("s")


async def full_disk(person: Person, _: Path) -> None:
    session = LocalScreenSession(still("classic", "5 1", "Ann", "Bob"))
    await person.open(session)
    ask_where_to_save(person.app, session, text("save.failed", why="No space left on device"))


async def open_elsewhere(person: Person, folder: Path) -> None:
    file, match = folder / "2026-11-15-120000-000-classic.log", played(local("classic").match, "5 1")
    save(str(file), match)
    why = NotAllowed("game_open", file=file.name, process=4242)
    ask_copy_or_look(person.app, SavedGame(file, 0.0, match), folder, str(why))


async def saved(person: Person, folder: Path) -> None:
    """The time is that of wherever this runs, and the same everywhere."""
    games = (("classic", "5 1"), ("squared", SQUARED), ("swap-nine", MOVES["swap-nine"]))
    for number, (game, moves) in enumerate(games):
        file = folder / f"2026-11-15-12000{number}-000-{game}.log"
        save(str(file), played(local(game).match, moves))
        at = datetime(2026, 11, 15, 12, number).timestamp()
        os.utime(file, (at, at))
    await person.press("c")
    await person.sees("ongoing")


ALL: tuple[Scene, ...] = (
    start, start_with_settings, classic, classic_won, squared, squared_sent, squared_first_board, ultimate_won,
    swap_nine, swap_nine_preview, hint, hint_big, refused, numpad, claiming, claimed, claimed_falsely, disputing,
    analysis_small, analysis_big, analysis_paused, looking_back, online, online_lost, rules, names, invitation,
    join, watch, record, resign, saying, full_disk, open_elsewhere, saved,
)  # fmt: skip
