"""Compiles the native engine to WebAssembly, for the browser client: the rules of the big games, and the search.

`make web` runs it. It writes src/ninefold/server/http/static/engine, which git ignores and wheels carry: the
WebAssembly, the networks of the engine, and a manifest that says what they are made of. The compiler is zig's, from the
Python package ``ziglang``. The same sources give the same bytes. Without the folder, pages ask the server's engine.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from ninefold.analysis.network import FOLDER as NETWORKS
from ninefold.server.http import static_files
from ninefold.server.http.static_files import MANIFEST, STATIC, WASM, read_manifest

PROJECT = Path(__file__).parents[1]
NATIVE = PROJECT / "native"
ENGINE = STATIC / static_files.ENGINE
CACHE = PROJECT / "build" / "zig"
SOURCES = ("wasm/core.cpp", "wasm/runtime.cpp", "eval/hand_crafted_eval.cpp", "eval/network_eval.cpp")
TARGET = ("-target", "wasm32-wasi")
# Floating point as CMakeLists.txt has it: the same values as in the native core.
COMPILE = (
    "c++", *TARGET, "-msimd128", "-std=c++20", "-O3", "-g0", "-fno-exceptions", "-fno-rtti", "-ffp-contract=off",
    "-fno-math-errno", "-Wall", "-Wextra", "-Werror", "-c",
)  # fmt: skip
# As C, without the C++ library: wasm/runtime.cpp has what is needed of it.
LINK = ("cc", *TARGET, "-mexec-model=reactor", "-O3", "-Wl,--strip-all")
_INCLUDE = re.compile(r'^#include "([\w/.]+)"$', re.MULTILINE)


class NotCompiled(Exception):
    """There is no compiler, or it refused the sources."""


def sources(native: Path = NATIVE) -> list[Path]:
    """The files that are compiled, and those that they include."""
    found: set[Path] = set()
    waiting = [native / name for name in SOURCES]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting.extend(native / name for name in _INCLUDE.findall(file.read_text("utf-8")))
    return sorted(found)


def networks() -> list[Path]:
    return sorted(NETWORKS.glob("*.net"))


def manifest(native: Path = NATIVE) -> dict[str, str]:
    """What an engine of these sources says of itself: what it is made from, and by what."""
    digest = hashlib.sha256()
    for name, data in _parts(native):
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return {"sources": digest.hexdigest(), "ziglang": version("ziglang")}


def _parts(native: Path) -> Iterator[tuple[str, bytes]]:
    for file in (*sources(native), *networks()):
        yield file.relative_to(native).as_posix() if file.is_relative_to(native) else file.name, file.read_bytes()
    yield "options", " ".join((*COMPILE, *LINK)).encode()


def is_current(engine: Path = ENGINE) -> bool:
    """True if an engine would be made again just as it is."""
    try:
        code = (engine / WASM).read_bytes()
        return read_manifest(engine) == manifest() | {"sha256": hashlib.sha256(code).hexdigest()}
    except OSError:
        return False


def compile_engine(target: Path, native: Path = NATIVE) -> None:
    """Write the WebAssembly of these sources."""
    if importlib.util.find_spec("ziglang") is None:
        raise NotCompiled("The Python package ziglang is not installed.")
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for name in SOURCES:
            objects.append(str(Path(folder, name.replace("/", "-") + ".o")))
            _zig(*COMPILE, f"-I{native}", str(native / name), "-o", objects[-1])
        _zig(*LINK, *objects, "-o", str(target))


def _zig(*arguments: str) -> None:
    caches = {"ZIG_GLOBAL_CACHE_DIR": str(CACHE), "ZIG_LOCAL_CACHE_DIR": str(CACHE / "local")}
    command = [sys.executable, "-m", "ziglang", *arguments]
    done = subprocess.run(command, env=os.environ | caches, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise NotCompiled(done.stderr.strip())


def make(engine: Path = ENGINE) -> None:
    """Make the engine, in place of the one that is there. Nobody ever sees half of one."""
    about = manifest()
    with tempfile.TemporaryDirectory(dir=engine.parents[1], prefix="bundle-engine-") as name:
        new, old = Path(name, "new"), Path(name, "old")
        new.mkdir()
        compile_engine(new / WASM)
        (new / WASM).chmod(0o644)
        for network in networks():
            shutil.copyfile(network, new / network.name)
        about["sha256"] = hashlib.sha256((new / WASM).read_bytes()).hexdigest()
        (new / MANIFEST).write_text(json.dumps(about) + "\n", encoding="utf-8")
        if engine.exists():
            engine.rename(old)
        new.rename(engine)


def main(engine: Path = ENGINE) -> int:
    if is_current(engine):
        return 0
    print("Compiling the engine to WebAssembly; the first time takes a minute ...", flush=True)
    try:
        make(engine)
    except NotCompiled as error:
        print(
            f"{error}\nThe engine was NOT compiled to WebAssembly. Pages ask the server's engine instead.",
            file=sys.stderr,
        )
        return 1
    print(f"Compiled the engine into {engine}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
