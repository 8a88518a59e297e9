"""Bundles the browser client with esbuild: one script and one style sheet for each page, with a hash in every name.

`make web` runs it. The bundle is src/ninefold/server/http/bundle, which git ignores and wheels carry; the server serves
it while it is made from the modules that are there. esbuild comes from npm into build/esbuild, in the version that
package.json names; Node comes with the tests.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ninefold.server.http.static_files import (
    BUNDLE,
    ENGINE,
    HASHED,
    MANIFEST,
    MANIFEST_OF_APP,
    PREFIX,
    STATIC,
    digest_of,
    read_manifest,
    whole_page,
)
from scripts import npm

HOME = npm.PROJECT / "build" / "esbuild"
OPTIONS = (
    "--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8", "--log-level=warning",
    "--tsconfig-raw={}", "--entry-names=[name]-[hash]",
)  # fmt: skip
SCRIPT = re.compile(rf'(?<="{PREFIX})([\w/.-]+\.js)(?=")')
STYLE = re.compile(rf'<link rel="stylesheet" href="{PREFIX}([\w/.-]+\.css)">\n')
# Files that pages and scripts find by their names: in a bundle each of these folders has a name with a hash.
FOLDERS = {f"{ENGINE}/": "*", "offline/data/": "*", "icons/": "*", "languages/": "*.json", "": "*.svg"}
ICON = re.compile(rf'(?<="{PREFIX})(?=[\w-]+\.svg")')


class NotBundled(Exception):
    """esbuild refused the modules; it has said why."""


def manifest(static: Path = STATIC) -> dict[str, str]:
    """What a bundle of these modules says of itself: what it is made from, and by what."""
    script = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]
    return {"sources": digest_of(static), "script": script, "esbuild": npm.pinned("esbuild")}


def is_current(bundle: Path = BUNDLE) -> bool:
    """True if a bundle would be made again just as it is."""
    return read_manifest(bundle) == manifest()


def make(bundle: Path = BUNDLE, static: Path = STATIC, home: Path = HOME) -> None:
    """Make a bundle, in place of the one that is there. Nobody ever sees half of one."""
    npm.install("esbuild", home)
    with tempfile.TemporaryDirectory(dir=bundle.parent, prefix="bundle-") as name:
        new, old = Path(name, "new"), Path(name, "old")
        _write(new, static, home, Path(name))
        if bundle.exists():
            bundle.rename(old)
        new.rename(bundle)


def _write(bundle: Path, static: Path, home: Path, scratch: Path) -> None:
    paths = {file.name: file for file in (*static.glob("*.html"), *static.glob(f"{ENGINE}/*"))}
    files = sorted(static.glob("*.html"))
    pages = {file.stem: page for file in files if (page := whole_page(file, paths)).startswith("<!doctype")}
    for name, page in pages.items():
        parts = [(static / part).read_text(encoding="utf-8") for part in STYLE.findall(page)]
        (scratch / f"{name}.css").write_text("".join(parts), encoding="utf-8")
    scripts = {static / name for page in pages.values() for name in SCRIPT.findall(page)}
    hashed = _esbuild([*scripts, *scratch.glob("*.css")], bundle / HASHED, static, home)
    folders = {
        name: _copy_together(sorted(static.glob(name + kind)), bundle / HASHED) for name, kind in FOLDERS.items()
    }
    for name, page in pages.items():
        page = SCRIPT.sub(lambda found: hashed[static / found[1]], page)
        page = _with_sheet(page, hashed[scratch / f"{name}.css"])
        (bundle / f"{name}.html").write_text(_with_folders(page, folders), encoding="utf-8")
    app = (static / MANIFEST_OF_APP).read_text(encoding="utf-8")
    (bundle / MANIFEST_OF_APP).write_text(_with_folders(app, folders), encoding="utf-8")
    (bundle / MANIFEST).write_text(json.dumps(manifest(static)) + "\n", encoding="utf-8")


def _esbuild(entries: Sequence[Path], folder: Path, static: Path, home: Path) -> dict[Path, str]:
    """The name of the file that is made of each entry. Paths from where esbuild runs are part of the hashes."""
    meta = folder.parent / "meta.json"
    arguments = (*OPTIONS, f"--outdir={folder}", f"--metafile={meta}", *sorted(map(str, entries)))
    if npm.run("esbuild", home, "esbuild", *arguments, cwd=static):
        raise NotBundled
    made = json.loads(meta.read_text(encoding="utf-8"))["outputs"]
    meta.unlink()
    names = {(static / about["entryPoint"]).resolve(): Path(name).name for name, about in made.items()}
    return {entry: names[entry.resolve()] for entry in entries}


def _copy_together(files: Sequence[Path], folder: Path) -> str:
    """The folder of files that scripts find by their names, so that they share a hash: icons, engine, catalogues."""
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8].upper()
    (folder / digest).mkdir()
    for file in files:
        shutil.copyfile(file, folder / digest / file.name)
    return digest


def _with_folders(page: str, folders: Mapping[str, str]) -> str:
    """A page whose addresses name the folders with hashes."""
    page = ICON.sub(lambda _: f"{folders['']}/", page)
    for name, digest in folders.items():
        page = page.replace(f"{PREFIX}{name}", f"{PREFIX}{digest}/") if name else page
    return page


def _with_sheet(page: str, sheet: str) -> str:
    """The page with one style sheet in the place of its last one."""
    *others, last = STYLE.finditer(page)
    link = f'<link rel="stylesheet" href="{PREFIX}{sheet}">\n'
    page = page[: last.start()] + link + page[last.end() :]
    for other in others:
        page = page.replace(other[0], "")
    return page


def main(bundle: Path = BUNDLE, home: Path = HOME) -> int:
    if is_current(bundle):
        return 0
    try:
        make(bundle, home=home)
    except npm.NotInstalled as error:
        print(
            f"{error}\nThe browser client was NOT bundled: npm cannot install esbuild. "
            "Servers of this checkout serve its modules instead; connect to npm's registry, then: make web",
            file=sys.stderr,
        )
        return 1
    except NotBundled:
        print("The browser client was NOT bundled: esbuild says above what is wrong.", file=sys.stderr)
        return 1
    print(f"Bundled the browser client into {bundle}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
