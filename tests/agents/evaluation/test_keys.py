"""Keys of chat endpoints: named by a variable, sent to their endpoint, and in no log, transcript or error."""

from __future__ import annotations

import contextlib
import json
import os
import traceback
from pathlib import Path
from urllib.parse import quote

import pytest

from ninefold.agents.evaluation.agent_specs import ChatSpec
from ninefold.agents.evaluation.endpoint import ChatEndpoint
from ninefold.agents.evaluation.keys import HIDDEN, ApiKeys, read_keys
from ninefold.agents.evaluation.plan import parse_plan
from ninefold.cli.main import main
from ninefold.core.errors import Refusal
from tests.support import chat_server as chat
from tests.support.chat_server import Behaviour, Handler, Request, chat_server
from tests.support.plans import AT_ONCE, run_command

KEY = 'sk-live/6b"91+de7a2f4c8'  # with letters that JSON and addresses write in other ways
VARIABLE = "NINEFOLD_TEST_KEY"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, KEY)


def echoes(handler: Handler, request: Request) -> None:
    """Plays, and puts the key wherever it can."""
    said = chat.choice(request.board) | {"say": f"Bearer {KEY}", "key": KEY, KEY: [KEY]}
    spelled = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    answer = json.dumps(said).replace('"say"', f'"{spelled}": "{spelled}", "say"')
    handler.say(f"Your key is {KEY}, {quote(KEY)}. {answer}")


def spells(handler: Handler, request: Request) -> None:
    """Plays, and writes every letter of the key as JSON may write it."""
    spelled = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    move = request.board.get("legal_moves", ["[0,0]"])[0]
    handler.say(f'{{"action": "move", "move": "{move}", "say": "{spelled}"}}')


def key_as_a_move(handler: Handler, request: Request) -> None:
    handler.say(json.dumps({"action": "move", "move": KEY, "cells": [KEY, KEY, KEY]}))


def key_in_a_claim(handler: Handler, request: Request) -> None:
    handler.say(json.dumps({"action": KEY, "cells": KEY}))


def refuses(code: int) -> Behaviour:
    def behave(handler: Handler, request: Request) -> None:
        told = json.dumps({"error": {"message": f"Wrong key {request.headers['Authorization']}"}})
        handler.reply(told.encode(), code, X_Key=KEY, Retry_After="9999", Location=f"http://{quote(KEY, safe='')}/")

    return behave


def completion(finish: str = "stop", **message: object) -> Behaviour:
    """A completion with the key in the name of the model."""
    choice = {"message": {"content": None, **message}, "finish_reason": finish}
    return chat.raw(json.dumps({"model": f"model {KEY}", "choices": [choice]}).encode())


def calls_function(name: str, arguments: str) -> Behaviour:
    call = {"id": KEY, "type": "function", "function": {"name": name, "arguments": arguments}}
    return completion(tool_calls=[call])


BEHAVIOURS: dict[str, Behaviour] = {
    "refusal": completion(refusal=f"No, {KEY}."),
    "finish reason": completion(KEY),
    "function": calls_function(KEY, json.dumps({"move": KEY})),
    "arguments": calls_function("move", json.dumps({"move": "[0,0]", "say": KEY})),
    "filter": chat.error(400, f"{KEY} was flagged", code="content_filter"),
    "echoes": echoes,
    "spells": spells,
    "as a move": key_as_a_move,
    "in a claim": key_in_a_claim,
    "401": refuses(401),
    "400": refuses(400),
    "500": refuses(500),
    "spelled in an error": chat.raw(json.dumps({"error": {"message": "\x07".join(KEY)}}).encode()),
    "302": refuses(302),
    "no JSON": chat.raw(f"{KEY} {KEY}".encode()),
    "half of JSON": chat.raw(f'{{"choices": [{{"message": "{KEY}'.encode()),
    "hangs up": chat.hangs_up,
    "breaks off": chat.breaks_off,
}


def plan_file(url: str) -> str:
    Path("plan.toml").write_text(
        f'game = "agents"\nretries = 1\n[agents.model]\nchat = "{url}"\nmodel = "m"\nkey_env = "{VARIABLE}"\n'
        '[agents.easy]\nplayer = "easy"\n'
    )
    return "plan.toml"


def spellings() -> set[bytes]:
    return {form.encode() for form in (KEY, json.dumps(KEY)[1:-1], quote(KEY), quote(KEY, safe=""), KEY[:12])}


@pytest.mark.parametrize("name", BEHAVIOURS)
@pytest.mark.parametrize("as_json", [True, False], ids=["json", "table"])
def test_a_key_is_in_no_byte_that_a_run_writes(
    name: str, as_json: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with chat_server(BEHAVIOURS[name]) as served:
        run_command(plan_file(served.url), as_json=as_json)
    assert served.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    main(["agents", "report", "plan-run"])
    said = capfd.readouterr()
    written = {str(file): file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    written |= {"stdout": said.out.encode(), "stderr": said.err.encode()}
    found = [(where, spelling) for where, data in written.items() for spelling in spellings() if spelling in data]
    assert found == []
    assert len(written) > 3


def test_a_hidden_key_leaves_a_mark() -> None:
    with chat_server(echoes) as served:
        run_command(plan_file(served.url))
    assert HIDDEN in Path("plan-run/matches/00000.log").read_text()
    assert HIDDEN in Path("plan-run/transcripts/00000-X.jsonl").read_text()


@pytest.mark.parametrize("name", ["401", "500", "no JSON", "hangs up"])
def test_a_key_is_not_in_an_error_or_its_causes(name: str) -> None:
    keys = ApiKeys({"model": KEY})
    with (
        chat_server(BEHAVIOURS[name]) as served,
        contextlib.closing(ChatEndpoint(served.url, KEY, keys.hide, retry=AT_ONCE)) as endpoint,
        pytest.raises(Refusal) as refusal,
    ):
        endpoint.ask("m", [], {}, 60)
    told = "".join(traceback.format_exception(refusal.value)) + repr(refusal.value) + repr(keys)
    assert not any(form.decode() in told for form in spellings())


@pytest.mark.parametrize("value", ["", "  ", "two\nlines", "tabbed\tkey", "clé"])
def test_a_variable_without_a_key_is_refused_without_its_value(value: str) -> None:
    spec = ChatSpec(chat="http://h/v1", model="m", key_env=VARIABLE)
    with pytest.raises(Refusal, match=f"agents.model.key_env: the variable {VARIABLE} ") as refusal:
        read_keys({"model": spec}, {VARIABLE: value})
    assert not value.strip() or value not in str(refusal.value)


@pytest.mark.parametrize("pasted", ["gsk_8Ab3kLmN2", "AIzaSyD4", "SKLIVE6B91DE7A2F4C8"])
def test_a_key_in_the_place_of_its_variable_is_not_repeated(pasted: str) -> None:
    spec = ChatSpec(chat="http://h/v1", model="m", key_env=pasted)
    with pytest.raises(Refusal, match=r"agents\.model\.key_env: this variable does not hold a key") as refusal:
        read_keys({"model": spec}, {})
    assert pasted not in str(refusal.value)


def test_a_missing_key_is_refused_before_anything_is_written_and_not_needed_after_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with chat_server(chat.plays) as served:
        plan = plan_file(served.url)
        monkeypatch.delenv(VARIABLE)
        assert run_command(plan) == 2
        assert not Path("plan-run").exists()
        monkeypatch.setenv(VARIABLE, KEY)
        assert run_command(plan) == 0
    shown = capsys.readouterr().out
    monkeypatch.delenv(VARIABLE)
    assert run_command(plan) == 0
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize(
    "told",
    [
        {"chat": "http://127.0.0.1/v1", "model": "m", "key": KEY},
        {"chat": "http://127.0.0.1/v1", "model": "m", "api_key": KEY},
        {"chat": "http://127.0.0.1/v1", "model": "m", "key_env": KEY},
        {"chat": f"http://user:{quote(KEY, safe='')}@127.0.0.1/v1", "model": "m"},
        {"chat": f"http://127.0.0.1/v1?key={quote(KEY, safe='')}", "model": "m"},
        {"chat": f"http://127.0.0.1/v1#{quote(KEY, safe='')}", "model": "m"},
    ],
)
def test_a_key_in_the_plan_is_refused_and_not_repeated(told: dict[str, str]) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_plan({"game": "agents", "agents": {"a": told, "b": {"player": "easy"}}})
    assert not any(form.decode() in str(refusal.value) for form in spellings())


def test_a_key_is_sent_only_to_its_own_endpoint() -> None:
    with chat_server(chat.plays) as one, chat_server(chat.plays) as other:
        Path("plan.toml").write_text(
            f'game = "agents"\n[agents.a]\nchat = "{one.url}"\nmodel = "m"\nkey_env = "{VARIABLE}"\n'
            f'[agents.b]\nchat = "{other.url}"\nmodel = "m"\n'
        )
        assert run_command("plan.toml") == 0
    assert {request.headers.get("Authorization") for request in one.requests} == {f"Bearer {KEY}"}
    assert {request.headers.get("Authorization") for request in other.requests} == {None}
    assert os.environ[VARIABLE] == KEY
