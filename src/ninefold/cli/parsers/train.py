"""The parsers of the commands that make networks: generate, fit and export, and alphazero; and data sets."""

from __future__ import annotations

from ninefold.cli.arguments import share, whole
from ninefold.cli.parsers.command import Commands, add_command, add_number


def add_train(commands: Commands) -> None:
    help = "make networks: for the engine (generate, fit, export), or by AlphaZero"
    train = commands.add_parser("train", help=help, description=f"{help.capitalize()}.")
    kinds = train.add_subparsers(metavar="COMMAND", prog="ninefold train", required=True)
    generate = add_command(
        kinds, "generate", "play games, and label every position by a search", "game", options=True, extra="train"
    )
    generate.add_argument(
        "--out", metavar="DIR", required=True, help="the folder of the rows, where it is also resumed"
    )
    add_number(generate, "--files", "files of 40 games", 100, 1, 99_999)
    add_number(generate, "--depth", "how deeply positions are searched", 8, 1, 81)
    generate.add_argument(
        "--random", type=share, default=0.1, metavar="SHARE", help="of the moves that are random (default 0.1)"
    )
    add_number(generate, "--seed", "of the games", 1, 0, 2**31)
    generate.add_argument(
        "--network", metavar="FILE", help="label with this network, and not with the hand-made evaluation"
    )
    generate.add_argument("--workers", type=whole(1, 4096), metavar="N", help="processes (default: one a core)")
    generate.add_argument(
        "--executor", choices=("processes", "ray"), default="processes", help="where games are played"
    )
    fit = add_command(kinds, "fit", "fit a network to labelled positions, with PyTorch", extra="train")
    fit.add_argument("rows", metavar="DIR", help="the folder of the rows")
    fit.add_argument("--out", metavar="FILE", required=True, help="written after every epoch; the fit goes on from it")
    add_number(fit, "--epochs", "how often all rows are seen", 50, 1, 10_000)
    add_number(fit, "--batch", "rows in a step", 16_384, 1, 10**7)
    fit.add_argument(
        "--rate", type=share, default=0.01, metavar="RATE", help="the highest learning rate (default 0.01)"
    )
    add_number(fit, "--seed", "of the first weights and of the order", 1, 0, 2**31)
    fit.add_argument("--device", default="", metavar="NAME", help="cpu or cuda (default: a GPU if there is one)")
    fit.add_argument("--svg", metavar="FILE", help="draw the losses")
    export = add_command(kinds, "export", "write the network of a fit in integers, for the engine", extra="train")
    export.add_argument("fit", metavar="FIT", help="the file of the fit")
    export.add_argument("--out", metavar="FILE", required=True, help="the network")
    _add_alphazero(kinds)


def add_data(commands: Commands) -> None:
    help = (
        "write data sets: solved tables of the small games, labelled positions of the big ones, as Parquet with a card"
    )
    data = add_command(commands, "data", help, extra="parquet")
    data.add_argument("folder", metavar="DIR", help="the folder of the data set, where it is also resumed")
    data.add_argument("--games", nargs="+", metavar="GAME", help="only these (default: all)")
    add_number(data, "--positions", "of each big game", 1_000_000, 1, 10**9)
    add_number(data, "--depth", "how deeply positions are searched", 8, 1, 81)
    add_number(data, "--seed", "of the games", 1, 0, 2**31)
    data.add_argument("--workers", type=whole(1, 4096), metavar="N", help="processes (default: one a core)")
    data.add_argument("--check", action="store_true", help="make nothing, and check what is there")


def _add_alphazero(kinds: Commands) -> None:
    help = "train a network by games against itself, with JAX and mctx, for the player alphazero:FILE"
    command = add_command(kinds, "alphazero", help, "game", options=True, extra="alphazero")
    command.add_argument("--out", metavar="DIR", required=True, help="the folder of the run, where it is also resumed")
    add_number(command, "--iterations", "after which it ends; more of them continue a run", 200, 1, 10**9)
    command.add_argument("--minutes", type=whole(1, 10**6), metavar="N", help="end after so many, to go on later")
    add_number(command, "--evaluate", "play against players after so many iterations; 0 for never", 20, 0, 10**9)
    command.add_argument(
        "--against", nargs="+", metavar="PLAYER", help="play against these (default: random and the levels, no expert)"
    )
    add_number(command, "--games", "against each of them", 40, 2, 10_000)
    add_number(command, "--simulations", "for a move in these games", 64, 1, 100_000)
    add_number(command, "--seed", "of the first weights and of the games", 1, 0, 2**31)
