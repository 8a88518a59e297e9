"""The address that is listened at, by one process or by several."""

from __future__ import annotations

import errno
import socket
import sys

from ninefold.core.errors import Refusal

BACKLOG = 2048
DEALS = sys.platform == "linux"  # the system deals connections out evenly to those who share a port


class CannotServe(Refusal):
    """The server cannot be started like this."""


def listen(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """A listening socket; one that is shared is only held, and each worker listens with ``own``."""
    try:
        listener = _bound(host, port)
        if shared and DEALS:
            # Nobody else was there, which a shared port would not tell.
            host, port = listener.getsockname()[:2]
            listener.close()
            return _bound(host, port, shared=True)
        listener.listen(BACKLOG)
    except OSError as error:
        raise CannotServe(_code(error), host=host, port=port, why=error.strerror or error) from None
    return listener


def _code(error: OSError) -> str:
    is_host = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
    return "address_in_use.host" if is_host else "address_in_use.port"


def own(listener: socket.socket) -> socket.socket:
    """A worker's own socket at a shared address: of one socket the first to wake up would take all."""
    if not DEALS:
        return listener
    mine = _bound(*listener.getsockname()[:2], shared=True)
    mine.listen(BACKLOG)
    return mine


def _bound(host: str, port: int, *, shared: bool = False) -> socket.socket:
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        bound.bind((host, port))
    except OSError:
        bound.close()
        raise
    return bound
