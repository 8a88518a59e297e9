"""Links to a match. What stands behind the # is a secret: browsers do not send it, and servers do not log it."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, urlsplit

from ninefold.core import Unreadable, quoted

KINDS = ("invite", "code", "watch")
_PATH = re.compile(r"/m/([A-Za-z0-9]{1,32})/?")
_SECRET = re.compile(r"[A-Za-z0-9_-]{16,64}")
_ID = re.compile(r"[A-Za-z0-9]{1,32}")


class Link(NamedTuple):
    """A match on a server, and the secret that comes with it: an invitation, a code, or one for spectators."""

    server: str
    match: str
    kind: str = ""
    secret: str = ""

    def __str__(self) -> str:
        return f"{self.server}/m/{self.match}" + (f"#{self.kind}={self.secret}" if self.kind else "")


def read_link(text: str, server: str = "") -> Link:
    """The link in a text; a bare id is a match of ``server``. What else a link says, such as the game, is passed over.

    >>> read_link("http://localhost:8090/m/00ff#invite=abcdefghijklmnop")
    Link(server='http://localhost:8090', match='00ff', kind='invite', secret='abcdefghijklmnop')
    """
    if server and _ID.fullmatch(text):
        return Link(server, text)
    parts = _split(text)
    path = _PATH.fullmatch(parts.path)
    kind, secret = _secret(parts.fragment)
    right = _SECRET.fullmatch(secret) if parts.fragment else True
    if not path or parts.query or not right:
        raise _no_link(text)
    return Link(_origin(text, parts), path[1], kind, secret)


def _secret(fragment: str) -> tuple[str, str]:
    """The first secret that a fragment has, in the order of their worth."""
    given = dict(parse_qsl(fragment, keep_blank_values=True))
    return next(((kind, given[kind]) for kind in KINDS if kind in given), ("", ""))


def read_address(url: str) -> str:
    """The address of a server, as it stands at the beginning of its links."""
    parts = _split(url)
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise _no_address(url)
    return _origin(url, parts)


def _split(text: str) -> SplitResult:
    try:
        return urlsplit(text.strip())
    except ValueError:
        raise _no_link(text) from None


def _origin(text: str, parts: SplitResult) -> str:
    try:
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # the port is no number
        known = None
    if not known or parts.username is not None or not parts.netloc.isascii():
        raise _no_address(text)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _no_link(text: str) -> Unreadable:
    shown = quoted(text.partition("#")[0], 60)
    return Unreadable("not_a_link", f"{shown} is no link to a match.", "It looks like http://host/m/ID#invite=SECRET.")


def _no_address(text: str) -> Unreadable:
    shown = quoted(text.partition("#")[0], 60)
    return Unreadable("not_a_server", f"{shown} is no address of a server.", "It looks like http://host:8090.")
