"""The plan of an evaluation: a small TOML file, read strictly. Mistakes in it are refused before the first match."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from ninefold.agents.evaluation.agent_specs import (
    AgentName,
    ChatSpec,
    CommandSpec,
    PlayerSpec,
    ScriptSpec,
    TaggedSpec,
    check_address,
)
from ninefold.agents.evaluation.loop import Forfeit
from ninefold.agents.evaluation.plan_tables import BudgetSpec, EndpointSpec, PlanTable, PriceSpec, PromptSpec
from ninefold.core.errors import Refusal, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.messages import catalogue
from ninefold.games import all_games, find_game
from ninefold.server.hosting.commands import MatchRequest

LARGEST = 100_000  # bytes of a file


def _game(game_id: object) -> Game:
    return find_game(game_id if isinstance(game_id, str) else str(game_id))


_Pair = Annotated[list[str], Field(min_length=2, max_length=2)]


class Plan(BaseModel):
    model_config: ClassVar[ConfigDict] = PlanTable.model_config

    game: Annotated[Game, PlainValidator(_game)]
    options: dict[str, str] = {}
    agents: Annotated[dict[AgentName, TaggedSpec], Field(min_length=1)]
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
    endpoints: dict[Annotated[str, AfterValidator(check_address)], EndpointSpec] = {}
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
