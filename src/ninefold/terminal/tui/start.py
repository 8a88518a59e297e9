"""The first screen: the games, what a new match is to be like, and everything else that can be begun from here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from ninefold import __version__
from ninefold.core.game import Game
from ninefold.games import all_games
from ninefold.terminal.tui.bars import Bar, Key, Keys, too_small
from ninefold.terminal.tui.gallery import Gallery
from ninefold.terminal.tui.menu import Item, Menu
from ninefold.terminal.tui.new_match_form import Wishes

if TYPE_CHECKING:
    from ninefold.terminal.tui.app import Ninefold

ABOUT = f"the tic-tac-toe family  {__version__}"
TO_DO = (
    Item("play", "Play", key="enter", gap=True),
    Item("go_on", "Go on with a game", key="c", gap=True),
    Item("record", "Open a record", key="o"),
    Item("join", "Join by link", key="j"),
    Item("watch", "Watch a match", key="w"),
    Item("rules", "Rules of this game", key="?"),
    Item("quit", "Quit", key="q"),
)
KEYS = (
    Key("↑ ↓", "choose"),
    Key("← →", "change"),
    Key("enter", "play", "screen.play"),
    Key("f2", "lines, for screen readers", "app.lines"),
    Key("f3", "colours", "app.next_theme"),
)


class StartScreen(Screen[None]):
    """``home`` is where games are kept; None for where this person keeps such things."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(item.key, item.name, show=False) for item in TO_DO if len(item.key) == 1),
        Binding("f1", "rules", show=False),
        *(Binding(str(number), f"choose({number})", show=False) for number in range(1, 10)),
    ]

    def __init__(self, home: Path | None = None) -> None:
        super().__init__()
        self.home = home
        self.gallery = Gallery(list(all_games().values()), id="gallery")
        self.wishes = Wishes(self.gallery.chosen)

    def compose(self) -> ComposeResult:
        yield Bar("Ninefold", ABOUT, id="title")
        with Horizontal(id="start"):
            yield self.gallery
            yield Menu(id="items")
        yield Static(id="news")
        yield Keys(KEYS, id="keys")

    def on_mount(self) -> None:
        self.query_one(Menu).focus()
        self.show()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= 110, "wide")
        self.query_one(Bar).show(too_small(event.size) or ABOUT)

    def show(self) -> None:
        game = self.wishes.game
        self.gallery.choose(game)
        settings = [Item(one.field, one.label, one.value) for one in self.wishes.settings]
        self.query_one(Menu).show(game.summary, [Item("game", "", game.title), *settings, *TO_DO])

    def tell(self, text: str) -> None:
        """Something that is new."""
        self.query_one("#news", Static).update(Content(text))

    # Choosing

    def on_menu_turned(self, event: Menu.Turned) -> None:
        if event.name == "game":
            games = self.gallery.games
            self._choose(games[(games.index(self.wishes.game) + event.by) % len(games)])
        else:
            self.wishes = self.wishes.turned(event.name, event.by)
            self.show()

    def on_gallery_chosen(self, event: Gallery.Chosen) -> None:
        self._choose(event.game)

    def action_choose(self, number: int) -> None:
        if number <= len(self.gallery.games):
            self._choose(self.gallery.games[number - 1])

    def _choose(self, game: Game) -> None:
        self.wishes = self.wishes._replace(game=game, first=0)
        self.show()

    # Beginning. What matches need is imported when the first one begins.

    async def on_menu_done(self, event: Menu.Done) -> None:
        await self.run_action(event.name if any(item.name == event.name for item in TO_DO) else "play")

    def action_play(self) -> None:
        from ninefold.terminal.tui.open_match import play_new

        play_new(self._ninefold, self.wishes, self._games())

    def action_go_on(self) -> None:
        from ninefold.terminal.tui.open_match import go_on

        self.run_worker(go_on(self._ninefold, self._games(), self.tell))

    def action_record(self) -> None:
        from ninefold.terminal.tui.open_match import open_record

        open_record(self._ninefold, self._games())

    def action_join(self) -> None:
        from ninefold.terminal.tui.open_match import ask_join

        ask_join(self.app, self._games())

    def action_watch(self) -> None:
        from ninefold.terminal.tui.open_match import ask_watch

        ask_watch(self.app)

    def action_rules(self) -> None:
        from ninefold.terminal.tui.dialogs import Page

        self.app.push_screen(Page(self.wishes.game.title, self.wishes.game.rules))

    def action_quit(self) -> None:
        self.app.exit()

    @property
    def _ninefold(self) -> Ninefold:
        return cast("Ninefold", self.app)

    def _games(self) -> Path:
        """Where games are kept."""
        from ninefold.terminal.saves import folder

        return self.home or folder()

    def on_screen_suspend(self) -> None:
        """Who comes back has read the news."""
        self.tell("")
