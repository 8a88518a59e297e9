"""A match step by step, with what each side was told and said."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.agents.leaderboard.runs import RunMatch
from ninefold.agents.leaderboard.turns import content_text, match_steps
from tests.support import chat_server as chat
from tests.support.chat_server import chat_server
from tests.support.runs import matches_of, play_run


@pytest.fixture(scope="module")
def chatted(tmp_path_factory: pytest.TempPathFactory) -> RunMatch:
    """A match of a model whose first answer cannot be read, against a player that says nothing."""
    with chat_server(chat.fails_first(1, chat.answers("I do not know."))) as served:
        agents = {"model": {"chat": served.url, "model": "m"}, "easy": {"player": "easy"}}
        folder = play_run(tmp_path_factory.mktemp("chat") / "run", agents=agents, most=1)
    (match,) = matches_of(folder)
    return match


def test_steps_lead_from_the_start_to_the_end_of_the_match(chatted: RunMatch) -> None:
    steps = match_steps(chatted)
    assert steps[0].position == chatted.match.setup.start
    assert steps[-1].position == chatted.match.position
    assert [step.move for step in steps if step.move] == [
        chatted.match.game.name(move) for move in chatted.match.state.moves
    ]
    assert steps[-1].sentences[-1] == chatted.match.result.sentence(chatted.match.game)  # type: ignore[union-attr]


def test_a_step_has_what_the_model_was_told_and_answered_before_it(chatted: RunMatch) -> None:
    first, *later = [step for step in match_steps(chatted) if step.seat == 1]
    assert [words.kind for words in first.words if words.role] == ["told", "told", "answered", "told", "answered"]
    assert first.words[0].role == "system"
    assert first.words[2].text == "I do not know."
    assert first.move in first.words[4].text
    assert all([words.kind for words in step.words] == ["told", "told", "answered"] for step in later if step.move)


def test_a_refused_answer_is_shown_at_its_turn(chatted: RunMatch) -> None:
    refused = [
        (step.number, words.text) for step in match_steps(chatted) for words in step.words if words.kind == "refused"
    ]
    first = next(step.number for step in match_steps(chatted) if step.seat == 1)
    assert refused == [(first, "tried to move: refused (not_an_answer)")]


def test_nothing_is_lost_or_told_twice(chatted: RunMatch) -> None:
    texts = [words.text for step in match_steps(chatted) for words in step.words if words.kind in ("told", "answered")]
    sent = [m["content"] for entry in chatted.transcripts[1] for m in entry.get("sent", ())]
    received = [entry["received"] for entry in chatted.transcripts[1] if "received" in entry]
    assert sorted(texts) == sorted([*sent, *received])


def test_a_message_is_a_part_of_the_move_that_it_came_with(tmp_path: Path) -> None:
    agents = {"misreporter": {"script": "misreports"}, "easy": {"player": "easy"}}
    (match,) = matches_of(play_run(tmp_path / "run", agents=agents, most=1))
    steps = match_steps(match)
    assert all(step.said.startswith("I played") for step in steps if step.seat == 1 and step.move)
    assert all(not step.said for step in steps if step.seat == 2 and step.move)


def test_the_referee_settles_a_claim_in_the_step_of_its_answer(tmp_path: Path) -> None:
    agents = {"liar": {"script": "claims-falsely"}, "honest": {"script": "honest"}}
    (match,) = matches_of(play_run(tmp_path / "run", agents=agents, most=1))
    answers = [step for step in match_steps(match) if "disputes" in " ".join(step.sentences)]
    assert answers
    assert any("false" in sentence or "not" in sentence for sentence in answers[0].sentences)


def test_content_in_parts_is_joined() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image_url"}, {"type": "text", "text": "b"}]
    assert content_text(parts) == "a\n\nb"
    assert content_text(None) == ""
