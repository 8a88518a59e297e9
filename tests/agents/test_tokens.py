"""What the tools cost a model: the figures of `make tokens` are those of the tools as they are, and within limits."""

from __future__ import annotations

import json

import pytest

from benchmarks import tokens
from scripts import tokenizer


@pytest.fixture(scope="module")
def texts() -> dict[str, list[str]]:
    return tokens.texts()


def test_the_tool_list_and_a_game_cost_no_more_tokens_than_they_may(texts: dict[str, list[str]]) -> None:
    golden = json.loads(tokens.GOLDEN.read_text("utf-8"))
    assert len(texts["answers"]) == 1 + 2 * tokens.OWN_MOVES
    assert {name: golden[name]["sha256"] for name in golden} == {
        name: tokens.digest(parts) for name, parts in texts.items()
    }, "What agents are told has changed: make tokens, and review the figures."
    assert [name for name, most in tokens.LIMITS.items() if golden[name]["tokens"] > most] == []
    assert (tokens.LIMITS["tool_list"], tokens.LIMITS["answers"]) == (6_000, 12_000)


def test_the_figures_are_those_of_the_tokenizer(texts: dict[str, list[str]]) -> None:
    if not tokenizer.is_installed():
        pytest.skip("The tokenizer is missing: make tokens")
    golden = json.loads(tokens.GOLDEN.read_text("utf-8"))
    assert tokenizer.count(["", "a tool list", "[0,1]"]) == [0, 3, 5]
    for name, parts in texts.items():
        assert sum(tokenizer.count(parts)) == golden[name]["tokens"]
