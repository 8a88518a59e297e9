"""Isolation of the programs of a run from each other: a sandbox, a user for each, or none.

In every mode a program holds no secret of its seat (see gate.py). Isolation also hides its environment, its files and
the folder of the run from the others.
"""

from __future__ import annotations

import contextlib
import ctypes
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from ninefold.agents.evaluation.peers import CAN_IDENTIFY, Address, Peer, has_socket, owner_of
from ninefold.core.errors import NotAllowed, quoted

Mode = Literal["bubblewrap", "users", "none"]
MODES: tuple[Mode, ...] = get_args(Mode)
FIRST_USER, USERS = 61_184, 4_336  # the range that Linux distributions leave to users that exist for a while
PROBE_S = 30.0
GRAPHICS = ("/dev/nvidia*", "/dev/dri", "/dev/kfd")  # for programs with a model of their own
_PR_GET_DUMPABLE, _PR_SET_DUMPABLE = 3, 4


class ProgramPlace(NamedTuple):
    """A program that is to be started: its command, and the folders that it works in and may write to."""

    agent: str
    seat: int
    command: Sequence[str]
    folder: Path
    writes: Sequence[Path] = ()


class Launch(NamedTuple):
    """How a program is started: the command and options of ``Popen``."""

    command: list[str]
    environment: dict[str, str]
    options: Mapping[str, Any]
    user: int | None = None


class Isolation(ABC):
    """A way to keep programs apart. ``hidden`` are folders that no program may see."""

    mode: Mode

    def __init__(self, hidden: Sequence[Path] = ()) -> None:
        self.hidden: list[Path] = [path.resolve() for path in hidden]

    @abstractmethod
    def launch(self, place: ProgramPlace, environment: Mapping[str, str]) -> Launch: ...

    def peer(self, process: int, launch: Launch, its_end: Address, our_end: Address) -> Peer:
        """Whose connection this is, seen from a program that was started."""
        if not CAN_IDENTIFY:
            return "unknown"
        owner = owner_of(its_end, our_end)
        if owner is None:
            return "closed"
        if launch.user is not None:
            return "own" if owner.user == launch.user else "other"
        return "own" if has_socket(process, owner.inode) else "other"

    def close(self) -> None:  # noqa: B027 - most have nothing to remove
        """Remove what was made for the programs."""


class NoIsolation(Isolation):
    """Every program can read what the others hold. That is worth nothing to it, and using it voids the match."""

    mode = "none"

    def launch(self, place: ProgramPlace, environment: Mapping[str, str]) -> Launch:
        return Launch(list(place.command), dict(environment), {"cwd": place.folder})


class Bubblewrap(Isolation):
    """A sandbox for each program: it sees no other processes, files that it cannot change, and a /tmp of its own."""

    mode = "bubblewrap"

    def __init__(self, hidden: Sequence[Path] = (), folders: Mapping[str, Path] | None = None) -> None:
        super().__init__(hidden)
        self._folders = folders or {}  # each belongs to one agent
        self._program = find_bubblewrap() or "bwrap"

    def launch(self, place: ProgramPlace, environment: Mapping[str, str]) -> Launch:
        own = [path.resolve() for path in place.writes]
        if place.agent in self._folders:
            own.append(self._folders[place.agent].resolve())
        others = [path.resolve() for agent, path in self._folders.items() if agent != place.agent]
        options = [*_SANDBOX, *_visible(place), *_each("--bind", own), *_hide([*others, *self.hidden], own)]
        command = [self._program, *options, "--chdir", str(place.folder.resolve()), "--", *place.command]
        return Launch(command, {**environment, "TMPDIR": "/tmp"}, {})  # noqa: S108 - of the sandbox


_SANDBOX = (
    "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--cap-drop", "ALL",
    "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run",  # noqa: S108 - a new one
)  # fmt: skip


def _visible(place: ProgramPlace) -> list[str]:
    """What a program needs of the places that are hidden: its own files, Python, name resolution and graphics cards."""
    words = [Path(word) for word in place.command if os.path.isabs(word) and os.path.exists(word)]
    package = Path(__file__).parents[3]
    needed = {path.resolve() for path in (place.folder, Path(sys.prefix), Path(sys.base_prefix), package, *words)}
    resolver = Path("/etc/resolv.conf").resolve().parent
    hidden = [path for path in sorted(needed) if Path("/tmp") in path.parents or Path("/run") in path.parents]  # noqa: S108 - compared
    devices = [device for pattern in GRAPHICS for device in glob.glob(pattern)]
    return [
        *_each("--ro-bind", hidden),
        *(_each("--ro-bind-try", [resolver]) if Path("/run") in resolver.parents else []),
        *_each("--dev-bind-try", map(Path, devices)),
    ]


def _each(option: str, paths: Any) -> list[str]:
    return [word for path in paths for word in (option, str(path), str(path))]


def _hide(paths: Sequence[Path], kept: Sequence[Path]) -> list[str]:
    """Empty folders in the place of others, but for one that contains what is kept."""
    hidden = [path for path in paths if path.is_dir() and not any(path in (one, *one.parents) for one in kept)]
    return [word for path in hidden for word in ("--tmpfs", str(path))]


def find_bubblewrap() -> str | None:
    return shutil.which("bwrap")


class SeparateUsers(Isolation):
    """A user for each program, when the run belongs to root: nobody reads what belongs to another user."""

    mode = "users"

    def __init__(self, hidden: Sequence[Path] = ()) -> None:
        super().__init__(hidden)
        self._users: dict[tuple[str, int], int] = {}
        self._homes: tempfile.TemporaryDirectory[str] | None = None
        self._lock = threading.Lock()

    def launch(self, place: ProgramPlace, environment: Mapping[str, str]) -> Launch:
        with self._lock:
            for folder in self.hidden:
                folder.chmod(0o700)
            user = self._user(place)
            home = self._home(user)
        own = {"HOME": str(home), "TMPDIR": str(home), "USER": str(user), "LOGNAME": str(user)}
        options = {"user": user, "group": user, "extra_groups": (), "umask": 0o077, "cwd": place.folder}
        return Launch(list(place.command), {**environment, **own}, options, user)

    def _user(self, place: ProgramPlace) -> int:
        """One for each agent and seat, so that an agent that plays against itself is two users."""
        key = place.agent, place.seat
        if key not in self._users:
            taken = {*self._users.values(), *_users_of_processes()}
            free = (user for user in range(FIRST_USER, FIRST_USER + USERS) if user not in taken)
            self._users[key] = next(free)
        return self._users[key]

    def _home(self, user: int) -> Path:
        if self._homes is None:
            self._homes = tempfile.TemporaryDirectory(prefix="ninefold-homes-")
            os.chmod(self._homes.name, 0o711)  # noqa: S103 - the homes in it are closed
        home = Path(self._homes.name, str(user))
        if not home.exists():
            home.mkdir(mode=0o700)
            os.chown(home, user, user)
        return home

    def close(self) -> None:
        if self._homes:
            self._homes.cleanup()


def _users_of_processes() -> set[int]:
    users = set()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                users.add(entry.stat().st_uid)
    return users


def choose_isolation(
    wanted: Mode | Literal["auto"],
    places: Sequence[ProgramPlace] = (),
    hidden: Sequence[Path] = (),
    folders: Mapping[str, Path] | None = None,
) -> Isolation:
    """The best isolation that works here for these programs, or the one that is wanted, which may be refused."""
    if wanted in ("auto", "bubblewrap"):
        with contextlib.suppress(*_unless(wanted, "bubblewrap")):
            check_bubblewrap()
            return Bubblewrap(hidden, folders)
    if wanted in ("auto", "users"):
        with contextlib.suppress(*_unless(wanted, "users")):
            check_users(places)
            return SeparateUsers(hidden)
    return NoIsolation(hidden)


def _unless(wanted: str, mode: Mode) -> tuple[type[NotAllowed], ...]:
    """The refusals that do not matter: those of a mode that was not asked for by name."""
    return () if wanted == mode else (NotAllowed,)


def check_bubblewrap() -> None:
    """Refuse if there is no sandbox here."""
    program = find_bubblewrap()
    if program is None:
        raise NotAllowed("no_isolation.no_bubblewrap")
    if why := _complaint([program, *_SANDBOX, "--", "true"]):
        raise NotAllowed("no_isolation.bubblewrap", why=why)


def check_users(places: Sequence[ProgramPlace] = ()) -> None:
    """Refuse if these programs cannot be started as other users."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        raise NotAllowed("no_isolation.not_root")
    as_user = {"user": FIRST_USER, "group": FIRST_USER, "extra_groups": ()}
    if why := _complaint(["true"], **as_user):
        raise NotAllowed("no_isolation.users", why=why)
    for place in places:
        program, *words = place.command
        files = [word for word in words if (place.folder / word).is_file()]
        needed = [find_program(program, place.folder) or program, *files]
        check = 'test -x "$0" || exit 1; for word; do test -r "$word" || exit 1; done'
        if _complaint(["sh", "-c", check, *needed], cwd=place.folder, **as_user):
            raise NotAllowed("no_isolation.unreadable", agent=quoted(place.agent))


def find_program(word: str, folder: Path) -> str | None:
    """The file of a program, as it is found from the folder that it is started in."""
    return shutil.which(str(folder.absolute() / word) if os.path.dirname(word) else word)


def _complaint(command: Sequence[str], **options: Any) -> str:
    """ "" if a command succeeds, else the first line that it says."""
    try:
        done = subprocess.run(  # noqa: S603 - a command of ours
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PROBE_S, check=False, **options
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return str(error)
    said = (done.stderr.strip().splitlines() or [f"code {done.returncode}"])[0]
    return "" if done.returncode == 0 else said


@contextlib.contextmanager
def unreadable_process() -> Iterator[None]:
    """Keep other processes of the same user from reading this one: its memory and its environment have the keys."""
    if sys.platform != "linux":
        yield
        return
    libc = ctypes.CDLL(None)
    before = libc.prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(_PR_SET_DUMPABLE, before, 0, 0, 0)
