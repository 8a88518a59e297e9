"""``ninefold serve``: where the server listens, which names it has, and in how many processes it runs."""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from ipaddress import ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.messages import text
from ninefold.server.http.config import HOST, Config, Limits, Mounts, data_folder, rates
from ninefold.server.http.logs import say
from ninefold.server.http.systemd import passed_socket
from ninefold.server.storage.config import ServiceConfig

BACKLOG = 2048
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - compared with, not listened at
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_PORTS = {"http": 80, "https": 443}
_HAS_REUSEPORT = sys.platform == "linux"  # where the system spreads connections over sockets that share a port


class ServerNames(NamedTuple):
    """The names of a server: hosts and origins as browsers write them, and links for people."""

    hosts: frozenset[str]
    origins: frozenset[str]
    links: tuple[str, ...]


def serve(given: argparse.Namespace, mounts: Mounts = ()) -> int:
    """Run a server as the command line says; returns the exit code."""
    if given.workers > 1 and not given.database.startswith(("postgresql://", "postgres://")):
        raise NotAllowed("needs_postgresql")
    if given.until_eof:
        threading.Thread(target=_stop_at_end_of_input, name="ninefold-input", daemon=True).start()
    host = given.host or (EVERYWHERE[0] if given.lan else HOST)
    with listen(host, given.port, shared=given.workers > 1) as listener:
        port = listener.getsockname()[1]
        with _naming_the_variable(given, "public_url"):
            names = server_names(given.host or "", port, lan=given.lan, public_url=given.public_url)
        config = _config(given, names, mounts)
        code = _run(config, listener, [*_welcome(config, names), *_warnings(given, host), text("serve.stop")])
    if code == 0:
        say(text("serve.stopped"))
    return code


@contextlib.contextmanager
def _naming_the_variable(given: argparse.Namespace, name: str) -> Iterator[None]:
    """A value that cannot be read is refused with the environment variable that it came from, if it did."""
    try:
        yield
    except Unreadable as refusal:
        if name not in given.variables:
            raise
        parts = {"sentence": refusal.sentence, "instead": refusal.instead}
        raise Unreadable("not_an_address.variable", variable=given.variables[name], **parts) from None


def _config(given: argparse.Namespace, names: ServerNames, mounts: Mounts) -> Config:
    writes, reads = rates(given.rate)
    with _naming_the_variable(given, "metrics"):
        metrics = _metrics_address(given.metrics) if given.metrics else None
    with _naming_the_variable(given, "proxy"):
        proxy = _proxy(given.proxy)
    return Config(
        data=data_folder(given.data),
        database=given.database,
        hosts=names.hosts,
        origins=names.origins,
        limits=Limits(writes=writes, reads=reads),
        service=ServiceConfig(
            matches=given.matches, cached=given.cached, engines=given.engines, keep_days=given.keep_days
        ),
        metrics=metrics,
        traces=_traces_url(given),
        proxy=proxy,
        quiet=given.quiet,
        workers=given.workers,
        address=names.links[-1],
        mounts=mounts,
    )


def _welcome(config: Config, names: ServerNames) -> Iterator[str]:
    for link in names.links:
        yield text("serve.address", link=link)
    for path, _ in config.mounts:
        yield text("serve.agents", link=f"{config.address.rstrip('/')}{path}")


def _warnings(given: argparse.Namespace, host: str) -> Iterator[str]:
    """Options that do not do what somebody may expect of them."""
    if host in EVERYWHERE and not (given.lan or given.public_url):
        yield text("serve.foreign_names")
    if given.data and given.database:
        yield text("serve.unused_data")


def _run(config: Config, listener: socket.socket, lines: list[str]) -> int:
    from ninefold.server.http.workers import run_alone, run_workers

    return (run_workers if config.workers > 1 else run_alone)(config, listener, lambda: say(*lines))


def _stop_at_end_of_input() -> None:
    """Stop the server when its input ends: the process that started it has exited, or has closed the pipe."""
    while os.read(sys.stdin.fileno(), 65_536):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


# Sockets


def listen(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """A listening socket. A shared one only holds the port for the ``WorkerSockets``."""
    if passed := passed_socket():
        return passed
    try:
        listener = _bind(host, port)
        if shared and _HAS_REUSEPORT:
            # Nobody else listens there, which binding a shared port would not tell.
            host, port = listener.getsockname()[:2]
            listener.close()
            return _bind(host, port, shared=True)
        listener.listen(BACKLOG)
    except OSError as error:
        is_host = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        code = "address_in_use.host" if is_host else "address_in_use.port"
        raise NotAllowed(code, host=host, port=port, why=error.strerror or error) from None
    return listener


class WorkerSockets:
    """A socket for each worker, at the port that ``holder`` holds: with one socket for all, the first worker to wake up
    would take everything. The worker listens when it can serve.

    They belong to the supervisor: connections that a worker has not accepted wait for its successor.
    """

    def __init__(self, holder: socket.socket) -> None:
        self._holder = holder
        self._is_shared = _HAS_REUSEPORT and bool(holder.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT))
        self._sockets: dict[int, socket.socket] = {}

    def get(self, number: int) -> socket.socket:
        if not self._is_shared:
            return self._holder
        if number not in self._sockets:
            self._sockets[number] = _bind(*self._holder.getsockname()[:2], shared=True)
        return self._sockets[number]

    def drop(self, number: int) -> None:
        """Close the socket of a worker that has died: new connections go to the others."""
        if number in self._sockets:
            self._sockets.pop(number).close()

    def __enter__(self) -> WorkerSockets:
        return self

    def __exit__(self, *_: object) -> None:
        for number in list(self._sockets):
            self.drop(number)


def _bind(host: str, port: int, *, shared: bool = False) -> socket.socket:
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        bound.bind((host, port))
    except OSError:
        bound.close()
        raise
    return bound


# Names


def server_names(host: str, port: int, *, lan: bool = False, public_url: str = "") -> ServerNames:
    """The names that the server answers to: loopback, its own address, and those that were asked for."""
    own = [] if host in EVERYWHERE else [f"[{host}]" if ":" in host else host.lower()]
    near = _lan_addresses() if lan else []
    hosts = {f"{name}:{port}" for name in (*_LOOPBACK, *own, *near, *(_machine_names() if lan else []))}
    hosts |= {name.removesuffix(":80") for name in hosts if port == _PORTS["http"]}
    origins = {f"http://{host}" for host in hosts}
    links = [f"http://{name}:{port}/" for name in (*(own or ["127.0.0.1"]), *near)]
    if public_url:
        scheme, public = _public_host(public_url)
        hosts |= {public} if ":" in public else {public, f"{public}:{_PORTS[scheme]}"}
        origins.add(f"{scheme}://{public}")
        links.append(f"{scheme}://{public}/")
    return ServerNames(frozenset(hosts), frozenset(origins), tuple(dict.fromkeys(links)))


def _public_host(url: str) -> tuple[str, str]:
    """The scheme and the host of a URL, as browsers write them: without the default port."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in _PORTS or not parts.hostname or parts.username:
        raise Unreadable("not_an_address.site", url=quoted(url, 60))
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise Unreadable("not_an_address.path", url=quoted(url, 60))
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return parts.scheme, host if port in (None, _PORTS[parts.scheme]) else f"{host}:{port}"


def _machine_names() -> list[str]:
    name = socket.gethostname().lower()
    return [name, f"{name}.local"] if name else []


def _lan_addresses() -> list[str]:
    """The addresses of this machine in its network."""
    found = [_outgoing_address()]
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if address and not address.startswith("127.")]


def _outgoing_address() -> str:
    """The address from which this machine reaches others. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _metrics_address(address: str) -> tuple[str, int]:
    host, colon, port = address.rpartition(":")
    if not (colon and port.isascii() and port.isdigit() and len(port) < 6 and int(port) < 65536):
        raise Unreadable("not_an_address.metrics", text=quoted(address, 60))
    return host.strip("[]") or "127.0.0.1", int(port)


def _traces_url(given: argparse.Namespace) -> str:
    if given.traces and urlsplit(given.traces).scheme not in _PORTS:
        with _naming_the_variable(given, "traces"):
            raise Unreadable("not_an_address.traces", url=quoted(given.traces, 60))
    return str(given.traces)


def _proxy(network: str) -> str:
    try:
        return str(ip_network(network, strict=False)) if network else ""
    except ValueError:
        raise Unreadable("not_an_address.proxy", text=quoted(network, 60)) from None
