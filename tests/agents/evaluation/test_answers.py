"""What models answer: functions, JSON by a schema, moves in words; and what they are sent, remember and see."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from ninefold.agents.evaluation.answer_modes import mode_parameters
from ninefold.agents.evaluation.completion import Completion, ToolCall
from ninefold.agents.evaluation.loop import AgentReply
from ninefold.agents.evaluation.prompt import board_picture
from ninefold.agents.evaluation.reply import move_in_words, read_answer
from ninefold.core.errors import Unreadable
from ninefold.core.palette import LIGHT
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.actions import Action
from ninefold.match.match import Match, begin
from tests.support import chat_server as chat
from tests.support.chat_server import Behaviour, Handler, Request, chat_server
from tests.support.plans import Run, evaluations, figures, model


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    return evaluations(capsys)


def agents_match(*moves: int) -> Match:
    match = begin(find_game("agents"))
    for move in moves:
        match = match.act(match.to_act or 1, actions.move(move))
    return match


# Moves in words


@pytest.mark.parametrize(
    ("words", "move"),
    [
        ("I take the centre, [1,1].", "[1,1]"),
        ("My move: [1, 1]", "[1,1]"),
        ("(1,1)", "[1,1]"),
        ("You hold [0,0], so [1,1] it is: **[1,1]**!", "[1,1]"),
        ("<think>[0,1]? Or [2,2]?</think>\n[1,1]", "[1,1]"),
        ("[0,0]", None),
        ("[1,1] or [2,2]?", None),
        ("I take the centre.", None),
        ("1,1", None),
        ("[1,1,1]", None),
        ("", None),
    ],
)
def test_the_only_legal_move_that_is_named_counts(words: str, move: str | None) -> None:
    assert move_in_words(agents_match(0), words) == move


@pytest.mark.parametrize(
    ("words", "move"),
    [
        ("5", "5"),
        ("**5**.", "5"),
        ("I play 5 because it is the centre.", "5"),
        ("My move is 5!", "5"),
        ("I will place my mark in cell `5`.", "5"),
        ("Answer: 5", "5"),
        ("I win in 3 moves.", None),
        ("I take 2 corners soon.", None),
        ("I play 5, the centre.", "5"),
        ("I play 5, not 3.", None),
        ("I play 1,5.", None),
        ("I play 15.", None),
        ("I play 5.5", None),
        ("The answer has 7 letters", None),
        ("1 is taken. I play 1.", None),
    ],
)
def test_a_number_is_a_move_only_where_it_is_said_to_be_one(words: str, move: str | None) -> None:
    match = begin(find_game("classic")).act(1, actions.move(0))
    assert move_in_words(match, words) == move


@pytest.mark.parametrize(
    "words",
    [
        "I will not play 5.",
        "I won't take 5",
        "I won’t take 5",
        "I will never, whatever happens, play 5.",
        "I cannot play 5: it loses.",
        "I pass rather than play 5.",
        "Cell 5 is not good.",
        "I play 5. No, wait: I do not play 5.",
    ],
)
def test_a_move_that_is_ruled_out_is_not_played(words: str) -> None:
    match = begin(find_game("classic")).act(1, actions.move(0))
    assert move_in_words(match, words) is None
    assert move_in_words(agents_match(0), words.replace("5", "[1,1]")) is None


@pytest.mark.parametrize(
    "words",
    [
        "If I play 5 I lose, so I pass.",
        "If you attack, I play 5.",
        "If so, I play 5.",
        "I would play 5.",
        "Unless you object I take 5",
        "Should I play 5?",
        "Do I take 5? Hm.",
        "Suppose I play 5.",
        "Cell 5 would lose.",
        "I play 5 if you let me.",
    ],
)
def test_a_move_under_a_condition_is_not_played(words: str) -> None:
    match = begin(find_game("classic")).act(1, actions.move(0))
    assert move_in_words(match, words) is None
    assert move_in_words(agents_match(0), words.replace("5", "[1,1]")) is None


@pytest.mark.parametrize(
    "words",
    [
        "If I take 5, I hold the centre, so I play 5.",
        "I play 5 because it does not lose.",
        "I play 5, so you cannot win.",
        "I play 5. If you take a corner, I answer there.",
        "I do not see a threat. I play 5.",
        "I can't lose, but I must be quick: I play 5",
        "You won't stop me, I play 5.",
        "I cannot let you have 5, so I play 5.",
    ],
)
def test_a_move_that_is_chosen_in_the_end_is_played(words: str) -> None:
    match = begin(find_game("classic")).act(1, actions.move(0))
    assert move_in_words(match, words) == "5"


def test_a_placement_is_not_mistaken_for_a_swap() -> None:
    match = begin(find_game("swap-nine")).act(1, actions.move(1))
    name = next(match.game.name(move) for move in match.position.moves() if "x" in match.game.name(move))
    assert move_in_words(match, f"I play {name}.") == name


def test_words_around_an_object_are_not_a_move() -> None:
    with pytest.raises(Unreadable):
        read_answer(agents_match(), Completion('I take [1,1]. {"action": "fly"}'))


def test_an_answer_to_a_claim_is_not_read_from_words() -> None:
    match = begin(find_game("agents")).act(2, actions.move(6, claim=(6, 7, 8)))
    with pytest.raises(Unreadable):
        read_answer(match, Completion("I confirm, and play [1,1]."))


def test_moves_in_words_are_counted_as_repaired(run: Run) -> None:
    def talks(handler: Handler, request: Request) -> None:
        board = request.board
        is_move = board["asked"] == "move"
        handler.say(f"I think {board['legal_moves'][0]} is best." if is_move else json.dumps(chat.choice(board)))

    with chat_server(talks) as served:
        code, told = run(agents={"model": model(served.url), "easy": {"player": "easy"}})
    mine = figures(told, "model")
    moves = sum(request.board["asked"] == "move" for request in served.requests)
    assert (code, mine["unreadable"], told["forfeits"]) == (0, 0, {})
    assert told["usage"]["model"]["repaired"] == moves == mine["moves"]


def test_json_is_not_counted_as_repaired(run: Run) -> None:
    with chat_server(chat.plays) as served:
        _, told = run(agents={"model": model(served.url), "easy": {"player": "easy"}})
    assert told["usage"]["model"]["repaired"] == 0


# Calls of functions


@pytest.mark.parametrize(
    ("call", "reply"),
    [
        (ToolCall("move", '{"move": "[1,1]"}'), AgentReply(Action("move"), "[1,1]")),
        (
            ToolCall("move", '{"move": "[1,1]", "cells": ["[0,0]", "[1,1]", "[2,2]"], "say": "hi"}'),
            AgentReply(Action("move", cells=(0, 4, 8), text="hi"), "[1,1]"),
        ),
        (ToolCall("dispute", '{"reason": "gap"}'), AgentReply(actions.dispute("gap"))),
        (ToolCall("resign", "{}"), AgentReply(actions.RESIGN)),
        (ToolCall("play", '{"action": "move", "move": "[1,1]"}'), AgentReply(Action("move"), "[1,1]")),
    ],
)
def test_the_call_of_a_function_is_an_action(call: ToolCall, reply: AgentReply) -> None:
    answer = read_answer(agents_match(), Completion("", (call, ToolCall("resign", "{}"))))
    assert (answer.reply, answer.form, answer.is_repaired) == (reply, "tool", False)


@pytest.mark.parametrize(
    "call", [ToolCall("fly", '{"move": "[1,1]"}'), ToolCall("move", '{"move": '), ToolCall("move", "[]")]
)
def test_a_call_that_is_no_action_is_unreadable(call: ToolCall) -> None:
    with pytest.raises(Unreadable):
        read_answer(agents_match(), Completion("", (call,)))


def calls(choose: Any = chat.choice) -> Behaviour:
    """An endpoint whose model calls functions."""

    def behave(handler: Handler, request: Request) -> None:
        fields = dict(choose(request.board))
        function = {"name": fields.pop("action"), "arguments": json.dumps(fields)}
        call = {"id": f"call-{len(request.conversation)}", "type": "function", "function": function}
        handler.say(None, "tool_calls", tool_calls=[call])

    return behave


def test_a_model_that_calls_functions_plays_to_the_end(run: Run) -> None:
    with chat_server(calls()) as served:
        code, told = run(agents={"model": model(served.url, answer="tools"), "easy": {"player": "easy"}})
    mine = figures(told, "model")
    assert (code, mine["matches"], mine["unreadable"], mine["illegal_moves"], told["forfeits"]) == (0, 2, 0, 0, {})
    body = served.requests[0].body
    assert {tool["function"]["name"] for tool in body["tools"]} == {"move", "claim", "confirm", "dispute", "resign"}
    assert "call one of the functions" in body["messages"][0]["content"]


def test_a_refused_call_is_answered_as_the_result_of_the_function(run: Run) -> None:
    tried: list[int] = []

    def wrong_first(board: dict[str, Any]) -> dict[str, Any]:
        tried.append(1)
        return {"action": "move", "move": "[7,7]"} if len(tried) == 1 else {"action": "resign"}

    with chat_server(calls(wrong_first)) as served:
        run(agents={"model": model(served.url, answer="tools"), "easy": {"player": "easy"}})
    *_, called, result = served.requests[1].conversation
    assert called["tool_calls"][0]["id"] == result["tool_call_id"]
    assert result["role"] == "tool"
    assert "outside the board" in result["content"]


@pytest.mark.parametrize("game", ["classic", "agents"])
def test_a_schema_names_the_actions_of_the_game(game: str) -> None:
    has_claims = begin(find_game(game)).setup.has_claims
    schema = mode_parameters("json_schema", has_claims=has_claims)["response_format"]["json_schema"]["schema"]
    assert ("confirm" in schema["properties"]["action"]["enum"]) == has_claims
    assert schema["required"] == list(schema["properties"])  # strict mode wants all of them
    nulls = json.dumps(dict.fromkeys(schema["properties"]) | {"action": "move", "move": "5"})
    assert read_answer(begin(find_game(game)), Completion(nulls)).reply == AgentReply(Action("move"), "5")


def test_the_parameters_of_a_plan_may_change_how_an_answer_is_asked_for(run: Run) -> None:
    with chat_server(chat.plays) as served:
        mine = model(served.url, answer="json_object", parameters={"temperature": 0.5})
        run(agents={"model": mine, "easy": {"player": "easy"}})
    assert served.requests[0].body["response_format"] == {"type": "json_object"}
    assert served.requests[0].body["temperature"] == 0.5


# Prompts


def test_an_agent_is_sent_the_templates_of_its_plan(run: Run) -> None:
    terse = {
        "system": "Play $title as $side, not $opponent, for $$1.",
        "turn": "$asked $side $legal_moves|$history|$state",
        "correction": "No! $why",
    }
    with chat_server(chat.answers("?", '{"action": "resign"}')) as served:
        code, _ = run(
            agents={"model": model(served.url, prompt="terse"), "easy": {"player": "easy"}},
            game="classic",
            prompts={"terse": terse},
        )
    assert code == 0
    system, turn = served.requests[0].conversation
    assert system["content"] == "Play Tic-Tac-Toe as X, not O, for $1."
    assert turn["content"].startswith('move X 1 2 3 4 5 6 7 8 9||{"asked": "move"')
    assert served.requests[1].conversation[-1]["content"].startswith("No! The answer cannot be read")


@pytest.mark.parametrize(
    ("prompts", "sentence"),
    [
        ({"a": {"turn": "$boards"}}, "prompts.a.turn: There is no placeholder $boards here. Placeholders here: $asked"),
        ({"a": {"system": "5 $ a move"}}, "prompts.a.system: A dollar sign in a template begins the name"),
        ({"a": {"user": "hi"}}, "prompts.a.user is not a setting. Settings here: system, turn, correction."),
        ({"b": {}}, "agents.model.prompt: the plan has no such prompt. Prompts: b."),
        ({}, "agents.model.prompt: the plan has no such prompt. Prompts: none."),
    ],
)
def test_a_mistake_in_a_template_is_refused(prompts: dict[str, object], sentence: str, run: Run) -> None:
    agents = {"model": model("http://127.0.0.1:9/v1", prompt="a"), "easy": {"player": "easy"}}
    code, told = run(agents=agents, prompts=prompts)
    assert code == 2
    assert sentence in told["error"]


# Memory


@pytest.mark.parametrize("answer", ["text", "tools"])
def test_a_model_that_remembers_has_one_conversation_in_a_match(answer: str, run: Run) -> None:
    with chat_server(calls() if answer == "tools" else chat.plays) as served:
        agents = {"model": model(served.url, memory=True, answer=answer), "easy": {"player": "easy"}}
        assert run(agents=agents, matches=[["model", "easy"]])[0] == 0
    first, second = served.requests[0].conversation, served.requests[1].conversation
    assert second[: len(first)] == first
    between = ["assistant", "tool", "user"] if answer == "tools" else ["assistant", "user"]
    assert [message["role"] for message in second[len(first) :]] == between


def test_a_model_without_memory_begins_anew_at_every_turn(run: Run) -> None:
    with chat_server(chat.plays) as served:
        run(agents={"model": model(served.url), "easy": {"player": "easy"}})
    assert {len(request.conversation) for request in served.requests} == {2}


def test_a_question_without_an_answer_is_not_remembered(run: Run) -> None:
    filtered = chat.error(400, code="content_filter")
    with chat_server(chat.fails_first(1, filtered)) as served:
        agents = {"model": model(served.url, memory=True), "easy": {"player": "easy"}}
        code, told = run(agents=agents, matches=[["model", "easy"]], forfeit="move")
    assert (code, told["results"][0]["forfeits"][0]["why"]) == (0, "A content filter refused the prompt: no.")
    assert [message["role"] for message in served.requests[1].conversation] == ["system", "user"]


def test_a_content_filter_forfeits_the_turn_and_the_run_goes_on(run: Run) -> None:
    with chat_server(chat.error(400, code="content_filter")) as served:
        code, told = run(agents={"model": model(served.url), "easy": {"player": "easy"}})
    mine = figures(told, "model")
    assert (code, mine["lost"], mine["forfeits"], mine["illegal_moves"]) == (0, 2, 2, 0)
    assert mine["refused"] == {"filtered": 2}


def test_an_opponent_cannot_make_a_model_forfeit_by_words_that_its_filter_dislikes(run: Run) -> None:
    def filters(handler: Handler, request: Request) -> None:
        if request.board["opponent_said"]:
            chat.error(400, code="content_filter")(handler, request)
        else:
            chat.plays(handler, request)

    with chat_server(filters) as served:
        agents = {"model": model(served.url), "liar": {"script": "misreports"}}
        code, told = run(agents=agents, matches=[["model", "liar"]])
    assert (code, told["forfeits"]) == (0, {})
    assert any(request.board["opponent_said"] for request in served.requests)


# Pictures


def pixels(picture: dict[str, Any]) -> Image.Image:
    head, _, data = picture["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")


def test_a_model_that_sees_is_sent_the_board_as_a_picture(run: Run) -> None:
    seen: list[Image.Image] = []

    def looks(handler: Handler, request: Request) -> None:
        *_, question = request.body["messages"]
        text, picture = question["content"]
        seen.append(pixels(picture))
        request.body["messages"][1] = {"role": "user", "content": text["text"]}
        chat.plays(handler, request)

    with chat_server(looks) as served:
        agents = {"model": model(served.url, picture=True), "easy": {"player": "easy"}}
        assert run(agents=agents, matches=[["model", "easy"]])[0] == 0
    assert {image.size for image in seen} == {(512, 512)}
    assert "base64" not in Path("plan-run/transcripts/00000-X.jsonl").read_text()


def test_the_picture_has_the_marks_of_the_board() -> None:
    drawn = pixels(board_picture(agents_match(0)))
    cells = [drawn.crop((left, left, left + 150, left + 150)).tobytes() for left in (10, 350)]
    has_mark = [bytes.fromhex(LIGHT.o[1:]) in {cell[at : at + 3] for at in range(0, len(cell), 3)} for cell in cells]
    assert has_mark == [True, False]


def test_pictures_of_earlier_turns_are_not_remembered(run: Run) -> None:
    parts: list[list[int]] = []

    def looks(handler: Handler, request: Request) -> None:
        parts.append([len(message["content"]) for message in request.body["messages"] if message["role"] == "user"])
        text = request.body["messages"][-1]["content"][0]["text"]
        request.body["messages"][1] = {"role": "user", "content": text}
        chat.plays(handler, request)

    with chat_server(looks) as served:
        agents = {"model": model(served.url, picture=True, memory=True), "easy": {"player": "easy"}}
        code, told = run(agents=agents, matches=[["model", "easy"]], retries=0)
    assert (code, told["crashes"], told["forfeits"]) == (0, [], {})
    assert parts[:3] == [[2], [1, 2], [1, 1, 2]]
