"""A person with a browser who has a keyboard and no pointer."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.support.browser_person import Person

MOST_TABS = 60  # presses of the Tab key before giving up


class Keys:
    """A person who uses the keyboard only."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.press = person.page.keyboard.press

    def tab_to(self, there: Locator) -> None:
        for _ in range(MOST_TABS):
            if there.evaluate("element => element === document.activeElement"):
                return
            self.press("Tab")
        raise AssertionError(f"{there} cannot be reached with the Tab key")

    def activate(self, name: str) -> None:
        """Tab to a button and press Enter."""
        self.tab_to(self.person.button(name))
        self.press("Enter")

    def start(self, title: str, opponent: str) -> None:
        """Start a match from the first page."""
        self.person.page.goto("/")
        game = self.person.page.get_by_role("tab", name=title, exact=True)
        expect(game).to_be_visible()
        self.press("Tab")
        expect(self.person.page.get_by_role("link", name="Skip to the board")).to_be_focused()
        self.tab_to(self.person.page.get_by_role("tab", selected=True))
        while game.get_attribute("aria-selected") != "true":
            self.press("ArrowRight")
        self.activate("More options")
        self.tab_to(self.person.dialog.get_by_label("Computer"))
        chosen = self.person.dialog.get_by_label(opponent, exact=True)
        while not chosen.is_checked():
            self.press("ArrowRight")
        self.activate("Start")
        expect(self.person.connection).to_have_text("Connected")

    def expect_focus_on_board(self) -> None:
        """The focus moves to the board if the button that had it is gone."""
        expect(self.person.board.locator(":focus")).to_have_count(1)

    def move_to(self, cell: int) -> None:
        """Move the focus to a cell of a board of nine with the arrow keys."""
        self.tab_to(self.person.board.locator('[tabindex="0"]'))
        for _ in range(2):
            self.press("ArrowUp")
            self.press("ArrowLeft")
        for key in ["ArrowDown"] * (cell // 3) + ["ArrowRight"] * (cell % 3):
            self.press(key)
        expect(self.person.cell(cell)).to_be_focused()
