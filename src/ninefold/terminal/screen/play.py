"""The screen of a match: the board, who plays, what was played, and what can be done now."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from ninefold import actions
from ninefold.actions import Action
from ninefold.core import Refusal
from ninefold.terminal.hints import hint
from ninefold.terminal.screen.bars import Bar, Key, Keys
from ninefold.terminal.screen.board import Board, Shown
from ninefold.terminal.screen.dialogs import Page
from ninefold.terminal.screen.panes import Moves, Players
from ninefold.terminal.screen.seen import Seen, look_at, question
from ninefold.terminal.screen.tables import Table
from ninefold.terminal.screen.thread import Work
from ninefold.terminal.story import tell_event
from ninefold.threats import threats


class PlayScreen(Screen[None]):
    CSS = """
    #table { height: 1fr; }
    Board { width: 1fr; height: 1fr; }
    #side { width: 40; padding: 0 1; }
    .wide #side { width: 45; }
    #players { height: auto; margin: 1 0; }
    #moves { height: 1fr; }
    #prompt { height: 1; padding: 0 1; text-style: bold; }
    #message { height: 2; padding: 0 1; color: $label; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", show=False),
        Binding("h", "hint", show=False),
        Binding("question_mark,f1", "rules", show=False),
        Binding("l", "labels", show=False),
        Binding("t", "threats", show=False),
        Binding("comma,pageup", "step(-1)", show=False),
        Binding("full_stop,pagedown", "step(1)", show=False),
        Binding("home", "step(-999)", show=False),
        Binding("end", "step(999)", show=False),
        Binding("e,q", "leave", show=False),
        Binding("escape", "back", show=False),
    ]

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.ply: int | None = None  # None: the latest position
        self.numpad = False
        self.shows_threats = True
        self._told = len(table.match.events)
        self._message = ""
        self._sending = False
        self._hint: Work[str] | None = None

    def compose(self) -> ComposeResult:
        match = self.table.match
        yield Bar(match.game.title, id="title")
        with Horizontal(id="table"):
            yield Board(match.game, match.position, id="board")
            with Vertical(id="side"):
                yield Players(id="players")
                yield Moves(id="moves")
        yield Static(id="prompt")
        yield Static(id="message")
        yield Keys(id="keys")

    def on_mount(self) -> None:
        self.board.focus()
        self.table.begin(self.changed, self.say)
        self.set_interval(0.25, self._tick)
        self.call_after_refresh(self.show)

    def on_unmount(self) -> None:
        self.leave_table()

    def leave_table(self) -> None:
        if self._hint:
            self._hint.stop()
        self.table.close()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width >= 110, "wide")
        self.call_after_refresh(self.show)

    # What is shown

    @property
    def board(self) -> Board:
        return self.query_one(Board)

    def look(self) -> Seen:
        return look_at(self.table.match, self.ply, numpad=self.numpad)

    @property
    def is_live(self) -> bool:
        """Whether a move can be chosen now."""
        table = self.table
        return (
            self.ply is None
            and table.asked is not None
            and not table.match.state.pending
            and not table.match.result
            and not self._sending
        )

    def show(self) -> None:
        """Everything, from the match as it is."""
        seen = self.look()
        self.board.show(seen.position, self._shown(seen), is_live=self.is_live)
        self.query_one(Players).show(self.table)
        self.query_one(Moves).show(seen)
        self.query_one("#title", Bar).show(self._standing(seen))
        self.show_words()

    def _shown(self, seen: Seen) -> Shown:
        match = seen.match
        pending = match.state.pending if seen.is_latest else None
        going = self.shows_threats and seen.position.moves() and not (seen.is_latest and match.result)
        return Shown(
            last=seen.last,
            lines=seen.lines,
            claimed=frozenset(pending.cells if pending else ()),
            winning=threats(match.game, seen.position, claims=match.setup.has_claims) if going else {},
        )

    def _standing(self, seen: Seen) -> str:
        if not seen.is_latest:
            return f"move {seen.ply} of {len(seen.positions) - 1}"
        return self.table.connection

    def show_words(self) -> None:
        """What is asked, what was said, and the keys."""
        self.query_one("#prompt", Static).update(Content(self._prompt()))
        self.query_one("#message", Static).update(Content(self._message))
        self.query_one(Keys).offer(self._keys())

    def _prompt(self) -> str:
        seen, table = self.look(), self.table
        if not seen.is_latest:
            return "You are looking back. End returns to the game."
        if seen.match.result:
            return seen.match.result.sentence(seen.match.game)
        if table.asked is None:
            return table.waits_for
        waiting = f" {self.board.digits}_" if self.board.digits else ""
        return question(seen.match, table.asked, self.board.way) + waiting

    def _keys(self) -> list[Key]:
        keys = [Key("1-9", "play"), Key("arrows enter", "play")] if self.is_live else []
        if self.board.way:
            keys = [Key("enter", "place only"), Key("arrows", "choose"), Key("esc", "back", "screen.back")]
        return [
            *keys,
            Key("u", "undo", "screen.undo"),
            Key("h", "hint", "screen.hint"),
            Key("?", "rules", "screen.rules"),
            Key(", .", "look back", "screen.step(-1)"),
            Key("l", "digits" if self.numpad else "numpad", "screen.labels"),
            Key("e", "leave", "screen.leave"),
        ]

    def say(self, text: str) -> None:
        self._message = text
        self.show_words()

    def changed(self) -> None:
        """Something has happened at the table."""
        match = self.look().match
        news = [tell_event(match.setup, match.state, event) for event in match.events[self._told :]]
        moved = any(event.action.kind == "move" for event in match.events[self._told :])
        self._told = len(match.events)
        if moved:
            self.ply = None
        self._message = " ".join(line.partition("\n")[0] for line in news if line)
        self.show()

    def _tick(self) -> None:
        self.table.tick()
        if self.table.clocks():
            self.query_one(Players).show(self.table)

    # Playing

    def on_board_played(self, event: Board.Played) -> None:
        if self.table.asked is not None:
            self.act(self.table.asked, actions.move(event.move))

    def on_board_walked(self) -> None:
        self._message = ""
        self.show_words()

    def on_board_refused(self, event: Board.Refused) -> None:
        seen = self.look()
        self.say(str(seen.position.why_not(event.path, seen.match.game.naming)))

    def act(self, seat: int, action: Action) -> None:
        self._sending = True
        self.run_worker(self._act(seat, action))

    async def _act(self, seat: int, action: Action) -> None:
        try:
            await self.table.act(seat, action)
        except Refusal as refusal:
            self._message = str(refusal)
        finally:
            self._sending = False
            self.show()

    def action_undo(self) -> None:
        if self.board.cancel():
            return
        seats = self.table.seats
        if seats:
            seat = self.table.asked or seats[0]
            self.act(seat, self.table.undo(seat))

    def action_hint(self) -> None:
        if self.table.match.result or self._hint:
            return
        seen, way = self.look(), self.board.way
        self.say("Looking for a hint ...")
        self._hint = Work(lambda _: hint(seen.match, way), self._hinted)

    def _hinted(self, text: str) -> None:
        self._hint = None
        self.say(text)

    def action_rules(self) -> None:
        game = self.table.match.game
        self.app.push_screen(Page(game.title, game.rules))

    def action_labels(self) -> None:
        self.numpad = not self.numpad
        self.board.name_cells(self.look().match.game.naming)
        self.say("Cells are called as on the numpad." if self.numpad else "Cells are called as the game calls them.")
        self.show()

    def action_threats(self) -> None:
        self.shows_threats = not self.shows_threats
        self.show()

    def action_step(self, by: int) -> None:
        """Look at an earlier or a later position."""
        seen = self.look()
        ply = min(len(seen.positions) - 1, max(0, seen.ply + by))
        self.ply = None if ply == len(seen.positions) - 1 else ply
        self._message = ""
        self.show()

    def action_back(self) -> None:
        if not self.board.cancel() and self.ply is not None:
            self.action_step(999)

    def action_leave(self) -> None:
        self.dismiss()
