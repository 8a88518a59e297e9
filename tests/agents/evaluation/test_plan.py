"""Plans of evaluations: who meets whom, and every mistake told before the first match."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.agents.evaluation.agents import check_agents
from ninefold.agents.evaluation.plan import Plan, Spec, plan_of, read_plan
from ninefold.agents.evaluation.schedule import schedule
from ninefold.cli.main import main
from ninefold.core.errors import Refusal
from tests.docs.test_docs import ROOT, blocks, commands
from tests.support.plans import PLAYERS, model, write_plan


def test_everybody_meets_everybody_with_both_sides_in_every_round() -> None:
    three = plan_of({"game": "classic", "rounds": 2, "agents": {name: {"player": "easy"} for name in "abc"}})
    jobs = schedule(three)
    assert len(jobs) == 2 * 3 * 2
    assert {(job.x, job.o) for job in jobs} == {(x, o) for x in "abc" for o in "abc" if x != o}
    assert len({job.seed for job in jobs}) == len(jobs)


def test_a_plan_may_say_who_meets_whom() -> None:
    told = plan_of({"game": "classic", "agents": PLAYERS, "matches": [["easy", "easy"]]})
    assert [(job.x, job.o) for job in schedule(told)] == [("easy", "easy")] * 2


WRONG: dict[str, dict[str, object]] = {
    "no game": {"game": ""},
    "another game": {"game": "chess"},
    "a setting nobody knows": {"round": 2},
    "an option nobody knows": {"options": {"colour": "red"}},
    "an option that is no text": {"options": {"first": 1}},
    "no rounds": {"rounds": 0},
    "half a round": {"rounds": 0.5},
    "true rounds": {"rounds": True},
    "another forfeit": {"forfeit": "all"},
    "show_moves in words": {"show_moves": "yes"},
    "no agents": {"agents": {}},
    "one agent": {"agents": {"a": {"player": "easy"}}},
    "a player nobody knows": {"agents": PLAYERS | {"a": {"player": "god"}}},
    "a script nobody knows": {"agents": PLAYERS | {"a": {"script": "saint"}}},
    "two kinds": {"agents": PLAYERS | {"a": {"player": "easy", "script": "honest"}}},
    "a typing error": {"agents": PLAYERS | {"a": {"playr": "easy"}}},
    "a script about claims": {"game": "classic", "agents": PLAYERS | {"a": {"script": "never-claims"}}},
    "no kind": {"agents": PLAYERS | {"a": {}}},
    "a name with a line in it": {"agents": PLAYERS | {"a\nb": {"player": "easy"}}},
    "a name without an end": {"agents": PLAYERS | {"a" * 41: {"player": "easy"}}},
    "a field of another kind": {"agents": PLAYERS | {"a": {"player": "easy", "model": "x"}}},
    "no model": {"agents": PLAYERS | {"a": {"chat": "http://127.0.0.1/v1"}}},
    "no address": {"agents": PLAYERS | {"a": model("127.0.0.1")}},
    "a port that is none": {"agents": PLAYERS | {"a": model("http://127.0.0.1:x/")}},
    "messages as a parameter": {"agents": PLAYERS | {"a": model("http://h/v1", parameters={"messages": 1})}},
    "an empty command": {"agents": PLAYERS | {"a": {"command": []}}},
    "a command in one word": {"agents": PLAYERS | {"a": {"command": "ls"}}},
    "a match of strangers": {"matches": [["perfect", "nobody"]]},
    "a match of three": {"matches": [["perfect", "easy", "easy"]]},
    "no matches": {"matches": []},
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_mistake_in_a_plan_is_told_before_the_first_match(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["agents", "evaluate", write_plan(**WRONG[wrong])]) == 2
    assert capsys.readouterr().err.startswith("ninefold: ")
    assert not Path("plan-run").exists()


SENTENCES: dict[str, str] = {
    "no game": "The plan names no game. Games: classic agents",
    "half a round": "rounds is a whole number from 1 to 100000, and not 0.5.",
    "true rounds": "rounds is a whole number from 1 to 100000, and not true.",
    "another forfeit": 'forfeit is "match" or "move", and not \'all\'.',
    "two kinds": "Agent 'a' has player and script. It has exactly one of: player script chat command.",
    "no kind": "Agent 'a' has none of what it could be. It has exactly one of:",
    "a typing error": "Agent 'a' has 'playr', which means nothing. It may have: chat command",
    "a field of another kind": "Agent 'a' has model, which does not go with player.",
    "a match of strangers": "matches name 'nobody', who is no agent of this plan. Agents: perfect easy.",
    "a match of three": 'and not ["perfect", "easy", "easy"].',
    "a script about claims": "The script never-claims of agent 'a' is about claims, and there are none in this game.",
    "a player nobody knows": "The agents' game has no player 'god'. The computer plays as: random easy",
}


@pytest.mark.parametrize("wrong", SENTENCES)
def test_the_sentence_says_what_is_wrong(wrong: str) -> None:
    told = {"game": "agents", "agents": PLAYERS} | WRONG[wrong]
    with pytest.raises(Refusal) as refusal:
        check_agents(plan_of(told))
    assert SENTENCES[wrong] in str(refusal.value)


@pytest.mark.parametrize("data", [b"game = ", b"\xff", b"[[[[", b"game = 5", b"rounds = " + b"9" * 5000])
def test_what_is_no_plan_is_refused(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_bytes(data)
    with pytest.raises(Refusal):
        read_plan(str(file))
    with pytest.raises(Refusal, match="Cannot read"):
        read_plan(str(tmp_path / "nothing"))


def timeless(table: str) -> str:
    return re.sub(r" +[0-9.]+ s\b", "", table)


def test_the_plans_of_the_page_are_plans_and_the_first_one_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs" / "evaluate.md"
    for number, block in enumerate(reversed(blocks("toml plan", page))):
        Path("plan.toml").write_text(block.text)
        assert len(read_plan("plan.toml").agents) == (4, 2)[number]
    for block in blocks("console evaluate", page):
        for (_, *arguments), promised in commands(block):
            assert main(arguments) == 0
            assert timeless(capsys.readouterr().out) == timeless(promised)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=5), inside, max_size=4),
    max_leaves=10,
)
_agent = st.dictionaries(st.sampled_from([*Spec._fields, "player", "script", "chat", "command", "key"]), _json) | _json
_plan = st.fixed_dictionaries(
    {"game": st.sampled_from(["agents", "squared"]) | _json},
    optional=dict.fromkeys((*Plan._fields[1:], "matches"), _json)
    | {"agents": st.dictionaries(st.text(max_size=5), _agent, max_size=3)},
)


@given(_plan)
def test_whatever_a_plan_says_it_is_read_or_refused(told: dict[str, Any]) -> None:
    with contextlib.suppress(Refusal):
        assert isinstance(plan_of(told), Plan)
