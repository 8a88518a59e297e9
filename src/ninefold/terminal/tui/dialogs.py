"""Dialogs over the screen: a form, yes or no, a list, a page to read."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import ClassVar, Generic, NamedTuple, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ninefold.core.errors import Refusal
from ninefold.core.messages import text
from ninefold.terminal.tui.executor import start_worker

T = TypeVar("T")
R = TypeVar("R")
MOST = 20_000  # characters of a field; more is not even looked at


class Dialog(ModalScreen[T]):
    """The style of all dialogs, and how they close."""

    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog .dialog { width: 72; max-width: 95%; height: auto; max-height: 100%; padding: 1 2; background: $surface;
                     border: round $rule; }
    Dialog .heading { height: auto; text-style: bold; margin-bottom: 1; }
    Dialog .name { height: 1; color: $label; }
    Dialog .note { height: auto; color: $label; margin-top: 1; link-style: none; link-color: $label;
                   link-background: $surface 0%; link-color-hover: $foreground; link-background-hover: $surface 0%; }
    Dialog #error { height: auto; color: $error; }
    Dialog Input { background: $panel; margin-bottom: 1; }
    Dialog OptionList { height: auto; max-height: 14; background: $surface; border: none; padding: 0; }
    Dialog OptionList:focus { border: none; }
    """

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Close, if nothing is open over it and it is not closed already: else Textual would close another screen."""
        return super().dismiss(result) if self.is_active else AwaitComplete()


class FormField(NamedTuple):
    """One line of a form."""

    name: str
    value: str = ""
    example: str = ""
    longest: int = 280


class FormDialog(Dialog[R | None], Generic[R]):
    """Lines of text, and something that is tried with them. A refusal is shown here, and the form stays. ``back`` says
    what the escape key does."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "Back")]

    def __init__(
        self, title: str, fields: Sequence[FormField], submit: Callable[..., Awaitable[R]], *, back: str = ""
    ) -> None:
        super().__init__()
        self._title, self._fields, self._submit = title, fields, submit
        self._back = back or text("dialog.back")
        self._trying = False
        # Made here: what comes when the dialog is closed already still finds them.
        self._inputs = [Input(one.value, one.example, max_length=MOST, compact=True) for one in fields]
        self._error, self._note = Static(id="error"), Static(classes="note")

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content(self._title), classes="heading")
            for field, entry in zip(self._fields, self._inputs, strict=True):
                if field.name:
                    yield Static(Content(field.name), classes="name")
                yield entry
            yield self._error
            yield self._note

    def on_descendant_focus(self) -> None:
        enter = text("dialog.submit" if self.focused is self._inputs[-1] else "dialog.next_line")
        self._note.update(f"enter  {enter}     {link_to(self._back, 'None')}")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input is not self._inputs[-1]:
            self._inputs[self._inputs.index(event.input) + 1].focus()
            return
        values = [one.value for one in self._inputs]
        for one, field in zip(self._inputs, self._fields, strict=True):
            if len(one.value) > field.longest:
                self._show_error(text("dialog.too_long", found=len(one.value), most=field.longest))
                one.focus()
                return
        if not self._trying:
            self._trying = True
            self._show_error("")
            start_worker(self, self._try, values)

    def _show_error(self, why: str) -> None:
        self._error.update(Content(why))

    async def _try(self, values: list[str]) -> None:
        try:
            result = await self._submit(*values)
            self.dismiss(result)
        except Refusal as refusal:
            self._show_error(str(refusal))
            self._inputs[0].focus()
        finally:
            self._trying = False


async def _unchanged(entered: str) -> str:
    return entered


def text_dialog(title: str) -> FormDialog[str]:
    """A line of text, or None."""
    return FormDialog(title, [FormField("")], _unchanged)


def link_to(label: str, result: str) -> str:
    """A part of a note that closes the dialog when it is clicked."""
    return f"[@click=screen.dismiss({result})]{label}[/]"


class ConfirmDialog(Dialog[bool]):
    BINDINGS: ClassVar[list[BindingType]] = [
        ("y", "dismiss(True)", "Yes"),
        ("n,escape", "dismiss(False)", "No"),
    ]

    DEFAULT_CSS = """
    ConfirmDialog .wide { width: 80; max-width: 100%; padding: 1; }
    """

    def __init__(self, question: str, *, wide: bool = False) -> None:
        super().__init__()
        self._question, self._wide = question, wide

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog wide" if self._wide else "dialog"):
            yield Static(Content(self._question), classes="heading")
            answers = f"{link_to(text('dialog.yes'), 'True')}     {link_to(text('dialog.no'), 'False')}"
            yield Static(answers, classes="note")


class Choice(NamedTuple):
    """One of some answers: its key, what it does, and what the dialog results in."""

    key: str
    does: str
    result: str


class ChoiceDialog(Dialog[str | None]):
    """A question with a few answers, each with a key."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "Back")]

    def __init__(self, question: str, choices: Sequence[Choice]) -> None:
        super().__init__()
        self._question, self._choices = question, choices

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content(self._question), classes="heading")
            answers = [link_to(f"{one.key}  {one.does}", repr(one.result)) for one in self._choices]
            yield Static("     ".join([*answers, link_to(text("dialog.back"), "None")]), classes="note")

    def on_key(self, event: events.Key) -> None:
        for one in self._choices:
            if event.key == one.key and self.is_current:  # else a key before it has answered
                event.stop()
                self.dismiss(one.result)


class PagedList(OptionList):
    """A list in which the keys for pages do nothing until it has been laid out, and a click does nothing on a line
    that was removed after it was drawn; Textual would raise an error."""

    def action_page_up(self) -> None:
        with contextlib.suppress(KeyError):
            super().action_page_up()  # type: ignore[no-untyped-call] # of Textual

    def action_page_down(self) -> None:
        with contextlib.suppress(KeyError):
            super().action_page_down()  # type: ignore[no-untyped-call] # of Textual

    def on_click(self, event: events.Click) -> None:
        if event.style.meta.get("option", 0) >= self.option_count:
            event.prevent_default()


class ListDialog(Dialog[int | None]):
    """One of a list, by its place. ``delete`` is called with the place of one that is to be deleted; a refusal is shown
    here, and the list stays. With a slash a filter is typed: the lines that have all its words are shown."""

    DEFAULT_CSS = """
    ListDialog .dialog { width: 80; max-width: 100%; padding: 1; }
    ListDialog OptionList { scrollbar-size-vertical: 1; max-height: 13; }
    ListDialog #filter { display: none; }
    ListDialog .error { display: none; margin-top: 1; color: $error; height: auto; }
    """
    AUTO_FOCUS = "OptionList"

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "back", "Back"),
        ("q", "dismiss(None)", "Back"),
        ("slash", "filter", "Filter"),
        ("delete,backspace", "delete", "Delete"),
    ]

    def __init__(
        self, title: str, columns: str, choices: Sequence[str], delete: Callable[[int], Awaitable[None]]
    ) -> None:
        super().__init__()
        self._title, self._columns, self._choices, self._delete = title, columns, choices, delete
        self._deleted: set[int] = set()
        self._list = PagedList(*self._options(""))
        self._filter = Input(placeholder=text("dialog.filter"), max_length=100, compact=True, id="filter")
        self._error, self._note = Static(classes="error"), Static(classes="note")

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content(self._title), classes="heading")
            yield self._filter
            yield Static(Content(self._columns), classes="name")
            yield self._list
            yield self._error
            yield self._note

    def on_descendant_focus(self) -> None:
        self._show_keys()

    def _show_keys(self) -> None:
        """The keys are others while a filter is typed, and as long as there is one, escape removes it."""
        does = text("dialog.filtering" if self.focused is self._filter else "dialog.list")
        back = text("dialog.all_games" if self._filter.display else "dialog.back")
        self._note.update(f"{does}     [@click=screen.back]{back}[/]")

    def _options(self, words: str) -> list[Option]:
        return [
            Option(Content(one), id=str(place))
            for place, one in enumerate(self._choices)
            if place not in self._deleted and all(word in one.lower() for word in words.lower().split())
        ]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(_place(event.option))

    def action_filter(self) -> None:
        self._filter.display = True
        self._filter.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._list.clear_options()
        self._list.add_options(self._options(event.value) or [Option(Content(text("dialog.no_match")), disabled=True)])
        self._list.highlighted = 0

    def on_input_submitted(self) -> None:
        self._list.focus()

    def action_back(self) -> None:
        """Out of the filter, then out of the list."""
        if not self._filter.display:
            self.dismiss(None)
            return
        self._filter.value = ""
        self._filter.display = False
        self._list.focus()
        self._show_keys()  # the list may have had the focus already

    def action_delete(self) -> None:
        chosen = self._list.highlighted_option
        if chosen and not chosen.disabled:
            question = text("dialog.delete", game=self._choices[_place(chosen)])
            # As wide as the list, so that the line of the game is not wrapped.
            self.app.push_screen(ConfirmDialog(question, wide=True), partial(self._confirmed, chosen))

    def _confirmed(self, chosen: Option, yes: bool | None) -> None:
        if yes:
            start_worker(self, self._try_to_delete, chosen)

    async def _try_to_delete(self, chosen: Option) -> None:
        error = ""
        try:
            await self._delete(_place(chosen))
        except Refusal as refusal:
            error = str(refusal)
        else:
            self._deleted.add(_place(chosen))
        self._error.update(Content(error))
        self._error.display = bool(error)
        # By its id: the filter may have been changed meanwhile, or it was deleted twice.
        if not error and chosen.id in [option.id for option in self._list.options]:
            self._list.remove_option(chosen.id or "")
        if len(self._deleted) == len(self._choices):
            self.dismiss(None)


def _place(option: Option) -> int:
    """Among all that there were, the deleted ones too."""
    return int(option.id or 0)


class PageDialog(Dialog[None]):
    """Text to read: the rules of a game, and the keys."""

    DEFAULT_CSS = """
    PageDialog .page { width: 84; max-width: 100%; height: 100%; max-height: 44; padding: 0 1; background: $surface;
                 border: round $rule; }
    PageDialog.narrow .page { border: none; padding: 0; }
    PageDialog VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; }
    PageDialog .heading { margin: 0 0 1 0; }
    PageDialog .note { margin: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,e,question_mark,f1,enter,space", "dismiss(None)", "Back")]

    def __init__(self, title: str, body: str) -> None:
        super().__init__()
        self._title, self._body = title, body

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < 86, "narrow")  # the rules of a game need 79 columns

    def compose(self) -> ComposeResult:
        with Vertical(classes="page"):
            yield Static(Content(self._title), classes="heading")
            with VerticalScroll():
                yield Static(Content(self._body))
            yield Static(f"{text('dialog.read')}     {link_to(text('dialog.back'), 'None')}", classes="note")
