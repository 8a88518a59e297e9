"""Files of the engine's networks: their weights, one file for each rule set that has one, checked when read."""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.strict_json import read_json

MAGIC = b"ninefold network 1\n"
SIZE = 63_188  # bytes of the weights
LARGEST_FILE = 100_000
FOLDER = Path(__file__).parent / "networks"
# The parts of the weights, in the order of the file: how many there are, and how far from 0 they may be. Larger ones
# would overflow, and differently on each kind of processor.
_ANY, _ENCODER, _OUTPUT = 1 << 15, 8191, 127
_PARTS = (
    (9 * 3 * 64, _ENCODER), (64, _ANY), (64 * 64, _ENCODER), (64, _ANY), (32 * 64, _ENCODER), (32, _ANY),
    (9 * 64 * 32, _ENCODER), (9 * 3 * 64, _ANY), (64 * 32, _ENCODER), (10 * 64, _ANY), (64, _ANY), (10 * 64, _OUTPUT),
    (10, _ANY),
)  # fmt: skip


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
    about = _read_head(head)
    rules, scale, digest = (about.get(key) for key in ("rules", "scale", "sha256"))
    if not (isinstance(rules, str) and type(scale) is int and 1 <= scale <= 10_000):
        raise Unreadable("not_a_network", file=name)
    if len(weights) != SIZE or hashlib.sha256(weights).hexdigest() != digest:
        raise Unreadable("not_a_network.damaged", file=name, size=len(weights), most=SIZE)
    if not _are_in_range(weights):
        raise Unreadable("not_a_network", file=name)
    return NetworkFile(rules, scale, weights, about)


def _read_head(line: bytes) -> dict[str, Any]:
    try:
        about = read_json(line.decode())
    except ValueError:
        return {}
    return about if isinstance(about, dict) else {}


def _are_in_range(weights: bytes) -> bool:
    numbers = array("h", weights)
    if sys.byteorder == "big":
        numbers.byteswap()
    start = 0
    for count, limit in _PARTS:
        part = numbers[start : start + count]
        if not -limit <= min(part) <= max(part) <= limit:
            return False
        start += count
    return True


def write_network(file: Path, rules: str, scale: int, weights: bytes, about: dict[str, Any]) -> None:
    head = {"rules": rules, "scale": scale, **about, "sha256": hashlib.sha256(weights).hexdigest()}
    file.write_bytes(MAGIC + json.dumps(head).encode() + b"\n" + weights)
