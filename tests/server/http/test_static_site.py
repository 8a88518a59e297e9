"""``ninefold site``: the folder of static files, and what is refused."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from ninefold.cli.main import main
from ninefold.core.errors import NotAllowed
from ninefold.server.http.static_files import STATIC, BrowserClient
from ninefold.server.http.static_site import write_site

PAGES = ("index.html", "m/index.html", "puzzle/index.html", "learn/index.html", "review/index.html")
ADDRESS = re.compile(r'(?:href|src|content)="((?:\.\.?/)[^"#]*)"')


@pytest.fixture
def site(tmp_path: Path, bundle: Path) -> Path:
    write_site(tmp_path / "site", bundle)
    return tmp_path / "site"


def test_every_address_of_a_page_is_relative_and_leads_to_a_file_of_the_folder(site: Path) -> None:
    for name in PAGES:
        page = (site / name).read_text("utf-8")
        named = ADDRESS.findall(page)
        assert len(named) > 8
        for address in named:
            assert (site / name).parent.joinpath(address).exists(), address
        assert re.findall(r'(?:href|src|content)="/', page) == []
        assert '<meta name="server" content="none">' in page


def test_the_service_worker_keeps_every_page_and_every_file(site: Path) -> None:
    worker = (site / "service-worker.js").read_text("utf-8")
    found = re.search(r"^const BUILD = (.*);$", worker, re.MULTILINE)
    assert found
    build = json.loads(found[1])
    assert {f"{page}index.html" for page in build["pages"]} == set(PAGES)
    assert {*build["files"]} == {
        file.relative_to(site).as_posix() for file in (site / "static").rglob("*") if file.is_file()
    }
    app = json.loads((site / "manifest.webmanifest").read_text("utf-8"))
    assert all((site / icon["src"]).is_file() for icon in app["icons"])


def test_a_page_that_changes_gives_the_service_worker_another_version(tmp_path: Path, site: Path, bundle: Path) -> None:
    changed = shutil.copytree(bundle, tmp_path / "changed")
    (changed / "learn.html").write_text("<!doctype html>", "utf-8")
    write_site(tmp_path / "other", changed)
    assert (site / "service-worker.js").read_bytes() != (tmp_path / "other" / "service-worker.js").read_bytes()


def test_modules_as_they_are_written_are_not_kept() -> None:
    client = BrowserClient(bundle=None)
    assert "service-worker" not in client.template("index.html")
    assert 'const BUILD = {"version": "", ' in client.service_worker()


@pytest.mark.usefixtures("bundle")
@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("file", "is a file. Name a new folder, or an empty one."),
        ("not_empty", "is not empty. Name a new folder, or an empty one."),
        ("below_a_file", "Not a directory. Choose another folder."),
    ],
)
def test_what_cannot_be_written_is_refused_with_a_sentence(
    tmp_path: Path, kind: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    (tmp_path / "not_empty").mkdir()
    (tmp_path / "not_empty" / "kept").write_text("", "utf-8")
    out = tmp_path / "file" / "site" if kind == "below_a_file" else tmp_path / kind
    assert main(["site", str(out)]) == 2
    assert capsys.readouterr().err.strip().endswith(sentence)
    assert sorted(file.name for file in (tmp_path / "not_empty").iterdir()) == ["kept"]


def test_without_a_bundle_or_its_engine_the_remedy_is_named(tmp_path: Path, bundle: Path) -> None:
    with pytest.raises(NotAllowed, match=r"not bundled here.*make web"):
        write_site(tmp_path / "out", tmp_path / "none", STATIC)
    plain = shutil.copytree(bundle, tmp_path / "plain")
    page = (plain / "index.html").read_text("utf-8")
    (plain / "index.html").write_text(page.replace('<meta name="engine"', '<meta name="other"'), "utf-8")
    with pytest.raises(NotAllowed, match=r"has no engine.*make web"):
        write_site(tmp_path / "out", plain)
    assert not (tmp_path / "out").exists()
