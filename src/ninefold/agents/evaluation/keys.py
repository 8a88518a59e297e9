"""Keys of chat endpoints: read from the environment, sent to their endpoint, and hidden everywhere else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from ninefold.agents.evaluation.agent_specs import AgentSpec, ChatSpec, CommandSpec
from ninefold.agents.evaluation.plan import place_of
from ninefold.core.errors import NotAllowed

VARIABLE_NAME = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")  # surely the name of a variable, and not a key
HIDDEN = "[key]"
SHORTEST = 4  # a shorter text is not a secret, and hiding it would hide half of every text


def read_keys(agents: Mapping[str, AgentSpec], environment: Mapping[str, str]) -> ApiKeys:
    """The keys of the agents, and the other secrets of their programs. A refusal never contains a key, even if a user
    has written one in the place of the variable's name."""
    keys: dict[str, str] = {}
    others: list[str] = []
    for name, spec in agents.items():
        if isinstance(spec, CommandSpec):
            others += [environment.get(variable, "") for variable in spec.env]
        if isinstance(spec, ChatSpec) and spec.key_env:
            keys[name] = _read_key(name, spec.key_env, environment)
    return ApiKeys(keys, others)


def _read_key(agent: str, variable: str, environment: Mapping[str, str]) -> str:
    key = environment.get(variable, "").strip()
    if key and key.isascii() and key.isprintable():
        return key
    place = place_of("agents", agent, "key_env")
    if not VARIABLE_NAME.fullmatch(variable):
        raise NotAllowed("no_key.unnamed", place=place)
    raise NotAllowed("no_key.unreadable" if key else "no_key", place=place, variable=variable)


def environment_of(
    spec: CommandSpec | None, agents: Iterable[AgentSpec], environment: Mapping[str, str]
) -> dict[str, str]:
    """The environment for a program: without the secrets of other agents. The server of a run (None) needs none."""
    secret = {variable for other in agents for variable in _variables(other)} - set(spec.env if spec else ())
    return {name: value for name, value in environment.items() if name not in secret}


def _variables(spec: AgentSpec) -> list[str]:
    """The variables that hold the secrets of an agent."""
    if isinstance(spec, ChatSpec):
        return [spec.key_env]
    return spec.env if isinstance(spec, CommandSpec) else []


class ApiKeys:
    """The keys by agent. ``hide`` takes them, and other secrets, out of a text."""

    def __init__(self, keys: Mapping[str, str] | None = None, others: Iterable[str] = ()) -> None:
        self._keys = dict(keys or {})
        secrets = [*self._keys.values(), *others]
        forms = {form for key in secrets if len(key) >= SHORTEST for form in _forms(key)}
        self._forms = sorted(forms, key=len, reverse=True)

    def of(self, agent: str) -> str:
        return self._keys.get(agent, "")

    def hide(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, HIDDEN)
        return text

    def hide_in(self, value: Any) -> Any:
        """The same value with every key in it hidden, however deep."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, list):
            return [self.hide_in(part) for part in value]
        if isinstance(value, dict):
            return {self.hide(str(name)): self.hide_in(part) for name, part in value.items()}
        return value

    def __repr__(self) -> str:
        return f"ApiKeys({len(self._keys)})"


def _forms(key: str) -> set[str]:
    """A key as it is, as JSON writes it, and as URLs write it."""
    return {key, json.dumps(key)[1:-1], quote(key), quote(key, safe="")}
