"""An agent behind a chat endpoint: asked anew at every turn, and told what was refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ninefold.agents.evaluation.endpoint import Endpoint, Message, Said
from ninefold.agents.evaluation.keys import Keys
from ninefold.agents.evaluation.loop import Answer
from ninefold.agents.evaluation.prompt import correction, question, system
from ninefold.agents.evaluation.reply import find_object, read_answer
from ninefold.agents.evaluation.transcript import Transcript
from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.match.match import Match


class ChatAgent:
    """One seat of one match."""

    def __init__(
        self,
        endpoint: Endpoint,
        transcript: Transcript,
        keys: Keys,
        *,
        model: str,
        parameters: dict[str, Any],
        seconds: float,
        show_moves: bool,
    ) -> None:
        self._endpoint, self._transcript, self._keys = endpoint, transcript, keys
        self._model, self._parameters = model, parameters
        self._seconds, self._show_moves = seconds, show_moves
        self._talk: list[Message] = []

    def __call__(self, match: Match, refusals: Sequence[Refusal]) -> Answer:
        if not refusals:
            seat = match.to_act or 1
            self._talk = [system(match, seat), question(match, seat, show_moves=self._show_moves)]
            self._transcript.add(sent=self._talk)
        elif self._talk[-1]["role"] == "assistant":
            self._talk.append(correction(refusals[-1]))
            self._transcript.add(sent=self._talk[-1:])
        said = self._ask()
        self._talk.append({"role": "assistant", "content": said.text})
        if said.cut:
            raise Unreadable("cut_off", "The answer was cut off before its end.", "Make it shorter.")
        return read_answer(match.game, self._keys.hide_in(find_object(said.text)))

    def _ask(self) -> Said:
        try:
            said = self._endpoint.ask(self._model, self._talk, self._parameters, self._seconds)
        except NotAllowed as refusal:
            self._transcript.add(failed=str(refusal))
            raise
        self._transcript.add(received=said.text, cut=said.cut)
        return said
