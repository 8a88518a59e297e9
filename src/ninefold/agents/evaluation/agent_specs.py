"""The agents of a plan: what a built-in player, a script, a model and a program need, read strictly."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from ninefold.agents.evaluation.plan_tables import PlanTable
from ninefold.core.errors import Unreadable, quoted
from ninefold.core.text import NAME_LENGTH, clean

AgentKind = Literal["player", "script", "chat", "command"]
AGENT_KINDS: tuple[AgentKind, ...] = get_args(AgentKind)
SECRETS = ("key", "api_key", "token", "password")  # fields that people try, and that do not belong in a file
AnswerMode = Literal["text", "json_object", "json_schema", "tools"]  # what a model is asked for; it may answer in any
FORBIDDEN_PARAMETERS = ("model", "messages", "stream", "n")


class AgentTable(BaseModel):
    """The table of an agent."""

    model_config: ClassVar[ConfigDict] = PlanTable.model_config


def _check_word(word: str) -> str:
    if "\0" in word:
        raise Unreadable("not_a_plan.word")
    return word


def check_address(url: str) -> str:
    """Refuse what is not the address of an endpoint. The refusal does not repeat it: it may contain a secret."""
    try:
        parts = urlsplit(url)
        is_http = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and url.isascii()
    except ValueError:
        raise Unreadable("not_a_plan.address") from None
    has_more = parts.username is not None or parts.query or parts.fragment
    if not is_http or has_more or not url.isprintable() or " " in url:
        raise Unreadable("not_a_plan.address")
    return url.rstrip("/")


def _check_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    if set(FORBIDDEN_PARAMETERS) & set(parameters):
        raise Unreadable("not_a_plan.parameters", names=", ".join(FORBIDDEN_PARAMETERS))
    return parameters


PlanText = Annotated[str, AfterValidator(_check_word)]


class PlayerSpec(AgentTable):
    """A built-in player."""

    player: str


class ScriptSpec(AgentTable):
    """A scripted agent."""

    script: str


class ChatSpec(AgentTable):
    """A model behind a chat endpoint. The key itself is never here: ``key_env`` names the variable that holds it."""

    chat: Annotated[str, AfterValidator(check_address)]
    model: Annotated[str, Field(min_length=1)]
    key_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]{0,99})?$")] = ""
    parameters: Annotated[dict[str, Any], AfterValidator(_check_parameters)] = {}
    answer: AnswerMode = "text"
    prompt: str = ""  # the name of templates of the plan; Ninefold's own by default
    memory: bool = False  # True: a match is one conversation; else each turn is
    picture: bool = False  # True: the model is also sent the board as a PNG
    stream: bool = False


class CommandSpec(AgentTable):
    """A program that is an MCP client. ``env`` names variables that only it may see, ``folder`` is the one that it is
    started in and that only it may see, and ``writes`` are others that it may write to."""

    command: Annotated[list[PlanText], Field(min_length=1)]
    env: list[PlanText] = []
    folder: PlanText = ""
    writes: list[PlanText] = []

    @property
    def working_folder(self) -> Path:
        """The folder that it is started in, with the user's home in the place of ``~``."""
        return Path(os.path.expanduser(self.folder or "."))

    @property
    def writable_folders(self) -> list[Path]:
        return [Path(os.path.expanduser(folder)) for folder in self.writes]


def _check_agent(table: object) -> object:
    """Refuse an agent without a kind, or with several. The refusal repeats names but no values, which may be secret."""
    if isinstance(table, AgentTable):
        return table
    if not isinstance(table, dict):
        raise Unreadable("not_a_plan.agent", kinds=", ".join(AGENT_KINDS))
    if secret := next((name for name in SECRETS if name in table), None):
        raise Unreadable("not_a_plan.secret", field=secret)
    kinds = [kind for kind in AGENT_KINDS if kind in table]
    if not kinds and table:
        raise Unreadable("not_a_plan.unknown_kind", found=", ".join(map(quoted, table)), kinds=", ".join(AGENT_KINDS))
    if not kinds:
        raise Unreadable("not_a_plan.no_kind", kinds=", ".join(AGENT_KINDS))
    if len(kinds) > 1:
        raise Unreadable("not_a_plan.two_kinds", found=", ".join(kinds), kinds=", ".join(AGENT_KINDS))
    return table


def check_agent_name(name: str) -> str:
    if not name or name != clean(name) or len(name) > NAME_LENGTH:
        raise Unreadable("not_a_plan.name", most=NAME_LENGTH)
    return name


def _kind(table: Any) -> str | None:
    return next(
        (kind for kind in AGENT_KINDS if (kind in table if isinstance(table, dict) else hasattr(table, kind))), None
    )


AgentSpec = PlayerSpec | ScriptSpec | ChatSpec | CommandSpec
TaggedSpec = Annotated[
    Annotated[PlayerSpec, Tag("player")]
    | Annotated[ScriptSpec, Tag("script")]
    | Annotated[ChatSpec, Tag("chat")]
    | Annotated[CommandSpec, Tag("command")],
    Discriminator(_kind),
    BeforeValidator(_check_agent),
]
AgentName = Annotated[str, AfterValidator(check_agent_name)]
