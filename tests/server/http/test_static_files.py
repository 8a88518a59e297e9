"""The browser client: pages that are checked at every visit, and files that are cached for ever under their hash."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ninefold.server.http.static_files import (
    ENGINE,
    HASHED,
    MANIFEST,
    PREFIX,
    STATIC,
    WASM,
    BrowserClient,
    digest_of,
)
from tests.support.http_server import Running, running

FILES = sorted(file.relative_to(STATIC).as_posix() for file in STATIC.rglob("*") if file.is_file())
PAGES = ("/", "/m/0123456789abcdef", "/review")
DIGEST = digest_of(STATIC)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("static"), plain_modules=True) as server:
        yield server


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory, bundle: Path) -> Iterator[Running]:
    """A server of the bundle."""
    with running(tmp_path_factory.mktemp("bundled")) as server:
        yield server


def test_the_pages_are_served(server: Running) -> None:
    for path, code in zip(PAGES, ("lobby.live", "match.opening", "record.open"), strict=True):
        response = server.http.get(path)
        assert (response.status_code, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert f'data-text="{code}"' in response.text
    assert server.http.get("/favicon.svg").headers["content-type"] == "image/svg+xml"
    assert server.http.head("/").status_code == 200


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_checked_at_every_visit_and_sent_only_when_it_has_changed(server: Running, path: str) -> None:
    page = server.http.get(path)
    assert page.headers["cache-control"] == "no-cache"
    known = server.http.get(path, headers={"If-None-Match": page.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")


def test_a_page_names_the_engine_only_where_it_was_compiled(tmp_path: Path) -> None:
    static = tmp_path / "static"
    shutil.copytree(STATIC, static, ignore=shutil.ignore_patterns(ENGINE))
    assert "engine" not in BrowserClient(static, None).template("review.html")
    (static / ENGINE).mkdir()
    (static / ENGINE / WASM).touch()
    named = BrowserClient(static, None).template("review.html")
    addresses = re.findall(r'<meta name="engine[\w-]*" content="/static/\w+/([\w/.-]+)">', named)
    assert addresses == [f"{ENGINE}/{WASM}", "offline/engine-worker.js"]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_refers_to_files_under_their_hash(server: Running, path: str) -> None:
    named = set(re.findall(r'"(/static/[^"]*)"', server.http.get(path).text))
    assert len(named) > 2
    for file in named:
        assert file.startswith(f"/static/{DIGEST}/")
        if file.endswith("/"):  # a folder, whose files scripts find by their names
            assert any(name.startswith(file.removeprefix(f"/static/{DIGEST}/")) for name in FILES)
        else:
            assert server.http.get(file).status_code == 200


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_cached_for_ever_under_its_hash(server: Running, name: str) -> None:
    content = (STATIC / name).read_bytes()
    response = server.http.get(f"/static/{DIGEST}/{name}")
    assert response.content == content
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    known = server.http.get(f"/static/{DIGEST}/{name}", headers={"If-None-Match": response.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    plain = server.http.get(f"/static/{DIGEST}/{name}", headers={"Accept-Encoding": "identity"})
    assert (plain.content, plain.headers.get("content-encoding")) == (content, None)
    assert server.http.head(f"/static/{DIGEST}/{name}").content == b""


def test_modules_have_the_type_that_browsers_need(server: Running) -> None:
    module = next(name for name in FILES if name.endswith(".js"))
    response = server.http.get(f"/static/{DIGEST}/{module}")
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"


def test_a_large_file_is_compressed(server: Running) -> None:
    name = max(FILES, key=lambda name: (STATIC / name).stat().st_size)
    with server.http.stream("GET", f"/static/{DIGEST}/{name}", headers={"Accept-Encoding": "gzip"}) as response:
        assert response.headers["content-encoding"] == "gzip"
        assert gzip.decompress(b"".join(response.iter_raw())) == (STATIC / name).read_bytes()


def test_a_path_without_a_hash_redirects_to_the_current_one(server: Running) -> None:
    response = server.http.get(f"/static/{FILES[0]}")
    assert (response.status_code, response.headers["location"]) == (307, f"/static/{DIGEST}/{FILES[0]}")
    assert response.headers["cache-control"] == "no-cache"


def test_a_path_with_an_old_hash_is_not_found(server: Running) -> None:
    response = server.http.get(f"/static/{'0' * len(DIGEST)}/{FILES[0]}")
    assert (response.status_code, response.json()["reason"]) == (404, "not_found")


@pytest.mark.parametrize(
    "path", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "", "/etc/passwd", "%00", "nothing.js", "x" * 300]
)
@pytest.mark.parametrize("digest", ["", f"{DIGEST}/"])
def test_only_files_of_the_browser_client_are_served(server: Running, digest: str, path: str) -> None:
    url = httpx.URL(f"http://127.0.0.1:{server.port}").copy_with(raw_path=f"/static/{digest}{path}".encode())
    assert server.http.get(url).status_code == 404


def test_the_hash_changes_with_every_file_and_every_name(tmp_path: Path) -> None:
    shutil.copytree(STATIC, tmp_path / "static")
    digests = [digest_of(tmp_path / "static")]
    file = tmp_path / "static" / FILES[-1]
    with file.open("a") as opened:
        opened.write(" ")
    digests.append(digest_of(tmp_path / "static"))
    file.rename(file.with_name("another.txt"))
    digests.append(digest_of(tmp_path / "static"))
    assert digests[0] == DIGEST
    assert len(set(digests)) == 3


@pytest.mark.parametrize("path", ["/", "/m/0123456789abcdef", "/review", "/puzzle", "/learn"])
def test_a_page_of_the_bundle_has_few_files_with_hashes_in_their_names_cached_for_ever(
    bundled: Running, path: str
) -> None:
    page = bundled.http.get(path)
    assert page.headers["cache-control"] == "no-cache"
    loaded = set(re.findall(r'(?:src|href)="(/static/[^"]*)"', page.text))
    assert len(loaded) == 5  # what sets the theme, one script, one style sheet, the icon, and that of phones
    # What may be needed later: the engine and its worker, if it was compiled, and what plays offline; folders of data.
    later = set(re.findall(r'content="(/static/[^"]*)"', page.text))
    name = r"[\w-]+-[A-Z0-9]{8}\.(js|css)|[A-Z0-9]{8}/(favicon\.svg|icon-180\.png|ninefold\.wasm|de\.json)?"
    for file in loaded | later:
        assert re.fullmatch(f"/static/({name})", file)
        if file.endswith("/"):
            continue
        response = bundled.http.get(file)
        assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
        if len(response.content) > 500 and not file.endswith(".png"):  # which is compressed already
            assert response.headers["content-encoding"] == "gzip"
        assert "<!-- include" not in response.text


def test_the_bundle_has_the_icon_that_scripts_exchange_for_the_other(bundled: Running) -> None:
    icon = re.findall(r'rel="icon" href="([^"]*)"', bundled.http.get("/").text)[0]
    assert bundled.http.get(icon.replace("favicon", "favicon-turn")).headers["content-type"] == "image/svg+xml"
    assert bundled.http.get("/favicon.ico").headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize("path", ["../manifest.json", "index.html", "lib/api.js", "", "%2e%2e/index.html"])
def test_of_the_bundle_only_files_with_hashes_are_cached_for_ever(bundled: Running, path: str) -> None:
    url = httpx.URL(f"http://127.0.0.1:{bundled.port}").copy_with(raw_path=f"/static/{path}".encode())
    assert bundled.http.get(url).status_code == 404


def test_an_error_page_of_the_bundle_names_its_files(bundled: Running) -> None:
    page = bundled.http.get("/nowhere", headers={"Accept": "text/html"})
    assert page.status_code == 404
    for file in set(re.findall(r'"(/static/[^"]*)"', page.text)):
        assert bundled.http.get(file).status_code == 200


def test_only_a_bundle_of_the_modules_that_are_there_is_served(tmp_path: Path) -> None:
    static, bundle = tmp_path / "static", tmp_path / "bundle"
    shutil.copytree(STATIC, static)
    modules = f"{PREFIX}{digest_of(static)}/"
    assert BrowserClient(static, bundle).prefix == modules, "there is none"
    (bundle / HASHED).mkdir(parents=True)
    for damaged in ("", "[]", "{}", '{"sources": 7}'):
        (bundle / MANIFEST).write_text(damaged, encoding="utf-8")
        assert BrowserClient(static, bundle).prefix == modules
    (bundle / MANIFEST).write_text(json.dumps({"sources": digest_of(static)}), encoding="utf-8")
    (bundle / "index.html").write_text("bundled", encoding="utf-8")
    assert BrowserClient(static, bundle).prefix == PREFIX
    assert BrowserClient(static, bundle).template("index.html") == "bundled"
    assert BrowserClient(static, None).prefix == modules
    with (static / "lib" / "api.js").open("a", encoding="utf-8") as module:
        module.write("// changed\n")
    stale = BrowserClient(static, bundle)
    assert stale.prefix == f"{PREFIX}{digest_of(static)}/" != modules
    assert f'"{stale.prefix}lobby/lobby-page.js"' in stale.template("index.html")
