"""Checks the rendered site: every link and anchor leads somewhere, and a page loads nothing from another place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {
    "img": "src",
    "script": "src",
    "link": "href",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
}
OUTSIDE = re.compile(r"""(?:url\(|@import)\s*["']?(https?:|//)""")
NOT_LOADED = {"canonical", "next", "prev", "alternate"}  # kinds of <link> that only say something


class _Page(HTMLParser):
    """The links of a page, what it loads, and the places in it that can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = {""}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADS and LOADS[tag] in given and given.get("rel") not in NOT_LOADED:
            self.loaded.append(given[LOADS[tag]])


@cache
def _read(file: Path) -> _Page:
    page = _Page()
    page.feed(file.read_text(encoding="utf-8"))
    return page


def problems(site: Path) -> list[str]:
    """What is wrong with a site, a sentence each."""
    found: list[str] = []
    for file in sorted(site.rglob("*.html")):
        if file.name != "404.html":  # a server shows it at any address, so its links are absolute
            found += [f"{file.relative_to(site)}: {problem}" for problem in _problems_of(file)]
    for style in sorted(site.rglob("*.css")):
        if OUTSIDE.search(style.read_text(encoding="utf-8")):
            found.append(f"{style.relative_to(site)}: it loads something from outside.")
    return found


def _problems_of(file: Path) -> Iterator[str]:
    page = _read(file)
    for address in page.loaded:
        if urlsplit(address).scheme not in ("", "data") or address.startswith("//"):
            yield f"it loads {address}"
    for address in {*page.links, *page.loaded}:
        parts = urlsplit(address)
        if parts.scheme or address.startswith("//"):
            continue
        target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if not target.is_file():
            yield f"the link to {address} leads nowhere."
        elif target.suffix == ".html" and unquote(parts.fragment) not in _read(target).anchors:
            yield f"the page of {address} has no such anchor."
