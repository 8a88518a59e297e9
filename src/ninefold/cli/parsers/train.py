"""The parsers of the commands that make networks: generate, fit and export."""

from __future__ import annotations

from ninefold.cli.arguments import share, whole
from ninefold.cli.parsers.command import Commands, add_command, add_number


def add_train(commands: Commands) -> None:
    help = "make networks for the engine: label positions, fit, export"
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
