"""Every game is played to its end, by keyboard and by mouse."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.games import all_games
from tests.support.async_tests import async_test
from tests.support.short_games import ShortGame, short_game
from tests.support.tui_person import LARGE, Person, at_match, local, typed

EVERY_GAME = pytest.mark.parametrize("game", list(all_games()))


async def claims(person: Person, game: ShortGame) -> None:
    """Where a victory must be claimed, the last mover claims it, and the other one confirms."""
    assert game.claim
    await person.press("c")
    for cell in game.claim:
        while person.board.cursor != cell:
            row, column = divmod(person.board.cursor, 3)
            down, right = cell // 3 - row, cell % 3 - column
            await person.press("down" if down > 0 else "up" if down < 0 else "right" if right > 0 else "left")
        await person.press("enter")
    await person.press("o")
    await person.press("y")


@EVERY_GAME
@async_test
async def test_a_game_is_played_to_its_end_by_its_digits(game: str, tmp_path: Path) -> None:
    short = short_game(all_games()[game])

    async with at_match(tmp_path, local(game)) as person:
        for move in short.end.state.moves:
            await person.press(*typed(person.match, person.match.game.paths[move]))
        if short.claim:
            await claims(person, short)
        await person.sees(short.sentence)
        assert person.match.state.moves == short.end.state.moves


@EVERY_GAME
@async_test
async def test_a_game_is_played_to_its_end_with_arrows_and_enter(game: str, tmp_path: Path) -> None:
    short = short_game(all_games()[game])

    async with at_match(tmp_path, local(game)) as person:
        for ply in short.plies:
            for square in ply.squares:
                await walk(person, square)
                await person.press("enter")
        if short.claim:
            await claims(person, short)
        await person.sees(short.sentence)
        assert person.match.state.moves == short.end.state.moves


async def walk(person: Person, square: int) -> None:
    def place(square: int) -> tuple[int, int]:
        board, cell = divmod(square, 9)
        return board // 3 * 3 + cell // 3, board % 3 * 3 + cell % 3

    while person.board.cursor != square:
        (row, column), (to_row, to_column) = place(person.board.cursor), place(square)
        vertical = "down" if to_row > row else "up"
        await person.press(vertical if row != to_row else "right" if to_column > column else "left")


@pytest.mark.parametrize(
    ("game", "keys", "seen"),
    [
        ("classic", "1 4 2 5 3", "X wins: three in a row (1 2 3)."),
        ("classic", "1 u 1 5 u l 9", "1. 7  9"),
        ("agents", "0 0 1 1 0 1 1 2 0 2 c 1 o y", "O wins: a true claim ([0,0] [0,1] [0,2])."),
    ],
)
@async_test
async def test_keys_that_are_typed_ahead_are_played_in_their_order(
    game: str, keys: str, seen: str, tmp_path: Path
) -> None:
    async with at_match(tmp_path, local(game)) as person:
        for key in keys.split():
            person.app.simulate_key(key)
        await person.sees(seen)


@EVERY_GAME
@pytest.mark.parametrize("size", [(80, 24), LARGE], ids=["small", "large"])
@async_test
async def test_a_game_is_played_to_its_end_by_mouse(game: str, size: tuple[int, int], tmp_path: Path) -> None:
    short = short_game(all_games()[game])

    async with at_match(tmp_path, local(game), size) as person:
        for ply in short.plies:
            for square in ply.squares:
                await person.click(square)
        if short.claim:
            await person.pilot.click("#keys", offset=(person.lines[-1].index(" claim"), 0))
            for cell in short.claim:
                await person.click(cell)
            await person.pilot.click("#keys", offset=(person.lines[-1].index("O claims it"), 0))
            await person.pilot.click("#keys", offset=(person.lines[-1].index("confirm"), 0))
        await person.sees(short.sentence)
        assert person.match.state.moves == short.end.state.moves
