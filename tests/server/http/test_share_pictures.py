"""Pictures in pixels: what svg.py draws, in the same places and colours."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from PIL import Image, ImageChops, ImageColor, ImageSequence

from ninefold.core.game import Game
from ninefold.core.palette import LIGHT
from ninefold.core.raster import draw_board
from ninefold.core.svg import svg
from ninefold.games import all_games, find_game
from ninefold.server.http import share_pictures


def pictures(game: Game) -> Iterator[str]:
    """Every third position of a game in which the last legal move is always made."""
    position, number = game.start(game.settle_options()), 0
    while moves := position.moves():
        if number % 3 == 0:
            yield svg(game, position, last=game.effects(position, moves[-1]).cells)
        position, number = position.play(moves[-1]), number + 1
    yield svg(game, position)


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_every_position_of_every_game_can_be_drawn(game: Game) -> None:
    for picture in pictures(game):
        assert draw_board(picture, 60).size == (60, 60)


def test_marks_have_the_colours_of_the_svg_in_their_cells() -> None:
    classic = find_game("classic")
    board = draw_board(svg(classic, classic.parse("X../.../..O X")), 300)
    drawn = [board.crop((left, left, left + 90, left + 90)).tobytes() for left in (5, 105, 205)]
    colours = [{f"#{cell[place : place + 3].hex()}" for place in range(0, len(cell), 3)} for cell in drawn]
    assert [LIGHT.x in cell for cell in colours] == [True, False, False]
    assert [LIGHT.o in cell for cell in colours] == [False, False, True]


def test_a_card_is_as_large_as_previews_of_links_are() -> None:
    classic = find_game("classic")
    drawn = share_pictures.card(
        svg(classic, classic.parse("X../.../... O")), classic.title, ["X: Ann", "a long line " * 9]
    )
    image = Image.open(io.BytesIO(drawn))
    assert (image.format, image.size) == ("PNG", (1200, 630))


def test_an_animation_has_a_frame_for_each_picture_and_the_last_stays_longer() -> None:
    drawn = share_pictures.animation(list(pictures(find_game("classic"))))
    image = Image.open(io.BytesIO(drawn))
    durations = [frame.info["duration"] for frame in ImageSequence.Iterator(image)]
    assert len(durations) == len(list(pictures(find_game("classic"))))
    assert durations[-1] > durations[0]


def test_a_frame_that_is_drawn_in_parts_shows_the_same_as_a_whole_picture() -> None:
    drawn = list(pictures(find_game("ultimate")))
    image = Image.open(io.BytesIO(share_pictures.animation(drawn)))
    for picture, frame in zip(drawn, ImageSequence.Iterator(image), strict=True):
        whole = draw_board(picture, 360)
        apart = ImageChops.difference(whole, frame.convert("RGB")).convert("L").point(lambda light: 255 * (light > 40))
        assert apart.getbbox() is None


def test_small_marks_of_a_decided_board_are_faint() -> None:
    ultimate = find_game("ultimate")
    board = draw_board(svg(ultimate, ultimate.parse("XXX......" + "." * 72 + " O *")), 305)
    tile = ImageColor.getrgb(LIGHT.x)
    assert board.getpixel((7, 50)) == tile
    assert board.getpixel((22, 22)) not in (tile, ImageColor.getrgb(LIGHT.on_side))
