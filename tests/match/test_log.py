"""The log as JSON lines: lossless, and believed only as far as it can have come from play."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from ninefold.core.errors import Unreadable
from ninefold.core.position import O, X
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.actions import REFEREE, Event, move, say, take_back
from ninefold.match.files import read_match
from ninefold.match.log import event_fields, event_json, read_log, rescue_log, write_log
from ninefold.match.match import Match, begin
from ninefold.match.state import Seat


def a_match() -> Match:
    seats = (Seat(O, "Änne"), Seat(X, 'B"o\\b', "hard"))
    match = begin(find_game("agents"), None, seats, at=1_763_200_000_123, seed=7, toss=True)
    match = match.act(1, move(0), 1_763_200_000_456).act(2, move(4)).act(1, move(1)).act(2, say("héllo {you}"))
    match = match.act(2, actions.claim((0, 4, 8))).act(1, actions.dispute("that is } not a line\\"))
    match = match.act(2, move(8)).act(1, move(5)).act(1, take_back(2)).act(2, move(6))
    return match.act(1, actions.OFFER_DRAW).act(2, actions.DECLINE)


def lines() -> list[str]:
    """The lines of a log without its checksum, as earlier releases wrote it."""
    return write_log(a_match(), checksum=False).splitlines()


def refusal_of(text: str) -> str:
    with pytest.raises(Unreadable) as refused:
        read_log(text)
    return str(refused.value)


def test_a_log_is_read_back_as_the_very_same_match() -> None:
    assert read_log(write_log(a_match())) == a_match()


def test_every_line_of_a_log_is_json_and_says_what_happened() -> None:
    assert [json.loads(line).get("event") for line in lines()][1:6] == ["moved", "moved", "moved", "said", "claimed"]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("", "not a JSON object"),
        ("[]", "not a JSON object"),
        ("NaN", "not a JSON object"),
        ('{"event": "moved", "seat": 1, "at": 0, "move": NaN}', "not a JSON object"),
        ('{"event": "moved", "event": "moved", "seat": 1, "at": 0, "move": 0}', "not a JSON object"),
        ("[" * 100_000, "not a JSON object"),
        ('{"event": "moved", "seat": 2, "at": 0, "move": 1e999}', "not a JSON object"),
        ('{"event": "said", "seat": 2, "at": 0, "text": "half: \\ud800"}', "not a JSON object"),
        ('{"event": "moved", "seat": 2, "at": 0, "move": true}', "whole numbers"),
        ('{"event": "moved", "seat": 2, "at": 0, "move": "4"}', "whole numbers"),
        ('{"event": "moved", "seat": 2, "at": 0, "move": 4.0}', "whole numbers"),
        ('{"event": "moved", "seat": 2, "at": 0, "cells": 3, "move": 4}', "whole numbers"),
        ('{"event": "moved", "at": 0, "move": 4}', "a seat and a time"),
        ('{"event": "danced", "seat": 2, "at": 0}', "an event is one of"),
        ('{"event": "moved", "seat": 2, "at": 0, "move": 4, "colour": "red"}', "'colour' is not a field"),
        ('{"event": "moved", "seat": 2, "at": 0, "move": 0}', "Cell [0,0] is taken by O"),
        ('{"event": "moved", "seat": 2, "at": 0, "move": null}', "a number or a path"),
        ('{"event": "moved", "seat": 1, "at": 0, "move": 3}', "It is X's turn"),
        ('{"event": "moved", "seat": 0, "at": 0, "move": 3}', "is done by seats 1 and 2"),
        ('{"event": "settled", "seat": 0, "at": 0, "text": "true"}', "no claim to answer"),
        ('{"event": "drawn_early", "seat": 0, "at": 0}', "no action"),
    ],
)
def test_a_broken_line_is_named_with_its_reason(broken: str, why: str) -> None:
    text = "\n".join([*lines()[:2], broken or "nothing", *lines()[3:]])
    assert refusal_of(text).startswith("Line 3: ")
    assert why in refusal_of(text)


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("game", "chess", "no game 'chess'"),
        ("game", 5, "no game '5'"),
        ("ninefold", 2, "the first line"),
        ("options", {"first": "Z"}, "first cannot be 'Z'"),
        ("options", {"size": "4"}, "no option 'size'"),
        ("options", {"line_ends": "yes"}, "line_ends=no"),
        ("options", [], "options are names"),
        ("seats", [], "a log has two seats"),
        ("seats", [{"side": "X", "name": "", "player": "human"}] * 2, "the same side"),
        ("seats", [{"side": "Z", "name": "", "player": "human"}] * 2, "side is X or O"),
        ("seats", [3, 4], "a seat has side"),
        ("at", True, "at is a time in milliseconds"),
        ("toss", 1, "toss true or false"),
    ],
)
def test_a_broken_first_line_is_named_with_its_reason(field: str, value: object, why: str) -> None:
    head = json.loads(lines()[0]) | {field: value}
    text = "\n".join([json.dumps(head), *lines()[1:]])
    assert refusal_of(text).startswith("Line 1: ")
    assert why in refusal_of(text)


def test_a_false_verdict_in_a_log_is_not_believed() -> None:
    verdict = next(line for line in lines() if '"settled"' in line)
    forged = "\n".join(lines()).replace(verdict, json.dumps(json.loads(verdict) | {"text": "true"}))
    assert "Line 8: This 'settle' has fields that do not belong to it" in refusal_of(forged)


def test_a_log_cut_between_an_answer_and_its_settlement_is_refused() -> None:
    answered = next(number for number, line in enumerate(lines()) if '"disputed"' in line)
    assert "lacks the referee's 'settle'" in refusal_of("\n".join(lines()[: answered + 1]))


def test_who_has_gone_is_written_as_that_and_older_logs_that_say_flagged_are_read_as_before() -> None:
    gone = write_log(a_match().act(REFEREE, actions.gone(2)), checksum=False)
    assert json.loads(gone.splitlines()[-1]) == {"event": "gone", "seat": 0, "at": 0, "number": 2}
    results = [read_log(text).result for text in (gone, gone.replace('"gone"', '"flagged"'))]
    assert [result and result.sentence(find_game("agents")) for result in results] == [
        "O wins: X has gone.",
        "O wins: X ran out of time.",
    ]


def test_an_empty_log_is_refused() -> None:
    assert refusal_of("") == "Line 1: the log is empty. Correct that line, or choose another file."


def test_a_log_as_long_as_a_log_may_be_is_read() -> None:
    head, _, _ = write_log(begin(find_game("classic"))).partition("\n")
    said = json.dumps({"event": "said", "seat": 1, "at": 0, "text": "hm"})
    match = read_log("\n".join([head, *[said] * 19_999]))
    assert len(match.events) == 19_999
    with pytest.raises(Unreadable, match="at most 20,000 lines"):
        read_log("\n".join([head, *[said] * 20_000]))


def test_names_and_messages_from_a_log_lose_their_escape_sequences() -> None:
    text = (
        write_log(a_match(), checksum=False)
        .replace("Änne", "\\u001b[2JAnn\\u202e")
        .replace("héllo", "\\u001b]0;x\\u0007")
    )
    match = read_log(text)
    assert match.setup.seats[0].name == "[2JAnn"
    assert match.events[3].action.text == "]0;x {you}"


def test_a_log_ends_with_the_sha256_of_the_lines_before_it() -> None:
    *before, last = write_log(a_match()).splitlines(keepends=True)
    assert json.loads(last) == {"checksum": sha256("".join(before).encode()).hexdigest()}


def test_a_log_of_an_earlier_release_has_no_checksum_and_is_read() -> None:
    assert read_log("\n".join(lines())) == a_match()


@pytest.mark.parametrize("bit", range(8))
def test_a_flipped_bit_is_refused_wherever_it_is(bit: int) -> None:
    data = write_log(begin(find_game("classic"), seats=(Seat(X, "Ann"), Seat(O))).act(1, move(4))).encode()
    for place in range(len(data)):
        damaged = data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]
        with pytest.raises(Unreadable):
            read_match(damaged)


def test_a_change_that_could_have_happened_is_named_by_the_checksum() -> None:
    text = write_log(a_match())
    told = refusal_of(text.replace("Änne", "Anne"))
    assert told.startswith(f"Line {len(text.splitlines())}: the checksum does not fit")


def test_other_line_ends_do_not_change_the_checksum() -> None:
    assert read_log(write_log(a_match()).replace("\n", "\r\n")) == a_match()
    assert read_log("\n" + write_log(a_match()).rstrip("\n")) == a_match()


@pytest.mark.parametrize("after", ['{"event": "said", "seat": 1, "at": 0, "text": "hm"}', '{"checksum": ""}'])
def test_nothing_follows_the_checksum(after: str) -> None:
    text = write_log(a_match())
    assert f"Line {len(text.splitlines())}: an event is one of" in refusal_of(text + after)


def test_a_log_is_rescued_up_to_its_last_whole_line() -> None:
    text = write_log(a_match())
    *_, last, _ = text.splitlines()
    match, events = rescue_log(text[: text.index(last) + len(last) - 1])
    assert (match.events, events) == (a_match().events[:-1], len(a_match().events) - 1)


def test_a_log_is_rescued_up_to_an_event_that_could_not_have_happened() -> None:
    wrong = '{"event": "moved", "seat": 2, "at": 0, "move": 0}'
    match, events = rescue_log("\n".join([*lines()[:2], wrong, *lines()[2:]]))
    assert (match.events, events) == (a_match().events[:1], 1)


def test_the_settlement_that_a_cut_log_lacks_follows_again() -> None:
    answered = next(number for number, line in enumerate(lines()) if '"disputed"' in line)
    match, events = rescue_log("\n".join(lines()[: answered + 1]))
    assert events == answered
    assert [event.action.kind for event in match.events[-2:]] == ["dispute", "settle"]


def test_wherever_a_log_is_cut_its_whole_lines_are_rescued() -> None:
    text = write_log(a_match())
    head = text.index("\n")
    for end in range(head, len(text)):
        match, events = rescue_log(text[:end])
        whole = min(text[:end].count("\n") - 1 + _ends_a_line(text, end), len(a_match().events))
        assert events == max(whole, 0)
        assert match.events == a_match().events[: len(match.events)]


def _ends_a_line(text: str, end: int) -> bool:
    """True if only the newline of the last line is missing."""
    return text[end] == "\n"


def test_without_its_first_line_nothing_is_rescued() -> None:
    for text in ("", "\n", lines()[0][:-1], lines()[1]):
        with pytest.raises(Unreadable):
            rescue_log(text)


def test_the_line_of_an_event_is_what_a_json_encoder_writes() -> None:
    """Also of a plain move, which is written without one."""
    told = [
        *(move(number) for number in range(9)), move(4, claim=(0, 1, 2)), actions.claim((0, 1, 2)),
        say("a \u263a \"b\""), actions.dispute("no"), actions.OFFER_DRAW, actions.RESIGN, take_back(2), actions.flag(2),
    ]  # fmt: skip
    for number, action in enumerate(told):
        event = Event(1_800_000_000_000 + number, number % 3, action)
        assert event_json(event) == json.dumps(event_fields(event), ensure_ascii=False)
