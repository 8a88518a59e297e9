"""The parsers of the commands of a server: serve, backup, restore and delete."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ninefold.cli.environment import PREFIX
from ninefold.cli.parsers.command import Commands, add_command, add_number, add_storage
from ninefold.server.http.config import HOST, PORT, WORKERS, Limits
from ninefold.server.storage.config import ServiceConfig

if TYPE_CHECKING:
    from ninefold.server.http.config import Config, MountedApp
    from ninefold.server.storage.service import Service


def add_serve(commands: Commands) -> None:
    serve = add_command(commands, "serve", "run a server for people, programs and agents", extra="server")
    serve.set_defaults(run=_serve)
    serve.from_environment = True
    serve.description = (
        "Run a server for people, programs and agents. People open its address, which is printed, in a browser. "
        "Agents connect to /mcp there (Model Context Protocol); docs/protocol.md describes the API for programs. "
        "Every match is stored; Ctrl-C stops the server."
    )
    serve.epilog = (
        f"Every flag can also be set by an environment variable: {PREFIX}PORT=8091 is --port 8091, "
        f"{PREFIX}PUBLIC_URL=URL is --public-url URL, and {PREFIX}LAN=1 is --lan. A flag wins over its variable."
    )
    service, limits = ServiceConfig(), Limits()
    serve.add_argument(
        "--host", metavar="ADDRESS", help=f"the address to listen at (default {HOST}: this machine alone)"
    )
    add_number(serve, "--port", "the port to listen at; 0 takes any free port", PORT, 0, 65535, "N")
    serve.add_argument("--lan", action="store_true", help="let others in this network connect")
    serve.add_argument(
        "--public-url", metavar="URL", default="", help="the address of this server for others, if it is behind a proxy"
    )
    serve.add_argument("--data", metavar="DIR", help="the folder where matches are stored, without --database")
    serve.add_argument(
        "--database", metavar="URL", default="", help="store matches in PostgreSQL: postgresql://host/name"
    )
    add_number(serve, "--workers", "the number of processes; more than one need PostgreSQL", WORKERS, 1, 64, "N")
    serve.add_argument("--metrics", metavar="HOST:PORT", help="serve metrics for Prometheus at this address")
    serve.add_argument("--traces", metavar="URL", default="", help="send OpenTelemetry traces there, by OTLP over HTTP")
    serve.add_argument("--proxy", metavar="ADDRESS", default="", help="trust the X-Forwarded headers of this proxy")
    days = "delete matches that ended N days ago (default: never)"
    add_number(serve, "--keep-days", days, service.keep_days, 1, 36500, "N")
    most = "how many matches may be open or live at a time; more are refused"
    add_number(serve, "--matches", most, service.matches, 1, 10**7, "N")
    cached = "how many matches are cached in memory, in each process"
    add_number(serve, "--cached", cached, service.cached, 1, 10**7, "N")
    engines = "how many bot moves are computed at a time, in each process"
    add_number(serve, "--engines", engines, service.engines, 1, 256, "N")
    add_number(serve, "--rate", "writes a second from one address", limits.writes.per_second, 1, 10**6, "N")
    serve.add_argument("--quiet", action="store_true", help="log only warnings and errors")
    serve.add_argument(
        "--until-eof", action="store_true", help="stop when standard input ends; for programs that start a server"
    )


def add_backup(commands: Commands) -> None:
    for name, help, place, about in (
        (
            "backup",
            "write all stored matches to a file, also while the server runs",
            "file",
            "a new file; compressed if its name ends in .gz",
        ),
        ("restore", "restore the matches of a backup into an empty database", "file", "a backup"),
        ("delete", "delete stored matches, also while the server runs", "match", "its id, or a link to it"),
    ):
        command = add_command(commands, name, help, extra="server")
        command.add_argument(place, metavar=place.upper(), nargs="+" if place == "match" else None, help=about)
        add_storage(command)


def _serve(given: argparse.Namespace) -> int:
    """Run the web server, with its endpoint for agents if their extra is installed."""
    from importlib.util import find_spec

    from ninefold.server.http.serve import serve

    return serve(given, mounts=(("/mcp", _agents),) if find_spec("mcp") else ())


def _agents(service: Service, config: Config) -> MountedApp:
    from ninefold.agents.mount import Mount

    return Mount(service, config.address, config.hosts, config.origins, alone=config.workers == 1)
