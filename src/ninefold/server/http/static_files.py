"""The browser client: files that are read once, and told apart by their content."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import Response

from ninefold.core.errors import NotAllowed

if TYPE_CHECKING:
    from starlette.requests import Request

STATIC = Path(__file__).parent / "static"
_TYPES = {".js": "text/javascript; charset=utf-8", ".webmanifest": "application/manifest+json"}
_SMALL = 500  # bytes that are not worth compressing


class Page(NamedTuple):
    body: bytes
    packed: bytes | None
    etag: str
    type: str

    def response(self, request: Request) -> Response:
        headers = {"ETag": self.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if is_known(request, self.etag):
            return Response(status_code=304, headers=headers)
        if self.packed and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=self.type)
        return Response(self.body, headers=headers, media_type=self.type)


def is_known(request: Request, etag: str) -> bool:
    """Whether the client has this already."""
    told = [word.strip().removeprefix("W/") for word in request.headers.get("if-none-match", "").split(",")]
    return "*" in told or etag.removeprefix("W/") in told


def read_pages(folder: Path = STATIC) -> dict[str, Page]:
    """Every file of the browser client by its path."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): _page(file) for file in files}


def _page(file: Path) -> Page:
    body = file.read_bytes()
    packed = gzip.compress(body, mtime=0)
    type = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    worth = len(body) > _SMALL and len(packed) < len(body)
    return Page(body, packed if worth else None, f'"{hashlib.sha256(body).hexdigest()[:20]}"', type)


def no_such_page() -> NotAllowed:
    return NotAllowed("not_found")
