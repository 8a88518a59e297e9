"""The checklist of eight lines: while a claim is made, while it waits for its answer, and when it is settled."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from ninefold.match.claims import LineCheck, checklist
from ninefold.match.match import Match
from ninefold.match.narration import describe_line
from ninefold.terminal.tui.prompts import Situation


class Checklist(Widget):
    DEFAULT_CSS = "Checklist { height: 10; }"

    class Chosen(Message):
        """A line was pressed."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._now: Situation | None = None
        self.display = False

    def show(self, now: Situation) -> None:
        self._now = now
        self.display = is_shown(now)
        if self.display:
            self.refresh()

    def render(self) -> Content:
        if self._now is None:
            return Content()
        now, match = self._now, self._now.match
        claimed = _claimed(now)
        lines = [
            _line(number, check, is_claimed=set(check.cells) == set(claimed), numbered=now.picked is not None)
            for number, check in enumerate(checklist(match.position.cells), 1)
        ]
        return Content("\n").join([Content.styled(_heading(now), "bold"), *lines])

    def on_click(self, event: events.Click) -> None:
        if 1 <= event.y <= 8:
            self.post_message(self.Chosen(event.y))


def is_shown(now: Situation) -> bool:
    match = now.match
    if not match.setup.has_claims or not now.seen.is_latest:
        return False
    settled = match.state.verdict is not None and match.state.claimed_at == len(match.state.moves)
    return now.picked is not None or match.state.pending is not None or settled or match.result is not None


def _claimed(now: Situation) -> tuple[int, ...]:
    if now.picked is not None:
        return tuple(now.picked)
    state = now.match.state
    if state.pending:
        return state.pending.cells
    return state.verdict.claim.cells if state.verdict else ()


def _heading(now: Situation) -> str:
    state = now.match.state
    if now.picked is not None:
        return "The eight lines"
    if state.pending:
        return f"{state.pending.side} claims victory"
    return _verdict(now.match) if state.verdict else "The referee's checklist"


def _verdict(match: Match) -> str:
    verdict = match.state.verdict
    assert verdict is not None  # noqa: S101 - it was asked for
    return f"{verdict.claim.side}'s claim was {'true' if verdict.true else 'false'}"


def _line(number: int, check: LineCheck, *, is_claimed: bool, numbered: bool) -> Content:
    marks = Content(" ").join(
        Content.styled(
            "_" if mark is None else mark.name, "$faint" if mark is None else f"bold $mark-{mark.name.lower()}"
        )
        for mark in check.marks
    )
    return Content.assemble(
        (f"{number} " if numbered else "  ", "bold"),
        ("▸" if is_claimed else " ", "bold $note"),
        (f"{check.name:<14}", "bold" if is_claimed else "$label"),
        marks,
        (f"  {describe_line(check)}", "bold" if check.holder is not None else "$label"),
    )
