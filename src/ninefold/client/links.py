"""Links to a match. The part behind the # is a secret: browsers do not send it, and servers do not log it."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, urlsplit

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.messages import Message
from ninefold.server.hosting import tokens

KINDS = ("invite", "code", "watch")
_PATH = re.compile(f"/m/({tokens.MATCH_ID})/?")
_SECRET = re.compile(tokens.SECRET)
INVITATION = "http://host/m/ID#invite=SECRET"
TO_WATCH = Message("link.to_watch")


class Link(NamedTuple):
    """A match on a server, and the secret that comes with it: an invitation, a code, or one for spectators.

    >>> str(Link("http://localhost:8090", "00ff", "invite", "abcdefghijklmnop"))
    'http://localhost:8090/m/00ff#invite=abcdefghijklmnop'
    """

    server: str
    match: str
    kind: str = ""
    secret: str = ""

    def __str__(self) -> str:
        return f"{self.server}/m/{self.match}" + (f"#{self.kind}={self.secret}" if self.kind else "")


def read_link(text: str, server: str = "", example: str | Message = INVITATION) -> Link:
    """The link in a text; a bare id is a match of ``server``. Other fields of a link, such as the game, are ignored.
    ``example`` is what it should look like.

    >>> read_link("http://localhost:8090/m/00ff#invite=abcdefghijklmnop")
    Link(server='http://localhost:8090', match='00ff', kind='invite', secret='abcdefghijklmnop')
    """
    if server and tokens.is_id(text):
        return Link(server, text)
    parts = _split(text)
    path = _PATH.fullmatch(parts.path)
    kind, secret = _secret(parts.fragment)
    if not path or parts.query:
        raise Unreadable("not_a_link", text=_shown(text), example=example)
    if parts.fragment and not _SECRET.fullmatch(secret):
        raise Unreadable("not_a_link.secret", text=_shown(text), example=example)
    return Link(_origin(text, parts), path[1], kind, secret)


def _secret(fragment: str) -> tuple[str, str]:
    """The secret of a fragment that allows the most."""
    given = dict(parse_qsl(fragment, keep_blank_values=True))
    return next(((kind, given[kind]) for kind in KINDS if kind in given), ("", ""))


def read_address(url: str) -> str:
    """The address of a server, as its links begin."""
    parts = _split(url)
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise _not_an_address(url)
    return _origin(url, parts)


def _split(text: str) -> SplitResult:
    try:
        return urlsplit(text.strip())
    except ValueError:
        return urlsplit("")


def _origin(text: str, parts: SplitResult) -> str:
    try:
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # the port is not a number
        known = None
    if not known or parts.username is not None or not parts.netloc.isascii():
        raise _not_an_address(text)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _not_an_address(text: str) -> Unreadable:
    return Unreadable("not_a_server.address", text=_shown(text))


def _shown(text: str) -> str:
    """A text that somebody gave us, without the secret in it."""
    place, behind, _ = text.strip().partition("#")
    return quoted(f"{place[:60]}#...", 64) if behind else quoted(place, 60)
