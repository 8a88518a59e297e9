"""The browser client as a folder of static files, for any web space: matches are played in the browser, no server is
needed. All addresses are relative, so that the folder works under any path."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ninefold.core.errors import NotAllowed, quoted
from ninefold.server.http.middleware import CONTENT_SECURITY_POLICY
from ninefold.server.http.static_files import (
    BUNDLE,
    HASHED,
    KEPT_PAGES,
    MANIFEST_OF_APP,
    PREFIX,
    SERVICE_WORKER,
    STATIC,
    is_current_bundle,
    service_worker,
)

MATCH = "m/"  # the folder of the page of all matches
_HEAD = '<meta charset="utf-8">\n'
_ENGINE = '<meta name="engine"'
_LINK = re.compile(r'(?<=href=")/([\w-]*)(?=")')
_ADDRESS = re.compile(r'(?<=")/(?=(?:static/|service-worker\.js|manifest\.webmanifest))')


class WrittenSite(NamedTuple):
    files: int
    size: int


def write_site(folder: Path, bundle: Path = BUNDLE, static: Path = STATIC) -> WrittenSite:
    """Write the site into a new or an empty folder."""
    _check_bundle(bundle, static)
    _check_folder(folder)
    try:
        return _write(folder, bundle, static)
    except OSError as error:
        raise NotAllowed("cannot_write_site", folder=quoted(str(folder), 100), why=error.strerror) from None


def _check_bundle(bundle: Path, static: Path) -> None:
    if not is_current_bundle(bundle, static):
        raise NotAllowed("no_bundle")
    if _ENGINE not in (bundle / "index.html").read_text(encoding="utf-8"):
        raise NotAllowed("no_bundle.engine")


def _check_folder(folder: Path) -> None:
    shown = quoted(str(folder), 100)
    if folder.exists() and not folder.is_dir():
        raise NotAllowed("no_site_folder.file", folder=shown)
    if folder.is_dir() and any(folder.iterdir()):
        raise NotAllowed("no_site_folder.not_empty", folder=shown)


def _write(folder: Path, bundle: Path, static: Path) -> WrittenSite:
    shutil.copytree(bundle / HASHED, folder / PREFIX.strip("/"))
    pages = dict(_pages(bundle))
    for path, page in pages.items():
        (folder / path).mkdir(exist_ok=True)
        (folder / path / "index.html").write_text(page, encoding="utf-8")
    app = (bundle / MANIFEST_OF_APP).read_text(encoding="utf-8")
    (folder / MANIFEST_OF_APP).write_text(app.replace('"/', '"./'), encoding="utf-8")
    script = (static / "offline" / SERVICE_WORKER).read_text(encoding="utf-8")
    names = sorted(file.relative_to(folder).as_posix() for file in (folder / PREFIX.strip("/")).rglob("*.*"))
    worker = service_worker(script, list(pages), MATCH, names, pages.values())
    (folder / SERVICE_WORKER).write_text(worker, encoding="utf-8")
    written = [file.stat().st_size for file in folder.rglob("*") if file.is_file()]
    return WrittenSite(len(written), sum(written))


def _pages(bundle: Path) -> Iterator[tuple[str, str]]:
    """The pages by their folders: a web space serves the index of a folder."""
    folders = {name: f"{path}/" if path else "" for name, path in KEPT_PAGES.items()} | {"match.html": MATCH}
    for name, path in folders.items():
        yield path, _relative((bundle / name).read_text(encoding="utf-8"), "../" if path else "./")


def _relative(page: str, up: str) -> str:
    """A page whose addresses are relative; it says that there is no server."""
    # A page itself cannot say who may frame it.
    policy = CONTENT_SECURITY_POLICY.replace(" frame-ancestors 'none';", "")
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="server" content="none">\n<meta name="site" content="{up}">\n'
    )
    page = _ADDRESS.sub(up, page.replace(_HEAD, _HEAD + head, 1))
    # A page that needs a server is not there; scripts hide the links to it.
    return _LINK.sub(lambda link: f"{up}{link[1]}/" if link[1] in KEPT_PAGES.values() and link[1] else up, page)
