"""The progress of long work: a bar on a terminal, a line now and then without one."""

from __future__ import annotations

import sys

import pytest

from ninefold.arena.progress import Progress
from tests.support.clocks import ManualSeconds


@pytest.fixture
def clock() -> ManualSeconds:
    return ManualSeconds()


def test_without_a_terminal_a_line_is_printed_once_in_an_interval(
    clock: ManualSeconds, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = Progress(10, 40, "games", interval=30.0, clock=clock)
    for clock.at, done in ((0.0, 10), (10.0, 11), (30.0, 20), (45.0, 25), (60.0, 30)):
        progress.show(done)
    assert capsys.readouterr().err.splitlines() == ["20/40 games, 60 s left", "30/40 games, 30 s left"]


def test_a_long_time_is_estimated_in_minutes(clock: ManualSeconds, capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(0, 100, "matches", interval=0.0, clock=clock)
    for clock.at, done in ((0.0, 0), (6.0, 1), (600.0, 100)):
        progress.show(done)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["0/100 matches", "1/100 matches, 10 min left", "100/100 matches"]


def test_a_note_is_printed_once_in_an_interval_and_at_the_end(
    clock: ManualSeconds, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = Progress(0, 40, "games", interval=30.0, clock=clock)
    for clock.at, note in ((10.0, "one"), (31.0, "two"), (40.0, "three")):
        progress.show_note(note)
    progress.show_note("four", is_last=True)
    assert capsys.readouterr().err.splitlines() == ["two", "four"]


def test_on_a_terminal_a_note_is_written_over_the_one_before(
    clock: ManualSeconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "write", drawn.append)
    progress = Progress(0, 2, "games", clock=clock)
    for note, is_last in (("a long note", False), ("short", True)):
        progress.show_note(note, is_last=is_last)
    assert drawn == ["\ra long note", "\rshort      \n"]


def test_on_a_terminal_a_bar_is_drawn_over_the_one_before(
    clock: ManualSeconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "write", drawn.append)
    progress = Progress(0, 2, "games", clock=clock)
    for clock.at, done in ((0.0, 0), (3.0, 1), (6.0, 2)):
        progress.show(done)
    assert [" ".join(line.split()) for line in drawn] == [
        f"[{'.' * 40}] 0/2 games",
        f"[{'#' * 20}{'.' * 20}] 1/2 games, 3 s left",
        f"[{'#' * 40}] 2/2 games",
    ]
    assert len({len(line.rstrip("\n")) for line in drawn}) == 1
    assert [line[0] for line in drawn] == ["\r"] * 3
