"""Draws the pictures of the rules, each from the moves of a game: docs/pictures/rules-*.svg."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ninefold import begin, find_game
from ninefold.core.svg import svg
from ninefold.match.summary import last_changed

SIZE = 240
FOLDER = Path(__file__).parents[1] / "docs" / "pictures"


class RulePicture(NamedTuple):
    """A picture: a position as text, or after moves as players of the game type them."""

    name: str
    game: str
    moves: str = ""
    position: str = ""

    def draw(self) -> str:
        """The picture, of the same size wherever it is shown."""
        return self._shapes().replace("<svg ", f'<svg width="{SIZE}" height="{SIZE}" ', 1)

    def _shapes(self) -> str:
        game = find_game(self.game)
        if self.position:
            return svg(game, game.parse(self.position))
        match = begin(game)
        for move in self.moves.split():
            match = match.act(match.to_act or 1, move)
        return svg(game, match.position, last=last_changed(game, match.state))


PICTURES = (
    RulePicture("classic-win", "classic", "5 1 3 7 4 2 6"),
    RulePicture("classic-draw", "classic", "5 1 3 7 4 6 2 8"),
    RulePicture("agents-line", "agents", "[1,1] [0,0] [0,2] [0,1] [2,0]"),
    RulePicture("swap-nine-before", "swap-nine", "5"),
    RulePicture("swap-nine-after", "swap-nine", "5 2x5"),
    RulePicture("swap-nine-end", "swap-nine", "5 2x5 1x2 3x2 6x3 9x6 8x9 7x8 4x7"),
    RulePicture(
        "squared-sent",
        "squared",
        position="XOXXOOOXO/XO.XXXO../.X.OOOO../.O..OX.X./.OX.X.XOX/.X..O..XO/OXX.X..O./.XOOO..X./O.X...X.. O 2",
    ),
    RulePicture(
        "squared-end",
        "squared",
        position="XOXXOXOXO/O..O..O../O.X.O...O/.X.OX.OX./X...X...X/O...O..OX/X.XX...../.XOOOX.O./..XXOX.XO O *",
    ),
    RulePicture(
        "ultimate-end",
        "ultimate",
        position="X.XO....O/OX.OO..X./....O...O/XXX....../.X.OXO.X./O..XXX.../....O..../...O.O.../.O....X.X O *",
    ),
)


def main() -> None:
    for picture in PICTURES:
        (FOLDER / f"rules-{picture.name}.svg").write_text(picture.draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
