"""The parsers of the commands to play, watch, replay and show games, and of puzzles."""

from __future__ import annotations

import argparse

from ninefold.cli.arguments import seconds, whole
from ninefold.cli.parsers.command import DISTANCE, EXIT_CODES, Commands, add_command, add_number, add_options

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


def add_play(commands: Commands) -> None:
    play = add_command(commands, "play", "play a game at this terminal", extra="online")
    play.formatter_class = argparse.RawDescriptionHelpFormatter
    codes = {code: why for code, why in EXIT_CODES.items() if code != 1}
    play.epilog = _PLAY + "\n".join(f"  {code:<4} {why}" for code, why in codes.items())
    play.add_argument("game", metavar="GAME", nargs="?", help="its id, as `ninefold games` lists it")
    for side in "xo":
        play.add_argument(
            f"--{side}",
            metavar="PLAYER",
            help=f"the player of {side.upper()}: human, random, a level (easy ...), alphazero:FILE, or mcts:100000 in "
            "the big games",
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
    add_options(play)


def add_puzzles(commands: Commands) -> None:
    help = "solve puzzles: positions in which exactly one move wins"
    puzzles = commands.add_parser("puzzles", help=help, description=f"{help.capitalize()}.")
    kinds = puzzles.add_subparsers(metavar="COMMAND", prog="ninefold puzzles", required=True)
    home = "ninefold.cli.commands.puzzles"
    for name, help in (("show", "draw a puzzle"), ("play", "solve a puzzle at this terminal")):
        command = add_command(kinds, name, help, home=home)
        command.epilog = DISTANCE
        command.add_argument(
            "puzzle", metavar="PUZZLE", nargs="?", help="its id, as in classic-7 (default: the puzzle of the day)"
        )
        if name == "show":
            command.add_argument("--solution", action="store_true", help="print the moves of the solution too")
    generate = add_command(kinds, "generate", "find puzzles of a game, each proven", "game", home=home)
    add_number(generate, "--count", "how many to find, in a big game", 48, 1, 10_000)
    add_number(generate, "--seed", "the seed of the games in which they are found", 1, 0, 2**31)
    generate.add_argument("--write", action="store_true", help="write them into the set of this installation")
    check = add_command(kinds, "check", "prove every move of the puzzles again", home=home)
    check.add_argument("games", metavar="GAME", nargs="*", help="by default all games")


def add_watch(commands: Commands) -> None:
    watch = add_command(commands, "watch", "watch a match on a server", extra="online")
    watch.add_argument(
        "link", metavar="LINK", help="a link to a public match, or the spectators' link of a private one"
    )


def add_replay(commands: Commands) -> None:
    replay = add_command(commands, "replay", "show a saved match, move by move", "file")
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


def add_show(commands: Commands) -> None:
    show = add_command(commands, "show", "draw a position", "game", "position", json=True)
    show.add_argument("--svg", metavar="FILE", help="write it as an SVG picture; - for standard output")
