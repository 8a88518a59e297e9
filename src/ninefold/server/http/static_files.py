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
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.requests import Request  # noqa: TC002 - FastAPI reads the annotations
from starlette.responses import RedirectResponse, Response

from ninefold.core.errors import NotAllowed, Refusal
from ninefold.core.messages import refusal_texts

if TYPE_CHECKING:
    from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
BUNDLE = Path(__file__).parent / "bundle"
# A bundle has a folder of files with hashes in their names, and a manifest that says what it was made of.
HASHED, MANIFEST = "hashed", "manifest.json"
PREFIX = "/static/"
IMMUTABLE = "public, max-age=31536000, immutable"
_INCLUDE = re.compile(r"<!-- include ([\w.-]+) -->\n")
# The engine in the page, which `make web` compiles. Without it, pages do not name it and ask the server's.
ENGINE, WASM = "engine", "ninefold.wasm"
_ENGINE_ADDRESS = re.compile(r'<meta name="engine[\w-]*" content="[^"]*">\n')
_SMALL = 500  # bytes that are not worth compressing

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("application/wasm", ".wasm")
mimetypes.add_type("application/manifest+json", ".webmanifest")


# The pages that a service worker keeps, with the paths that are kept for them.
KEPT_PAGES = {"index.html": "", "puzzle.html": "puzzle", "learn.html": "learn", "review.html": "review"}
KEPT_MATCH = "m/local"
MANIFEST_OF_APP, SERVICE_WORKER = "manifest.webmanifest", "service-worker.js"
_BUILD = re.compile(r"^const BUILD = .*;$", re.MULTILINE)
_SERVICE_WORKER_ADDRESS = re.compile(r'<meta name="service-worker" content="[^"]*">\n')


class BrowserClient:
    """``prefix`` begins the paths of the files. ``bundle`` is None to serve the modules as they are written."""

    def __init__(self, static: Path = STATIC, bundle: Path | None = BUNDLE) -> None:
        digest = digest_of(static)
        bundled = bundle if bundle and _is_made_of(bundle, digest) else None
        folder = bundled or static
        self.prefix: str = PREFIX if bundled else f"{PREFIX}{digest}/"
        self.is_bundled = bundled is not None
        self._worker = (static / "offline" / SERVICE_WORKER).read_text(encoding="utf-8")
        self._paths = {file.name: file for file in _files(folder)}
        immutable = folder / HASHED if bundled else folder
        self._files = {
            file.relative_to(immutable).as_posix(): StaticPage(file.read_bytes(), _media_type(file), IMMUTABLE)
            for file in _files(immutable)
        }

    def page(self, name: str) -> StaticPage:
        """A file by its name, in whatever folder, with the hash in its references if it is HTML."""
        file = self._paths[name]
        is_template = file.suffix in (".html", ".webmanifest")
        return StaticPage(self.template(name).encode() if is_template else file.read_bytes(), _media_type(file))

    def template(self, name: str) -> str:
        """A page in which names in braces are to be filled."""
        page = whole_page(self._paths[name], self._paths).replace(PREFIX, self.prefix)
        return page if self.is_bundled else _SERVICE_WORKER_ADDRESS.sub("", page)

    def service_worker(self) -> str:
        """The service worker of the bundle. Modules as they are written are not kept: there it removes itself."""
        pages = [*KEPT_PAGES.values(), KEPT_MATCH] if self.is_bundled else []
        files = [f"{PREFIX[1:]}{name}" for name in self._files] if self.is_bundled else []
        kept = [self.template(name) for name in (*KEPT_PAGES, "match.html")]
        return service_worker(self._worker, pages, KEPT_MATCH, files, kept)

    def error_page(self, refusal: Refusal, language: str) -> str:
        """The page for people whose request is refused: why, and what they can do next."""

        def said(code: str) -> str:
            return refusal_texts(code, {}, language)[0]

        sentence, instead = refusal_texts(refusal.code, refusal.params, language)
        if refusal.reason == "wrong_field":  # which is for those who write requests, and not for those who follow links
            sentence, instead = said("page.damaged"), said("page.damaged.instead")
        sentences = {
            "language": language,
            "sentence": sentence,
            "instead": "" if refusal.reason == "not_found" else instead,  # the links say it
            "first_page": said("page.first"),
            "review": said("page.review"),
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


def service_worker(script: str, pages: Sequence[str], match: str, files: Sequence[str], kept: Iterable[str]) -> str:
    """The script of the service worker, which keeps these pages and files. Its version is a hash of all of them."""
    facts = {"pages": pages, "match": match, "files": files}
    digest = hashlib.sha256(json.dumps([facts, *kept, script]).encode()).hexdigest()[:16]
    build = {"version": digest if files else "", **facts}
    return _BUILD.sub(lambda _: f"const BUILD = {json.dumps(build)};", script)


def fill(page: str, texts: Mapping[str, str]) -> str:
    """The page with texts, safe as HTML, instead of their names in braces."""
    for name, words in texts.items():
        page = page.replace(f"{{{name}}}", escape(words))
    return page


def whole_page(file: Path, paths: Mapping[str, Path]) -> str:
    """The text of a page, with the files that it includes by their names."""
    page = file.read_text(encoding="utf-8")
    page = _INCLUDE.sub(lambda included: whole_page(paths[included[1]], paths), page)
    return page if WASM in paths else _ENGINE_ADDRESS.sub("", page)


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


def is_current_bundle(bundle: Path = BUNDLE, static: Path = STATIC) -> bool:
    """True if a bundle is there, and made of the modules as they are."""
    return _is_made_of(bundle, digest_of(static))


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
        self._body, self._media_type, self._cache = body, media_type, cache
        self._etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'

    @cached_property
    def _packed(self) -> bytes | None:
        return _compress(self._body)

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
