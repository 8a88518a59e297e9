"""Every parser takes anything at all: the answer is a sentence, never a traceback, and nothing has changed."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ninefold.client.local import LocalSession
from ninefold.core.errors import Refusal, Unreadable
from ninefold.games import all_games, find_game
from ninefold.match import actions
from ninefold.match.files import read_match
from ninefold.match.log import read_log, rescue_log, write_log
from ninefold.match.match import begin
from ninefold.match.record import write_record
from ninefold.terminal.console.console import Console
from ninefold.terminal.console.prompt import EndOfInput, Terminal

settings.register_profile("ninefold", deadline=None, derandomize=True)
settings.load_profile("ninefold")

TRAPS = [
    "²",
    "٣",
    "1_0",
    " 5",
    "5 ",
    "05",
    "+5",
    "-1",
    "1e0",
    "\ud800",
    "\x00",
    "\x1b[2J",
    "\u202e5",
    "NaN",
    "9" * 5000,
    "⑤",
    "５",
]
PIECES = [
    "X",
    "O",
    ".",
    "/",
    " ",
    "=",
    "x",
    "[",
    "]",
    ",",
    "{",
    "}",
    '"',
    "\\",
    "claim",
    "first",
    "line",
    "*",
    "7",
    "\n",
    *TRAPS,
]
texts = st.one_of(
    st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.sampled_from(TRAPS)
)


def refusal(parse: Callable[[], object]) -> str:
    """What a parser says to a text; "" when it can read it."""
    try:
        parse()
    except Refusal as refused:
        said = str(refused)
        assert said.endswith((".", "*")), said
        assert all(char.isprintable() for char in said), said
        assert len(said) < 1000
        return said
    return ""


def mutations(text: str) -> st.SearchStrategy[str]:
    """The text with a stretch of it replaced by something else."""
    places = st.integers(0, len(text))
    return st.builds(
        lambda start, size, new: text[:start] + new + text[start + size :], places, st.integers(0, 12), texts
    )


@pytest.mark.parametrize("game", all_games())
@given(text=texts)
def test_a_move_of_any_text_is_read_or_refused(game: str, text: str) -> None:
    refusal(lambda: find_game(game).parse_move(text))


@pytest.mark.parametrize("trap", TRAPS)
def test_no_trap_is_taken_for_a_move(trap: str) -> None:
    for game in all_games().values():
        assert "is not a move" in refusal(lambda game=game: game.parse_move(trap))  # type: ignore[misc]


@pytest.mark.parametrize("game", all_games())
@given(data=st.data())
def test_a_position_of_any_text_is_read_or_refused(game: str, data: st.DataObject) -> None:
    start = str(find_game(game).begin())
    text = data.draw(st.one_of(texts, mutations(start)))
    if not refusal(lambda: find_game(game).parse(text)):
        position = find_game(game).parse(text)
        assert find_game(game).parse(str(position)) == position
        assert bool(position.moves()) == (position.outcome is None)


@given(data=st.binary(max_size=200))
@example(b"")
@example(b"\xff\xfe")
@example(b"{" * 100_000)
@example(b"[" * 100_000)
@example(b'{"ninefold": 1e999}')
@example(b'{"ninefold": ' + b"9" * 5000 + b"}")
def test_a_file_of_any_bytes_is_read_or_refused(data: bytes) -> None:
    assert refusal(lambda: read_match(data))


def a_match_text(write: Callable[..., str]) -> str:
    match = begin(find_game("agents"), at=1_763_200_000_000).act(2, actions.move(0)).act(1, actions.move(4))
    match = match.act(2, actions.claim((0, 1, 2))).act(1, actions.dispute("no")).act(1, actions.say("hm"))
    return write(match)


@pytest.mark.parametrize("write", [write_log, write_record])
@given(data=st.data())
@settings(max_examples=300)
def test_a_file_broken_anywhere_is_refused_or_still_a_match_of_the_rules(
    write: Callable[..., str], data: st.DataObject
) -> None:
    text = data.draw(mutations(a_match_text(write)))
    refusal(lambda: read_match(text.encode("utf-8", "surrogatepass")))


@given(data=st.data())
@settings(max_examples=300)
def test_what_is_rescued_of_a_broken_log_is_a_match_of_the_rules(data: st.DataObject) -> None:
    text = data.draw(mutations(a_match_text(write_log)))
    with suppress(Unreadable):
        match, events = rescue_log(text)
        assert events <= len(match.events)
        assert read_log(write_log(match)) == match


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)),
    max_leaves=6,
)


@given(data=st.data(), value=json_values)
@settings(max_examples=300)
def test_any_json_value_in_any_field_of_a_log_is_taken_or_refused(data: st.DataObject, value: object) -> None:
    lines = [json.loads(line) for line in a_match_text(partial(write_log, checksum=False)).splitlines()]
    line = data.draw(st.sampled_from(lines))
    line[data.draw(st.sampled_from([*line, "move", "cells", "text", "number", "extra"]))] = value
    refusal(lambda: read_match("\n".join(json.dumps(one) for one in lines).encode()))


@pytest.mark.parametrize("game", all_games())
@given(lines=st.lists(texts.filter(lambda text: text.lower() not in ("e", "u")), max_size=8))
def test_a_console_line_of_any_text_is_played_or_asked_again(game: str, lines: list[str]) -> None:
    typed = "".join(line.replace("\n", " ").replace("\r", " ") + "\n" for line in lines)
    screen = io.StringIO()
    session = LocalSession.resume(begin(find_game(game)))
    with pytest.raises(EndOfInput):
        Console(Terminal(io.StringIO(typed), screen), session).play()
    assert "Traceback" not in screen.getvalue()
    assert "\x1b" not in screen.getvalue()
    legal = {name for one in range(len(find_game(game).paths)) for name in [find_game(game).name(one)]}
    if not any(part in line for line in lines for part in ("claim", *legal, *"123456789")):
        assert session.match == begin(find_game(game))  # nothing happened
