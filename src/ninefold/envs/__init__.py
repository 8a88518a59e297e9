"""Environments for people who train agents.

``batch`` steps many games at once in arrays of any library, ``aec`` is PettingZoo's, ``gym`` and ``vector`` are
Gymnasium's, ``interop`` speaks with OpenSpiel and PettingZoo. They need the extra ``rl``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

EXTRA = "Install it in a checkout of Ninefold with: pip install -c constraints.txt -e '.[rl]'"


@contextmanager
def needs(how: str = EXTRA) -> Iterator[None]:
    """Around imports of what may not be installed: says how to get it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(f"There is no {missing.name} here. {how}", name=missing.name) from None


with needs():
    import_module("numpy")  # all of them count in arrays
