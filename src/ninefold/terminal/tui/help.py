"""The keys of a match: what the page behind the question mark says of them, and what they are bound to."""

from __future__ import annotations

from textual.binding import Binding

# Each line of the page, with its keys as Textual calls them, and their actions.
LINES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("digits", "play, as the game names its cells; the board first, if asked", {}),
    ("arrows enter", "play where the cursor is; once more on a cell: take none", {}),
    ("esc", "back to the beginning of the move", {"escape": "back"}),
    ("u", "undo; on a server: offer to take back", {"u": "undo"}),
    ("h", "a hint", {"h": "hint"}),
    ("l", "digits of this game, or of the numpad", {"l": "labels"}),
    ("t", "show where somebody could win, or not", {"t": "threats"}),
    ("a", "analysis: values, variation, graph", {"a": "analysis"}),
    (
        ", . home end",
        "look back and forward, to the first and to the latest",
        {"comma,pageup": "step(-1)", "full_stop,pagedown": "step(1)", "home": "first", "end": "latest"},
    ),
    (
        "s  d  r",
        "say something, offer a draw (on a server), resign",
        {"s": "say", "d": "offer_draw", "r": "resign"},
    ),
    ("c", "claim: pick cells, or a line by its number; then enter", {"c": "claim"}),
    (
        "x  o  m",
        "claim for X or for O; move where the cursor is, with the claim",
        {"x": "claim_for('X')", "o": "claim_for('O')", "m": "place"},
    ),
    (
        "y  n  w",
        "confirm or accept, dispute or decline, withdraw",
        {"y": "answer(True)", "n": "answer(False)", "w": "withdraw"},
    ),
    ("g", "once more, with sides swapped", {"g": "again"}),
    ("f2", "go on line by line, as screen readers need it", {"f2": "lines"}),
    ("f3", "other colours", {}),  # which the app does
    ("e", "leave; the game is kept", {"e,q": "leave"}),
)
KEYS_OF_A_MATCH = "\n".join(["Keys", *(f"  {keys:<14}{does}" for keys, does, _ in LINES), ""])
BINDINGS = [
    Binding("question_mark,f1", "rules", show=False),
    *(Binding(keys, action, show=False) for _, _, bound in LINES for keys, action in bound.items()),
]
