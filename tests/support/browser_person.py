"""A person with a browser of their own: what they see on the pages, and what they do there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import NamedTuple

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, expect

from ninefold.core.game import Game
from tests.support.short_games import Ply

TIMEOUT = 60_000  # milliseconds, for machines that are busy
expect.set_options(timeout=TIMEOUT)
RUN_AXE = "async (options) => ({ violations: (await axe.run(options)).violations })"


class Person:
    """Somebody with a browser of their own, which shares nothing with others but the server."""

    def __init__(self, context: BrowserContext, name: str = "") -> None:
        context.set_default_timeout(TIMEOUT)
        self.context, self.name = context, name
        self.errors: list[str] = []
        self.until_closed = ExitStack()
        context.on("console", self._on_console)
        context.on("weberror", lambda thrown: self.errors.append(str(thrown.error)))
        self.page = context.new_page()

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def close(self) -> None:
        self.until_closed.close()
        self.context.close()

    def ignore_errors(self, prefix: str) -> None:
        """Forget errors that the browser itself reports, such as a failed request."""
        self.errors = [error for error in self.errors if not error.startswith(prefix)]

    # What they see

    @property
    def board(self) -> Locator:
        return self.page.locator("#board")

    @property
    def status(self) -> Locator:
        return self.page.locator("#status")

    @property
    def notice(self) -> Locator:
        return self.page.locator("#notice")

    @property
    def moves(self) -> Locator:
        """The items of the list of moves."""
        return self.page.locator("#history li")

    @property
    def connection(self) -> Locator:
        return self.page.locator("#connection")

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def opponent(self) -> Locator:
        """The panel of the other player."""
        return self.page.locator("#far")

    @property
    def playable(self) -> Locator:
        """The cells that are highlighted as playable."""
        return self.board.locator("button.playable")

    @property
    def announcements(self) -> Locator:
        """What a screen reader reads aloud."""
        return self.page.locator("#announcements")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def cell(self, cell: int) -> Locator:
        return self.board.locator(f'[data-cell="{cell}"]')

    # What they do

    def press(self, *cells: int) -> None:
        """Press cells one after the other, each as soon as it can be pressed."""
        for cell in cells:
            self.cell(cell).click()

    def choose_game(self, game: Game) -> None:
        """Open the first page at the tab of a game."""
        self.page.goto("/")
        self.page.get_by_role("tab", name=game.title, exact=True).click()

    def open_new_match_dialog(self, game: Game) -> None:
        self.choose_game(game)
        self.button("More options").click()
        expect(self.dialog).to_be_visible()

    def start(self, game: Game, against: str, **choices: str) -> str:
        """Start a match on the server from the first page, with these choices in the dialog; the id of the match."""
        self.open_new_match_dialog(game)
        place = {"place": "server"} if against == "computer" and self.dialog.locator('[name="place"]').count() else {}
        for name, value in {"opponent": against, **place, **choices}.items():
            self.dialog.locator(f'[name="{name}"][value="{value}"]').check()
        if (field := self.dialog.get_by_label("Your name (optional)")).is_visible():
            field.fill(self.name)
        self.dialog.get_by_role("button", name="Start").click()
        self.page.wait_for_url("**/m/*")
        expect(self.connection).to_have_text("Connected")
        return self.page.url.rpartition("/")[2]

    def invitation_link(self) -> str:
        return self.page.get_by_label("Invitation link", exact=True).input_value()

    def join(self, link: str) -> None:
        self.page.goto(link)
        self.page.get_by_label("Your name (optional)").fill(self.name)
        self.button("Join the game").click()
        expect(self.connection).to_have_text("Connected")

    def watch(self, match: str) -> None:
        self.page.goto(f"/m/{match}")
        expect(self.connection).to_have_text("Connected")

    def claim(self, *cells: int) -> None:
        """Claim a line, once the last move has arrived."""
        expect(self.status).not_to_have_text("Sending the move …")
        self.button("Claim victory").click()
        self.press(*cells)
        self.page.locator("#claim").get_by_role("button", name="Claim victory").click()

    def confirm_claim(self) -> None:
        self.button("Confirm: it is true").click()

    def dispute_claim(self, reason: str) -> None:
        self.page.get_by_label("Or say why it is not:").fill(reason)
        self.button("Dispute").click()

    def resign(self) -> None:
        self.button("Resign").click()
        self.dialog.get_by_role("button", name="Resign").click()

    def handover_link(self) -> str:
        """The link that moves this person's seat to another device."""
        self.page.get_by_text("More", exact=True).click()
        self.button("Other device").click()
        link = self.page.get_by_label("Link that moves the seat", exact=True).input_value()
        self.dialog.get_by_role("button", name="Close").click()
        return link


class Pair(NamedTuple):
    """Two people at one match."""

    match: str
    x: Person
    o: Person

    @property
    def people(self) -> tuple[Person, Person]:
        return self.x, self.o

    def play(self, *plies: Ply) -> None:
        """Play moves, each in the browser of its side, and wait until both browsers show it."""
        for ply in plies:
            before = self.x.moves.count()
            (self.x if ply.side == "X" else self.o).press(*ply.squares)
            for person in self.people:
                expect(person.moves).to_have_count(before + 1)


NewPerson = Callable[..., Person]
NewPair = Callable[[Game], Pair]


def violations(person: Person, *rules: str) -> str:
    """What axe-core reports about the page as it is now, by all rules or by these; "" if nothing."""
    if person.page.evaluate("!window.axe"):
        person.page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"]} | ({"runOnly": [*rules]} if rules else {})
    found = AxeResults(person.page.evaluate(RUN_AXE, options))
    return str(found.generate_report()) if found.violations_count else ""
