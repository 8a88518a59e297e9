"""Secrets: at least 128 random bits, stored only as digests, compared in constant time."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

SHORTEST, LONGEST = 16, 64  # of a secret, and of an idempotency key from which secrets derive
# Patterns of what clients send. The last is what every database can store; the HTTP API takes less.
MATCH_ID = r"[A-Za-z0-9]{1,32}"
SECRET = rf"[A-Za-z0-9_-]{{{SHORTEST},{LONGEST}}}"
REQUEST_ID = rf"[A-Za-z0-9_.:-]{{1,{LONGEST}}}"
_KEY = re.compile(rf"[!-~]{{1,{LONGEST}}}")


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """The id of a match. It authorises nothing."""
    return secrets.token_hex(8)


def digest(secret: str) -> str:
    return hashlib.sha256(_bytes(secret)).hexdigest()


def profile_id(key: str) -> str:
    """The id of the profile that a key opens: the only form in which a key is stored."""
    return digest(f"profile\0{key}")[:32]


def matches_digest(secret: str, stored: str) -> bool:
    """True if the digest was made of this secret. Compares in constant time."""
    return same_digest(digest(secret), stored)


def same_digest(one: str, stored: str) -> bool:
    """True if two digests are the same, and there is one. Compares in constant time."""
    return bool(stored) and hmac.compare_digest(one, stored)


def derived(key: bytes, *words: str) -> str:
    """A secret that can be derived again from the key and the words, so that a repeated request gets the same one."""
    made = hmac.new(key, _bytes("\0".join(words)), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made[:24]).decode()


def is_id(text: str) -> bool:
    """True if this can be the id of a match."""
    return re.fullmatch(MATCH_ID, text) is not None


def is_key(text: str) -> bool:
    """True if this can be an idempotency key: every database can store it."""
    return _KEY.fullmatch(text) is not None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # half of a surrogate pair is a wrong secret, not an error
