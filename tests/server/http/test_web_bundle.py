"""``make web``: what esbuild makes of the browser client, and what happens where it cannot."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ninefold.server.http.static_files import HASHED, MANIFEST, STATIC
from scripts import web_bundle


def names(bundle: Path) -> set[str]:
    return {file.relative_to(bundle).as_posix() for file in bundle.rglob("*") if file.is_file()}


@pytest.mark.usefixtures("bundle")
def test_the_same_modules_have_the_same_names_and_a_changed_one_renames_only_what_it_is_in(tmp_path: Path) -> None:
    first, second, static = tmp_path / "first", tmp_path / "second", tmp_path / "static"
    shutil.copytree(STATIC, static)
    web_bundle.make(first)
    web_bundle.make(second, static)
    assert names(first) == names(second)
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in names(first))
    with (static / "css" / "learn.css").open("a", encoding="utf-8") as sheet:
        sheet.write("#learn-more { color: red }\n")
    web_bundle.make(second, static)
    renamed = {name.partition("-")[0] for name in names(second) - names(first)}
    assert renamed == {f"{HASHED}/learn", f"{HASHED}/puzzle"}


@pytest.mark.usefixtures("bundle")
def test_a_bundle_that_cannot_be_made_leaves_the_one_that_is_there(tmp_path: Path) -> None:
    bundle, static = tmp_path / "bundle", tmp_path / "static"
    shutil.copytree(STATIC, static)
    web_bundle.make(bundle, static)
    before = names(bundle)
    (static / "lib" / "api.js").write_text("export const = 1;", encoding="utf-8")
    with pytest.raises(web_bundle.NotBundled):
        web_bundle.make(bundle, static)
    assert names(bundle) == before


def test_a_bundle_that_is_current_is_not_made_again(tmp_path: Path, bundle: Path) -> None:
    made = shutil.copytree(bundle, tmp_path / "bundle")
    (made / "index.html").write_text("kept", encoding="utf-8")
    assert web_bundle.main(made) == 0
    assert (made / "index.html").read_text(encoding="utf-8") == "kept"
    (made / MANIFEST).write_text("damaged", encoding="utf-8")
    assert web_bundle.main(made) == 0
    assert names(made) == names(bundle)
    assert (made / "index.html").read_bytes() == (bundle / "index.html").read_bytes()


def test_without_npm_a_sentence_says_what_is_served_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    assert web_bundle.main(tmp_path / "bundle", tmp_path / "esbuild") == 1
    assert not (tmp_path / "bundle").exists()
    assert capfd.readouterr().err.endswith(
        "The browser client was NOT bundled: npm cannot install esbuild. "
        "Servers of this checkout serve its modules instead; connect to npm's registry, then: make web\n"
    )
