"""The plan of an evaluation: a small TOML file, read strictly. Mistakes in it are refused before the first match."""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from ninefold.agents.evaluation.loop import Forfeit
from ninefold.agents.evaluation.plan_tables import BudgetSpec, EndpointSpec, PlanTable, PriceSpec, PromptSpec
from ninefold.core.errors import Refusal, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.messages import catalogue
from ninefold.core.text import NAME_LENGTH, clean
from ninefold.games import all_games, find_game
from ninefold.server.hosting.commands import MatchRequest

LARGEST = 100_000  # bytes of a file
AgentKind = Literal["player", "script", "chat", "command"]
AGENT_KINDS: tuple[AgentKind, ...] = get_args(AgentKind)
SECRETS = ("key", "api_key", "token", "password")  # fields that people try, and that do not belong in a file
AnswerMode = Literal["text", "json_object", "json_schema", "tools"]  # what a model is asked for; it may answer in any
FORBIDDEN_PARAMETERS = ("model", "messages", "stream", "n")


class StrictTable(BaseModel):
    """A table in the file, read strictly."""

    model_config = PlanTable.model_config


def _check_word(word: str) -> str:
    if "\0" in word:
        raise Unreadable("not_a_plan.word")
    return word


def _check_address(url: str) -> str:
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


class PlayerSpec(StrictTable):
    """A built-in player."""

    player: str


class ScriptSpec(StrictTable):
    """A scripted agent."""

    script: str


class ChatSpec(StrictTable):
    """A model behind a chat endpoint. The key itself is never here: ``key_env`` names the variable that holds it."""

    chat: Annotated[str, AfterValidator(_check_address)]
    model: Annotated[str, Field(min_length=1)]
    key_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]{0,99})?$")] = ""
    parameters: Annotated[dict[str, Any], AfterValidator(_check_parameters)] = {}
    answer: AnswerMode = "text"
    prompt: str = ""  # the name of templates of the plan; Ninefold's own by default
    memory: bool = False  # True: a match is one conversation; else each turn is
    picture: bool = False  # True: the model is also sent the board as a PNG
    stream: bool = False


class CommandSpec(StrictTable):
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
    if isinstance(table, StrictTable):
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


def _check_name(name: str) -> str:
    if not name or name != clean(name) or len(name) > NAME_LENGTH:
        raise Unreadable("not_a_plan.name", most=NAME_LENGTH)
    return name


def _kind(table: Any) -> str | None:
    return next(
        (kind for kind in AGENT_KINDS if (kind in table if isinstance(table, dict) else hasattr(table, kind))), None
    )


def _game(game_id: object) -> Game:
    return find_game(game_id if isinstance(game_id, str) else str(game_id))


AgentSpec = PlayerSpec | ScriptSpec | ChatSpec | CommandSpec
TaggedSpec = Annotated[
    Annotated[PlayerSpec, Tag("player")]
    | Annotated[ScriptSpec, Tag("script")]
    | Annotated[ChatSpec, Tag("chat")]
    | Annotated[CommandSpec, Tag("command")],
    Discriminator(_kind),
    BeforeValidator(_check_agent),
]
_Pair = Annotated[list[str], Field(min_length=2, max_length=2)]


class Plan(StrictTable):
    game: Annotated[Game, PlainValidator(_game)]
    options: dict[str, str] = {}
    agents: Annotated[dict[Annotated[str, AfterValidator(_check_name)], TaggedSpec], Field(min_length=1)]
    matches: Annotated[list[_Pair], Field(min_length=1)] | None = None  # pairs; everybody meets everybody by default
    rounds: Annotated[int, Field(ge=1, le=100_000)] = 1  # each with both sides
    openings: Literal["start", "random", "suite"] = "start"  # one for each round, with both sides
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0
    retries: Annotated[int, Field(ge=0, le=100)] = 2  # after an answer that cannot be read or played
    forfeit: Forfeit = "match"
    seconds: Annotated[int, Field(ge=1, le=3_600)] = 60  # for an answer
    at_once: Annotated[int, Field(ge=1, le=256)] = 1  # matches
    replays: Annotated[int, Field(ge=0, le=100)] = 2  # of a match that crashed, in the same run
    show_moves: bool = MatchRequest._field_defaults["show_moves"]
    show_lines: bool = MatchRequest._field_defaults["show_lines"]
    endpoints: dict[Annotated[str, AfterValidator(_check_address)], EndpointSpec] = {}
    prices: dict[str, PriceSpec] = {}  # by model
    budget: BudgetSpec = BudgetSpec()
    prompts: dict[str, PromptSpec] = {}

    @field_validator("options")
    @classmethod
    def _check_options(cls, options: dict[str, str], info: ValidationInfo) -> dict[str, str]:
        if game := info.data.get("game"):
            game.settle_options(options)
        return options

    @field_validator("matches")
    @classmethod
    def _check_matches(cls, matches: list[list[str]] | None, info: ValidationInfo) -> list[list[str]] | None:
        agents = info.data.get("agents", {})
        for name in (name for pair in matches or () for name in pair):
            if agents and name not in agents:
                raise Unreadable("not_a_plan.unknown_agent", name=quoted(name), agents=" ".join(agents))
        return matches

    @field_validator("openings")
    @classmethod
    def _check_openings(cls, openings: str, info: ValidationInfo) -> str:
        has_programs = any(isinstance(spec, CommandSpec) for spec in info.data.get("agents", {}).values())
        if openings != "start" and has_programs:
            raise Unreadable("not_a_plan.openings")
        return openings

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of agents that play each other."""
        if self.matches is None:
            return list(combinations(self.agents, 2))
        return [(one, two) for one, two in self.matches]

    @property
    def about(self) -> dict[str, object]:
        """The facts that identify a run when it is resumed. None of them is secret."""
        parts = self.model_dump(
            include={"agents", "options", "retries", "forfeit", "show_moves", "show_lines", "prompts"}
        ) | {"pairs": self.pairs}
        if self.openings != "start":
            parts["openings"] = self.openings
        return {
            "game": self.game.id,
            "agents": list(self.agents),
            "rounds": self.rounds,
            "seed": self.seed,
            "plan": hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest(),
        }


def read_plan(path: str) -> Plan:
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
        table = tomllib.loads(data.decode())
    except OSError as error:
        raise Unreadable("no_such_file", file=quoted(path, 100), why=error.strerror) from None
    except UnicodeDecodeError:
        raise Unreadable("not_a_plan.utf8", file=quoted(path, 100)) from None
    except (ValueError, RecursionError) as error:  # a number with thousands of digits is a ValueError too
        raise Unreadable("not_a_plan.toml", file=quoted(path, 100), why=error) from None
    return parse_plan(table)


def parse_plan(table: Mapping[str, Any]) -> Plan:
    """The plan in a table, or a refusal that names the place of the mistake."""
    try:
        plan = Plan.model_validate(table)
    except ValidationError as error:
        raise _refusal(error) from None
    if not plan.pairs:
        raise Unreadable("not_a_plan.alone")
    _check_models(plan)
    return plan


def _check_models(plan: Plan) -> None:
    """Refuse limits, prices and prompts that no agent has, and agents that lack what the plan needs of them."""
    chats = {name: spec for name, spec in plan.agents.items() if isinstance(spec, ChatSpec)}
    known = {"endpoints": {spec.chat for spec in chats.values()}, "prices": {spec.model for spec in chats.values()}}
    for field, names in known.items():
        if unused := next((name for name in getattr(plan, field) if name not in names), None):
            raise Unreadable("not_a_plan.unused", place=place_of(field, unused), known=", ".join(sorted(names)))
    for name, spec in chats.items():
        if spec.prompt and spec.prompt not in plan.prompts:
            prompts = ", ".join(plan.prompts) or "none"
            raise Unreadable("not_a_plan.prompt", place=place_of("agents", name, "prompt"), known=prompts)
        if plan.budget.has_price and spec.model not in plan.prices:
            raise Unreadable("not_a_plan.no_price", place=place_of("agents", name), model=quoted(spec.model))


def _refusal(error: ValidationError) -> Unreadable:
    """The refusal of the first mistake. It repeats no values of agents, which may be secret."""
    mistake = error.errors()[0]
    loc = mistake["loc"]
    context = dict(mistake.get("ctx", {}))
    place = place_of(*_without_kind(loc))
    if isinstance(cause := context.get("error"), Refusal):
        return refused_at(place, cause)
    context["count"] = context.get("min_length")
    code = f"not_a_plan.{mistake['type']}"
    return Unreadable(
        code if code in catalogue() else "not_a_plan.other",
        place=place,
        given="" if "agents" in loc else _shown(mistake["input"]),
        known=_fields_at(loc),
        games=" ".join(all_games()),
        **context,
    )


def refused_at(place: str, refusal: Refusal) -> Unreadable:
    """A refusal with its place in the file."""
    return Unreadable("not_a_plan.refused", place=place, sentence=refusal.sentence, instead=refusal.instead)


def place_of(*parts: int | str) -> str:
    """A place in the file.

    >>> place_of("agents", "model", "chat"), place_of("matches", 0)
    ('agents.model.chat', 'matches[0]')
    """
    return "".join(f"[{part}]" if isinstance(part, int) else f".{_key(part)}" for part in parts).removeprefix(".")


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("-", "_").isidentifier() else quoted(name)


def _without_kind(loc: Sequence[int | str]) -> Sequence[int | str]:
    """The location of a mistake as pydantic has it, without the kind of the agent, which is not in the file."""
    parts = [part for part in loc if part != "[key]"]
    return parts[:2] + parts[3:] if parts[0] == "agents" else parts


def _fields_at(loc: Sequence[int | str]) -> str:
    """The fields of the table in which a mistake is."""
    specs: dict[str | int, type[BaseModel]] = {
        "player": PlayerSpec, "script": ScriptSpec, "chat": ChatSpec, "command": CommandSpec
    }  # fmt: skip
    tables: dict[str | int, type[BaseModel]] = {
        "endpoints": EndpointSpec, "prices": PriceSpec, "budget": BudgetSpec, "prompts": PromptSpec
    }  # fmt: skip
    if len(loc) > 1 and loc[0] in tables:
        return ", ".join(tables[loc[0]].model_fields)
    table = specs.get(loc[2], Plan) if len(loc) > 3 and loc[0] == "agents" else Plan
    return ", ".join(table.model_fields)


def _shown(value: object) -> str:
    return quoted(value) if isinstance(value, str) else json.dumps(value, default=str)[:40]
