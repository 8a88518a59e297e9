"""``ninefold serve``: where the server listens, under which names, and with how many processes."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from platformdirs import user_data_path

from ninefold.core.errors import quoted
from ninefold.server.http.config import Bounds, Config, Mounts, Rate
from ninefold.server.http.listener import CannotServe, listen

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - to be told apart from one address
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_PORTS = {"http": 80, "https": 443}


class Names(NamedTuple):
    """What the server may be called: hosts and origins as browsers write them, and links for people."""

    hosts: frozenset[str]
    origins: frozenset[str]
    links: tuple[str, ...]


def serve(given: argparse.Namespace, mounts: Mounts = ()) -> int:
    workers = given.workers
    if workers > 1 and not given.database.startswith(("postgresql://", "postgres://")):
        raise CannotServe("needs_postgresql")
    if given.until_eof:
        threading.Thread(target=_end_with_input, name="ninefold-input", daemon=True).start()
    host = given.host or ("0.0.0.0" if given.lan else "127.0.0.1")  # noqa: S104 - asked for
    listener = listen(host, given.port, shared=workers > 1)
    with listener:
        names = names_of(given.host or "", listener.getsockname()[1], lan=given.lan, public_url=given.public_url)
        config = Config(
            data=Path(given.data) if given.data else user_data_path("ninefold"),
            database=given.database,
            hosts=names.hosts,
            origins=names.origins,
            metrics=_place(given.metrics) if given.metrics else None,
            proxy=_proxy(given.proxy),
            keep_days=given.keep_days,
            matches=given.matches,
            cached=given.cached,
            engines=given.engines,
            bounds=Bounds(writes=Rate(given.rate, 4 * given.rate), reads=Rate(4 * given.rate, 8 * given.rate)),
            quiet=given.quiet,
            workers=workers,
            address=names.links[-1],
            mounts=mounts,
        )
        said = [f"Ninefold is at {link}" for link in names.links]
        said += [f"Agents come to {config.address.rstrip('/')}{path}" for path, _ in mounts]
        code = _run(config, listener, workers, [*said, *_notes(given, host)])
    if code == 0:
        print("Ninefold has stopped.", flush=True)
    return code


def _end_with_input() -> None:
    """Whoever has started us has gone, or lets go of us."""
    while os.read(sys.stdin.fileno(), 65_536):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _notes(given: argparse.Namespace, host: str) -> Iterator[str]:
    """What would surprise those who gave these options."""
    if host in EVERYWHERE and not (given.lan or given.public_url):
        yield "Others can reach it but are refused: add --lan, or --public-url with the name they use."
    if given.data and given.database:
        yield "--data is not used: the matches are in PostgreSQL."


def _run(config: Config, listener: socket.socket, workers: int, said: list[str]) -> int:
    from ninefold.server.http.workers import run_alone, run_workers

    def started() -> None:
        for line in (*said, "Ctrl-C stops it."):
            print(line, flush=True)

    if workers > 1:
        return run_workers(config, listener, workers, started)
    return run_alone(config, listener, started)


def names_of(host: str, port: int, *, lan: bool = False, public_url: str = "") -> Names:
    """The names that the server was told to serve: loopback, its own address, and those that were asked for."""
    own = [] if host in EVERYWHERE else [f"[{host}]" if ":" in host else host.lower()]
    near = _addresses() if lan else []
    hosts = {f"{name}:{port}" for name in (*_LOOPBACK, *own, *near, *(_names() if lan else []))}
    hosts |= {name.removesuffix(":80") for name in hosts if port == _PORTS["http"]}
    origins = {f"http://{host}" for host in hosts}
    links = [f"http://{name}:{port}/" for name in (*(own or ["127.0.0.1"]), *near)]
    if public_url:
        scheme, public = _public(public_url)
        hosts |= {public} if ":" in public else {public, f"{public}:{_PORTS[scheme]}"}
        origins.add(f"{scheme}://{public}")
        links.append(f"{scheme}://{public}/")
    return Names(frozenset(hosts), frozenset(origins), tuple(dict.fromkeys(links)))


def _public(url: str) -> tuple[str, str]:
    """The scheme and the host of an address, as browsers write them: without the port that goes without saying."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in _PORTS or not parts.hostname or parts.username:
        raise CannotServe("not_an_address.site", url=quoted(url, 60))
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise CannotServe("not_an_address.path", url=quoted(url, 60))
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return parts.scheme, host if port in (None, _PORTS[parts.scheme]) else f"{host}:{port}"


def _names() -> list[str]:
    """What this machine is called in its own network."""
    name = socket.gethostname().lower()
    return [name, f"{name}.local"] if name else []


def _addresses() -> list[str]:
    """Where this machine is found in its own network."""
    found = [_outward()]
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if address and not address.startswith("127.")]


def _outward() -> str:
    """The address that this machine would speak to others from. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _place(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not (colon and port.isascii() and port.isdigit() and len(port) < 6 and int(port) < 65536):
        raise CannotServe("not_an_address.metrics", text=quoted(text, 60))
    return host.strip("[]") or "127.0.0.1", int(port)


def _proxy(text: str) -> str:
    try:
        return str(ip_network(text, strict=False)) if text else ""
    except ValueError:
        raise CannotServe("not_an_address.proxy", text=quoted(text, 60)) from None
