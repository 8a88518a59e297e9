"""The parsers of the commands for agents: evaluate, report and leaderboard, and the server over standard input."""

from __future__ import annotations

import argparse

from ninefold.analysis import config as engine
from ninefold.cli.environment import PREFIX
from ninefold.cli.parsers.command import Commands, add_command, add_number, add_storage

_PLAN = """\
A plan:
  game = "agents"
  agents.perfect = {player = "perfect"}
  agents.model = {chat = "http://127.0.0.1:11434/v1", model = "qwen3"}
docs/evaluate.md has every setting, and agents that are scripts or programs.

A run can be interrupted; the same command resumes it, and repeats matches that crashed.
Exit codes: 0 all matches were played; 1 some crashed or are void, or the run was stopped (a budget was
used up, or an endpoint refused an agent); 2 refused; 130 interrupted."""


def add_agents(commands: Commands) -> None:
    help = "evaluate agents: play matches, and report how they played and refereed"
    agents = commands.add_parser("agents", help=help, description=f"{help.capitalize()}.")
    kinds = agents.add_subparsers(metavar="COMMAND", prog="ninefold agents", required=True)
    evaluate = add_command(
        kinds, "evaluate", "play the matches of a plan, and report on them", json=True, extra="agents"
    )
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
    report = add_command(
        kinds, "report", "print the referee's report on one or several matches", json=True, extra="server"
    )
    report.add_argument(
        "matches",
        metavar="MATCH",
        nargs="+",
        help="a log or a record, a folder of logs, a link, or the id of a match stored here",
    )
    add_number(report, "--nodes", "positions that the engine searches", engine.REPORT_NODES, 1, 10**9)
    add_storage(report)
    _add_leaderboard(kinds)


_LEADERBOARD = """\
examples:
  ninefold agents leaderboard plan-run                       the tables in this terminal
  ninefold agents leaderboard plan-run --html board          pages with plots and every match to step through
  ninefold agents leaderboard monday tuesday --csv tables    several runs as one

Agents of several runs are the same if they have the same name. Every game has a leaderboard of its own."""


def _add_leaderboard(kinds: Commands) -> None:
    board = add_command(
        kinds, "leaderboard", "rate the agents of evaluation runs, and write pages", json=True, extra="agents"
    )
    board.formatter_class = argparse.RawDescriptionHelpFormatter
    board.epilog = _LEADERBOARD
    board.add_argument("runs", metavar="RUN", nargs="+", help="the folder of a run of ninefold agents evaluate")
    board.add_argument("--html", metavar="DIR", help="write pages with tables, plots and every match to step through")
    board.add_argument("--csv", metavar="DIR", help="write the tables as CSV: agents, pairs, matches, turns")
    board.add_argument("--parquet", metavar="DIR", help="write the same tables as Parquet (needs ninefold[parquet])")
    board.add_argument("--inspect", metavar="DIR", help="write logs that inspect view opens")
    board.add_argument("--dataset", metavar="DIR", help="write a dataset with its card: JSON lines, and Parquet")
    add_number(board, "--nodes", "positions that the engine searches", engine.REPORT_NODES, 1, 10**9)


def add_mcp(commands: Commands) -> None:
    help = "let an agent play over the Model Context Protocol, through standard input and output"
    mcp = add_command(commands, "mcp", help, extra="agents")
    mcp.description = (
        "Let an agent play over the Model Context Protocol. The host of the agent starts this command and speaks to it "
        "through standard input and output: docs/agents.md has the settings of hosts. Without --server the agent plays "
        "against the computer; with --server it plays against people and other agents there. The key of its profile "
        f"there, if it is to have one, is in the environment variable {PREFIX}KEY."
    )
    backends = mcp.add_mutually_exclusive_group()
    backends.add_argument("--server", metavar="LINK", help="play on this server: its address, or an invitation")
    backends.add_argument("--data", metavar="DIR", help="the folder where matches are stored, without --server")
