"""The browser client: its pages, and its files under paths with a hash, cached for ever.

The server serves the bundle that ``make web`` makes, with a hash of its content in every name. Without a bundle, or if
it was made of other modules, it serves the modules as they are written. A page of the modules refers to
``/static/...``; it is sent with ``/static/HASH/...`` instead, a hash of all of them. They import each other by relative
paths, so they stay within one version. Paths without the hash redirect to the current one; old hashes are not found.
What two pages share is a file of its own, which they include: ``<!-- include NAME -->``.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request  # noqa: TC002 - FastAPI reads the annotations
from starlette.responses import RedirectResponse, Response

from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.messages import text

if TYPE_CHECKING:
    from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
BUNDLE = Path(__file__).parent / "bundle"
# A bundle has a folder of files with hashes in their names, and a manifest that says what it was made of.
HASHED, MANIFEST = "hashed", "manifest.json"
PREFIX = "/static/"
IMMUTABLE = "public, max-age=31536000, immutable"
_INCLUDE = re.compile(r"<!-- include ([\w.-]+) -->\n")
_SMALL = 500  # bytes that are not worth compressing

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("application/manifest+json", ".webmanifest")


class BrowserClient:
    """``prefix`` begins the paths of the files. ``bundle`` is None to serve the modules as they are written."""

    def __init__(self, static: Path = STATIC, bundle: Path | None = BUNDLE) -> None:
        digest = digest_of(static)
        bundled = bundle if bundle and _is_made_of(bundle, digest) else None
        folder = bundled or static
        self.prefix = PREFIX if bundled else f"{PREFIX}{digest}/"
        self._paths = {file.name: file for file in _files(folder)}
        immutable = folder / HASHED if bundled else folder
        self._files = {
            file.relative_to(immutable).as_posix(): StaticPage(file.read_bytes(), _media_type(file), IMMUTABLE)
            for file in _files(immutable)
        }

    def page(self, name: str) -> StaticPage:
        """A file by its name, in whatever folder, with the hash in its references if it is HTML."""
        file = self._paths[name]
        body = self.template(name).encode() if file.suffix == ".html" else file.read_bytes()
        return StaticPage(body, _media_type(file))

    def template(self, name: str) -> str:
        """A page in which names in braces are to be filled."""
        return whole_page(self._paths[name], self._paths).replace(PREFIX, self.prefix)

    def error_page(self, refusal: Refusal) -> str:
        """The page for people whose request is refused: why, and what they can do next."""
        sentence, instead = refusal.sentence, refusal.instead
        if refusal.reason == "wrong_field":  # which is for those who write requests, and not for those who follow links
            sentence, instead = text("page.damaged"), text("page.damaged.instead")
        sentences = {
            "sentence": sentence,
            "instead": "" if refusal.reason == "not_found" else instead,  # the links say it
            "first_page": text("page.first"),
            "review": text("page.review"),
        }
        return fill(self.template("error.html"), sentences)

    async def file(self, request: Request) -> Response:
        """The file at a path behind ``/static/``."""
        path: str = request.path_params["file"]
        name = path.removeprefix(self.prefix.removeprefix(PREFIX))
        if name not in self._files:
            raise NotAllowed("not_found")
        if f"{self.prefix}{name}" == f"{PREFIX}{path}":
            return await self._files[name].respond(request)
        return RedirectResponse(f"{self.prefix}{name}", headers={"Cache-Control": "no-cache"})


def fill(page: str, texts: Mapping[str, str]) -> str:
    """The page with texts, safe as HTML, instead of their names in braces."""
    for name, words in texts.items():
        page = page.replace(f"{{{name}}}", escape(words))
    return page


def whole_page(file: Path, paths: Mapping[str, Path]) -> str:
    """The text of a page, with the files that it includes by their names."""
    page = file.read_text(encoding="utf-8")
    return _INCLUDE.sub(lambda included: whole_page(paths[included[1]], paths), page)


def digest_of(folder: Path) -> str:
    """A hash of the names and the contents of all files."""
    digest = hashlib.sha256()
    for file in _files(folder):
        digest.update(f"{file.relative_to(folder).as_posix()}\0{file.stat().st_size}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def read_manifest(bundle: Path) -> object:
    """What a bundle says of itself; None if there is none, or a damaged one."""
    try:
        return json.loads((bundle / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _is_made_of(bundle: Path, digest: str) -> bool:
    """True if a bundle was made of the files with this hash."""
    manifest = read_manifest(bundle)
    return isinstance(manifest, dict) and manifest.get("sources") == digest


def _media_type(file: Path) -> str:
    return mimetypes.guess_type(file.name)[0] or "application/octet-stream"


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file())


class StaticPage:
    """A response that clients may keep, in memory. Unless ``cache`` says otherwise, they check for a newer version at
    every visit."""

    def __init__(self, body: bytes, media_type: str, cache: str = "no-cache") -> None:
        self._body, self._packed, self._media_type, self._cache = body, _compress(body), media_type, cache
        self._etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'

    async def respond(self, request: Request) -> Response:
        headers = {"ETag": self._etag, "Cache-Control": self._cache, "Vary": "Accept-Encoding"}
        if etag_matches(request, self._etag):
            return Response(status_code=304, headers=headers)
        if self._packed and _accepts_gzip(request.scope):
            return Response(self._packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=self._media_type)
        return Response(self._body, headers=headers, media_type=self._media_type)


def etag_matches(request: Request, etag: str) -> bool:
    """True if the client has this version already."""
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    return "*" in known or etag.removeprefix("W/") in known


def _accepts_gzip(scope: Scope) -> bool:
    return any(b"gzip" in value for name, value in scope["headers"] if name == b"accept-encoding")


def _compress(body: bytes) -> bytes | None:
    """The compressed body, where that saves something."""
    packed = gzip.compress(body, mtime=0)
    return packed if len(body) > _SMALL and len(packed) < len(body) else None
