"""Saved games: written after every move, with their clocks, and continued later. And records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ninefold.match import actions
from ninefold.match.clock import TimeControl
from ninefold.match.files import load, save
from ninefold.match.record import write_record
from ninefold.terminal import saves
from tests.support.async_tests import async_test
from tests.support.tui_person import Person, at_screen, local
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
async def test_a_game_without_a_move_is_not_saved(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await two_people(person)
        await person.press("e", "c")
        await person.sees("There are no saved games yet.")
    assert files(tmp_path) == []


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
async def test_a_saved_game_is_deleted(tmp_path: Path) -> None:
    for game in ("classic", "squared"):
        match = played(local(game).match, "55" if game == "squared" else "5")
        save(str(saves.new_file(match, tmp_path)), match)

    async with at_screen(tmp_path) as person:
        await person.press("c")
        await person.sees("ongoing")
        deleted = next(line for line in person.lines if "1 move " in line)
        await person.press("delete")
        assert person.text.count(deleted.strip("│ ")[:40]) == 1  # in the question, over the list
        await person.press("n")
        assert len(files(tmp_path)) == 2
        await person.press("delete", "y")
        await person.until(lambda: deleted not in person.lines)
        assert len(files(tmp_path)) == 1
        await person.press("enter")
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

    async with at_screen(tmp_path / "home") as person:
        await two_people(person)
        await person.press("5")
        await person.sees("The game cannot be saved")
        await person.press("1")
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
        await person.press("c")
        await person.sees("There are no saved games yet.")


@async_test
async def test_the_list_of_games_says_when_they_began(tmp_path: Path) -> None:
    for day, moves in (("2026-11-14", "1 4 2 5 3"), ("2026-11-15", "5")):
        save(str(tmp_path / f"{day}-120000-000-classic.log"), played(local("classic").match, moves))

    async with at_screen(tmp_path) as person:
        await person.press("c")
        await person.sees("2026-11-15 Player 1 and Player 2  1 move  ongoing")
        assert "2026-11-14 Player 1 and Player 2  5 moves 1-0" in person.text


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
