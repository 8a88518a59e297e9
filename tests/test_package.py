"""The sdist, and the wheel that is built from it: installed into empty environments, and played."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from ninefold import __version__
from ninefold.server.http.static_files import PREFIX, BrowserClient

ROOT = Path(__file__).parents[1]
BUILD = """
import sys
from scikit_build_core import build
getattr(build, sys.argv[1])(sys.argv[2])
"""


MAN_PAGE = "share/man/man1/ninefold.1"  # where man looks for the pages of the commands in bin/


class Environment:
    """An empty virtual environment; pip serves it from outside, so that nothing but the package is in it."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, symlinks=True)
        self.python, self.command = folder / "bin" / "python", folder / "bin" / "ninefold"

    def install(self, *what: str) -> None:
        run(sys.executable, "-m", "pip", "--python", str(self.python), "install", "--quiet", *what)


def run(*command: str, cwd: Path | None = None, typed: str = "") -> str:
    done = subprocess.run(command, cwd=cwd, input=typed, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sdist of this tree and the wheel that is built from it, by kind."""
    builder = Environment(tmp_path_factory.mktemp("builder"))
    builder.install("scikit-build-core>=1.1", "nanobind>=3.1", "cmake", "ninja")
    folder = tmp_path_factory.mktemp("dist")
    run(str(builder.python), "-c", BUILD, "build_sdist", str(folder), cwd=ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    sources = tmp_path_factory.mktemp("sources")
    with tarfile.open(sdist) as archive:
        archive.extractall(sources, filter="data")
    run(str(builder.python), "-c", BUILD, "build_wheel", str(folder), cwd=next(sources.iterdir()))
    (wheel,) = folder.glob("*.whl")
    return {"sdist": sdist, "wheel": wheel}


def test_installed_into_an_empty_environment_it_plays_a_move(built: dict[str, Path], tmp_path: Path) -> None:
    environment = Environment(tmp_path / "empty")
    environment.install(str(built["wheel"]))
    seen = run(
        str(environment.command), "play", "classic", "--x", "human", "--o", "human", cwd=tmp_path, typed="5\ne\n"
    )
    assert "1 | 2 | 3\n4 | X | 6\n7 | 8 | 9\n" in seen
    assert run(str(environment.command), "--version", cwd=tmp_path).startswith(
        f"ninefold {__version__} (native core on "
    )
    assert "ninefold play" in (environment.python.parents[1] / MAN_PAGE).read_text(encoding="utf-8")


def test_the_core_has_no_dependencies_and_names_the_extra_that_a_command_needs(
    built: dict[str, Path], tmp_path: Path
) -> None:
    environment = Environment(tmp_path / "empty")
    environment.install(str(built["wheel"]))
    listed = run(sys.executable, "-m", "pip", "--python", str(environment.python), "list", "--format", "freeze")
    assert [line.partition("==")[0] for line in listed.split() if not line.startswith(("pip==", "setuptools=="))] == [
        "ninefold"
    ]
    assert "draw for X" in run(str(environment.command), "solve", "classic", cwd=tmp_path)
    assert "nodes" in run(str(environment.command), "analyze", "squared", "--nodes", "1000", cwd=tmp_path)
    refused = subprocess.run([environment.command, "serve"], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert refused.returncode == 2
    assert refused.stderr.endswith("which is not installed. pip install 'ninefold[server]'\n")
    menu = subprocess.run([environment.command], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert menu.returncode == 0


def test_the_wheel_holds_the_package_and_its_native_core_alone(built: dict[str, Path]) -> None:
    with zipfile.ZipFile(built["wheel"]) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0] for name in names} == {
        "ninefold", f"ninefold-{__version__}.dist-info", f"ninefold-{__version__}.data",
    }  # fmt: skip
    assert [name for name in names if ".data/" in name] == [f"ninefold-{__version__}.data/data/{MAN_PAGE}"]
    assert "ninefold/py.typed" in names
    assert {f"ninefold/cli/completions/ninefold.{shell}" for shell in ("bash", "zsh", "fish")} <= set(names)
    assert [name for name in names if name.startswith("ninefold/_native.") and name.endswith(".so")]
    for_a_gpu = {name for name in names if name.startswith("ninefold/envs/cuda/")}
    sources = ("batch/batch.cu", "batch/big_game.hpp", "batch/counter_rng.hpp", "rules.hpp")
    assert for_a_gpu == {f"ninefold/envs/cuda/{name}" for name in sources}
    assert not [name for name in names if "__pycache__" in name]


def test_both_carry_the_bundle_of_the_browser_client_and_the_modules_that_it_is_made_of(
    built: dict[str, Path], bundle: Path, tmp_path: Path
) -> None:
    files = {file.relative_to(bundle).as_posix() for file in bundle.rglob("*") if file.is_file()}
    assert {"index.html", "manifest.json"} < files
    with tarfile.open(built["sdist"]) as archive:
        packed = {name.partition("/src/ninefold/server/http/bundle/")[2] for name in archive.getnames()}
    assert packed - {""} == files
    shutil.unpack_archive(built["wheel"], tmp_path, "zip")
    folder = tmp_path / "ninefold" / "server" / "http"
    assert BrowserClient(folder / "static", folder / "bundle").prefix == PREFIX, "a server of the wheel serves it"
    assert {file.relative_to(folder / "bundle").as_posix() for file in (folder / "bundle").rglob("*.*")} == files


def test_the_sdist_holds_sources_tests_and_documents_and_no_leftovers(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert {
        "LICENSE",
        "README.md",
        "pyproject.toml",
        "src/ninefold/cli/main.py",
        "native/rules.hpp",
        "tests/test_package.py",
    } <= set(names)
    leftovers = (".venv/", ".git/", "build/", "dist/", "__pycache__", "_cache/", ".hypothesis/")
    assert [name for name in names if any(leftover in f"{name}/" for leftover in leftovers)] == []
