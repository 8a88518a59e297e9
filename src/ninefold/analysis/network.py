"""Files of the engine's networks: their weights, one file for each rule set that has one, checked when read."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.core.errors import Unreadable, quoted

MAGIC = b"ninefold network 1\n"
SIZE = 63_188  # bytes of the weights
LARGEST_FILE = 100_000
FOLDER = Path(__file__).parent / "networks"


class RuleSet(NamedTuple):
    """What the engine has to know of the rules of squared and ultimate."""

    drawn_counts_for_both: bool
    boards_break_ties: bool

    @property
    def name(self) -> str:
        return ("squared" if self.drawn_counts_for_both else "ultimate") + ("-boards" if self.boards_break_ties else "")


class NetworkFile(NamedTuple):
    """The rule set for which a network was made, the value of a logit, its weights, and how it was made."""

    rules: str
    scale: int
    weights: bytes
    about: dict[str, Any]


def read_network(file: Path) -> NetworkFile:
    """A file that is as it was written, or a refusal."""
    name = quoted(file.name, 100)
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST_FILE + 1)
    except OSError:
        raise Unreadable("not_a_network.file", file=name) from None
    if not data.startswith(MAGIC):
        raise Unreadable("not_a_network", file=name)
    head, _, weights = data[len(MAGIC) :].partition(b"\n")
    try:
        about = json.loads(head)
        rules, scale, digest = str(about["rules"]), int(about["scale"]), str(about["sha256"])
    except (ValueError, KeyError, TypeError):
        raise Unreadable("not_a_network", file=name) from None
    if len(weights) != SIZE or hashlib.sha256(weights).hexdigest() != digest:
        raise Unreadable("not_a_network.damaged", file=name, size=len(weights), most=SIZE)
    if not 1 <= scale <= 10_000:
        raise Unreadable("not_a_network", file=name)
    return NetworkFile(rules, scale, weights, about)


def write_network(file: Path, rules: str, scale: int, weights: bytes, about: dict[str, Any]) -> None:
    head = {"rules": rules, "scale": scale, **about, "sha256": hashlib.sha256(weights).hexdigest()}
    file.write_bytes(MAGIC + json.dumps(head).encode() + b"\n" + weights)
