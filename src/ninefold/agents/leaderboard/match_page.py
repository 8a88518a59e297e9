"""The page of one match, to step through: the board, what happened, and what each side was told and said."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape

from ninefold.agents.leaderboard.html import MATCH_SCRIPT, PAGE_THEME, page
from ninefold.agents.leaderboard.index_page import ending, score
from ninefold.agents.leaderboard.runs import RunMatch
from ninefold.agents.leaderboard.turns import MatchStep, Words, match_steps
from ninefold.core.game import Game
from ninefold.core.svg import svg

_KINDS = {
    "told": "was told", "answered": "answered", "failed": "did not answer", "printed": "printed", "refused": "tried",
    "forfeited": "forfeited", "opening": "was given",
}  # fmt: skip
_CONTROLS = """\
<div class="controls" hidden>
<button type="button" data-go="first">First</button>
<button type="button" data-go="previous">Previous</button>
<label>Step <input type="range" min="0" value="0"></label>
<button type="button" data-go="next">Next</button>
<button type="button" data-go="last">Last</button>
<output aria-live="polite"></output>
</div>
<p class="small keys" hidden>The arrow keys, Home and End step too.</p>
"""


class SharedShapes:
    """The boards of all pictures of a page, each drawn once: in a game of nine boards eight stay the same in a move."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def place(self, shapes: str) -> str:
        """A reference to some shapes."""
        return f'<use href="#{self._names.setdefault(shapes, f"b{len(self._names)}")}"/>'

    def definitions(self) -> str:
        groups = "".join(f'<g id="{name}">{shapes}</g>\n' for shapes, name in self._names.items())
        return f'<svg class="shared" width="0" height="0" aria-hidden="true"><defs>\n{groups}</defs></svg>\n'


def match_page(one: RunMatch) -> str:
    title = f"{one.x} (X) – {one.o} (O)"
    seen: set[tuple[int, str]] = set()
    found, shared = match_steps(one), SharedShapes()
    steps = "".join(_step(one, step, seen, shared) for step in found)
    body = (
        f'<header class="top"><h1>{escape(title)}</h1>\n<p>{escape(score(one))}: {escape(ending(one))}</p>\n'
        f'<p><a href="../index.html">Leaderboard</a> · {escape(one.match.game.title)} · match {one.number} of '
        f"{escape(one.run)}</p></header>\n"
        f'<main id="main">\n{shared.definitions()}{_CONTROLS}<ol class="steps">\n{steps}</ol>\n'
        f"{_silent(one)}{_moves(found)}</main>\n"
    )
    return page(f"{title}: {score(one)}", body, root="../", script=MATCH_SCRIPT)


def _silent(one: RunMatch) -> str:
    """Who was told nothing in words, so that nobody looks for it."""
    silent = [f"{one.agent(seat)} ({'XO'[seat - 1]})" for seat in (1, 2) if not one.transcripts.get(seat)]
    return f'<p class="small">No conversation was recorded with {escape(" and ".join(silent))}.</p>\n' if silent else ""


def _moves(steps: Sequence[MatchStep]) -> str:
    """Links to all steps."""
    links = "".join(
        f'<li><a href="#step-{step.number}">{escape(step.sentences[0])}</a></li>' for step in steps if step.sentences
    )
    return f'<nav aria-label="Steps"><h2>All steps</h2><ol class="moves">{links}</ol></nav>\n'


def _step(one: RunMatch, step: MatchStep, seen: set[tuple[int, str]], shared: SharedShapes) -> str:
    happened = [f"<p>{escape(line)}</p>" for line in _headline(step)]
    details = step.sentences[1:]
    if details:
        happened.append(f"<pre>{escape(chr(10).join(details))}</pre>")
    words = "".join(_words(one, each, seen) for each in _merged(step.words))
    return (
        f'<li id="step-{step.number}">\n<div class="position">{_board(one.match.game, step, shared)}</div>\n'
        f'<div class="happened">{"".join(happened)}{words}</div>\n</li>\n'
    )


def _headline(step: MatchStep) -> tuple[str, ...]:
    return (f"{step.number}. {step.sentences[0]}",) if step.sentences and step.number else ("The start.",)


def _board(game: Game, step: MatchStep, shared: SharedShapes) -> str:
    return svg(game, step.position, last=step.last, theme=PAGE_THEME, place=shared.place)


def _merged(words: Iterable[Words]) -> list[Words]:
    """Lines that a program printed, one after the other, are one."""
    merged: list[Words] = []
    for one in words:
        if merged and one.kind == "printed" and merged[-1][:2] == one[:2]:
            merged[-1] = merged[-1]._replace(text=f"{merged[-1].text}\n{one.text}")
        else:
            merged.append(one)
    return merged


def _words(one: RunMatch, words: Words, seen: set[tuple[int, str]]) -> str:
    side = "XO"[words.seat - 1]
    who = f"{one.agent(words.seat)} ({side}) {_KINDS[words.kind]}"
    if words.kind in ("refused", "forfeited", "failed", "opening"):
        told = words.text if words.kind != "refused" else words.text.removeprefix("tried ")
        return f'<p class="{words.kind} side-{side}">{escape(who)} {escape(told)}</p>\n'
    is_known = words.kind == "told" and (words.seat, words.text) in seen
    seen.add((words.seat, words.text))
    if is_known:
        return f'<p class="small side-{side}">{escape(who)} the same again ({escape(words.role)}).</p>\n'
    role = f" ({words.role})" if words.kind == "told" else ""
    is_open = " open" if words.kind == "answered" else ""
    facts = f'<p class="small">{escape(_facts(words))}</p>' if words.facts else ""
    return (
        f'<details class="words side-{side}"{is_open}><summary>{escape(who)}{escape(role)}</summary>'
        f"<pre>{escape(words.text) or '(nothing)'}</pre>{facts}</details>\n"
    )


def _facts(words: Words) -> str:
    shown = {name: value for name, value in words.facts.items() if value not in (None, "", False)}
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in shown.items()}
    return ", ".join(f"{name} {value}" for name, value in texts.items())
