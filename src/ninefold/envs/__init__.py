"""Environments for people who train agents.

``batch`` steps many games at once in arrays of any library, ``aec`` is PettingZoo's, ``gym`` and ``vector`` are
Gymnasium's, ``interop`` converts games of OpenSpiel and PettingZoo. They need the extra ``rl``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from ninefold.core.messages import register, text
from ninefold.envs.messages import ENGLISH

register(ENGLISH)


@contextmanager
def needs() -> Iterator[None]:
    """Around imports of packages that may not be installed: the error names the command that installs them."""
    try:
        yield
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        own = f"envs.not_installed.{package}"
        raise ModuleNotFoundError(
            text(own if own in ENGLISH else "envs.not_installed", package=package), name=missing.name
        ) from None


with needs():
    import_module("numpy")  # every environment needs it
