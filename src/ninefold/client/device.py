"""The identity of this device when it joins a match.

A server gives the same seat to the same idempotency key. The key of a join derives from a secret that only this device
has, so the same link opens the same seat here again, and on no other device.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
from pathlib import Path
from typing import Literal

from ninefold.client.api import RemoteSeat, Server
from ninefold.client.links import Link

FILE = "device"


def request_for(link: Link, folder: Path | None = None) -> str:
    """The idempotency key with which this device joins by a link: always the same one."""
    key = _key(state_folder() if folder is None else folder)
    return hmac.new(key, f"{link.server}\0{link.match}\0{link.secret}".encode(), "sha256").hexdigest()


def take_seat(server: Server, link: Link, name: str = "", rematches: int = 0) -> RemoteSeat:
    """The seat that a link opens, or the one so many rematches later. On this device it is always the same."""
    seat = server.join(link, name, request=request_for(link))
    for _ in range(rematches):
        seat = seat.rematch()
    return seat


def state_folder() -> Path:
    """The folder in which this person's programs store their state."""
    return user_folder("state")


def user_folder(kind: Literal["state", "config"]) -> Path:
    """The folder of this platform for the state, or the settings, of a person's programs."""
    try:
        import platformdirs
    except ImportError:
        return Path.home() / ".ninefold"
    find = platformdirs.user_state_path if kind == "state" else platformdirs.user_config_path
    return find("ninefold", appauthor=False)


def _key(folder: Path) -> bytes:
    """The secret of this device, made when it is first needed; a temporary one where nothing can be stored."""
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
