"""What stands beside the board: the players, the moves, and the checklist of eight lines."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from ninefold.client.session import SessionState
from ninefold.core.messages import text, translated
from ninefold.core.position import Side
from ninefold.match.actions import Event
from ninefold.match.claims import LineCheck, checklist
from ninefold.match.clock import ClockReading, format_clock
from ninefold.match.match import Match
from ninefold.match.narration import describe_event
from ninefold.match.state import HUMAN, State, steps
from ninefold.terminal.tui.prompts import ViewState
from ninefold.terminal.tui.timeline import HistoryView

STYLE = {Side.X: "bold $mark-x", Side.O: "bold $mark-o"}


class TextPanel(Static):
    """Text that keeps its place. It is drawn again only when it has changed."""

    _shown = Content()

    def show_text(self, content: Content) -> None:
        if (content.plain, content.spans) != (self._shown.plain, self._shown.spans):
            self._shown = content
            self.update(content, layout=False)


class PlayersPanel(TextPanel):
    """Both players, whose turn it is in the position that is looked at, and their clocks."""

    def show(self, session: SessionState, clock: ClockReading | None, history: HistoryView) -> None:
        match = session.match
        to_act = match.to_act if history.is_latest else match.setup.seat(history.position.turn)
        self.show_text(Content("\n").join(self._line(session, clock, side, to_act) for side in Side))

    def _line(self, session: SessionState, clock: ClockReading | None, side: Side, to_act: int | None) -> Content:
        seat = session.match.setup.seat(side)
        weight = "bold" if to_act == seat else ""
        left = format_clock(clock.left[side]) if clock else ""
        width = max(10, self.size.width - 6 - len(left))
        return Content.assemble(
            ("▶ " if to_act == seat else "  ", "bold"),
            (f"{side}  ", STYLE[side]),
            (set_cell_size(_player(session, seat, width - 1), width), weight),
            (left, "bold" if clock and clock.running is side else ""),
        )


def _player(session: SessionState, seat: int, width: int) -> str:
    """A player in so many columns: the name may be cut, but not the notes after it."""
    if seat in session.open_seats:
        return text("players.nobody")
    _, name, player = session.match.setup.seats[seat - 1]
    if not name:
        code = "player.default" if player == HUMAN else "players.computer"
        name = text(code, seat=seat, level=translated(f"level.{player}", player))
    notes = f" {text('players.you')}" if session.is_remote and session.seats == (seat,) else ""
    notes += f" {text('players.disconnected')}" if seat in session.absent_seats else ""
    return name + notes if cell_len(name + notes) <= width else set_cell_size(name, width - len(notes)).rstrip() + notes


class MovesPanel(Widget):
    """The moves, and between them talk and claims; as much of it as there is room for."""

    DEFAULT_CSS = "MovesPanel { overflow: hidden; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._history: HistoryView | None = None

    def show(self, history: HistoryView) -> None:
        if history != self._history:
            self._history = history
            self.refresh()

    def render(self) -> Content:
        if self._history is None:
            return Content()
        lines = _lines(self._history, max(10, self.size.width))
        here = next((n for n, (_, plies) in enumerate(lines) if self._history.ply in plies), len(lines) - 1)
        height = max(1, self.size.height)
        first = max(0, min(len(lines) - height, here - height // 2)) if not self._history.is_latest else -height
        return Content("\n").join(line for line, _ in lines[first:][:height])


MoveLine = tuple[Content, frozenset[int]]  # with the plies on it


def _lines(history: HistoryView, width: int) -> list[MoveLine]:
    """The lines with the plies that stand on them."""
    lines: list[MoveLine] = []
    words: list[MoveLine] = []  # moves that wait for their line: the two that belong together stay together
    ply = 0
    for event, after in _standing(history.match):
        if event.action.kind == "move":
            ply += 1
            word, plies = _move(history, event, ply, begins=not words), frozenset({ply})
            if ply % 2 == 0 and words:
                first, before = words.pop()
                word, plies = first.append(word), before | plies
            words.append((word, plies))
        if event.action.kind != "move" or event.action.cells is not None:
            said = describe_event(history.match.setup, after, event).partition("\n")[0]
            lines += _flow(words, width)
            words = []
            lines += [(line, frozenset()) for line in Content.styled(said, "$label").wrap(width)] if said else []
    return lines + _flow(words, width)


def _standing(match: Match) -> list[tuple[Event, State]]:
    """The events that stand, with the states after them; and messages, which no take-back removes."""
    standing: list[tuple[Event, State]] = []
    # Only verdicts need the board of their time: without claims the walk is spared.
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


def _flow(words: list[MoveLine], width: int) -> list[MoveLine]:
    """Words one after the other, as many on a line as there is room for."""
    lines: list[MoveLine] = []
    for word, plies in words:
        if lines and lines[-1][0].cell_length + word.cell_length <= width + 2:
            lines[-1] = lines[-1][0].append(word), lines[-1][1] | plies
        else:
            lines.append((word, plies))
    return lines


def _move(history: HistoryView, event: Event, ply: int, *, begins: bool) -> Content:
    """A move with its number; a reply has one only where it begins a line of its own."""
    move = event.action.move
    name = history.match.game.name(move) if isinstance(move, int) else ""
    number = f"{(ply + 1) // 2}. " if ply % 2 else f"{ply // 2}... " if begins else ""
    style = STYLE[history.match.setup.side(event.seat)]
    here = ply == history.ply and not history.is_latest
    return Content.assemble((number, "$label"), (name, f"{style} reverse" if here else style), "  ")


class ChecklistPanel(Widget):
    """The checklist of eight lines: while a claim is made, while it waits for its answer, and when it is settled."""

    DEFAULT_CSS = "ChecklistPanel { height: 10; }"

    class LineChosen(Message):
        """A line was clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._view: ViewState | None = None
        self.display = False

    def show(self, view: ViewState) -> None:
        self._view = view
        self.display = shows_checklist(view)
        if self.display:
            self.refresh()

    def render(self) -> Content:
        if self._view is None:
            return Content()
        view, match = self._view, self._view.match
        claimed = _claimed(view)
        lines = [
            _check_line(number, check, is_claimed=set(check.cells) == set(claimed), numbered=view.picked is not None)
            for number, check in enumerate(checklist(match.position.cells), 1)
        ]
        return Content("\n").join([Content.styled(_heading(view), "bold"), *lines])

    def on_click(self, event: events.Click) -> None:
        if 1 <= event.y <= 8:
            self.post_message(self.LineChosen(event.y))


def shows_checklist(view: ViewState) -> bool:
    match = view.match
    if not match.setup.has_claims or not view.history.is_latest:
        return False
    settled = match.state.verdict is not None and match.state.claimed_at == len(match.state.moves)
    return view.picked is not None or match.state.pending is not None or settled or match.result is not None


def _claimed(view: ViewState) -> tuple[int, ...]:
    if view.picked is not None:
        return tuple(view.picked)
    state = view.match.state
    if state.pending:
        return state.pending.cells
    return state.verdict.claim.cells if state.verdict else ()


def _heading(view: ViewState) -> str:
    state = view.match.state
    if view.picked is not None:
        return text("checklist.lines")
    if state.pending:
        return text("checklist.claimed", side=state.pending.side)
    if state.verdict is None:
        return text("checklist.referee")
    return text("checklist.true" if state.verdict.true else "checklist.false", side=state.verdict.claim.side)


def _check_line(number: int, check: LineCheck, *, is_claimed: bool, numbered: bool) -> Content:
    marks = Content(" ").join(
        Content.styled(
            "_" if mark is None else mark.name, "$faint" if mark is None else f"bold $mark-{mark.name.lower()}"
        )
        for mark in check.marks
    )
    return Content.assemble(
        (f"{number} " if numbered else "  ", "bold"),
        ("▸" if is_claimed else " ", "bold $note"),
        (f"{check.label:<14}", "bold" if is_claimed else "$label"),
        marks,
        (f"  {check.message}", "bold" if check.holder is not None else "$label"),
    )
