"""What this computer calls itself when it asks for a seat.

A server gives the same seat to the same request for it. The name is made from a key that only this computer has, so
the same link opens the same seat here again, and nobody else's.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
from pathlib import Path

from ninefold.client.api import Seat, Server
from ninefold.client.links import Link

FILE = "device"


def request_for(link: Link, folder: Path | None = None) -> str:
    """The request with which this computer asks for the seat that a link opens: always the same one."""
    key = _key(_folder() if folder is None else folder)
    return hmac.new(key, f"{link.server}\0{link.match}\0{link.secret}".encode(), "sha256").hexdigest()


def take_seat(server: Server, link: Link, name: str = "", rematches: int = 0) -> Seat:
    """The seat that a link opens, or the one so many rematches later: at this computer always the same."""
    seat = server.join(link, name, request=request_for(link))
    for _ in range(rematches):
        seat = seat.rematch()
    return seat


def _folder() -> Path:
    from platformdirs import user_state_path

    return user_state_path("ninefold", appauthor=False)


def _key(folder: Path) -> bytes:
    """The key of this computer, made when it is first wanted; one for now where nothing can be kept."""
    file, fresh = folder / FILE, secrets.token_bytes(32)
    draft = folder / f".{FILE}.{secrets.token_hex(8)}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not file.exists():
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as made:
                made.write(fresh)
            os.link(draft, file)  # whole or not at all, and never over another one
    except OSError:
        pass
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    try:
        return file.read_bytes()
    except OSError:
        return fresh
