"""Secrets: at least 128 random bits, kept only as digests, compared in constant time."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

SHORTEST, LONGEST = 16, 64  # of a request that a secret is made of: who guesses it is told the secret
_REQUEST = re.compile(r"[!-~]{1,64}")


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """The name of a match: it authorises nothing."""
    return secrets.token_hex(8)


def digest(secret: str) -> str:
    return hashlib.sha256(_bytes(secret)).hexdigest()


def opens(secret: str, kept: str) -> bool:
    """Whether a secret is the one that a digest was made of."""
    return bool(kept) and hmac.compare_digest(digest(secret), kept)


def derived(key: bytes, *words: str) -> str:
    """A secret that can be made again from the key and the words alone, so that a repeat gets the first answer."""
    made = hmac.new(key, _bytes("\0".join(words)), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made[:24]).decode()


def is_id(text: str) -> bool:
    """Whether this can be the name of a match."""
    return 0 < len(text) <= 32 and text.isascii() and text.isalnum()


def is_request(text: str) -> bool:
    """Whether this can name a request: every database can keep it."""
    return _REQUEST.fullmatch(text) is not None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # half a pair is no secret of ours, and no reason to stumble
