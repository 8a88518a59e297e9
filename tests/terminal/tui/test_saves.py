"""Saved games: written after every move, with their clocks, and continued later. And records."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest
from rich.style import Style
from textual.events import Click

from ninefold.core.errors import NotAllowed
from ninefold.match import actions
from ninefold.match.clock import TimeControl
from ninefold.match.files import load, save
from ninefold.match.record import write_record
from ninefold.match.state import HUMAN
from ninefold.server.hosting.commands import SeatRequest
from ninefold.server.hosting.seats import start_match
from ninefold.terminal import saves
from ninefold.terminal.game_lock import GameLock
from ninefold.terminal.tui.dialogs import ListDialog, PagedList
from ninefold.terminal.tui.match_screen import MatchScreen
from tests.support.async_tests import async_test
from tests.support.tui_person import HUGE, LARGE, SMALL, Person, at_screen, local, request
from tests.support.tui_scenes import open_elsewhere as open_elsewhere_scene
from tests.support.tui_scenes import played


async def two_people(person: Person) -> None:
    """A game of classic between two people, from the first screen."""
    await person.press("down", "right", "enter")


def files(folder: Path, suffix: str = ".log") -> list[Path]:
    return sorted(folder.glob(f"*{suffix}"))


@async_test
async def test_a_game_is_saved_after_every_move_and_continued(tmp_path: Path) -> None:
    async def first() -> None:
        async with at_screen(tmp_path) as person:
            await two_people(person)
            assert files(tmp_path) == []
            await person.press("5")
            await person.until(lambda: len(files(tmp_path)) == 1)
            await person.press("1", "e")
            assert "Play" in person.text

    async def later() -> None:
        async with at_screen(tmp_path) as person:
            await person.press("c")
            await person.sees("ongoing")
            await person.press("enter")
            await person.sees("choose a cell (2 3 4 6 7 8 9)")
            await person.press("2")
            assert person.moves == ["5", "1", "2"]

    await first()
    await later()
    (file,) = files(tmp_path)
    assert load(str(file)).state.moves == (4, 0, 1)


@async_test
async def test_a_game_without_a_move_is_not_saved_and_leaving_says_so(tmp_path: Path) -> None:
    async with at_screen(tmp_path, LARGE) as person:
        await two_people(person)
        await person.press("question_mark", "end")
        await person.sees("leave; nothing is saved, because no move was made")
        await person.press("escape", "e")
        await person.sees("No move was made, so nothing was saved.")
        await person.press("c")
        await person.sees("There are no saved games yet.")
    assert files(tmp_path) == []


@async_test
async def test_leaving_a_game_says_where_it_is_saved_and_how_to_go_on(tmp_path: Path) -> None:
    async with at_screen(tmp_path, HUGE) as person:
        await two_people(person)
        await person.press("5", "question_mark", "end")
        await person.sees("leave; the game is saved")
        await person.press("escape", "e")
        (file,) = files(tmp_path)
        await person.sees("The game is saved. c on the first screen continues it, or this command:")
        await person.sees(f"ninefold play --load {file}")
        await person.press("c")
        await person.sees("ongoing")
        await person.press("enter")
        await person.opens_match()
        await person.press("e")  # nothing has changed, and it is still there
        await person.sees("The game is saved. c on the first screen continues it")
        await person.press("c")
        await person.sees("ongoing")
        await person.press("enter")
        await person.opens_match()
        await person.press("1", "2", "3", "8", "e")
        await person.sees("c on the first screen shows it again.")


@async_test
async def test_a_clock_is_saved_with_its_game_and_stands_while_nobody_plays(tmp_path: Path) -> None:
    match = played(local("classic").match, "5 1")
    file = saves.new_file(match, tmp_path)
    saver = saves.GameSaver(file)
    saver.save(match, TimeControl(300_000, 60_000), (250_000, 7_000))
    saver.close()

    async with at_screen(tmp_path) as person:
        await person.press("c")
        await person.sees("ongoing")
        await person.press("enter")
        await person.sees("choose a cell")
        clocks = person.screen.session.clock()
        assert clocks
        assert 200_000 < clocks.left[0] <= 250_000
        assert clocks.left[1] == 7_000
        await person.press("2")
        clocks = person.screen.session.clock()
        assert clocks
        assert clocks.left[0] > 250_000  # a move has added its seconds
    fields = json.loads(file.with_suffix(".clock").read_text())
    assert fields["increment"] == 60_000


@async_test
async def test_keys_for_pages_harm_no_list_that_has_no_room(tmp_path: Path) -> None:
    match = played(local("classic").match, "5")
    save(str(saves.new_file(match, tmp_path)), match)

    async with at_screen(tmp_path, (1, 1)) as person:
        await person.press("c")
        await person.until(lambda: isinstance(person.app.screen, ListDialog))
        await person.press("slash", "i", "enter", "pageup", "pagedown")
        await person.resize(*SMALL)
        await person.sees("ongoing")


@async_test
async def test_a_click_on_a_line_that_was_removed_does_nothing(tmp_path: Path) -> None:
    match = played(local("classic").match, "5")
    save(str(saves.new_file(match, tmp_path)), match)

    async with at_screen(tmp_path) as person:
        await person.press("c")
        await person.sees("ongoing")
        drawn_before = Style(meta={"option": 1})
        games = person.app.screen.query_one(PagedList)
        games.post_message(Click(games, 1, 1, 0, 0, 1, False, False, False, style=drawn_before))
        await person.settle()
        assert "ongoing" in person.text


@async_test
async def test_a_list_closes_once_however_quickly_keys_follow_each_other(tmp_path: Path) -> None:
    match = played(local("classic").match, "5")
    save(str(saves.new_file(match, tmp_path)), match)

    async with at_screen(tmp_path) as person:
        await person.press("c")
        await person.sees("ongoing")
        for key in ("enter", "enter"):
            person.app.simulate_key(key)
        await person.opens_match()
        assert len(person.app.screen_stack) == 2  # the first screen and the match


@async_test
async def test_a_saved_game_is_deleted(tmp_path: Path) -> None:
    for game in ("classic", "squared"):
        match = played(local(game).match, "55" if game == "squared" else "5")
        save(str(saves.new_file(match, tmp_path)), match)

    async with at_screen(tmp_path) as person:
        await person.press("c")
        await person.sees("ongoing")
        deleted = next(line for line in person.lines if "ongoing" in line)
        await person.press("delete")
        assert person.text.count(deleted.strip("│ ")) == 1  # in the question, over the list, in one row
        await person.press("n")
        assert len(files(tmp_path)) == 2
        await person.press("delete", "y")
        await person.until(lambda: deleted not in person.lines)
        assert len(files(tmp_path)) == 1
        await person.press("enter")
        await person.opens_match()
        (left,) = files(tmp_path)
        assert person.match == load(str(left))
        await person.press("e", "c")
        await person.sees("ongoing")
        await person.press("backspace", "y")
        await person.until(lambda: "ongoing" not in person.text)
        await person.sees("Continue a game  ")
    assert files(tmp_path) == []


@async_test
async def test_two_games_from_one_record_are_both_saved_and_the_record_stays(tmp_path: Path) -> None:
    record = tmp_path / "game.record"
    record.write_text(write_record(played(local("classic").match, "5 1")), encoding="utf-8")
    before = record.read_bytes()

    async def play(move: str) -> None:
        async with at_screen(tmp_path) as person:
            await person.press("o")
            await person.paste(str(record))
            await person.press("enter")
            await person.sees("choose a cell")
            await person.press(move, "e")

    await play("8")
    await play("9")
    assert sorted(load(str(file)).state.moves for file in files(tmp_path)) == [(4, 0, 7), (4, 0, 8)]
    assert record.read_bytes() == before


def test_the_games_played_last_are_listed_and_the_others_counted(tmp_path: Path) -> None:
    """Whatever their names are: the file with the last name is the oldest."""
    for number in range(saves.MOST_SHOWN + 2):
        file = tmp_path / f"2026-{number:03}.link"
        file.write_text(json.dumps({"title": str(number), "link": "http://localhost/"}), encoding="utf-8")
        os.utime(file, (1000 - number, 1000 - number))
    (tmp_path / "2026-000.link").write_text("{", encoding="utf-8")
    os.utime(tmp_path / "2026-000.link", (2000, 2000))
    found = saves.list_saved(tmp_path)
    assert [one.file.stem for one in found] == [f"2026-{number:03}" for number in range(1, saves.MOST_SHOWN)]
    notes = f"one file in {tmp_path} cannot be read; 2 older games in {tmp_path} are not listed"
    assert saves.heading(tmp_path, found) == f"Continue a game ({notes})"


def test_unreadable_files_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "2026-a.log").write_text("rubbish")
    (tmp_path / "2026-b.link").write_text("[]")
    (tmp_path / "2026-c.link").write_text("{")
    match = played(local("classic").match, "5")
    save(str(tmp_path / "2026-d.log"), match)
    (tmp_path / "2026-d.clock").write_text('{"initial": "soon"}')
    (saved,) = saves.list_saved(tmp_path)
    assert saves.heading(tmp_path, [saved]) == f"Continue a game (3 files in {tmp_path} cannot be read)"
    assert isinstance(saved, saves.SavedGame)
    assert (saved.match.state.moves, saved.control) == ((4,), None)


@async_test
async def test_a_disk_that_cannot_be_written_is_reported_and_the_game_continues(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file, and no folder")

    make_saver = partial(saves.GameSaver, temporary_folder=lambda: tmp_path)
    async with at_screen(tmp_path / "home", make_saver=make_saver) as person:
        await two_people(person)
        await person.press("5")
        await person.sees("The game cannot be saved")
        await person.press("escape", "1")
        assert person.moves == ["5", "1"]


@pytest.mark.parametrize("name", ["game.record", "game.log"])
@async_test
async def test_a_record_is_opened_looked_through_and_continued(tmp_path: Path, name: str) -> None:
    match = played(local("classic").match, "5 1 2")
    save(str(tmp_path / name), match)
    before = (tmp_path / name).read_bytes()

    async with at_screen(tmp_path / "home") as person:
        await person.press("o")
        await person.paste(str(tmp_path / name))
        await person.press("enter")
        await person.sees("1. 5  1  2. 2")
        await person.press("home")
        assert "move 0 of 3" in person.text
        await person.press("end", "8")
        assert person.moves == ["5", "1", "2", "8"]
    assert (tmp_path / name).read_bytes() == before
    (saved,) = files(tmp_path / "home")
    assert load(str(saved)).state.moves == (4, 0, 1, 7)


@async_test
async def test_a_record_that_was_only_looked_at_is_not_saved(tmp_path: Path) -> None:
    save(str(tmp_path / "game.record"), played(local("classic").match, "5 1 2"))

    async with at_screen(tmp_path / "home") as person:
        await person.press("o")
        await person.paste(str(tmp_path / "game.record"))
        await person.press("enter")
        await person.sees("1. 5  1  2. 2")
        await person.press("home", "e")
        await person.sees("No move was made, so nothing was saved.")
        await person.press("c")
        await person.sees("There are no saved games yet.")


@async_test
async def test_the_list_of_games_says_when_they_were_played_against_whom_and_as_which_side(tmp_path: Path) -> None:
    requests = {
        "a": request("classic", o="hard"),
        "b": request("classic", x="perfect")._replace(seats=(SeatRequest("perfect"), SeatRequest(HUMAN, "Ann"))),
        "c": request("squared"),
        "d": request("classic"),
    }
    at = datetime(2026, 11, 15, 14, 5).timestamp()
    for n, (name, wanted) in enumerate(requests.items()):
        match = start_match(wanted, 0)
        moves = {"c": "55", "d": "1 4 2 5 3"}.get(name, "5")
        file = tmp_path / f"2026-{name}.log"
        save(str(file), played(match, moves))
        os.utime(file, (at + 60 * n, at + 60 * n))
    saves.save_link(
        tmp_path, "http://localhost:8090/m/00ff#invite=abcdefghijklmnop", start_match(requests["a"], 0), seat=1
    )
    os.utime(next(tmp_path.glob("*.link")), (at - 60, at - 60))

    async with at_screen(tmp_path) as person:
        await person.press("c")
        await person.sees("ongoing")
        shown = [line.strip("│ ") for line in person.lines if "2026-11-15 14:" in line]
        assert shown == [
            "Tic-Tac-Toe Squared  2026-11-15 14:07 Player 1 X, Player 2        1 ongoing",
            "Tic-Tac-Toe          2026-11-15 14:06 Ann O, computer perfect     1 ongoing",
            "Tic-Tac-Toe          2026-11-15 14:05 you X, computer hard        1 ongoing",
            "Tic-Tac-Toe          2026-11-15 14:04 you X, nobody yet             online",
            "Tic-Tac-Toe          2026-11-15 14:08 Player 1 X, Player 2        5 1-0",
        ]


@async_test
async def test_the_list_of_games_is_filtered_by_words(tmp_path: Path) -> None:
    for name, game, moves in (("a", "classic", "5"), ("b", "classic", "1 4 2 5 3"), ("c", "squared", "55")):
        save(str(tmp_path / f"2026-{name}.log"), played(local(game).match, moves))

    async with at_screen(tmp_path) as person:
        await person.press("c")
        await person.sees("ongoing")
        assert "/  filter     del  delete     esc  back" in person.text
        await person.press("slash")
        assert "enter  to the list     esc  all games" in person.text
        assert "del  delete" not in person.text  # it edits the filter now
        await person.paste("TIC squared")
        await person.press("q")  # which is a letter here
        await person.sees("No game has all these words.")
        await person.press("delete", "enter", "enter", "delete")  # nothing is there to be chosen or deleted
        assert "No game has all these words." in person.text
        await person.press("slash", "end", "backspace")
        await person.until(lambda: person.text.count("Player 1 X") == 1)
        await person.press("enter")
        assert "del  delete     esc  all games" in person.text
        await person.press("delete", "y")
        await person.until(lambda: len(files(tmp_path)) == 2)
        await person.press("escape")
        await person.until(lambda: person.text.count("Player 1 X") == 2)
        assert "del  delete     esc  back" in person.text
        await person.press("slash")
        await person.paste("1-0")
        await person.press("enter", "enter")
        await person.sees("X wins: three in a row (1 2 3).")
    assert [file.name for file in files(tmp_path)] == ["2026-a.log", "2026-b.log"]


def open_elsewhere(file: Path) -> subprocess.Popen[str]:
    """Another process that has a game open. It ends when its standard input is closed, or when it is killed."""
    script = "import sys; from pathlib import Path; from ninefold.terminal.game_lock import GameLock;"
    script += "lock = GameLock.acquire(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    given = [sys.executable, "-c", script, str(file)]
    process = subprocess.Popen(given, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "open\n"
    return process


@async_test
async def test_a_game_that_another_window_plays_is_copied_or_looked_at(tmp_path: Path) -> None:
    match = played(local("classic").match, "5 1")
    file = tmp_path / "2026-a.log"
    save(str(file), match)

    async def choose(person: Person, *keys: str) -> None:
        await person.press("c")
        await person.sees("ongoing")
        await person.press("enter")
        await person.sees(f"{file.name} is open in another window (process {other.pid}).")
        await person.press(*keys)

    with open_elsewhere(file) as other:
        async with at_screen(tmp_path) as person:
            await choose(person, "escape")
            await person.press("c")
            await person.sees("ongoing")
            await person.press("delete", "y")
            await person.sees("is open in another window")
            await person.press("escape")
            assert file.exists()

            await choose(person, "l")
            await person.sees("Another window plays this game. You are watching.")
            await person.press("2")
            assert person.moves == ["5", "1"]
            save(str(file), played(match, "9"))  # by the other window
            await person.until(lambda: person.moves == ["5", "1", "9"])
            await person.press("e")

            await choose(person, "c")
            await person.sees("A copy was made")
            await person.sees("choose a cell (2 3 4 6 7 8)")
            await person.press("2", "e")
            assert sorted(load(str(one)).state.moves for one in files(tmp_path)) == [(4, 0, 8), (4, 0, 8, 1)]

        other.kill()  # and whoever was killed has nothing open any more
        other.wait()
        for one in files(tmp_path):
            if one != file:
                one.unlink()
        async with at_screen(tmp_path) as person:
            await person.press("c")
            await person.sees("ongoing")
            await person.press("enter")
            await person.sees("choose a cell")
            with pytest.raises(NotAllowed, match="is open in another window"):
                GameLock.acquire(file)
            await person.press("e")
            GameLock.acquire(file).release()


@async_test
async def test_a_question_is_answered_once_however_quickly_keys_follow_each_other(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await open_elsewhere_scene(person, tmp_path)
        await person.settle()
        for key in ("c", "l", "c"):
            person.app.simulate_key(key)
        await person.opens_match()
        assert len([screen for screen in person.app.screen_stack if isinstance(screen, MatchScreen)]) == 1


@async_test
async def test_a_file_that_is_not_a_record_is_refused(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await person.press("o")
        await person.paste("nowhere")
        await person.press("enter")
        await person.sees("Cannot read 'nowhere'")
        await person.press("ctrl+u", "enter")
        await person.sees("Cannot read ''")
        await person.paste("x" * 5000)
        await person.press("enter")
        await person.sees("That is too long: 5000 characters. The limit is 4096.")
        await person.press("escape")
        assert "Play" in person.text


@async_test
async def test_a_game_that_has_ended_can_be_looked_at_and_has_a_rematch(tmp_path: Path) -> None:
    match = played(local("classic").match, "1 4 2 5 3")
    save(str(saves.new_file(match, tmp_path)), match)

    async with at_screen(tmp_path) as person:
        await person.press("c")
        await person.sees("1-0")
        await person.press("enter")
        await person.sees("X wins: three in a row (1 2 3).")
        await person.press("g")
        await person.sees("Player 2 (X), choose a cell")
        await person.press("9")
        assert person.moves == ["9"]


@async_test
async def test_a_flag_falls(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await person.open(local("classic", clock=TimeControl(1_000, 0)))
        await person.press("5")
        await person.sees("X wins: O ran out of time.")
        assert person.match.events[-1].action == actions.flag(2)
