"""The command-line parser: every command with its arguments. The module of a command is imported when it is run."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from ninefold import __version__
from ninefold.analysis import config as engine
from ninefold.arena.config import ERROR_RATE, OPENING_SOURCES, PAIRS, SPRT_PAIRS
from ninefold.cli.arguments import error_rate, hypotheses, option, seconds, share, whole
from ninefold.cli.environment import PREFIX, CommandParser
from ninefold.core.errors import Unreadable
from ninefold.core.messages import text
from ninefold.server.http.config import HOST, PORT, WORKERS, Limits
from ninefold.server.storage.config import ServiceConfig

if TYPE_CHECKING:
    from ninefold.server.http.config import Config, MountedApp
    from ninefold.server.storage.service import Service


SHELLS = ("bash", "zsh", "fish")
EXIT_CODES = {
    0: "the command has done its work; a game has ended, or was left with e",
    1: "some matches of an evaluation crashed",
    2: "the command was refused, and the sentence says why",
    3: "the input ended in the middle of a game or of the menu, or 1000 answers in a row were refused",
    4: "the output cannot be written, or is closed",
    130: "Ctrl-C",
    141: "nobody reads the output any more (a broken pipe)",
}


class _ShowVersion(argparse.Action):
    """Prints the version. The native core is imported only for that."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from ninefold.analysis.engine import is_native, processor

        core = text("cli.core.native", processor=processor()) if is_native() else text("cli.core.python")
        print(text("cli.version", version=__version__, core=core))
        parser.exit()


class _Parser(CommandParser):
    """It says which games there are where one is missing."""

    def error(self, message: str) -> NoReturn:
        missing = message.rpartition(": ")[2].split(", ")
        if "GAME" in missing:
            from ninefold.games import all_games

            example = f"{self.prog} classic{_MORE_ARGUMENTS.get(self.prog, '')}"
            raise Unreadable("no_such_game.missing", games=" ".join(all_games()), example=example)
        super().error(message)


_MORE_ARGUMENTS = {"ninefold perft": " 4", "ninefold arena": " easy hard"}  # for the example, behind the game


def parser() -> argparse.ArgumentParser:
    ninefold = _Parser(
        prog="ninefold",
        allow_abbrev=False,
        description="The tic-tac-toe family: play it, replay it, solve it, serve it, and let agents play it.",
        epilog="Without a command, at a terminal: the full-screen app. `ninefold help COMMAND` explains a command.",
    )
    ninefold.add_argument(
        "--version", action=_ShowVersion, nargs=0, help="print the version, and whether the native core is installed"
    )
    ninefold.add_argument(
        "--plain", action="store_true", help="without a command: the menu line by line, for screen readers"
    )
    ninefold.set_defaults(run=_lazy("menu"), command="", extra="")
    commands = ninefold.add_subparsers(metavar="COMMAND", prog="ninefold")  # a given prog saves a costly import
    _add_play(commands)
    watch = _add(commands, "watch", "watch a match on a server", extra="online")
    watch.add_argument(
        "link", metavar="LINK", help="a link to a public match, or the spectators' link of a private one"
    )
    _add(commands, "games", "list the games", json=True)
    _add(commands, "rules", "print the rules of a game, on one screen", "game")
    solve = _add(commands, "solve", "print the exact value of a small game", "game", json=True, options=True)
    solve.epilog = f"{_DISTANCE} A dead draw is a position in which nobody can win any more."
    analyze = _add(commands, "analyze", "evaluate the moves of a position", "game", "position", json=True)
    analyze.epilog = (
        f"{_DISTANCE} Where nothing is proven, a score says how many lines of boards the side to move is ahead: "
        "+0.25 is a quarter of a line."
    )
    _add_search(analyze)
    ugi = _add(commands, "engine", "run the engine of the big games as a UGI engine")
    ugi.add_argument("mode", nargs="?", choices=("bench",), help="search fixed positions and print a signature")
    _add_arena(commands)
    _add_agents(commands)
    _add_train(commands)
    _add_puzzles(commands)
    perft = _add(commands, "perft", "count the move sequences of a game", "game", json=True, options=True)
    perft.add_argument("depth", metavar="DEPTH", type=whole(1, 81), help="how many moves deep")
    replay = _add(commands, "replay", "show a saved match, move by move", "file")
    forms = replay.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print its shared board as JSON")
    forms.add_argument("--record", action="store_true", help="print the match as a record")
    forms.add_argument("--log", action="store_true", help="print the match as its log")
    replay.add_argument(
        "--rescue", action="store_true", help="read a damaged or truncated log up to its last line that is whole"
    )
    replay.add_argument(
        "--save", metavar="NEW", help="also save the match in a new file (as a record if it ends in .record)"
    )
    show = _add(commands, "show", "draw a position", "game", "position", json=True)
    show.add_argument("--svg", metavar="FILE", help="write it as an SVG picture; - for standard output")
    _add_serve(commands)
    _add_mcp(commands)
    _add_backup(commands)
    help = _add(commands, "help", "explain a command")
    help.add_argument("words", metavar="COMMAND", nargs="*", help="a command; by default all are listed")
    completion = _add(commands, "completion", "print a shell completion script")
    completion.add_argument("shell", choices=SHELLS)
    return ninefold


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands directly below a parser; none below a command without subcommands."""
    kinds = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(kinds[0].choices) if kinds else {}


def _add(
    commands: argparse._SubParsersAction[_Parser],
    name: str,
    help: str,
    *places: str,
    json: bool = False,
    options: bool = False,
    extra: str = "",
    home: str = "",
) -> _Parser:
    """Add a command; ``extra`` is the extra of the package that it needs, ``home`` its module if it has a namesake."""
    command = commands.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
    command.set_defaults(run=_lazy(name, home), command=command.prog.removeprefix("ninefold "), extra=extra)
    if "game" in places:
        command.add_argument("game", metavar="GAME", help="its id, as `ninefold games` lists it")
    if "position" in places:
        command.add_argument(
            "position", metavar="POSITION", nargs="*", help="its text; by default the start of the game"
        )
    if "file" in places:
        command.add_argument("file", metavar="FILE", help="a log or a record")
    if json:
        command.add_argument("--json", action="store_true", help="print JSON")
    if options:
        _add_options(command)
    return command


def _add_search(analyze: argparse.ArgumentParser) -> None:
    """Add the limits of the engine, which searches in the big games; small games have exact values."""

    analyze.add_argument(
        "--time",
        type=seconds,
        default=0.0,
        metavar="SECONDS",
        help=f"how long to search (default {engine.ANALYSIS_SECONDS:g})",
    )
    _add_number(analyze, "--nodes", "how many positions to search", 0, 0, 10**15)
    _add_number(analyze, "--depth", "how many moves deep to search", 0, 0, 81)
    _add_number(analyze, "--lines", "how many moves to rank", engine.RANKED_MOVES, 1, 81)
    _add_number(analyze, "--threads", "how many threads search", engine.THREADS, 1, engine.MOST_THREADS)
    _add_number(analyze, "--memory", "memory of the engine", engine.MEMORY_MIB, 1, engine.MOST_MEMORY_MIB, "MIB")


def _add_number(
    command: argparse.ArgumentParser, name: str, help: str, default: float | None, least: int, most: int,
    metavar: str | None = None,
) -> None:  # fmt: skip
    """Add an option that is a whole number; its default is told unless it is 0 or None."""
    help = f"{help} (default {default:.15g})" if default else help
    command.add_argument(name, type=whole(least, most), default=default, metavar=metavar, help=help)


def _add_arena(commands: argparse._SubParsersAction[_Parser]) -> None:
    arena = _add(
        commands, "arena", "play a tournament between players", "game", json=True, options=True, extra="cluster"
    )
    arena.add_argument(
        "players",
        metavar="PLAYER",
        nargs="+",
        help="a level, mcts:100000, engine:nodes=10000, engine:time=0.1, engine:cpu=1, ugi:COMMAND, codingame:COMMAND",
    )
    pairs = f"openings for each two players, each played with both sides (default {PAIRS}; {SPRT_PAIRS} with --sprt)"
    _add_number(arena, "--pairs", pairs, None, 1, 100_000)
    arena.add_argument(
        "--sprt",
        type=hypotheses,
        metavar="ELO0,ELO1",
        help="test whether the first of two players is ELO1 stronger or ELO0, as in 0,10 or --sprt=-5,0; "
        "stop when that is decided",
    )
    for name, hypothesis in (("--alpha", "H1 though ELO0"), ("--beta", "H0 though ELO1")):
        arena.add_argument(
            name,
            type=error_rate,
            default=ERROR_RATE,
            metavar="P",
            help=f"how often --sprt may accept {hypothesis} is true (default {ERROR_RATE})",
        )
    arena.add_argument(
        "--openings",
        choices=OPENING_SOURCES,
        help="short random ones, the fixed suite of balanced ones, or none (default random; with --sprt suite)",
    )
    arena.add_argument(
        "--adjudicate",
        action="store_true",
        help="end a game as won when the engine, as a player, has proven twice in a row that it wins",
    )
    arena.add_argument(
        "--seed", type=whole(0, 2**62), default=0, help="the seed of the openings and the players (default 0)"
    )
    arena.add_argument(
        "--workers",
        type=whole(1, 1024),
        help="games at a time (default: one for each processor of the machine or the cluster)",
    )
    arena.add_argument("--executor", choices=("processes", "ray"), default="processes", help="where games are played")
    arena.add_argument("--log", metavar="FILE", help="save every game in FILE; after an interruption, resume from FILE")
    arena.add_argument("--svg", metavar="FILE", help="draw the ratings as an SVG picture")


_DISTANCE = "`win in 3` means: the side to move wins with the third move from here, counting those of both sides."

_PLAY = """\
examples:
  ninefold play classic                            two people at this screen
  ninefold play classic --o hard                   you are X, the computer is O
  ninefold play squared --x expert --o-name Ann    the computer is X and starts
  ninefold play swap-nine --first toss             a toss decides who starts
  ninefold play classic --save game.log            saved after every move
  ninefold play --load game.log                    continue a saved match
  ninefold play --join LINK --name Ann             take a seat in a match on a server

At every prompt: e leaves, u takes back, h gives a hint, ? shows the rules of the game.
After the game: say TEXT, rematch, review, u takes back the last move, e leaves.

exit codes:
"""

_PLAN = """\
A plan:
  game = "agents"
  agents.perfect = {player = "perfect"}
  agents.model = {chat = "http://127.0.0.1:11434/v1", model = "qwen3"}
docs/evaluate.md has every setting, and agents that are scripts or programs.

A run can be interrupted; the same command resumes it, and repeats matches that crashed.
Exit codes: 0 all matches were played, 1 some crashed or a budget was used up, 2 refused, 130
interrupted."""


def _add_agents(commands: argparse._SubParsersAction[_Parser]) -> None:
    help = "evaluate agents: play matches, and report how they played and refereed"
    agents = commands.add_parser("agents", help=help, description=f"{help.capitalize()}.")
    kinds = agents.add_subparsers(metavar="COMMAND", prog="ninefold agents", required=True)
    evaluate = _add(kinds, "evaluate", "play the matches of a plan, and report on them", json=True, extra="agents")
    evaluate.formatter_class = argparse.RawDescriptionHelpFormatter
    evaluate.epilog = _PLAN
    evaluate.add_argument("file", metavar="FILE.toml", help="the plan")
    evaluate.add_argument(
        "--out", metavar="DIR", help="the folder of the run, where it is also resumed (default FILE-run)"
    )
    evaluate.add_argument(
        "--server", metavar="URL", help="play all matches on this running server, where people may watch"
    )
    evaluate.add_argument(
        "--isolation",
        choices=("auto", "bubblewrap", "users", "none"),
        default="auto",
        help="how programs are kept apart: in sandboxes, as users of their own, or not at all (default: the best here)",
    )
    report = _add(kinds, "report", "print the referee's report on one or several matches", json=True, extra="server")
    report.add_argument(
        "matches",
        metavar="MATCH",
        nargs="+",
        help="a log or a record, a folder of logs, a link, or the id of a match stored here",
    )
    _add_number(report, "--nodes", "positions that the engine searches", engine.REPORT_NODES, 1, 10**9)
    _add_storage(report)
    _add_leaderboard(kinds)


_LEADERBOARD = """\
examples:
  ninefold agents leaderboard plan-run                       the tables in this terminal
  ninefold agents leaderboard plan-run --html board          pages with plots and every match to step through
  ninefold agents leaderboard monday tuesday --csv tables    several runs as one

Agents of several runs are the same if they have the same name. Every game has a leaderboard of its own."""


def _add_leaderboard(kinds: argparse._SubParsersAction[_Parser]) -> None:
    board = _add(kinds, "leaderboard", "rate the agents of evaluation runs, and write pages", json=True, extra="agents")
    board.formatter_class = argparse.RawDescriptionHelpFormatter
    board.epilog = _LEADERBOARD
    board.add_argument("runs", metavar="RUN", nargs="+", help="the folder of a run of ninefold agents evaluate")
    board.add_argument("--html", metavar="DIR", help="write pages with tables, plots and every match to step through")
    board.add_argument("--csv", metavar="DIR", help="write the tables as CSV: agents, pairs, matches, turns")
    board.add_argument("--parquet", metavar="DIR", help="write the same tables as Parquet (needs ninefold[parquet])")
    board.add_argument("--inspect", metavar="DIR", help="write logs that inspect view opens")
    board.add_argument("--dataset", metavar="DIR", help="write a dataset with its card: JSON lines, and Parquet")
    _add_number(board, "--nodes", "positions that the engine searches", engine.REPORT_NODES, 1, 10**9)


def _add_train(commands: argparse._SubParsersAction[_Parser]) -> None:
    help = "make networks for the engine: label positions, fit, export"
    train = commands.add_parser("train", help=help, description=f"{help.capitalize()}.")
    kinds = train.add_subparsers(metavar="COMMAND", prog="ninefold train", required=True)
    generate = _add(
        kinds, "generate", "play games, and label every position by a search", "game", options=True, extra="train"
    )
    generate.add_argument(
        "--out", metavar="DIR", required=True, help="the folder of the rows, where it is also resumed"
    )
    _add_number(generate, "--files", "files of 40 games", 100, 1, 99_999)
    _add_number(generate, "--depth", "how deeply positions are searched", 8, 1, 81)
    generate.add_argument(
        "--random", type=share, default=0.1, metavar="SHARE", help="of the moves that are random (default 0.1)"
    )
    _add_number(generate, "--seed", "of the games", 1, 0, 2**31)
    generate.add_argument(
        "--network", metavar="FILE", help="label with this network, and not with the hand-made evaluation"
    )
    generate.add_argument("--workers", type=whole(1, 4096), metavar="N", help="processes (default: one a core)")
    generate.add_argument(
        "--executor", choices=("processes", "ray"), default="processes", help="where games are played"
    )
    fit = _add(kinds, "fit", "fit a network to labelled positions, with PyTorch", extra="train")
    fit.add_argument("rows", metavar="DIR", help="the folder of the rows")
    fit.add_argument("--out", metavar="FILE", required=True, help="written after every epoch; the fit goes on from it")
    _add_number(fit, "--epochs", "how often all rows are seen", 50, 1, 10_000)
    _add_number(fit, "--batch", "rows in a step", 16_384, 1, 10**7)
    fit.add_argument(
        "--rate", type=share, default=0.01, metavar="RATE", help="the highest learning rate (default 0.01)"
    )
    _add_number(fit, "--seed", "of the first weights and of the order", 1, 0, 2**31)
    fit.add_argument("--device", default="", metavar="NAME", help="cpu or cuda (default: a GPU if there is one)")
    fit.add_argument("--svg", metavar="FILE", help="draw the losses")
    export = _add(kinds, "export", "write the network of a fit in integers, for the engine", extra="train")
    export.add_argument("fit", metavar="FIT", help="the file of the fit")
    export.add_argument("--out", metavar="FILE", required=True, help="the network")


def _add_puzzles(commands: argparse._SubParsersAction[_Parser]) -> None:
    help = "solve puzzles: positions in which exactly one move wins"
    puzzles = commands.add_parser("puzzles", help=help, description=f"{help.capitalize()}.")
    kinds = puzzles.add_subparsers(metavar="COMMAND", prog="ninefold puzzles", required=True)
    home = "ninefold.cli.commands.puzzles"
    for name, help in (("show", "draw a puzzle"), ("play", "solve a puzzle at this terminal")):
        command = _add(kinds, name, help, home=home)
        command.epilog = _DISTANCE
        command.add_argument(
            "puzzle", metavar="PUZZLE", nargs="?", help="its id, as in classic-7 (default: the puzzle of the day)"
        )
        if name == "show":
            command.add_argument("--solution", action="store_true", help="print the moves of the solution too")
    generate = _add(kinds, "generate", "find puzzles of a game, each proven", "game", home=home)
    _add_number(generate, "--count", "how many to find, in a big game", 48, 1, 10_000)
    _add_number(generate, "--seed", "the seed of the games in which they are found", 1, 0, 2**31)
    generate.add_argument("--write", action="store_true", help="write them into the set of this installation")
    check = _add(kinds, "check", "prove every move of the puzzles again", home=home)
    check.add_argument("games", metavar="GAME", nargs="*", help="by default all games")


def _add_serve(commands: argparse._SubParsersAction[_Parser]) -> None:
    serve = _add(commands, "serve", "run a server for people, programs and agents", extra="server")
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
    _add_number(serve, "--port", "the port to listen at; 0 takes any free port", PORT, 0, 65535, "N")
    serve.add_argument("--lan", action="store_true", help="let others in this network connect")
    serve.add_argument(
        "--public-url", metavar="URL", default="", help="the address of this server for others, if it is behind a proxy"
    )
    serve.add_argument("--data", metavar="DIR", help="the folder where matches are stored, without --database")
    serve.add_argument(
        "--database", metavar="URL", default="", help="store matches in PostgreSQL: postgresql://host/name"
    )
    _add_number(serve, "--workers", "the number of processes; more than one need PostgreSQL", WORKERS, 1, 64, "N")
    serve.add_argument("--metrics", metavar="HOST:PORT", help="serve metrics for Prometheus at this address")
    serve.add_argument("--traces", metavar="URL", default="", help="send OpenTelemetry traces there, by OTLP over HTTP")
    serve.add_argument("--proxy", metavar="ADDRESS", default="", help="trust the X-Forwarded headers of this proxy")
    days = "delete matches that ended N days ago (default: never)"
    _add_number(serve, "--keep-days", days, service.keep_days, 1, 36500, "N")
    most = "how many matches may be open or live at a time; more are refused"
    _add_number(serve, "--matches", most, service.matches, 1, 10**7, "N")
    cached = "how many matches are cached in memory, in each process"
    _add_number(serve, "--cached", cached, service.cached, 1, 10**7, "N")
    engines = "how many bot moves are computed at a time, in each process"
    _add_number(serve, "--engines", engines, service.engines, 1, 256, "N")
    _add_number(serve, "--rate", "writes a second from one address", limits.writes.per_second, 1, 10**6, "N")
    serve.add_argument("--quiet", action="store_true", help="log only warnings and errors")
    serve.add_argument(
        "--until-eof", action="store_true", help="stop when standard input ends; for programs that start a server"
    )


def _add_mcp(commands: argparse._SubParsersAction[_Parser]) -> None:
    help = "let an agent play over the Model Context Protocol, through standard input and output"
    mcp = _add(commands, "mcp", help, extra="agents")
    mcp.description = (
        "Let an agent play over the Model Context Protocol. The host of the agent starts this command and speaks to it "
        "through standard input and output: docs/agents.md has the settings of hosts. Without --server the agent plays "
        "against the computer; with --server it plays against people and other agents there."
    )
    backends = mcp.add_mutually_exclusive_group()
    backends.add_argument("--server", metavar="LINK", help="play on this server: its address, or an invitation")
    backends.add_argument("--data", metavar="DIR", help="the folder where matches are stored, without --server")


def _add_backup(commands: argparse._SubParsersAction[_Parser]) -> None:
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
        command = _add(commands, name, help, extra="server")
        command.add_argument(place, metavar=place.upper(), nargs="+" if place == "match" else None, help=about)
        _add_storage(command)


def _add_storage(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", metavar="DIR", help="the folder where matches are stored")
    command.add_argument(
        "--database", metavar="URL", default="", help="a PostgreSQL database, instead of --data: postgresql://host/name"
    )


def _add_play(commands: argparse._SubParsersAction[_Parser]) -> None:
    play = _add(commands, "play", "play a game at this terminal", extra="online")
    play.formatter_class = argparse.RawDescriptionHelpFormatter
    codes = {code: why for code, why in EXIT_CODES.items() if code != 1}
    play.epilog = _PLAY + "\n".join(f"  {code:<4} {why}" for code, why in codes.items())
    play.add_argument("game", metavar="GAME", nargs="?", help="its id, as `ninefold games` lists it")
    for side in "xo":
        play.add_argument(
            f"--{side}",
            metavar="PLAYER",
            help=f"the player of {side.upper()}: human, random, a level (easy ...), or mcts:100000 in the big games",
        )
        play.add_argument(
            f"--{side}-name", metavar="NAME", default="", help=f"the name of the player of {side.upper()}"
        )
    play.add_argument("--first", choices=("X", "O", "toss"), help="who starts")
    play.add_argument(
        "--seed", type=whole(0, 2**63 - 1), help="the seed of the computer and of the toss, which repeats a game"
    )
    play.add_argument(
        "--save", metavar="FILE", help="save the match in FILE after every move (as a record if it ends in .record)"
    )
    play.add_argument("--load", metavar="FILE", help="continue a saved match")
    play.add_argument(
        "--pause", type=seconds, default=1.0, metavar="SECONDS", help="pause between moves of two computers (default 1)"
    )
    play.add_argument("--join", metavar="LINK", help="take a seat in a match on a server, or watch it")
    play.add_argument("--name", help="your name, with --join")
    play.add_argument("--dashes", action="store_true", help="show - on free cells instead of their numbers")
    _add_options(play)


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        type=option,
        help="an option of the rules; may be repeated",
    )


_HOMES = {
    "play": "ninefold.cli.commands.play",
    "menu": "ninefold.cli.commands.menu",
    "watch": "ninefold.cli.commands.play",
    "arena": "ninefold.cli.commands.arena",
    "report": "ninefold.cli.commands.report",
    "generate": "ninefold.cli.commands.train",
    "fit": "ninefold.cli.commands.train",
    "export": "ninefold.cli.commands.train",
    "evaluate": "ninefold.cli.commands.evaluate",
    "leaderboard": "ninefold.cli.commands.leaderboard",
    "mcp": "ninefold.cli.commands.mcp",
    "backup": "ninefold.cli.commands.backup",
    "restore": "ninefold.cli.commands.backup",
    "delete": "ninefold.cli.commands.backup",
    "completion": "ninefold.cli.commands.completion",
    "help": "ninefold.cli.commands.help",
}


def _lazy(name: str, home: str = "") -> Callable[[argparse.Namespace], int]:
    """A command whose module is imported when it is run."""

    def run(given: argparse.Namespace) -> int:
        module = import_module(home or _HOMES.get(name, "ninefold.cli.commands.tools"))
        code: int = getattr(module, name)(given)
        return code

    return run


def _serve(given: argparse.Namespace) -> int:
    """Run the web server, with its endpoint for agents if their extra is installed."""
    from importlib.util import find_spec

    from ninefold.server.http.serve import serve

    return serve(given, mounts=(("/mcp", _agents),) if find_spec("mcp") else ())


def _agents(service: Service, config: Config) -> MountedApp:
    from ninefold.agents.mount import Mount

    return Mount(service, config.address, config.hosts, config.origins, alone=config.workers == 1)
