"""Questions over the screen: a line or two of text, yes or no, one of a list, the rules."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import ClassVar, Generic, NamedTuple, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ninefold.core.errors import Refusal

T = TypeVar("T")
R = TypeVar("R")
MOST = 20_000  # characters of a field; more is not even looked at


class Dialog(ModalScreen[T]):
    """Something over the screen."""

    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog .dialog { width: 72; max-width: 95%; height: auto; max-height: 100%; padding: 1 2; background: $surface;
                     border: round $rule; }
    Dialog .heading { height: auto; text-style: bold; margin-bottom: 1; }
    Dialog .name { height: 1; color: $label; }
    Dialog .note { height: auto; color: $label; margin-top: 1; link-style: none; link-color: $label;
                   link-background: $surface 0%; link-color-hover: $foreground; link-background-hover: $surface 0%; }
    Dialog #trouble { height: auto; color: $error; }
    Dialog Input { background: $panel; margin-bottom: 1; }
    Dialog OptionList { height: auto; max-height: 14; background: $surface; border: none; padding: 0; }
    Dialog OptionList:focus { border: none; }
    """


class Field(NamedTuple):
    """One line to be filled in."""

    name: str
    value: str = ""
    example: str = ""
    longest: int = 280


class Ask(Dialog[R | None], Generic[R]):
    """Lines of text, and something that is attempted with them; what refuses them is said here, and asked again."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "Back")]

    def __init__(self, title: str, fields: Sequence[Field], attempt: Callable[..., Awaitable[R]]) -> None:
        super().__init__()
        self._title, self._fields, self._attempt = title, fields, attempt
        self._trying = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content(self._title), classes="heading")
            for name, value, example, _ in self._fields:
                if name:
                    yield Static(Content(name), classes="name")
                yield Input(value, placeholder=example, max_length=MOST, compact=True)
            yield Static(id="trouble")
            yield Static(classes="note")

    def on_descendant_focus(self) -> None:
        enter = "go on" if self.focused is self.query(Input).last() else "next line"
        self.query_one(".note", Static).update(f"enter  {enter}     [@click=screen.dismiss(None)]esc  back[/]")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        inputs = list(self.query(Input))
        if event.input is not inputs[-1]:
            inputs[inputs.index(event.input) + 1].focus()
            return
        values = [one.value for one in inputs]
        for one, field in zip(inputs, self._fields, strict=True):
            if len(one.value) > field.longest:
                self._refuse(f"That is too long: {len(one.value)} characters, and there may be {field.longest}.")
                one.focus()
                return
        if not self._trying:
            self._trying = True
            self._refuse("")
            self.run_worker(self._try(values))

    def _refuse(self, why: str) -> None:
        self.query_one("#trouble", Static).update(Content(why))

    async def _try(self, values: list[str]) -> None:
        try:
            self.dismiss(await self._attempt(*values))
        except Refusal as refusal:
            self._refuse(str(refusal))
            self.query(Input).first().focus()
        finally:
            self._trying = False


async def _as_it_is(text: str) -> str:
    return text


def ask_text(title: str) -> Ask[str]:
    """A line of text, or None."""
    return Ask(title, [Field("")], _as_it_is)


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


class Pick(Dialog[int | None]):
    """One of a list, by its place. ``forget`` is called with the place of one that is to be forgotten; what refuses
    that is said here, and the list stays."""

    DEFAULT_CSS = """
    Pick .dialog { width: 76; padding: 1; }
    Pick OptionList { scrollbar-size-vertical: 1; }
    Pick #trouble { display: none; margin-top: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q", "dismiss(None)", "Back"),
        ("delete,backspace", "forget", "Forget"),
    ]

    def __init__(self, title: str, choices: Sequence[str], forget: Callable[[int], Awaitable[None]]) -> None:
        super().__init__()
        self._title, self._choices, self._forget = title, choices, forget

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content(self._title), classes="heading")
            yield OptionList(*(Option(Content(one), id=str(place)) for place, one in enumerate(self._choices)))
            yield Static(id="trouble")
            keys = "↑ ↓ enter  choose     del  forget     [@click=screen.dismiss(None)]esc  back[/]"
            yield Static(keys, classes="note")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(_place(event.option))

    def action_forget(self) -> None:
        chosen = self.query_one(OptionList).highlighted_option
        if chosen:
            question = f"Forget this game for good?\n{self._choices[_place(chosen)]}"
            self.app.push_screen(AskYes(question), partial(self._forgotten, chosen))

    def _forgotten(self, chosen: Option, yes: bool | None) -> None:
        if yes:
            self.run_worker(self._try_to_forget(chosen))

    async def _try_to_forget(self, chosen: Option) -> None:
        trouble = ""
        try:
            await self._forget(_place(chosen))
        except Refusal as refusal:
            trouble = str(refusal)
        told = self.query_one("#trouble", Static)
        told.update(Content(trouble))
        told.display = bool(trouble)
        options = self.query_one(OptionList)
        if not trouble and chosen in options.options:  # it may have been asked for twice
            options.remove_option(chosen.id or "")
        if not options.option_count:
            self.dismiss(None)


def _place(option: Option) -> int:
    """Among all that there were, the forgotten ones too."""
    return int(option.id or 0)


class Page(Dialog[None]):
    """Text to read: the rules of a game, and the keys."""

    DEFAULT_CSS = """
    Page .page { width: 84; max-width: 100%; height: 100%; max-height: 44; padding: 0 1; background: $surface;
                 border: round $rule; }
    Page.narrow .page { border: none; padding: 0; }
    Page VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; }
    Page .heading { margin: 0 0 1 0; }
    Page .note { margin: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,e,question_mark,f1,enter,space", "dismiss(None)", "Back")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < 86, "narrow")  # the rules of a game need 79 columns

    def compose(self) -> ComposeResult:
        with Vertical(classes="page"):
            yield Static(Content(self._title), classes="heading")
            with VerticalScroll():
                yield Static(Content(self._text))
            yield Static("↑ ↓  read on     [@click=screen.dismiss(None)]esc  back[/]", classes="note")
