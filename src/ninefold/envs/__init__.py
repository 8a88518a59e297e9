"""Environments for people who train agents.

``batch`` steps many games at once in arrays of any library, ``aec`` is PettingZoo's, ``gym`` and ``vector`` are
Gymnasium's, ``interop`` speaks with OpenSpiel and PettingZoo. They need the extra ``rl``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module


@contextmanager
def needs(package: str) -> Iterator[None]:
    """Around imports of what may not be installed: says how to get it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        sentence = f"There is no {missing.name} here. Install it with: pip install '{package}'"
        raise ModuleNotFoundError(sentence, name=missing.name) from None


with needs("ninefold[rl]"):
    import_module("numpy")  # all of them count in arrays
