"""When files cannot be written or removed: it is said, nothing else is lost, and nobody waits for ever."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from ninefold.match.files import load, save
from ninefold.terminal import saves
from scripts.tmux import MISSING, find
from tests.support.hosted_matches import on_a_loop
from tests.terminal.tui.people import at_screen, local
from tests.terminal.tui.scenes import played
from tests.terminal.tui.window import Window, window

in_a_window = pytest.mark.skipif(find() is None, reason=MISSING)

TWO_PEOPLE = ("down", "right", "enter")
STUCK = """
import sys, threading
from ninefold.cli.main import main
from ninefold.terminal import saves

saves.save = lambda *_: threading.Event().wait()  # a disk that does not answer
saves.PATIENCE = 0.1
sys.exit(main([]))
"""

CRASH = """
import threading
from ninefold.terminal import saves
from ninefold.terminal.tui import local
from ninefold.terminal.tui.launch import open_app

def play(self, seat, action):
    act(self, seat, action)
    raise ValueError("something went wrong")

def save(*given):
    closing.wait()  # a disk that takes until then
    write(*given)

def leave(self):
    closing.set()
    close(self)

closing = threading.Event()
act, local.Local.act = local.Local.act, play
write, saves.save = saves.save, save
close, saves.Saved.close = saves.Saved.close, leave
open_app()
"""


def refuse(*_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied")


@on_a_loop
async def test_a_game_that_cannot_be_removed_stays_in_the_list_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played(local("classic").match, "5")
    file = saves.new_file(match, tmp_path)
    save(str(file), match)

    async with at_screen(tmp_path) as person:
        await person.press("c")
        await person.sees("going on")
        with monkeypatch.context() as patch:
            patch.setattr(Path, "unlink", refuse)
            await person.press("delete", "y")
            await person.sees(f"{file.name} cannot be removed: Permission denied.")
        assert "going on" in person.text
        await person.press("delete", "y")
        await person.sees("Go on with a game  ")
    assert not file.exists()


@pytest.mark.parametrize(
    ("error", "told"),
    [(OSError(28, "No space left"), "No space left"), (LookupError("odd"), "odd"), (MemoryError(), "MemoryError")],
    ids=["of the disk", "of ours", "without words"],
)
@on_a_loop
async def test_whatever_goes_wrong_with_keeping_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(saves, "save", fail)

    async with at_screen(tmp_path) as person:
        await person.press(*TWO_PEOPLE, "5")
        await person.until(lambda: "The game cannot be kept" in person.text and told in person.text)
        await person.press("1", "e")
        await person.sees("Play")
        assert "The game cannot be kept" in person.text  # nor was the last move


@on_a_loop
async def test_a_game_that_can_be_kept_again_is_kept_with_all_its_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_screen(tmp_path) as person:
        with monkeypatch.context() as patch:
            patch.setattr(saves, "save", refuse)
            await person.press(*TWO_PEOPLE, "5")
            await person.sees("The game cannot be kept")
        await person.press("1", "e")
        assert "cannot be kept" not in person.text
    (kept,) = saves.all_kept(tmp_path)
    assert isinstance(kept, saves.KeptGame)
    assert kept.match.state.moves == (4, 0)


def test_closing_waits_for_a_slow_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closing, told = threading.Event(), list[str]()

    def write(*given: Any) -> None:
        closing.wait()
        save(*given)

    def join(patience: float) -> None:
        closing.set()
        threading.Thread.join(saved._writer, patience)

    monkeypatch.setattr(saves, "save", write)
    match = played(local("classic").match, "5")
    saved = saves.Saved(tmp_path / "2026-a.log", told.append)
    monkeypatch.setattr(saved._writer, "join", join)
    saved.keep(match, None, None)
    saved.close()
    assert load(str(saved.file)) == match
    assert told == []


@on_a_loop
async def test_a_disk_that_does_not_answer_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = threading.Event()

    def wait(*given: Any) -> None:
        answers.wait()
        save(*given)

    monkeypatch.setattr(saves, "save", wait)
    monkeypatch.setattr(saves, "PATIENCE", 0.01)

    async with at_screen(tmp_path) as person:
        await person.press(*TWO_PEOPLE, "5", "e")
        await person.sees("The disk does not answer. The last move may not be kept.")
        answers.set()  # and it is written after all
        await person.until(lambda: bool(saves.all_kept(tmp_path)))


def begin(terminal: Window, script: str) -> None:
    """A game of two people, and its first move."""
    terminal.python(script)
    terminal.sees("the tic-tac-toe family")
    terminal.keys("Down", "Right", "Enter")
    terminal.sees("choose a cell (1 2 3 4 5 6 7 8 9)")
    terminal.keys("5")


@in_a_window
def test_ctrl_c_leaves_cleanly_when_the_disk_does_not_answer_and_says_what_may_be_lost(tmp_path: Path) -> None:
    with window(tmp_path) as terminal:
        begin(terminal, STUCK)
        terminal.sees("choose a cell (1 2 3 4 6 7 8 9)")
        terminal.keys("C-c")
        seen = terminal.sees("ended with 130")
        assert saves.UNSURE in seen
        assert "Interrupted." in seen
        assert terminal.is_clean()


@in_a_window
def test_a_game_is_kept_up_to_the_move_that_crashed(tmp_path: Path) -> None:
    with window(tmp_path) as terminal:
        begin(terminal, CRASH)
        terminal.sees("something went wrong")
        terminal.sees("ended with 0")
    (kept,) = saves.all_kept(tmp_path / "state" / "ninefold" / "games")
    assert isinstance(kept, saves.KeptGame)
    assert kept.match.state.moves == (4,)
