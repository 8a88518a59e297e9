"""A model at one seat of one match: its conversation, and the answers in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ninefold.agents.evaluation.agent_specs import ChatSpec
from ninefold.agents.evaluation.answer_modes import mode_parameters
from ninefold.agents.evaluation.completion import Completion
from ninefold.agents.evaluation.endpoint import ChatEndpoint, ChatMessage, ChatReply
from ninefold.agents.evaluation.keys import ApiKeys
from ninefold.agents.evaluation.ledger import SeatAccount
from ninefold.agents.evaluation.loop import AgentReply, TurnForfeited
from ninefold.agents.evaluation.plan import Plan
from ninefold.agents.evaluation.plan_tables import PromptSpec
from ninefold.agents.evaluation.prompt import (
    CORRECTION,
    SYSTEM,
    TURN,
    correction_message,
    messages_of,
    system_message,
    turn_message,
)
from ninefold.agents.evaluation.reply import is_object, read_answer
from ninefold.agents.evaluation.transcript import Transcript
from ninefold.agents.evaluation.usage import COUNTS
from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.match.match import Match

TURN_OVER = "The turn is over."  # the result of a function, for a model that remembers
# Facts of the accounts that a transcript repeats.
_FACTS = ("request", "milliseconds", *COUNTS, "price", "served_model", "finish_reason")


class ChatAgent:
    """With memory a match is one conversation. Without, one begins at every turn, which also has what was refused."""

    def __init__(
        self,
        plan: Plan,
        spec: ChatSpec,
        endpoint: ChatEndpoint,
        transcript: Transcript,
        keys: ApiKeys,
        account: SeatAccount | None = None,
    ) -> None:
        self._plan, self._spec, self._endpoint = plan, spec, endpoint
        self._transcript, self._keys, self._account = transcript, keys, account
        self._prompt = plan.prompts.get(spec.prompt, PromptSpec())
        self._conversation: list[ChatMessage] = []
        self._is_deaf = False  # at this turn

    def __call__(self, match: Match, refusals: Sequence[Refusal]) -> AgentReply:
        if not refusals:
            self._is_deaf = False
            self._begin_turn(match)
        elif self._conversation[-1]["role"] == "assistant":
            correction = correction_message(refusals[-1], self._prompt.correction or CORRECTION)
            self._send(*_in_reply(self._conversation[-1], correction))
        completion = self._reply(match, len(refusals)).completion
        self._conversation.append(_assistant_message(completion))
        if completion.is_cut:
            raise Unreadable("cut_off")
        answer = read_answer(match, completion, self._keys.hide_in)
        self._transcript.add(answer=answer.form, repaired=answer.is_repaired)
        return answer.reply

    def _reply(self, match: Match, refusals: int) -> ChatReply:
        """The reply of the model. If a filter refuses the prompt, the words of the opponent may be why: it must not be
        able to make others lose by what it says, so the model is asked again without them."""
        try:
            return self._ask(match, refusals)
        except TurnForfeited as refusal:
            is_suspect = not self._is_deaf and messages_of(match, 3 - (match.to_act or 1))
            if refusal.reason != "filtered" or not is_suspect:
                raise
        self._is_deaf = True
        self._begin_turn(match)
        return self._ask(match, refusals)

    def _begin_turn(self, match: Match) -> None:
        seat, spec, prompt = match.to_act or 1, self._spec, self._prompt
        question = turn_message(
            match, seat, prompt.turn or TURN,
            show_moves=self._plan.show_moves, show_lines=self._plan.show_lines,
            has_picture=spec.picture, is_deaf=self._is_deaf,
        )  # fmt: skip
        if spec.memory and self._conversation:
            self._conversation = _remembered(self._conversation)
            self._send(*_in_reply(self._conversation[-1]), question)
            return
        self._conversation = []
        self._send(system_message(match, seat, prompt.system or SYSTEM, has_tools=spec.answer == "tools"), question)

    def _send(self, *messages: ChatMessage) -> None:
        self._conversation += messages
        self._transcript.add(sent=[_without_picture(message) for message in messages])

    def _ask(self, match: Match, refusals: int) -> ChatReply:
        spec = self._spec
        parameters = {**mode_parameters(spec.answer, has_claims=match.setup.has_claims), **spec.parameters}
        if spec.stream:
            parameters |= {"stream": True, "stream_options": {"include_usage": True}}
        if self._account:
            self._account.ask(len(match.state.moves), refusals)
        try:
            reply = self._endpoint.ask(spec.model, self._conversation, parameters, self._plan.seconds, self._account)
        except NotAllowed as refusal:
            self._transcript.add(failed=str(refusal))
            raise
        self._transcript.add(**_received(reply))
        return reply


def _received(reply: ChatReply) -> dict[str, Any]:
    """A reply as the transcript has it, with its accounts."""
    completion, usage = reply.completion, reply.usage
    calls = [{"name": call.name, "arguments": call.arguments} for call in completion.calls]
    facts = {name: getattr(usage, name) for name in _FACTS} if usage else {}
    return {
        "received": completion.text,
        "cut": completion.is_cut,
        **({"calls": calls} if calls else {}),
        "attempts": reply.attempts,
        **facts,
    }


def _assistant_message(completion: Completion) -> ChatMessage:
    """A reply as a part of the conversation. Calls that cannot be read are repeated as text: endpoints refuse them."""
    calls = completion.calls
    if completion.is_cut or not all(call.id and is_object(call.arguments) for call in calls):
        words = [completion.text, *(f"{call.name} {call.arguments}" for call in calls)]
        return {"role": "assistant", "content": "\n".join(word for word in words if word)}
    if not calls:
        return {"role": "assistant", "content": completion.text}
    functions = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in calls
    ]
    return {"role": "assistant", "content": completion.text or None, "tool_calls": functions}


def _in_reply(message: ChatMessage, correction: ChatMessage | None = None) -> list[ChatMessage]:
    """What follows a message of the model: the results of the functions that it has called, or a correction."""
    calls = message.get("tool_calls", ())
    result = correction["content"] if correction else TURN_OVER
    results = [{"role": "tool", "tool_call_id": call["id"], "content": result} for call in calls]
    return results or ([correction] if correction else [])


def _remembered(conversation: Sequence[ChatMessage]) -> list[ChatMessage]:
    """A conversation up to the last reply, without pictures of boards that are gone."""
    kept = [_without_picture(message) for message in conversation]
    while len(kept) > 1 and kept[-1]["role"] == "user":
        kept.pop()
    return kept


def _without_picture(message: ChatMessage) -> ChatMessage:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    return {**message, "content": [part for part in content if part["type"] == "text"]}
