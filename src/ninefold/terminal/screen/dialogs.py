"""Questions over the screen: a line of text, yes or no, the rules."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """Something over the screen."""

    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog .dialog { width: 64; max-width: 95%; height: auto; padding: 1 2; background: $surface; border: round $rule; }
    Dialog .heading { height: auto; text-style: bold; margin-bottom: 1; }
    Dialog .note { height: auto; color: $label; margin-top: 1; link-style: none; link-color: $label;
                   link-background: $surface 0%; link-color-hover: $foreground; link-background-hover: $surface 0%; }
    Dialog Input { background: $panel; }
    """


class AskText(Dialog[str | None]):
    """A line of text, or None when it was not given."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "Back")]

    def __init__(self, title: str, note: str = "", *, value: str = "", longest: int = 280) -> None:
        super().__init__()
        self._title, self._note, self._value, self._longest = title, note, value, longest

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content(self._title), classes="heading")
            yield Input(self._value, max_length=self._longest, compact=True)
            yield Static(Content(self._note), classes="note")
            yield Static(Content("enter  go on     esc  back"), classes="note")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)


class AskYes(Dialog[bool]):
    BINDINGS: ClassVar[list[BindingType]] = [
        ("y", "dismiss(True)", "Yes"),
        ("n,escape", "dismiss(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content(self._question), classes="heading")
            answers = "[@click=screen.dismiss(True)]y  yes[/]     [@click=screen.dismiss(False)]n  no[/]"
            yield Static(answers, classes="note")


class Page(Dialog[None]):
    """Text to read: the rules of a game, and the keys."""

    DEFAULT_CSS = """
    Page .page { width: 84; max-width: 100%; height: auto; max-height: 100%; padding: 0 1; background: $surface;
                 border: round $rule; }
    Page VerticalScroll { height: auto; max-height: 32; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,e,question_mark,f1,enter,space", "dismiss(None)", "Back")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with Vertical(classes="page"):
            yield Static(Content(self._title), classes="heading")
            with VerticalScroll():
                yield Static(Content(self._text))
            yield Static("[@click=screen.dismiss(None)]esc  back[/]     ↑ ↓  read on", classes="note")
