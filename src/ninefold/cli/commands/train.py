"""``ninefold train``: labels positions, fits a network to them, and exports it for the engine; and AlphaZero, which
learns by playing against itself. All can be resumed."""

from __future__ import annotations

import argparse
import json
import time
from contextlib import closing
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from ninefold.arena.executors import EXECUTORS
from ninefold.arena.progress import Progress
from ninefold.core.errors import NotAllowed, quoted
from ninefold.core.exit_codes import INTERRUPTED
from ninefold.core.messages import text
from ninefold.match.files import check_new, write_text
from ninefold.train.generate import begin_folder, missing_shards, play_shard, read_plan, write_shard
from ninefold.train.labels import GamePlan

if TYPE_CHECKING:
    from ninefold.core.game import Game
    from ninefold.train.alphazero_run import TrainingRun


def generate(given: argparse.Namespace) -> int:
    """Play games and write their labelled positions, a file for every few games; files that are there are kept."""
    plan = GamePlan(
        given.game,
        tuple(sorted(given.option)),
        given.depth,
        random_moves=given.random,
        seed=given.seed,
        network=str(given.network or ""),
    )
    folder = Path(given.out)
    begin_folder(folder, plan)
    waiting = missing_shards(folder, given.files)
    progress = Progress(given.files - len(waiting), given.files, text("train.files"))
    done = given.files - len(waiting)
    finished = EXECUTORS[given.executor](partial(play_shard, plan), waiting, given.workers)
    count = 0
    with closing(finished):
        try:
            for shard, rows in finished:
                write_shard(folder, shard, rows)
                done, count = done + 1, count + len(rows)
                progress.show(done)
        except KeyboardInterrupt:
            print(text("train.interrupted", done=done, files=given.files))
            return INTERRUPTED
    print(text("train.generated", rows=count, folder=folder))
    return 0


def fit(given: argparse.Namespace) -> int:
    """Fit a network to the rows of a folder. The file is written after every epoch, and the fit goes on from it."""
    from ninefold.train.fit import FitPlan, NetworkFit, logistic_scale, loss_plot
    from ninefold.train.rows import read_rows

    folder, file = Path(given.rows), Path(given.out)
    rows = read_rows(folder)
    scale = round(logistic_scale(rows))
    plan = FitPlan(epochs=given.epochs, batch=given.batch, rate=given.rate, scale=scale, seed=given.seed)
    work = NetworkFit(rows, plan, read_plan(folder), given.device)
    if file.exists():
        work.load(file)
    print(text("train.fitting", rows=len(rows), scale=scale, device=work.device))
    progress = Progress(len(work.epochs), plan.epochs, text("train.epochs"))
    try:
        for epoch in work.run():
            work.save(file)
            progress.say(text("train.epoch", **epoch._asdict(), epochs=plan.epochs))
            progress.show(epoch.number)
    except KeyboardInterrupt:
        print(text("train.fit_interrupted", done=len(work.epochs), epochs=plan.epochs))
        return INTERRUPTED
    if given.svg is not None:
        write_text(given.svg, loss_plot(work.epochs))
    return 0


def export(given: argparse.Namespace) -> int:
    """Write the network of a fit in integers, as the engine reads it."""
    from ninefold.train.fit import export_fit

    file = Path(given.fit)
    if not file.is_file():
        raise NotAllowed("no_fit", file=quoted(str(file), 100))
    check_new(given.out)
    about = export_fit(file, Path(given.out))
    print(text("train.exported", file=given.out, about=json.dumps(about)))
    return 0


def alphazero(given: argparse.Namespace) -> int:
    """Train a network by games against itself. The run is saved after iterations, and goes on from there."""
    from ninefold.games import find_game
    from ninefold.players.player import make_player
    from ninefold.train.alphazero import plan_for
    from ninefold.train.alphazero_run import TrainingRun

    game = find_game(given.game)
    for name in given.against or ():
        make_player(game, name)  # refuses one that there is not
    work = TrainingRun(Path(given.out), plan_for(game, tuple(sorted(given.option)), given.seed))
    print(text("train.alphazero", folder=work.folder, done=work.iteration, iterations=given.iterations), flush=True)
    deadline = time.monotonic() + 60 * given.minutes if given.minutes else inf
    try:
        while True:
            is_last = work.iteration >= given.iterations or time.monotonic() >= deadline
            if given.evaluate and (is_last or work.iteration % given.evaluate == 0):
                _measure(work, given, game)
            if is_last:
                break
            losses = work.advance()
            told = dict(losses._asdict(), done=work.iteration, iterations=given.iterations)
            print(text("train.iteration", **told, seconds=work.progress.seconds), flush=True)
    except KeyboardInterrupt:
        print(text("train.alphazero_interrupted", done=work.iteration, iterations=given.iterations))
        return INTERRUPTED
    work.save()
    print(text("train.player", file=work.export()))
    return 0


def _measure(work: TrainingRun, given: argparse.Namespace, game: Game) -> None:
    """Play against the players that were named, or the levels; write the curve, and the weights, for those who play
    against it before it has ended."""
    from ninefold.train.alphazero_run import opponents
    from ninefold.train.curve import curve_plot

    for point in work.measure(given.against or opponents(game), given.games, given.simulations):
        print(text("train.against", share=100 * point.share, **point._asdict()), flush=True)
    work.export()
    title = text("train.curve", game=game.title)
    write_text(str(work.folder / "curve.svg"), curve_plot(work.progress.curve, title, on_gpu=work.on_gpu))
