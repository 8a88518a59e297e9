"""The keys of a match: what they are bound to, what the help says of them, and how they are dispatched in order."""

from __future__ import annotations

from textual.binding import Binding
from textual.widget import Widget

from ninefold.core.messages import Message, text

LEAVE = "e"
# Each line of the help, with its keys as Textual calls them, and their actions.
LINES: tuple[tuple[str | Message, Message, dict[str, str]], ...] = (
    (Message("key.digits"), Message("keys.digits"), {}),
    (Message("key.arrows_enter"), Message("keys.arrows"), {}),
    ("esc", Message("keys.escape"), {"escape": "back"}),
    ("u", Message("keys.undo"), {"u": "undo"}),
    ("h", Message("keys.hint"), {"h": "hint"}),
    ("l", Message("keys.labels"), {"l": "labels"}),
    ("t", Message("keys.threats"), {"t": "threats"}),
    ("a", Message("keys.analysis"), {"a": "analysis"}),
    ("+", Message("keys.search_on"), {"plus": "search_on"}),
    (
        ", . home end",
        Message("keys.history"),
        {"comma,pageup": "step(-1)", "full_stop,pagedown": "step(1)", "home": "first", "end": "latest"},
    ),
    ("s  d  r", Message("keys.talk"), {"s": "say", "d": "offer_draw", "r": "resign"}),
    ("c", Message("keys.claim"), {"c": "claim"}),
    ("x  o  m", Message("keys.claim_for"), {"x": "claim_for('X')", "o": "claim_for('O')", "m": "place"}),
    ("y  n  w", Message("keys.answer"), {"y": "answer(True)", "n": "answer(False)", "w": "withdraw"}),
    ("g", Message("keys.rematch"), {"g": "rematch"}),
    ("f2", Message("keys.console"), {"f2": "console"}),
    ("f3", Message("keys.theme"), {}),  # which the app does
    (LEAVE, Message("keys.leave"), {"e,q": "leave"}),
)
BINDINGS = [
    Binding("question_mark,f1", "rules", show=False),
    *(Binding(keys, action, show=False) for _, _, bound in LINES for keys, action in bound.items()),
]


def keys_help(leave: str = "") -> str:
    """All keys of a match, line by line. ``leave`` says what leaving does now."""
    lines = ((keys, leave if leave and keys == LEAVE else does) for keys, does, _ in LINES)
    return "\n".join([text("keys.heading"), *(f"  {keys!s:<14}{does}" for keys, does in lines), ""])


async def dispatch_key(widget: Widget, key: str) -> bool:
    """Do what a key is bound to, if it is, and do it now: on its way up to the app it could be overtaken by the key
    that was typed next."""
    active = widget.screen.active_bindings.get(key)
    return active is not None and active.enabled and await widget.app.run_action(active.binding.action, active.node)
