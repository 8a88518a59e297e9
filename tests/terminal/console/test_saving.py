"""Saving at the console: a full disk takes no move back, another file is asked for, and a second window is told."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ninefold.client.local import LocalSession
from ninefold.core.errors import NotAllowed
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.files import load, save
from ninefold.match.match import Match, begin
from ninefold.match.state import HUMAN
from ninefold.terminal.console.console import Console
from ninefold.terminal.console.prompt import EndOfInput
from ninefold.terminal.console.saving import ConsoleSaver
from ninefold.terminal.game_lock import GameLock
from ninefold.terminal.saves import SaveMatch
from tests.support.console import COMMAND, X_WINS, TypedLines, environment, ninefold, refused, terminal
from tests.support.tui_person import request
from tests.support.waiting import PATIENCE


def full_disk(folder: Path, room: int = 1) -> Callable[[str, Match], None]:
    """A disk that has room in no file of a folder for more than so many events."""

    def write(file: str, match: Match) -> None:
        if Path(file).parent == folder and len(match.events) > room:
            raise OSError(28, "No space left on device")
        save(file, match)

    return write


def played(
    folder: Path, *lines: str, o: str = HUMAN, temporary: Path | None = None, write: SaveMatch | None = None
) -> str:
    """What is on the screen of a game on a full disk. Nobody answers after the last line."""
    folder.mkdir(exist_ok=True)
    keyboard, screen = terminal(*lines, by_person=True)
    saver = ConsoleSaver(
        keyboard, folder / "a.log", write=write or full_disk(folder), temporary_folder=lambda: temporary or folder
    )
    session = LocalSession.create(request("classic", o=o))
    session.store = lambda hosted: saver.store(hosted.match)
    with saver, session:
        try:
            Console(keyboard, session, saver=saver).play()
        except EndOfInput:
            screen.write("nobody answers\n")
    return screen.getvalue()


def test_a_game_on_a_full_disk_goes_on_in_another_file(tmp_path: Path) -> None:
    elsewhere, taken = tmp_path / "b.log", tmp_path / "taken.log"
    taken.touch()
    said = played(tmp_path / "games", "5", "1", "/nowhere/c.log", str(taken), "u", str(elsewhere), "2", "e")
    assert "The game cannot be saved: No space left on device.\nFile to save the game in" in said
    assert "the folder does not exist" in said
    assert "exists already" in said
    assert f"From now on the game is saved in {elsewhere}" in said
    assert f"You left the game. It is saved.\nTo continue it: ninefold play --load {elsewhere}\n" in said
    assert load(str(tmp_path / "games" / "a.log")).state.moves == (4,)
    assert load(str(elsewhere)).state.moves == (4, 0, 1)
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_another_file_that_cannot_be_written_either_is_not_kept_locked(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    said = played(folder, "5", "1", str(folder / "b.log"), str(tmp_path / "c.log"), "e")
    assert said.count("No space left on device") == 3  # at first, for the other file, and asked again
    assert sorted(file.name for file in folder.iterdir()) == ["a.log"]


def test_u_tries_the_same_file_again(tmp_path: Path) -> None:
    """The disk has room again the second time."""
    tries: list[int] = []

    def write(file: str, match: Match) -> None:
        tries.append(len(match.events))
        if tries.count(2) < 3:
            full_disk(tmp_path)(file, match)
        else:
            save(file, match)

    said = played(tmp_path, "5", "1", "u", "u", "e", write=write)
    assert tries == [1, 2, 2, 2]
    assert said.count("(enter: go on unsaved; u: try again): u\n") == 2
    assert f"From now on the game is saved in {tmp_path / 'a.log'}\n" in said
    assert load(str(tmp_path / "a.log")).state.moves == (4, 0)


@pytest.mark.parametrize("answer", ["/nowhere/b.log", "u", ""], ids=["another file", "again", "unsaved"])
def test_the_computer_may_move_and_be_saved_while_the_player_is_asked(tmp_path: Path, answer: str) -> None:
    first = begin(find_game("classic")).act(1, actions.move(4))
    second = first.act(2, actions.move(0))
    disk = [full_disk(tmp_path, room=0), save]
    keyboard, screen = terminal()

    class Meanwhile(TypedLines):
        def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # as its base
            saver.store(second)
            return super().readline(size)

    keyboard.reader = Meanwhile((answer,), screen, by_person=True)
    with ConsoleSaver(keyboard, tmp_path / "a.log", write=lambda *given: disk.pop(0)(*given)) as saver:
        saver.store(first)
        saver.ask_where()
    assert load(str(tmp_path / "a.log")).state.moves == (4, 0)
    assert screen.getvalue().endswith(f"From now on the game is saved in {tmp_path / 'a.log'}\n")


def test_a_question_mark_explains_what_can_be_typed_when_the_disk_is_full(tmp_path: Path) -> None:
    said = played(tmp_path, "5", "1", "?", "", "e")
    assert "Enter goes on unsaved, u tries the same file again, e leaves.\n" in said


@pytest.mark.parametrize("room", [1, 4, 5], ids=["in the game", "at its end", "after it"])
def test_a_script_on_a_full_disk_is_refused_and_its_moves_are_no_files(tmp_path: Path, room: int) -> None:
    folder, temporary = tmp_path / "games", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    keyboard, _ = terminal(*X_WINS.split(), "say good game", "X", "say thank you", "O")
    saver = ConsoleSaver(keyboard, folder / "a.log", write=full_disk(folder, room), temporary_folder=lambda: temporary)
    session = LocalSession.create(request("classic"))
    session.store = lambda hosted: saver.store(hosted.match)
    with (
        pytest.raises(NotAllowed, match=r"No space left on device\. Nobody is there to name another file"),
        saver,
        session,
    ):
        Console(keyboard, session, saver=saver).play()
    assert [len(load(str(one / "a.log")).events) for one in (folder, temporary)] == [room, room + 1]


def test_the_command_ends_with_2_if_a_script_fills_the_disk(tmp_path: Path) -> None:
    """A file may have four blocks of 512 bytes, also one in a temporary folder."""
    limited = ["sh", "-c", 'ulimit -f 4 && exec "$0" "$@"', COMMAND]
    done = subprocess.run(
        [*limited, "play", "agents", "--save", str(tmp_path / "a.log")],
        input="".join(f"say {'x' * 200}\n" for _ in range(20)),
        capture_output=True,
        text=True,
        env=environment(TMPDIR=str(tmp_path)),
        timeout=PATIENCE,
    )
    assert (done.returncode, "Nobody is there to name another file" in done.stderr) == (2, True)
    assert 1 < len(load(str(tmp_path / "a.log")).events) < 20


def test_a_folder_is_another_place_too(tmp_path: Path) -> None:
    played(tmp_path / "games", "5", "1", str(tmp_path), "2", "e")
    assert load(str(tmp_path / "a.log")).state.moves == (4, 0, 1)


def test_a_player_who_goes_on_unsaved_is_asked_once_and_nothing_is_lost(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    said = played(tmp_path / "games", "5", "1", "", "2", "3", "e", temporary=temporary)
    assert said.count("File to save the game in") == 1
    assert "The game goes on. It is not saved." in said
    assert f"It is saved in {temporary / 'a.log'} instead." in said
    assert load(str(temporary / "a.log")).state.moves == (4, 0, 1, 2)


@pytest.mark.parametrize("lines", [("5", "1"), ("5", "1", "", "2")], ids=["asked", "declined"])
def test_when_nobody_answers_the_game_is_in_a_temporary_folder(tmp_path: Path, lines: tuple[str, ...]) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    said = played(tmp_path / "games", *lines, temporary=temporary)
    assert "nobody answers" in said
    assert load(str(temporary / "a.log")).state.moves[:2] == (4, 0)


def test_what_cannot_be_saved_anywhere_is_told(tmp_path: Path) -> None:
    said = played(tmp_path / "games", "5", "1", "e")
    assert said.endswith("The game cannot be saved: No space left on device.\n")


def test_the_last_move_of_a_game_can_be_saved_elsewhere_too(tmp_path: Path) -> None:
    elsewhere = tmp_path / "b.log"
    folder = tmp_path / "games"
    folder.mkdir()
    keyboard, screen = terminal(*X_WINS.split(), str(elsewhere), by_person=True)
    saver = ConsoleSaver(keyboard, folder / "a.log", write=full_disk(folder, room=4))
    session = LocalSession.create(request("classic"))
    session.store = lambda hosted: saver.store(hosted.match)
    with saver, session:
        Console(keyboard, session, saver=saver).play()
    assert "X wins" in screen.getvalue()
    assert load(str(elsewhere)).result


def test_the_computer_plays_on_when_the_disk_is_full(tmp_path: Path) -> None:
    said = played(tmp_path / "games", "5", "", "e", o="easy", temporary=tmp_path)
    assert "The game goes on. It is not saved." in said
    assert len(load(str(tmp_path / "a.log")).state.moves) == 2


def test_a_game_that_another_window_plays_is_refused_and_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.log"
    ninefold("play", "classic", "--x", "human", "--o", "human", "--save", str(file), typed="5\ne\n")
    lock = GameLock.acquire(file)
    said = refused("play", "--load", str(file), typed="1\ne\n")
    assert f"a.log is open in another window (process {os.getpid()})." in said
    done = ninefold("play", "--load", str(file), "--save", str(tmp_path / "b.log"), typed="1\ne\n")
    assert done.returncode == 0
    lock.release()
    assert load(str(file)).state.moves == (4,)
    assert load(str(tmp_path / "b.log")).state.moves == (4, 0)

    games = tmp_path / "ninefold" / "games"
    games.mkdir(parents=True)
    kept = games / "2026-a.log"
    save(str(kept), load(str(file)))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    lock = GameLock.acquire(kept)
    done = ninefold("--plain", typed="6\n1\ny\n1\ne\n")
    assert "Play a copy of it (y/n)?" in done.stdout
    done = ninefold("--plain", typed="6\n2\n?\nu\nn\n")
    assert "y plays on in a new file" in done.stdout
    assert "There is nothing to take back yet.\nPlay a copy of it (y/n)?" in done.stdout
    lock.release()
    assert done.returncode == 0
    assert sorted(load(str(one)).state.moves for one in games.glob("*.log")) == [(4,), (4, 0)]


def test_a_game_is_locked_while_it_is_played_at_the_console(tmp_path: Path) -> None:
    with ConsoleSaver(terminal()[0], tmp_path / "a.log"), pytest.raises(NotAllowed):
        GameLock.acquire(tmp_path / "a.log")
    GameLock.acquire(tmp_path / "a.log").release()
