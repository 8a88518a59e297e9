"""From the full screen to the line console: from anywhere, and with the same match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ninefold.terminal.new_match import Continuation
from scripts.tmux import MISSING, find
from tests.support.async_tests import async_test
from tests.support.server_process import Serving, serving
from tests.support.terminals import invited
from tests.support.tmux_window import Window, window
from tests.support.tui_person import at_match, at_screen, local, run

in_a_window = pytest.mark.skipif(find() is None, reason=MISSING)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Window]:
    with window(tmp_path) as opened:
        yield opened


def open_link(terminal: Window, key: str, link: object) -> None:
    terminal.ninefold()
    terminal.sees("the tic-tac-toe family")
    terminal.keys(key)
    terminal.sees("esc  back")
    terminal.line(str(link))
    if key == "j":
        terminal.sees("enter  continue")
        terminal.keys("Enter")  # without a name
    terminal.sees("● connected")
    terminal.keys("F2")


@in_a_window
def test_a_spectator_continues_watching_and_takes_no_seat(server: Serving, terminal: Window) -> None:
    ann, _ = invited(server)
    open_link(terminal, "w", f"{server.url}/m/{ann.id}")
    terminal.sees("you are watching Ann (X) and Player 2 (O).")
    terminal.sees("Waiting for a player to join as O ...")
    terminal.line("e")
    terminal.sees("ended with 0")
    assert ann.view()["status"] == "open"


@in_a_window
def test_a_player_continues_in_the_same_seat(server: Serving, terminal: Window) -> None:
    ann, invitation = invited(server)
    open_link(terminal, "j", invitation)
    terminal.sees("you are Player 2 (O), against Ann (X).")
    ann.view()
    ann.play("5")
    terminal.sees("Player 2 (O), choose a cell (1 2 3 4 6 7 8 9):")
    terminal.line("1")
    terminal.sees("Player 2 (O): 1")
    assert len(ann.match().events) == 2


def leaves_from(home: Path, *keys: str) -> Continuation | None:
    """What is continued after these keys at the first screen."""

    async def press() -> Continuation | None:
        async with at_screen(home) as person:
            await person.press(*keys)
        return person.app.return_value

    return run(press())


@pytest.mark.parametrize("dialog", ["question_mark", "j", "o"])
def test_f2_leads_from_a_dialog_to_the_menu(tmp_path: Path, dialog: str) -> None:
    assert leaves_from(tmp_path, dialog, "f2") == Continuation()


@pytest.mark.parametrize("dialog", ["question_mark", "r", "s"])
def test_f2_leads_from_a_dialog_over_a_match_to_that_match(tmp_path: Path, dialog: str) -> None:
    continuation = leaves_from(tmp_path, "down", "right", "enter", "5", dialog, "f2")
    assert continuation
    assert continuation.match
    assert continuation.match.state.moves == (4,)
    assert Path(continuation.file).exists()


@pytest.mark.parametrize("dialog", ["question_mark", "s"])
@async_test
async def test_f3_changes_the_colours_below_a_dialog_too(tmp_path: Path, dialog: str) -> None:
    async with at_match(tmp_path, local("classic")) as person:
        before = person.app.theme
        await person.press(dialog, "f3")
        assert person.app.theme != before


@async_test
async def test_what_is_typed_into_a_dialog_stays_there(tmp_path: Path) -> None:
    async with at_match(tmp_path, local("classic")) as person:
        await person.press("s", *"f2 f3 q?", "enter")
        await person.sees("Player 1 (X) says: f2 f3 q?")
