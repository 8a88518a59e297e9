"""Who is at the other end of a loopback connection: the process behind a socket, as Linux lists them in /proc."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

# A connection is that of the program itself, of somebody else, closed already, or nobody can tell (not on Linux).
Peer = Literal["own", "other", "closed", "unknown"]
Address = tuple[str, int]
_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")  # a socket of IPv6 may have an address of IPv4
LOOKS = 3  # at a table that may change while it is read
CAN_IDENTIFY = Path(_TABLES[0]).exists()


class SocketOwner(NamedTuple):
    """The user that a socket belongs to, and its number, by which the files of processes are found."""

    user: int
    inode: int


def owner_of(local: Address, remote: Address) -> SocketOwner | None:
    """The owner of the socket of this machine at ``local`` that is connected to ``remote``; None if it is closed."""
    ends = _hex(local), _hex(remote)
    for _ in range(LOOKS):
        for table in _TABLES:
            with contextlib.suppress(OSError):
                for line in Path(table).read_text().splitlines()[1:]:
                    fields = line.split()
                    if fields[1].endswith(ends[0]) and fields[2].endswith(ends[1]) and int(fields[9]):
                        return SocketOwner(int(fields[7]), int(fields[9]))
    return None


def _hex(address: Address) -> str:
    """An address as the tables have it."""
    host = int.from_bytes(socket.inet_aton(address[0]), sys.byteorder)
    return f"{host:08X}:{address[1]:04X}"


def has_socket(root: int, inode: int) -> bool:
    """True if a process, or one that it has started, has this socket open."""
    return any(f"socket:[{inode}]" in _open_files(pid) for pid in _family(root))


def _open_files(pid: int) -> set[str]:
    found: set[str] = set()
    with contextlib.suppress(OSError):
        for entry in os.scandir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                found.add(os.readlink(entry.path))
    return found


def _family(root: int) -> Iterator[int]:
    """A process and its descendants. One whose parent has ended is known by its session."""
    parents = dict(_parents_and_sessions())
    for pid, (parent, session) in parents.items():
        seen = {pid}
        while parent in parents and parent not in seen and parent != root:
            seen.add(parent)
            parent = parents[parent][0]
        if root in (pid, parent, session):
            yield pid


def _parents_and_sessions() -> Iterator[tuple[int, tuple[int, int]]]:
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):  # it has ended
                fields = Path(entry.path, "stat").read_text(errors="replace").rpartition(")")[2].split()
                yield int(entry.name), (int(fields[1]), int(fields[3]))
