"""Keys and news at the same prompt: lines one by one, and nothing typed is lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from ninefold.terminal.console.keyboard import Bell, Keys
from ninefold.terminal.console.prompt import News


class Pipe:
    """A keyboard at the other end of a pipe."""

    def __init__(self, news: Callable[[], bool] = lambda: False) -> None:
        reading, self._hand = os.pipe()
        self._stream = os.fdopen(reading, encoding="utf-8")
        self.bell = Bell()
        self.keys = Keys(self._stream, self.bell, news)

    def types(self, data: bytes) -> None:
        os.write(self._hand, data)

    def hangs_up(self) -> None:
        os.close(self._hand)

    def close(self) -> None:
        self._stream.close()
        self.bell.close()


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


def test_a_bell_without_news_interrupts_nobody(pipe: Pipe) -> None:
    pipe.bell.ring()
    pipe.types(b"5\n")
    assert pipe.keys.readline(4096) == "5\n"


def test_news_come_before_what_is_typed_and_nothing_typed_is_lost() -> None:
    news = [True, False, False]
    pipe = Pipe(lambda: news.pop(0))
    pipe.types(b"5\n")
    pipe.bell.ring()
    with pytest.raises(News):
        pipe.keys.readline(4096)
    assert pipe.keys.readline(4096) == "5\n"
    pipe.hangs_up()
    pipe.close()
