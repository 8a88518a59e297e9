"""JSON from outside, without what only Python would take."""

from __future__ import annotations

import json
import math
from typing import NoReturn

LARGEST_INTEGER = 2**53 - 1  # every JSON reader keeps integers up to this exactly


def read_json(text: str) -> object:
    """Parse JSON. Raises a ValueError also for what Python's parser accepts: repeated fields, NaN, infinite numbers,
    lone surrogates; and for JSON that is nested too deeply."""
    try:
        value: object = _DECODER.decode(text)
        if "\\u" in text:  # the only way in for half of a surrogate pair
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("too deep") from None
    return value


def _no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a field twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_no_repeats, parse_constant=_no_constant, parse_float=_finite)
