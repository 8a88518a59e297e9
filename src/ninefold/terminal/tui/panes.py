"""What stands beside the board: who plays, and what has been played."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from ninefold.core.position import Side
from ninefold.match.actions import Event
from ninefold.match.clock import ClockReading, format_clock
from ninefold.match.match import Match
from ninefold.match.narration import describe_event
from ninefold.match.state import HUMAN, State, steps
from ninefold.terminal.tui.history_view import Seen
from ninefold.terminal.tui.tables import Table

STYLE = {Side.X: "bold $mark-x", Side.O: "bold $mark-o"}


class Words(Static):
    """Text that keeps its place. It is shown anew only when it is another one."""

    _shown = Content()

    def put(self, text: Content) -> None:
        if (text.plain, text.spans) != (self._shown.plain, self._shown.spans):
            self._shown = text
            self.update(text, layout=False)


class Players(Words):
    """Both players, whose turn it is where one looks, and their clocks."""

    def show(self, table: Table, seen: Seen) -> None:
        asked = table.match.to_act if seen.is_latest else table.match.setup.seat(seen.position.turn)
        self.put(Content("\n").join(self._line(table, side, asked) for side in Side))

    def _line(self, table: Table, side: Side, asked: int | None) -> Content:
        clocks, number = table.clocks(), table.match.setup.seat(side)
        weight = "bold" if asked == number else ""
        left = _left(clocks, side)
        width = max(10, self.size.width - 6 - len(left))
        return Content.assemble(
            ("▶ " if asked == number else "  ", "bold"),
            (f"{side}  ", STYLE[side]),
            (set_cell_size(_called(table, number, width - 1), width), weight),
            (left, "bold" if clocks and clocks.running is side else ""),
        )


def _called(table: Table, number: int, width: int) -> str:
    """A player in so many columns: the name may be cut, but not what is said of it."""
    if table.is_free(number):
        return "nobody yet"
    _, name, player = table.match.setup.seats[number - 1]
    who = name or (f"Player {number}" if player == HUMAN else f"computer, {player}")
    more = " (you)" if table.is_online and table.seats == (number,) else ""
    more += " (away)" if table.is_away(number) else ""
    return who + more if cell_len(who + more) <= width else set_cell_size(who, width - len(more)).rstrip() + more


def _left(clocks: ClockReading | None, side: Side) -> str:
    return format_clock(clocks.left[side]) if clocks else ""


class Moves(Widget):
    """The moves, and between them what was said and claimed; as much of it as there is room for."""

    DEFAULT_CSS = "Moves { overflow: hidden; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._seen: Seen | None = None

    def show(self, seen: Seen) -> None:
        if seen != self._seen:
            self._seen = seen
            self.refresh()

    def render(self) -> Content:
        if self._seen is None:
            return Content()
        lines = _lines(self._seen, max(10, self.size.width))
        here = next((n for n, (_, plies) in enumerate(lines) if self._seen.ply in plies), len(lines) - 1)
        height = max(1, self.size.height)
        first = max(0, min(len(lines) - height, here - height // 2)) if not self._seen.is_latest else -height
        return Content("\n").join(line for line, _ in lines[first:][:height])


Line = tuple[Content, frozenset[int]]


def _lines(seen: Seen, width: int) -> list[Line]:
    """The lines with the plies that stand on them."""
    lines: list[Line] = []
    words: list[Line] = []  # moves that wait for their line: the two that belong together stay together
    ply = 0
    for event, after in _standing(seen.match):
        if event.action.kind == "move":
            ply += 1
            word, plies = _move(seen, event, ply, begins=not words), frozenset({ply})
            if ply % 2 == 0 and words:
                first, before = words.pop()
                word, plies = first.append(word), before | plies
            words.append((word, plies))
        if event.action.kind != "move" or event.action.cells is not None:
            told = describe_event(seen.match.setup, after, event).partition("\n")[0]
            lines += _flow(words, width)
            words = []
            lines += [(line, frozenset()) for line in Content.styled(told, "$label").wrap(width)] if told else []
    return lines + _flow(words, width)


def _standing(match: Match) -> list[tuple[Event, State]]:
    """What stands of a match, with the states after it; and what was said, which no move takes back."""
    standing: list[tuple[Event, State]] = []
    # Only verdicts are told by the board of their time: without claims the walk is spared.
    if match.setup.has_claims:
        events = ((event, after) for _, event, after in steps(match.setup, match.events))
    else:
        events = ((event, match.state) for event in match.events)
    for event, after in events:
        if event.action.kind != "take_back":
            standing.append((event, after))
            continue
        moves = [place for place, (one, _) in enumerate(standing) if one.action.kind == "move"]
        first = moves[-(event.action.number or 1)]
        standing[first:] = [one for one in standing[first:] if one[0].action.kind == "say"]
    return standing


def _flow(words: list[Line], width: int) -> list[Line]:
    """Words one after the other, as many on a line as there is room for."""
    lines: list[Line] = []
    for word, plies in words:
        if lines and lines[-1][0].cell_length + word.cell_length <= width + 2:
            lines[-1] = lines[-1][0].append(word), lines[-1][1] | plies
        else:
            lines.append((word, plies))
    return lines


def _move(seen: Seen, event: Event, ply: int, *, begins: bool) -> Content:
    """A move with its number; an answer has one only where it begins a line of its own."""
    move = event.action.move
    name = seen.match.game.name(move) if isinstance(move, int) else ""
    number = f"{(ply + 1) // 2}. " if ply % 2 else f"{ply // 2}... " if begins else ""
    style = STYLE[seen.match.setup.side(event.seat)]
    here = ply == seen.ply and not seen.is_latest
    return Content.assemble((number, "$label"), (name, f"{style} reverse" if here else style), "  ")
