"""What is to be evaluated, as a small TOML file says it. Every mistake in it is told before the first match."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn
from urllib.parse import urlsplit

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.text import NAME_LENGTH, clean
from ninefold.games import all_games, find_game

LARGEST = 100_000
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
# The kinds of agents, and what else each may have.
KINDS: dict[str, tuple[str, ...]] = {
    "player": (), "script": (), "chat": ("model", "key_env", "parameters"), "command": ("env",)
}  # fmt: skip


class Spec(NamedTuple):
    """An agent: one of the four kinds, and what else its table says."""

    name: str
    kind: Literal["player", "script", "chat", "command"]
    what: str | tuple[str, ...]  # the player, the script, the address, or the words of the command
    model: str = ""
    key_env: str = ""  # the variable that holds the key; the key itself is never here
    parameters: tuple[tuple[str, Any], ...] = ()
    env: tuple[str, ...] = ()  # more variables that a command may see


class Plan(NamedTuple):
    game: Game
    options: Mapping[str, str]
    agents: tuple[Spec, ...]
    pairs: tuple[tuple[str, str], ...]  # who meets whom
    rounds: int  # each with both sides
    seed: int
    retries: int  # after an answer that cannot be read or played
    forfeit: Literal["match", "move"]  # what is lost when they are used up
    seconds: int  # for an answer
    at_once: int  # matches
    show_moves: bool

    def agent(self, name: str) -> Spec:
        return next(agent for agent in self.agents if agent.name == name)

    @property
    def about(self) -> dict[str, object]:
        """What makes a run this run; a run with another one cannot be gone on with. Nothing in it is secret."""
        told = repr((self.agents, self.pairs, self.options, self.retries, self.forfeit, self.show_moves))
        return {
            "game": self.game.id,
            "agents": [agent.name for agent in self.agents],
            "rounds": self.rounds,
            "seed": self.seed,
            "plan": hashlib.sha256(told.encode()).hexdigest(),
        }


def read_plan(path: str) -> Plan:
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
        return plan_of(tomllib.loads(data.decode()))
    except OSError as error:
        raise Unreadable("no_such_file", f"Cannot read {quoted(path, 100)}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise Unreadable("not_a_plan", f"{quoted(path, 100)} is not UTF-8 text.") from None
    except ValueError as error:  # also a number of thousands of digits
        raise Unreadable("not_a_plan", f"{quoted(path, 100)} is not TOML: {error}.") from None


def plan_of(told: Mapping[str, Any]) -> Plan:
    """The plan in a table. What it does not know is refused: a typing error would change the evaluation."""
    known = {*Plan._fields, "matches"} - {"pairs"}
    if unknown := set(told) - known:
        _wrong(f"{quoted(min(unknown))} is no setting.", f"Settings: {' '.join(sorted(known))}.")
    if not told.get("game"):
        _wrong("The plan names no game.", f"Games: {' '.join(all_games())}.")
    game = find_game(_text(told, "game", ""))
    options = told.get("options", {})
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        _wrong(f"options are names with values in text, and not {_shown(options)}.")
    agents = _agents(told.get("agents"))
    forfeit = told.get("forfeit", "match")
    if forfeit != "match" and forfeit != "move":
        _wrong(f'forfeit is "match" or "move", and not {_shown(forfeit)}.')
    show_moves = told.get("show_moves", True)
    if type(show_moves) is not bool:
        _wrong(f"show_moves is true or false, and not {_shown(show_moves)}.")
    return Plan(
        game,
        {name: value for name, value in game.settle_options(options).items() if name in options},
        agents,
        _pairs(told.get("matches"), [agent.name for agent in agents]),
        _whole(told, "rounds", 1, 1, 100_000),
        _whole(told, "seed", 0, 0, 2**31),
        _whole(told, "retries", 2, 0, 100),
        forfeit,
        _whole(told, "seconds", 60, 1, 3_600),
        _whole(told, "at_once", 1, 1, 256),
        show_moves,
    )


def _agents(told: object) -> tuple[Spec, ...]:
    if not isinstance(told, dict) or not told:
        _wrong("There are no agents.", "Name each in a table of its own: [agents.NAME].")
    return tuple(_agent(name, table) for name, table in told.items())


def _agent(name: str, told: object) -> Spec:
    if not name or name != clean(name) or len(name) > NAME_LENGTH:
        _wrong(f"{quoted(name)} is no name of an agent.", f"It has 1 to {NAME_LENGTH} printable characters.")
    if not isinstance(told, dict):
        _wrong(f"Agent {quoted(name)} is a table.", "It has a player, a script, a chat or a command.")
    if {"key", "api_key", "token", "password"} & set(told):
        _wrong(f"Agent {quoted(name)} has a key in this file.", "Name the variable that holds it: key_env.")
    match _kind(name, told):
        case "chat":
            return _chat(name, told)
        case "command":
            return Spec(name, "command", _words(name, told, "command"), env=_words(name, told, "env"))
        case "player":
            return Spec(name, "player", _text(told, "player", ""))
    return Spec(name, "script", _text(told, "script", ""))


def _kind(name: str, told: Mapping[str, Any]) -> str:
    """Of which kind an agent is. Only names are repeated: there may be a secret among the values."""
    agent = f"Agent {quoted(name)}"
    known = {*KINDS, *(field for fields in KINDS.values() for field in fields)}
    if unknown := set(told) - known:
        _wrong(f"{agent} has {quoted(min(unknown))}, which means nothing.", f"It may have: {' '.join(sorted(known))}.")
    kinds = [kind for kind in KINDS if kind in told]
    if len(kinds) != 1:
        has = " and ".join(kinds) or "none of what it could be"
        _wrong(f"{agent} has {has}.", f"It has exactly one of: {' '.join(KINDS)}.")
    if strange := set(told) - {kinds[0], *KINDS[kinds[0]]}:
        _wrong(f"{agent} has {min(strange)}, which does not go with {kinds[0]}.")
    return kinds[0]


def _chat(name: str, told: Mapping[str, Any]) -> Spec:
    url, model, key_env = _text(told, "chat", ""), _text(told, "model", ""), _text(told, "key_env", "")
    parameters = told.get("parameters", {})
    if not model:
        _wrong(f"Agent {quoted(name)} has no model.")
    if key_env and not VARIABLE.fullmatch(key_env):
        _wrong(f"key_env of agent {quoted(name)} is no name of a variable.", "It names the one that holds the key.")
    if not isinstance(parameters, dict) or {"model", "messages", "stream"} & set(parameters):
        _wrong(f"The parameters of agent {quoted(name)} are a table, without model, messages and stream.")
    return Spec(name, "chat", _address(name, url), model, key_env, tuple(parameters.items()))


def _address(name: str, url: str) -> str:
    """The address of an endpoint. What is wrong with it is not repeated: there may be a secret in it."""
    try:
        parts = urlsplit(url)
        fine = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and url.isascii()
    except ValueError:
        fine = False
    if not fine or parts.username is not None or parts.query or parts.fragment or not url.isprintable() or " " in url:
        _wrong(
            f"The chat of agent {quoted(name)} is no address of an endpoint.",
            "It looks like http://127.0.0.1:11434/v1, without a key in it.",
        )
    return url.rstrip("/")


def _pairs(told: object, names: list[str]) -> tuple[tuple[str, str], ...]:
    """Who meets whom: as the plan says, or everybody everybody else."""
    if told is None:
        if len(names) < 2:
            _wrong("There is one agent only.", 'Add another, or let it meet itself: matches = [["a", "a"]].')
        return tuple(combinations(names, 2))
    if not isinstance(told, list) or not told:
        _wrong('matches are pairs of agents: [["one", "two"]].')
    for pair in told:
        if not isinstance(pair, list) or len(pair) != 2:
            _wrong(f'matches are pairs of agents, such as ["one", "two"], and not {_shown(pair)}.')
        for name in pair:
            if name not in names:
                _wrong(f"matches name {_shown(name)}, who is no agent of this plan.", f"Agents: {' '.join(names)}.")
    return tuple((one, two) for one, two in told)


def _words(name: str, told: Mapping[str, Any], field: str) -> tuple[str, ...]:
    words = told.get(field, [])
    if not isinstance(words, list) or not all(isinstance(word, str) and "\0" not in word for word in words):
        _wrong(f"The {field} of agent {quoted(name)} is a list of words.")
    if field == "command" and not words:
        _wrong(f"The command of agent {quoted(name)} is empty.")
    return tuple(words)


def _text(told: Mapping[str, Any], field: str, default: str) -> str:
    found = told.get(field, default)
    if not isinstance(found, str):
        _wrong(f"{field} is text.")
    return found


def _whole(told: Mapping[str, Any], field: str, default: int, low: int, high: int) -> int:
    found = told.get(field, default)
    if type(found) is not int or not low <= found <= high:
        _wrong(f"{field} is a whole number from {low} to {high}, and not {_shown(found)}.")
    return found


def _shown(value: object) -> str:
    return quoted(value) if isinstance(value, str) else json.dumps(value, default=str)[:40]


def _wrong(sentence: str, instead: str = "") -> NoReturn:
    raise Unreadable("not_a_plan", sentence, instead)
