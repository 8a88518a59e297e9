"""Keys of chat endpoints: read from the environment, sent to their endpoint, and hidden everywhere else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from ninefold.agents.evaluation.plan import Spec
from ninefold.core.errors import NotAllowed, quoted

USUAL = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")  # what is surely the name of a variable, and no key
HIDDEN = "[key]"
SHORTEST = 4  # what is shorter is no secret, and would hide half of every text


def read_keys(agents: Iterable[Spec], environment: Mapping[str, str]) -> Keys:
    """The keys of the agents that name one, and what else their programs are given in secret. A refusal tells no key,
    also when somebody has written one where the name of its variable belongs."""
    keys: dict[str, str] = {}
    others: list[str] = []
    for agent in agents:
        others += [environment.get(name, "") for name in agent.env]
        if not agent.key_env:
            continue
        key = environment.get(agent.key_env, "").strip()
        if not key or not key.isascii() or not key.isprintable():
            why = "is not set" if not key else "holds no key"
            variable = f" {agent.key_env}" if USUAL.fullmatch(agent.key_env) else ""
            said = f"The variable{variable} that key_env of agent {quoted(agent.name)} names {why}."
            raise NotAllowed("no_key", said, "Set it, and start again.")
        keys[agent.name] = key
    return Keys(keys, others)


def without_keys(agents: Iterable[Spec], environment: Mapping[str, str], mine: Iterable[str]) -> dict[str, str]:
    """The environment for a program: without the variables of agents, but with its own."""
    secret = {name for agent in agents for name in (agent.key_env, *agent.env)} - set(mine)
    return {name: value for name, value in environment.items() if name not in secret}


class Keys:
    """The keys by agent, and what hides them and other secrets."""

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
        return f"Keys({len(self._keys)})"


def _forms(key: str) -> set[str]:
    """A key as it is, as JSON writes it, and as addresses write it."""
    return {key, json.dumps(key)[1:-1], quote(key), quote(key, safe="")}
