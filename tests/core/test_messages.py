"""Messages: every code that is used has a text, every text is used, and its parameters are given."""

from __future__ import annotations

import ast
import pickle
import string
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from ninefold.core import messages
from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.messages import Message, Template, message, register, text
from ninefold.games import all_games

PACKAGE = Path(messages.__file__).parents[1]
FUNCTIONS = {"text", "message", "Message"}
# Why an agent that is evaluated cannot go on: they answer nobody who could do something else instead.
AGENT_FAILURES = {"AgentError", "AgentCrashed", "AgentRejected", "AgentTimedOut", "TurnForfeited"}


class Use(NamedTuple):
    """A code where it is used: by which function, and with which parameters, or None where they are not written out."""

    where: str
    code: str
    params: frozenset[str] | None
    by: str


def catalogue() -> Mapping[str, Template]:
    """All texts there are."""
    all_games()
    for file in PACKAGE.rglob("messages.py"):
        import_module(".".join(file.parent.relative_to(PACKAGE.parent).parts))
    return messages.catalogue()


@cache
def refusal_names() -> set[str]:
    """The names of the classes of refusals, in the whole package."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in PACKAGE.rglob("*.py")]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    names, before = {Refusal.__name__}, 0
    while len(names) > before:
        before = len(names)
        names |= {one.name for one in classes if any(isinstance(b, ast.Name) and b.id in names for b in one.bases)}
    return names


def codes_in(node: ast.expr) -> Iterator[str]:
    """The codes that an expression can be: a constant, or one of two."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from codes_in(node.body)
        yield from codes_in(node.orelse)


def uses() -> Iterator[Use]:
    names = FUNCTIONS | refusal_names() | {"raise_broken_line"}
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in names:
                continue
            given = [place for place in node.args if any(codes_in(place))]
            written_out = all(keyword.arg for keyword in node.keywords)
            params = frozenset(keyword.arg or "" for keyword in node.keywords) if written_out else None
            for code in given[:1]:
                where = f"{file.relative_to(PACKAGE)}:{node.lineno}"
                yield from (Use(where, one, params, node.func.id) for one in codes_in(code))


def placeholders(template: Template) -> set[str]:
    parts = (template,) if isinstance(template, str) else template
    return {name for part in parts for _, name, _, _ in string.Formatter().parse(part) if name}


def test_every_code_has_a_text_whose_parameters_are_given() -> None:
    known = catalogue()
    wrong = [
        use
        for use in uses()
        if use.code not in known or (use.params is not None and not placeholders(known[use.code]) <= use.params)
    ]
    assert wrong == []


def test_every_text_is_used() -> None:
    """By its code, or by the beginning of it where the rest is computed."""
    source = "\n".join(file.read_text(encoding="utf-8") for file in PACKAGE.rglob("*.py"))
    named = {use.code for use in uses()}

    def is_used(code: str) -> bool:
        beginning, _, last = code.rpartition(".")
        return (
            code in named or source.count(f'"{code}"') > 1 or last in ("one", "none") or f'f"{beginning}.{{' in source
        )

    ours = [code for code in catalogue() if f'"{code}":' in source]  # other tests register texts of their own
    assert len(ours) > 500
    assert [code for code in ours if not is_used(code)] == []


def test_every_refusal_says_what_is_possible_instead() -> None:
    """Those that are raised by their code, and by their reason those whose code is computed."""
    raised = {use.code for use in uses() if use.by in refusal_names() - AGENT_FAILURES}
    failures = {use.code for use in uses() if use.by in AGENT_FAILURES}
    only_said = {use.code for use in uses() if use.by in FUNCTIONS | {"broken"}} - raised
    reasons = {code.partition(".")[0] for code in raised}
    refusals = {
        code: template
        for code, template in catalogue().items()
        if code in raised or (code.partition(".")[0] in reasons and code not in only_said | failures)
    }
    assert len(refusals) > 200
    assert {code for code, one in refusals.items() if isinstance(one, str) or not all(map(str.strip, one))} == set()


def test_the_console_refuses_with_refusals_and_not_with_sentences_alone() -> None:
    """A sentence would not be seen by the test above."""
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "refuse":
                called = {
                    one.func.id
                    for one in ast.walk(node)
                    if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)
                }
                assert not called & FUNCTIONS, f"{file.relative_to(PACKAGE)}:{node.lineno}"


def test_a_refusal_in_the_words_of_somebody_else_also_says_what_is_possible_instead() -> None:
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "told":
                assert not isinstance(node.args[2], ast.Constant), f"{file.relative_to(PACKAGE)}:{node.lineno}"


def test_a_message_is_a_value_that_becomes_words() -> None:
    taken = message("taken", cell="5", side="O", free="1 3")
    assert taken == Message("taken", (("cell", "5"), ("side", "O"), ("free", "1 3")))
    assert str(taken) == "Cell 5 is taken by O."


def test_one_and_many_have_their_own_words() -> None:
    assert text("squared.lines", count=1) == "one line of boards"
    assert text("squared.lines", count=3) == "3 lines of boards"


def test_two_texts_for_one_code_are_refused() -> None:
    register({"ended": messages.catalogue()["ended"]})
    with pytest.raises(ValueError, match="two texts for the message ended"):
        register({"ended": "Over."})


def test_a_refusal_survives_a_journey_to_another_process() -> None:
    refusal = NotAllowed("taken", cell="5", side="O", free="1 3").with_details(moves=["1", "3"])
    again = pickle.loads(pickle.dumps(refusal))  # noqa: S301 - our own
    assert type(again) is NotAllowed
    assert (again.reason, str(again), again.details) == ("taken", str(refusal), {"moves": ["1", "3"]})
