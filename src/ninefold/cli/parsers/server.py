"""The parsers of the commands of a server: serve, site, backup, restore, delete and moderate."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ninefold.cli.environment import PREFIX
from ninefold.cli.parsers.command import Commands, NinefoldParser, add_command, add_number, add_storage
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


_MODERATE = """\
examples:
  ninefold moderate reports                      what players have reported, with matches and profiles
  ninefold moderate ban PROFILE --days 7         a profile, by its id or a link to it, for a week
  ninefold moderate ban 192.0.2.7                an address, from the log of the server
  ninefold moderate names --add WORD             no player may have this word in their name

A running server heeds changes within seconds. Whoever is banned can start and join no match, and make no profile;
matches that they are in go on."""


def add_moderate(commands: Commands) -> None:
    help = "deal with players: reports, bans, and words that names may not have"
    moderate = commands.add_parser("moderate", help=help, description=f"{help.capitalize()}.")
    moderate.formatter_class = argparse.RawDescriptionHelpFormatter
    moderate.epilog = _MODERATE
    kinds = moderate.add_subparsers(metavar="COMMAND", prog="ninefold moderate", required=True)

    def add(name: str, help: str) -> NinefoldParser:
        command = add_command(kinds, name, help, extra="server", home="ninefold.cli.commands.moderate")
        add_storage(command)
        return command

    reports = add("reports", "list the reports of players that wait for the operator, the oldest first")
    reports.add_argument("--all", action="store_true", help="list resolved reports too, of the last 90 days")
    resolve = add("resolve", "mark all reports about a match as dealt with")
    resolve.add_argument("match", metavar="MATCH", nargs="+", help="its id, or a link to it")
    ban = add("ban", "ban a profile or an address")
    ban.add_argument("who", metavar="WHO", help="a profile's id or link, or an address; of IPv6 its network (/64)")
    add_number(ban, "--days", "for how long (default: for ever)", None, 1, 36500, "N")
    ban.add_argument("--reason", metavar="TEXT", default="", help="why; only the operator sees it")
    unban = add("unban", "end a ban")
    unban.add_argument("who", metavar="WHO", help="as ninefold moderate bans lists it")
    add("bans", "list the bans")
    names = add("names", "list the words that names may not have, or change them")
    names.add_argument("--add", metavar="WORD", nargs="+", default=[], help="refuse names with these words")
    names.add_argument("--remove", metavar="WORD", nargs="+", default=[], help="allow these words again")


def add_site(commands: Commands) -> None:
    site = add_command(commands, "site", "write the browser client as static files, for any web space", extra="server")
    site.description = (
        "Write the browser client as a folder of static files, which works on any web space and under any path. "
        "Visitors play the computer or on one screen, solve puzzles, learn and analyze; everything runs in their "
        "browser, and their games stay there. There is no server, so nobody can play with somebody elsewhere."
    )
    site.add_argument("folder", metavar="OUT", help="a new folder, or an empty one")


def _serve(given: argparse.Namespace) -> int:
    """Run the web server, with its endpoint for agents if their extra is installed."""
    from importlib.util import find_spec

    from ninefold.server.http.serve import serve

    return serve(given, mounts=(("/mcp", _agents),) if find_spec("mcp") else ())


def _agents(service: Service, config: Config) -> MountedApp:
    from ninefold.agents.mount import Mount

    return Mount(service, config.address, config.hosts, config.origins, alone=config.workers == 1)
