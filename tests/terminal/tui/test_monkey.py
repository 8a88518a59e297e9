"""Random keys, mouse events and windows on every screen: nothing crashes, and the terminal is left as it was."""

from __future__ import annotations

import asyncio
import os
import termios
from pathlib import Path
from random import Random

import pytest

from scripts.tmux import MISSING, find
from tests.support import tui_scenes as scenes
from tests.support.async_tests import async_test
from tests.support.console import COMMAND
from tests.support.monkey import let_loose
from tests.support.tmux_window import Window, window
from tests.support.tui_scenes import Scene

SOME, MANY = 40, int(os.environ.get("EVENTS", "10000"))
# Textual does not await this one where a screen is removed before it was shown.
pytestmark = [
    pytest.mark.filterwarnings("ignore:coroutine 'Screen._watch_selections' was never awaited:RuntimeWarning"),
    pytest.mark.filterwarnings("ignore:.*Screen._watch_selections:pytest.PytestUnraisableExceptionWarning"),
]
in_a_window = pytest.mark.skipif(find() is None, reason=MISSING)
# Ctrl-C, Ctrl-D, Ctrl-Z and Ctrl-\\ are for whoever the terminal belongs to then.
KEYS = [bytes([code]) for code in range(1, 127) if code not in (3, 4, 26, 28)]
KEYS += [b"\r", b"\x1b", "é".encode(), *(b"\x1b" + code for code in (b"[A", b"[B", b"[C", b"[D", b"[3~", b"[H", b"OR"))]


@pytest.mark.parametrize("scene", scenes.ALL, ids=lambda scene: scene.__name__)
@async_test
async def test_random_keys_mouse_events_and_windows_crash_nothing(tmp_path: Path, scene: Scene) -> None:
    await let_loose(scene, tmp_path, SOME, seed=os.environ.get("SEED", "1"))


@pytest.mark.exhaustive
@pytest.mark.parametrize("scene", scenes.ALL, ids=lambda scene: scene.__name__)
def test_ten_thousand_random_events_on_every_screen_crash_nothing(tmp_path: Path, scene: Scene) -> None:
    asyncio.run(let_loose(scene, tmp_path, MANY, seed=os.environ.get("SEED", "2")))  # as long as it takes


def random_bytes(random: Random) -> bytes:
    """What a terminal sends for a few keys, or for a button of the mouse."""
    if random.random() < 0.2:
        x, y = 1 + int(random.random() * 120), 1 + int(random.random() * 40)
        return f"\x1b[<{random.choice([0, 0, 2, 35, 64, 65])};{x};{y}M\x1b[<0;{x};{y}m".encode()
    return b"".join(random.choices(KEYS, k=8))


def is_restored(terminal: Window) -> bool:
    """As ``Window.is_clean``, where no shell answers."""
    flags = terminal.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{wrap_flag}")
    with open(terminal.tmux("display-message", "-p", "#{pane_tty}").strip()) as tty:
        local_modes = termios.tcgetattr(tty)[3]
    return flags.split() == ["0", "1", "0", "1"] and bool(local_modes & termios.ECHO and local_modes & termios.ICANON)


def use_at_random(folder: Path, rounds: int, seed: str) -> None:
    """The installed command in real terminals, one after the other."""
    random = Random(seed)
    while rounds > 0:
        home = folder / str(rounds)
        home.mkdir()
        rounds = use_one_terminal(home, rounds, random)


def use_one_terminal(home: Path, rounds: int, random: Random) -> int:
    """Type until the command ends, or for so many rounds; returns how many are left. What is typed after the end goes
    to ``cat``, and to no shell."""
    code = home / "code"
    with window(home) as terminal:
        # Ctrl-C may come when the command has just left the terminal: the shell still writes the code.
        terminal.line(f"clear; (trap : INT; {COMMAND}; echo $? > {code}); cat > {os.devnull}")
        terminal.sees("the tic-tac-toe family")
        while rounds > 0 and not code.exists():
            rounds -= 1
            terminal.tmux("send-keys", "-H", *(f"{byte:02x}" for byte in random_bytes(random)))
            if random.random() < 0.1:
                terminal.resize(20 + int(random.random() * 140), 5 + int(random.random() * 50))
        if not code.exists():
            terminal.keys("C-c")
        terminal.until(lambda: code.exists() and bool(code.read_text()), "its end")
        assert code.read_text().strip() in ("0", "130"), terminal.text
        terminal.until(lambda: is_restored(terminal), "the terminal as it was")
    return rounds


@in_a_window
def test_a_terminal_is_restored_after_random_bytes(tmp_path: Path) -> None:
    use_at_random(tmp_path, 30, "1")


@in_a_window
@pytest.mark.exhaustive
def test_a_terminal_is_restored_after_many_random_bytes(tmp_path: Path) -> None:
    use_at_random(tmp_path, MANY // 8, os.environ.get("SEED", "2"))
