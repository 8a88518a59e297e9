"""Plans of evaluations: who meets whom, and mistakes that are refused before the first match."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.agents.evaluation.agent_specs import ChatSpec, CommandSpec
from ninefold.agents.evaluation.agents import check_agents
from ninefold.agents.evaluation.plan import Plan, parse_plan, read_plan
from ninefold.agents.evaluation.schedule import schedule
from ninefold.cli.main import main
from ninefold.core.errors import Refusal
from tests.support.doc_pages import ROOT, blocks, commands
from tests.support.plans import PLAYERS, model, write_plan


def test_everybody_meets_everybody_with_both_sides_in_every_round() -> None:
    three = parse_plan({"game": "classic", "rounds": 2, "agents": {name: {"player": "easy"} for name in "abc"}})
    jobs = schedule(three)
    assert len(jobs) == 2 * 3 * 2
    assert {(job.x, job.o) for job in jobs} == {(x, o) for x in "abc" for o in "abc" if x != o}
    assert len({job.seed for job in jobs}) == len(jobs)


def test_a_plan_may_say_who_meets_whom() -> None:
    told = parse_plan({"game": "classic", "agents": PLAYERS, "matches": [["easy", "easy"]]})
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
    "show_lines in words": {"show_lines": "no"},
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
def test_a_mistake_in_a_plan_is_refused_before_the_first_match(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["agents", "evaluate", write_plan(**WRONG[wrong])]) == 2
    assert capsys.readouterr().err.startswith("ninefold: ")
    assert not Path("plan-run").exists()


SENTENCES: dict[str, str] = {
    "no game": "game: No game is named. Games: classic agents",
    "another game": "game: There is no game 'chess'. Games: classic agents",
    "a setting nobody knows": "round is not a setting. Settings here: game, options, agents, matches, rounds",
    "an option nobody knows": "options: agents has no option 'colour'. Options: first",
    "an option that is no text": "options.first is not text. Put it in quotation marks.",
    "no rounds": "rounds cannot be 0. It has to be at least 1.",
    "half a round": "rounds cannot be 0.5. It has to be a whole number.",
    "true rounds": "rounds cannot be true. It has to be a whole number.",
    "another forfeit": "forfeit cannot be 'all'. It has to be 'match' or 'move'.",
    "show_moves in words": "show_moves cannot be 'yes'. It has to be true or false.",
    "show_lines in words": "show_lines cannot be 'no'. It has to be true or false.",
    "no agents": "agents is empty.",
    "one agent": "agents has only one agent. Add another one,",
    "two kinds": "agents.a: This agent has player, script. An agent has only one of these fields: player, script,",
    "no kind": "agents.a: The kind of agent is missing. An agent has one of these fields: player, script,",
    "a typing error": "agents.a: This agent has only 'playr'. An agent has one of these fields: player, script,",
    "a name with a line in it": "agents.'a\\nb': This is not the name of an agent. A name has 1 to 40 printable",
    "a field of another kind": "agents.a.model is not a setting. Settings here: player.",
    "no model": "agents.a.model is missing.",
    "no address": "agents.a.chat: This is not the address of an endpoint. It looks like http://127.0.0.1:11434/v1,",
    "messages as a parameter": "agents.a.parameters: These parameters are set by Ninefold: model, messages, stream, n.",
    "an empty command": "agents.a.command is empty.",
    "a command in one word": "agents.a.command is not a list. Put it in brackets.",
    "a match of strangers": "matches: 'nobody' is not an agent of this plan. Agents: perfect easy.",
    "a match of three": "matches[0] has 3 parts. It has to have 2.",
    "no matches": "matches is empty.",
    "a script about claims": "agents.a: The script never-claims is about claims, and this game has none. Other",
    "a player nobody knows": "agents.a: The agents' game has no player 'god'. The computer plays as: random easy",
}


@pytest.mark.parametrize("wrong", SENTENCES)
def test_the_refusal_names_the_place_and_the_mistake(wrong: str) -> None:
    plan = {"game": "agents", "agents": PLAYERS} | WRONG[wrong]
    with pytest.raises(Refusal) as refusal:
        check_agents(parse_plan(plan))
    assert str(refusal.value).startswith(SENTENCES[wrong])


@pytest.mark.parametrize("data", [b"game = ", b"\xff", b"[[[[", b"game = 5", b"rounds = " + b"9" * 5000])
def test_a_file_that_is_not_a_plan_is_refused(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_bytes(data)
    with pytest.raises(Refusal):
        read_plan(str(file))
    with pytest.raises(Refusal, match="Cannot read"):
        read_plan(str(tmp_path / "nothing"))


def without_times(table: str) -> str:
    return re.sub(r" +[0-9.]+ s\b", "", table)


def test_the_plans_of_the_docs_are_plans_and_the_first_one_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs" / "evaluate.md"
    for number, block in enumerate(reversed(blocks("toml plan", page))):
        Path("plan.toml").write_text(block.text)
        assert len(read_plan("plan.toml").agents) == (2, 2, 4, 2)[number]
    for block in blocks("console evaluate", page):
        for (_, *arguments), promised in commands(block):
            assert main(arguments) == 0
            assert without_times(capsys.readouterr().out) == without_times(promised)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=5), inside, max_size=4),
    max_leaves=10,
)
_fields = ["player", "script", "key", *ChatSpec.model_fields, *CommandSpec.model_fields]
_agent = st.dictionaries(st.sampled_from(_fields), _json) | _json
_plan = st.fixed_dictionaries(
    {"game": st.sampled_from(["agents", "squared"]) | _json},
    optional=dict.fromkeys(list(Plan.model_fields)[1:], _json)
    | {"agents": st.dictionaries(st.text(max_size=5), _agent, max_size=3)},
)


@given(_plan)
def test_every_plan_is_read_or_refused(told: dict[str, Any]) -> None:
    with contextlib.suppress(Refusal):
        assert isinstance(parse_plan(told), Plan)
