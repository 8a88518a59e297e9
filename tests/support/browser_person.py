"""People at their browsers, and what they do there."""

from __future__ import annotations

from contextlib import ExitStack
from typing import NamedTuple

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, expect

from ninefold.core.game import Game
from tests.support.short_games import Ply

PATIENCE = 60_000  # milliseconds, for machines that have other work
expect.set_options(timeout=PATIENCE)


class Person:
    """Somebody with a browser of their own: nothing is shared with others but the server."""

    def __init__(self, context: BrowserContext, name: str = "") -> None:
        context.set_default_timeout(PATIENCE)
        self.context, self.name = context, name
        self.errors: list[str] = []
        self.until_leaving = ExitStack()
        context.on("console", self._hear)
        context.on("weberror", lambda thrown: self.errors.append(str(thrown.error)))
        self.page = context.new_page()

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.errors.append(said.text)

    def leave(self) -> None:
        self.until_leaving.close()
        self.context.close()

    def forgive(self, beginning: str) -> None:
        """Errors that the browser itself must report are no errors of the client."""
        self.errors = [error for error in self.errors if not error.startswith(beginning)]

    @property
    def board(self) -> Locator:
        return self.page.locator("#board")

    @property
    def status(self) -> Locator:
        return self.page.locator("#status")

    @property
    def moves(self) -> Locator:
        """The list of moves, one item each."""
        return self.page.locator("#history li")

    @property
    def connection(self) -> Locator:
        return self.page.locator("#connection")

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def playable(self) -> Locator:
        return self.board.locator("button.playable")

    @property
    def speech(self) -> Locator:
        """What is read out."""
        return self.page.locator("#speech")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def square(self, cell: int) -> Locator:
        return self.board.locator(f'[data-cell="{cell}"]')

    def press(self, *squares: int) -> None:
        """Press squares one after the other, each when it can be pressed."""
        for cell in squares:
            self.square(cell).click()

    def choose(self, game: Game) -> None:
        """From the first page to the dialogue before a match."""
        self.page.goto("/")
        self.button(f"Play {game.title}").click()
        expect(self.dialog).to_be_visible()

    def start(self, game: Game, against: str, **choices: str) -> str:
        """Start a match from the first page, with these choices of the dialogue; the id of the match."""
        self.choose(game)
        for name, value in {"opponent": against, **choices}.items():
            self.dialog.locator(f'[name="{name}"][value="{value}"]').check()
        if (field := self.dialog.get_by_label("Your name (if you like)")).is_visible():
            field.fill(self.name)
        self.dialog.get_by_role("button", name="Start").click()
        self.page.wait_for_url("**/m/*")
        expect(self.connection).to_have_text("Connected")
        return self.page.url.rpartition("/")[2]

    def invitation(self) -> str:
        """The link that a friend is sent."""
        return self.page.get_by_label("Link that invites", exact=True).input_value()

    def join(self, link: str) -> None:
        self.page.goto(link)
        self.page.get_by_label("Your name (if you like)").fill(self.name)
        self.button("Join the game").click()
        expect(self.connection).to_have_text("Connected")

    def watch(self, match: str) -> None:
        self.page.goto(f"/m/{match}")
        expect(self.connection).to_have_text("Connected")

    def claim(self, *cells: int) -> None:
        self.button("Claim victory").click()
        self.press(*cells)
        self.page.locator("#claim").get_by_role("button", name="Claim victory").click()


class Pair(NamedTuple):
    """Two people at one match."""

    match: str
    x: Person
    o: Person

    @property
    def people(self) -> tuple[Person, Person]:
        return self.x, self.o

    def play(self, *plies: Ply) -> None:
        """Each presses what is theirs, and both see every move."""
        for ply in plies:
            before = self.x.moves.count()
            (self.x if ply.side == "X" else self.o).press(*ply.squares)
            for person in self.people:
                expect(person.moves).to_have_count(before + 1)
