"""Files that cannot be written or deleted: it is shown, nothing else is lost, and nobody waits for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from ninefold.core.messages import text
from ninefold.match.files import load, save
from ninefold.match.match import Match
from ninefold.terminal import saves
from ninefold.terminal.saves import GameSaver
from scripts.tmux import MISSING, find
from tests.support.async_tests import async_test
from tests.support.tmux_window import Window, window
from tests.support.tui_person import LARGE, at_screen, local
from tests.support.tui_scenes import played
from tests.support.waiting import PATIENCE

in_a_window = pytest.mark.skipif(find() is None, reason=MISSING)

TWO_PEOPLE = ("down", "right", "enter")
STUCK_DISK = """
import sys, threading
from functools import partial
from ninefold.terminal.saves import GameSaver
from ninefold.terminal.tui.launch import open_app

try:
    open_app(partial(GameSaver, write=lambda *_: threading.Event().wait(), patience=0.0))
except KeyboardInterrupt:
    sys.exit(130)
"""
CRASH = """
import threading
from ninefold.match.files import save
from ninefold.terminal.saves import GameSaver
from ninefold.terminal.tui.launch import open_app

closing = threading.Event()

def write(*given):
    closing.wait()  # a disk that takes until then
    save(*given)

class CrashingSaver(GameSaver):
    def __init__(self, *given):
        super().__init__(*given, write=write)

    def save(self, *given):
        super().save(*given)
        raise ValueError("something went wrong")

    def close(self):
        closing.set()
        super().close()

open_app(CrashingSaver)
"""


@async_test
async def test_a_game_that_cannot_be_deleted_stays_in_the_list(tmp_path: Path) -> None:
    match = played(local("classic").match, "5")
    file = saves.new_file(match, tmp_path)
    save(str(file), match)
    clock = file.with_suffix(".clock")
    clock.mkdir()  # which cannot be unlinked

    async with at_screen(tmp_path) as person:
        await person.press("c")
        await person.sees("ongoing")
        await person.press("delete", "y")
        await person.sees(f"{file.name} cannot be deleted: ")
        assert "ongoing" in person.text
        clock.rmdir()
        await person.press("delete", "y")
        await person.sees("Continue a game  ")
    assert not file.exists()


@pytest.mark.parametrize(
    ("error", "words"),
    [(OSError(28, "No space left"), "No space left"), (LookupError("odd"), "odd"), (MemoryError(), "MemoryError")],
    ids=["of the disk", "a defect", "without words"],
)
@async_test
async def test_any_error_of_saving_is_shown(tmp_path: Path, error: Exception, words: str) -> None:
    def fail(*_: object) -> None:
        raise error

    async with at_screen(tmp_path, make_saver=partial(GameSaver, write=fail)) as person:
        await person.press(*TWO_PEOPLE, "5")
        await person.until(lambda: "The game cannot be saved" in person.text and words in person.text)
        await person.press("escape")
        await person.sees("The game goes on. It is not saved.")
        await person.press("1", "e")
        await person.sees("Play")
        assert "The game cannot be saved" in person.text  # nor was the last move


@async_test
async def test_a_game_that_can_be_saved_again_is_saved_with_all_its_moves(tmp_path: Path) -> None:
    is_full = threading.Event()
    is_full.set()

    def write(file: str, match: Match) -> None:
        if is_full.is_set():
            raise OSError(28, "No space left")
        save(file, match)

    async with at_screen(tmp_path, make_saver=partial(GameSaver, write=write)) as person:
        await person.press(*TWO_PEOPLE, "5")
        await person.sees("The game cannot be saved")
        is_full.clear()
        await person.press("escape", "1", "e")
        assert "cannot be saved" not in person.text
    (saved,) = saves.list_saved(tmp_path)
    assert isinstance(saved, saves.SavedGame)
    assert saved.match.state.moves == (4, 0)


def full_disk(folder: Path, room: int = 0) -> Callable[[str, Match], None]:
    """A disk that has room in no file of a folder for more than so many events."""

    def write(file: str, match: Match) -> None:
        if Path(file).parent == folder and len(match.events) > room:
            raise OSError(28, "No space left on device")
        save(file, match)

    return write


@async_test
async def test_a_game_on_a_full_disk_goes_on_in_another_file(tmp_path: Path) -> None:
    games, elsewhere = tmp_path / "games", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "old.log").touch()
    make_saver = partial(GameSaver, write=full_disk(games, room=1))

    async with at_screen(games, make_saver=make_saver) as person:
        await person.press(*TWO_PEOPLE, "5", "1")
        await person.sees("No space left on device")
        await person.sees("esc  go on unsaved")
        for wrong, why in (
            ("/nowhere/a.log", "the folder does not exist"),
            (str(elsewhere / "old.log"), "exists already"),
        ):
            await person.press("ctrl+u")
            await person.paste(wrong)
            await person.press("enter")
            await person.sees(why)
        await person.press("ctrl+u")
        await person.paste(str(elsewhere))  # a folder: the file keeps its name
        await person.press("enter")
        await person.sees("From now on the game is saved in")
        await person.press("2", "e")
        await person.sees("Play")
        assert "cannot be saved" not in person.text
    (before,) = games.glob("*.log")
    assert load(str(before)).state.moves == (4,)
    assert load(str(elsewhere / before.name)).state.moves == (4, 0, 1)
    assert not list(elsewhere.glob(".*"))  # nothing is locked any more


@async_test
async def test_a_game_that_is_left_unsaved_is_saved_in_a_temporary_folder(tmp_path: Path) -> None:
    games, temporary = tmp_path / "games", tmp_path / "temporary"
    temporary.mkdir()
    make_saver = partial(GameSaver, write=full_disk(games), temporary_folder=lambda: temporary)

    async with at_screen(games, LARGE, make_saver=make_saver) as person:
        await person.press(*TWO_PEOPLE, "5")
        await person.sees("No space left on device")
        await person.press("escape", "1", "e")
        await person.sees("It is saved in")
    (file,) = temporary.glob("*.log")
    assert load(str(file)).state.moves == (4, 0)


def test_closing_waits_for_a_slow_disk(tmp_path: Path) -> None:
    is_closing, errors = threading.Event(), list[str]()

    def write(file: str, match: Match) -> None:
        is_closing.wait()
        save(file, match)

    match = played(local("classic").match, "5")
    saver = GameSaver(tmp_path / "2026-a.log", errors.append, write=write, patience=PATIENCE)
    saver.save(match)
    is_closing.set()
    saver.close()
    assert load(str(saver.file)) == match
    assert errors == []


@async_test
async def test_a_disk_that_does_not_respond_is_not_waited_for(tmp_path: Path) -> None:
    responds = threading.Event()

    def write(file: str, match: Match) -> None:
        responds.wait()
        save(file, match)

    async with at_screen(tmp_path, make_saver=partial(GameSaver, write=write, patience=0.0)) as person:
        await person.press(*TWO_PEOPLE, "5", "e")
        await person.sees("The disk does not respond. The last move may not be saved.")
        responds.set()  # and it is written after all
        await person.until(lambda: bool(saves.list_saved(tmp_path)))


def begin(terminal: Window, script: str) -> None:
    """A game of two people, and its first move."""
    terminal.python(script)
    terminal.sees("the tic-tac-toe family")
    terminal.keys("Down", "Right", "Enter")
    terminal.sees("choose a cell (1 2 3 4 5 6 7 8 9)")
    terminal.keys("5")


@in_a_window
def test_ctrl_c_ends_cleanly_when_the_disk_does_not_respond_and_says_what_may_be_lost(tmp_path: Path) -> None:
    with window(tmp_path) as terminal:
        begin(terminal, STUCK_DISK)
        terminal.sees("choose a cell (1 2 3 4 6 7 8 9)")
        terminal.keys("C-c")
        shown = terminal.sees("ended with 130")
        assert text("save.slow_disk") in shown
        assert "The game is saved" not in shown
        assert terminal.is_clean()


@in_a_window
def test_a_game_is_saved_up_to_the_move_that_crashed(tmp_path: Path) -> None:
    with window(tmp_path) as terminal:
        begin(terminal, CRASH)
        terminal.sees("something went wrong")
        terminal.sees("ended with 0")
    (saved,) = saves.list_saved(tmp_path / "state" / "ninefold" / "games")
    assert isinstance(saved, saves.SavedGame)
    assert saved.match.state.moves == (4,)
