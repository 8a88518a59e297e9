"""Input that news can interrupt: lines one by one, and nothing typed is lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from io import StringIO

import pytest

from ninefold.terminal.console.keyboard import InterruptibleInput, Wakeup
from ninefold.terminal.console.prompt import Help, PromptInterrupted, Terminal


class Pipe:
    """A keyboard at the other end of a pipe."""

    def __init__(self, news: Callable[[], bool] = lambda: False) -> None:
        reading, self._hand = os.pipe()
        self._stream = os.fdopen(reading, encoding="utf-8")
        self.wakeup = Wakeup()
        self.keys = InterruptibleInput(self._stream, self.wakeup, news)

    def types(self, data: bytes) -> None:
        os.write(self._hand, data)

    def hangs_up(self) -> None:
        os.close(self._hand)

    def close(self) -> None:
        self._stream.close()
        self.wakeup.close()


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    made.close()


def test_lines_that_come_together_are_read_one_by_one(pipe: Pipe) -> None:
    pipe.types(b"5\nsay hi\n\xff")
    pipe.hangs_up()
    assert [pipe.keys.readline(4096) for _ in range(5)] == ["5\n", "say hi\n", "\ufffd", "", ""]


def test_an_endless_line_is_read_in_parts(pipe: Pipe) -> None:
    pipe.types(b"x" * 10_000)
    pipe.hangs_up()
    assert [len(pipe.keys.readline(4096)) for _ in range(4)] == [4096, 4096, 10_000 - 2 * 4096, 0]


def test_a_wake_up_without_news_interrupts_nobody(pipe: Pipe) -> None:
    pipe.wakeup.wake()
    pipe.types(b"5\n")
    assert pipe.keys.readline(4096) == "5\n"


def test_news_come_before_what_is_typed_and_nothing_typed_is_lost() -> None:
    news = [True, False, False]
    pipe = Pipe(lambda: news.pop(0))
    pipe.types(b"5\n")
    pipe.wakeup.wake()
    with pytest.raises(PromptInterrupted):
        pipe.keys.readline(4096)
    assert pipe.keys.readline(4096) == "5\n"
    pipe.hangs_up()
    pipe.close()


def test_a_line_that_ends_as_on_windows_is_the_same_answer(pipe: Pipe) -> None:
    pipe.types(b"5\r\nsay hi\r\n\r\n")
    pipe.hangs_up()
    terminal = Terminal(pipe.keys, StringIO())
    assert [terminal.ask("? ", Help(str)) for _ in range(3)] == ["5", "say hi", ""]
