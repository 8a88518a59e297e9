"""The first screen: the games, the form of a new match, and the other ways to open one."""

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
from ninefold.core.messages import text
from ninefold.games import all_games
from ninefold.terminal.new_match_form import NewMatchForm, Opponent
from ninefold.terminal.preferences import Preferences
from ninefold.terminal.tui.bars import KeyBar, KeyHint, TitleBar, too_small
from ninefold.terminal.tui.executor import start_worker
from ninefold.terminal.tui.gallery import INTERVAL, Gallery
from ninefold.terminal.tui.menu import Menu, MenuItem

if TYPE_CHECKING:
    from ninefold.terminal.tui.app import NinefoldApp

KEYS = {
    "names": "n", "play": "enter", "continue": "c", "record": "o", "join": "j", "watch": "w", "rules": "?", "quit": "q",
}  # fmt: skip
GAME = "game"  # the item that chooses one


def _items() -> list[MenuItem]:
    """What can be done, below the settings."""
    return [
        MenuItem("play", text("start.play"), key=KEYS["play"], gap=True),
        MenuItem("continue", text("start.continue"), key=KEYS["continue"], gap=True),
        MenuItem("record", text("start.record"), key=KEYS["record"]),
        MenuItem("join", text("start.join"), key=KEYS["join"]),
        MenuItem("watch", text("start.watch"), key=KEYS["watch"]),
        MenuItem("rules", text("start.rules"), key=KEYS["rules"]),
        MenuItem("quit", text("start.quit"), key=KEYS["quit"]),
    ]


def _key_hints(item: MenuItem, games: int) -> list[KeyHint]:
    """What can be pressed while an item is the chosen one."""
    digits, changes = f"1-{games}", []
    if item.name == GAME:
        changes = [KeyHint(f"← → {digits}", text("key.game"))]
    elif item.is_setting:
        changes = [KeyHint("← →", text("key.change"))]
    return [
        KeyHint("↑ ↓", text("key.choose")),
        *changes,
        KeyHint("enter", _enter_does(item), f"screen.{_action_of(item.name)}"),
        KeyHint("f2", text("key.console"), "app.console"),
        KeyHint("f3", text("key.theme"), "app.next_theme"),
        *([] if item.name == GAME else [KeyHint(digits, text("key.game"))]),
    ]


def _enter_does(item: MenuItem) -> str:
    if item.name == "names":
        return text("key.change")
    return text("key.play") if _action_of(item.name) == "play" else _in_a_sentence(item.label)


def _in_a_sentence(label: str) -> str:
    return label[:1].lower() + label[1:]


def _action_of(name: str) -> str:
    """What enter does on an item; a match begins from each of its settings."""
    return name if name in KEYS else "play"


class StartScreen(Screen[None]):
    """``folder`` is where games are saved; None for where this person's state is. It begins with what was chosen the
    last time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, name, show=False) for name, key in KEYS.items() if len(key) == 1),
        Binding("f1", "rules", show=False),
        *(Binding(str(number), f"choose({number})", show=False) for number in range(1, 10)),
    ]

    def __init__(
        self, folder: Path | None = None, preferences: Preferences = Preferences(), *, demo_interval: float = INTERVAL
    ) -> None:
        super().__init__()
        self._folder = folder
        games = all_games()
        self.gallery: Gallery = Gallery(list(games.values()), interval=demo_interval, id="gallery")
        self.form: NewMatchForm = NewMatchForm.remembered(games.get(preferences.game, self.gallery.chosen), preferences)

    def compose(self) -> ComposeResult:
        yield TitleBar("Ninefold", _about(), id="title")
        with Horizontal(id="start"):
            yield self.gallery
            yield Menu(id="items")
        yield Static(id="news")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self.query_one(Menu).focus()
        self.show()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= 110, "wide")
        self.query_one(TitleBar).show(too_small(event.size) or _about())

    def show(self) -> None:
        game = self.form.game
        self.gallery.choose(game)
        settings = [MenuItem(one.field, one.label, one.value) for one in self.form.settings]
        items = [MenuItem(GAME, "", game.title), *settings, *self._names(), *_items()]
        self.query_one(Menu).show(game.summary, items)

    def _names(self) -> list[MenuItem]:
        """The line with the names, if somebody plays here who could have one."""
        value = ", ".join(self.form.shown_names)
        return [MenuItem("names", self.form.names_label, value, KEYS["names"])] if value else []

    def report(self, news: str) -> None:
        self.query_one("#news", Static).update(Content(news))

    # Choosing

    def on_menu_cursor_moved(self) -> None:
        self.query_one(KeyBar).show_keys(self._hints())

    def _hints(self) -> list[KeyHint]:
        menu = self.query_one(Menu)
        return _key_hints(menu.items[menu.at], len(self.gallery.games))

    def on_menu_setting_changed(self, event: Menu.SettingChanged) -> None:
        if event.name == GAME:
            games = self.gallery.games
            self._choose(games[(games.index(self.form.game) + event.by) % len(games)])
        else:
            self.form = self.form.changed(event.name, event.by)
            self.show()

    def on_gallery_game_chosen(self, event: Gallery.GameChosen) -> None:
        self._choose(event.game)

    def action_choose(self, number: int) -> None:
        if number <= len(self.gallery.games):
            self._choose(self.gallery.games[number - 1])

    def _choose(self, game: Game) -> None:
        self.form = self.form.of(game)
        self.show()

    def action_names(self) -> None:
        from ninefold.terminal.tui.open_match import ask_names

        if self.form.named_players:
            ask_names(self.app, self.form, self._change_names)

    def _change_names(self, form: NewMatchForm | None) -> None:
        self.form = form or self.form
        self.show()

    # Opening a match. What matches need is imported when the first one is opened.

    async def on_menu_item_chosen(self, event: Menu.ItemChosen) -> None:
        await self.run_action(_action_of(event.name))

    def action_play(self) -> None:
        from ninefold.terminal.tui.open_match import invite_friend, play_new

        self._ninefold.preferences.remember(**self.form.remember())
        play = invite_friend if self.form.chosen_opponent is Opponent.ONLINE else play_new
        play(self._ninefold, self.form, self._games_folder())

    def action_continue(self) -> None:
        from ninefold.terminal.tui.open_match import continue_saved

        start_worker(self, continue_saved, self._ninefold, self._games_folder(), self.report)

    def action_record(self) -> None:
        from ninefold.terminal.tui.open_match import ask_record

        ask_record(self._ninefold, self._games_folder())

    def action_join(self) -> None:
        from ninefold.terminal.tui.open_match import ask_join

        ask_join(self.app, self._games_folder())

    def action_watch(self) -> None:
        from ninefold.terminal.tui.open_match import ask_watch

        ask_watch(self.app)

    def action_rules(self) -> None:
        from ninefold.terminal.tui.dialogs import PageDialog
        from ninefold.terminal.tui.key_bindings import keys_help
        from ninefold.terminal.tui.legend import describe_signs
        from ninefold.terminal.tui.offered_keys import describe_keys

        game, items = self.form.game, self.query_one(Menu).items
        others = [KeyHint(item.key, _in_a_sentence(item.label)) for item in items if len(item.key) == 1]
        pages = [describe_keys([*self._hints(), *others]), game.with_advice(game.rules), describe_signs(game)]
        self.app.push_screen(PageDialog(game.title, "\n".join([*pages, keys_help()])))

    def action_quit(self) -> None:
        self.app.exit()

    @property
    def _ninefold(self) -> NinefoldApp:
        return cast("NinefoldApp", self.app)

    def _games_folder(self) -> Path:
        from ninefold.terminal.saves import games_folder

        return self._folder or games_folder()

    def on_screen_suspend(self) -> None:
        self.report("")  # it has been read


def _about() -> str:
    return text("start.about", version=__version__)
