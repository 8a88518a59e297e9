"""The agents of a plan: built-in players and scripts, models behind a chat endpoint, and programs with MCP clients."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Literal, NamedTuple, Self, cast

from ninefold.agents.evaluation.endpoint import RETRY, ChatEndpoint, ChatMessage, ChatReply
from ninefold.agents.evaluation.keys import ApiKeys
from ninefold.agents.evaluation.loop import ACTED, Agent, AgentCrashed, AgentReply
from ninefold.agents.evaluation.plan import (
    AgentSpec,
    ChatSpec,
    CommandSpec,
    Plan,
    PlayerSpec,
    ScriptSpec,
    place_of,
    refused_at,
)
from ninefold.agents.evaluation.prompt import correction_message, system_message, turn_message
from ninefold.agents.evaluation.reply import find_object, parse_reply
from ninefold.agents.evaluation.transcript import Transcript
from ninefold.client.http import RetryPolicy
from ninefold.client.session import Session
from ninefold.core.errors import NotAllowed, Refusal, Unreadable, quoted
from ninefold.core.text import clean
from ninefold.match.actions import Action
from ninefold.match.match import Match
from ninefold.players.player import make_player
from ninefold.players.scripted import ABOUT_CLAIMS, SCRIPTS, make_script
from ninefold.server.storage.steady_clock import SteadyClock

LONGEST_LAST_LINE = 200  # characters of a program's last line that are repeated
MOST_OUTPUT = 1_000_000  # characters of a program's output that go into its transcript


class Timing(NamedTuple):
    """The patience of a run: how long it waits for others, in seconds, how it repeats requests to endpoints, and the
    clock of its matches."""

    exit: float = 5.0  # for a program to exit after its match
    output: float = 1.0  # for the last output of a program that has exited
    poll: float = 0.05  # between two looks at a program
    slack: float = 10.0  # for the server to settle a claim that is due, or to stop
    retry: RetryPolicy = RETRY
    now: Callable[[], int] = SteadyClock().now


def check_agents(plan: Plan) -> None:
    """Refuse agents that cannot play, before the first match."""
    for name, spec in plan.agents.items():
        try:
            _check_agent(plan, spec)
        except Refusal as refusal:
            raise refused_at(place_of("agents", name), refusal) from None


def _check_agent(plan: Plan, spec: AgentSpec) -> None:
    match spec:
        case PlayerSpec():
            make_player(plan.game, spec.player, 0)
        case ScriptSpec():
            make_script(plan.game, spec.script, 0)
            if spec.script in ABOUT_CLAIMS and plan.game.settle_options(plan.options).get("claims") != "yes":
                others = " ".join(name for name in SCRIPTS if name not in ABOUT_CLAIMS)
                raise NotAllowed("no_claims.script", script=spec.script, scripts=others)
        case CommandSpec():
            if not shutil.which(_with_python(spec.command)[0]):
                raise NotAllowed("no_such_program", program=quoted(spec.command[0], 60))


def scripted_agent(plan: Plan, spec: PlayerSpec | ScriptSpec, seed: int) -> Agent:
    if isinstance(spec, ScriptSpec):
        return _turn_by_turn(make_script(plan.game, spec.script, seed))
    return _turn_by_turn(make_player(plan.game, spec.player, seed))


def _turn_by_turn(act: Callable[[Match], Action | None]) -> Agent:
    def reply(match: Match, _: object) -> AgentReply | None:
        action = act(match)
        return None if action is None else AgentReply(action)

    return reply


class ChatAgent:
    """A model at one seat of one match. At every turn a new conversation begins, which also has what was refused."""

    def __init__(
        self, plan: Plan, spec: ChatSpec, endpoint: ChatEndpoint, transcript: Transcript, keys: ApiKeys
    ) -> None:
        self._plan, self._spec, self._endpoint = plan, spec, endpoint
        self._transcript, self._keys = transcript, keys
        self._conversation: list[ChatMessage] = []

    def __call__(self, match: Match, refusals: Sequence[Refusal]) -> AgentReply:
        if not refusals:
            seat = match.to_act or 1
            question = turn_message(match, seat, show_moves=self._plan.show_moves, show_lines=self._plan.show_lines)
            self._conversation = [system_message(match, seat), question]
            self._transcript.add(sent=self._conversation)
        elif self._conversation[-1]["role"] == "assistant":
            self._conversation.append(correction_message(refusals[-1]))
            self._transcript.add(sent=self._conversation[-1:])
        reply = self._ask()
        self._conversation.append({"role": "assistant", "content": reply.text})
        if reply.is_cut:
            raise Unreadable("cut_off")
        return parse_reply(match.game, self._keys.hide_in(find_object(reply.text)))

    def _ask(self) -> ChatReply:
        spec = self._spec
        try:
            reply = self._endpoint.ask(spec.model, self._conversation, spec.parameters, self._plan.seconds)
        except NotAllowed as refusal:
            self._transcript.add(failed=str(refusal))
            raise
        self._transcript.add(received=reply.text, cut=reply.is_cut)
        return reply


def _with_python(command: Sequence[str]) -> list[str]:
    return [word.replace("{python}", sys.executable) for word in command]


class AgentProgram:
    """A program at one seat of one match. Its output goes into the transcript."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], transcript: Transcript, timing: Timing = Timing()
    ) -> None:
        self._transcript, self._timing = transcript, timing
        try:
            self._process = subprocess.Popen(  # noqa: S603 - running the program of the plan is the point
                _with_python(command),
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
            )
        except OSError as error:
            raise NotAllowed("no_such_program.because", program=quoted(command[0], 60), why=error.strerror) from None
        except ValueError:
            raise NotAllowed("no_such_program.command", program=quoted(command[0], 60)) from None
        self._last_line = ""  # the last one that is not empty
        self._reader = threading.Thread(target=self._read_output, name="ninefold-program", daemon=True)
        self._reader.start()

    def _read_output(self) -> None:
        size = 0
        output = cast("IO[str]", self._process.stdout)
        with contextlib.suppress(ValueError), output:
            while line := output.readline(10_000):
                size += len(line)
                self._last_line = line if line.strip() else self._last_line
                if size <= MOST_OUTPUT:
                    self._transcript.add(printed=line.rstrip("\n"))

    @property
    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._process.poll()

    def crashed(self, code: int, *, has_joined: bool = True) -> AgentCrashed:
        """The refusal for a program that has exited too early, with the last line of its output."""
        self._reader.join(self._timing.output)
        hide = self._transcript.hide
        line = hide(clean(hide(self._last_line)))[:LONGEST_LAST_LINE].rstrip(".")
        if has_joined:
            return AgentCrashed("crashed.program.said" if line else "crashed.program", code=code, line=line)
        return AgentCrashed("crashed.joining.said" if line else "crashed.joining", code=code, line=line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(0 if kind else self._timing.exit)

    def close(self, seconds: float = 0) -> None:
        """Wait for its exit, then kill it with everything that it has started."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        self._reader.join(self._timing.output)


def program_agent(
    program: AgentProgram, session: Session, hosted_version: Callable[[], int], seconds: float, poll: float
) -> Agent:
    """The agent of a program, which acts by itself on the server: we wait until it has.

    ``hosted_version`` asks the server for the version of the match; the session may hear of an action a little later.
    """

    def reply(match: Match, _: object) -> Literal["acted"] | None:
        until = time.monotonic() + seconds
        while True:
            state = session.state
            if state.match.version > match.version or state.ended:
                return ACTED
            code, is_late = program.exit_code, time.monotonic() > until
            if code is not None or is_late:
                if hosted_version() > match.version:
                    return ACTED
                if code:
                    raise program.crashed(code)
                return None
            session.wait(state, poll)

    return reply
