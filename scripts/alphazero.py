"""Trains AlphaZero and writes the curves into docs/alphazero.md: ``make alphazero``.

Runs are in ``build/alphazero`` and go on where they were. What the page shows is kept in
``benchmarks/results/alphazero``, and the weights in ``docs/examples/alphazero``, so the page can be written again
without training (``--games`` without a game). A run on a GPU has a name, a curve and weights of its own.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import machine, table
from ninefold.cli.main import main as ninefold
from ninefold.games import find_game
from ninefold.train.curve import curve_plot, curve_table, read_curve

ROOT = Path(__file__).parents[1]
RUNS = ROOT / "build" / "alphazero"
RESULTS = ROOT / "benchmarks" / "results" / "alphazero"
WEIGHTS = ROOT / "docs" / "examples" / "alphazero"
PAGE = ROOT / "docs" / "alphazero.md"
MARKS = "<!-- curves -->", "<!-- end of curves -->"
# Of every game: the iterations, after how many it is measured, and by how many games.
SIZES = {"classic": (80, 10, 60), "swap-nine": (100, 20, 100), "squared": (2000, 25, 100), "ultimate": (2000, 25, 100)}
ON_GPU = "-gpu"  # ends the name of a run on a GPU


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.alphazero", description=__doc__)
    parser.add_argument("--games", nargs="*", choices=SIZES, default=["classic", "swap-nine"], help="that are trained")
    parser.add_argument("--minutes", type=int, help="end every run after so many, to go on later")
    parser.add_argument("--runs", type=Path, default=RUNS, help="the folder of the runs")
    given = parser.parse_args(arguments)
    for game in given.games:
        iterations, evaluate, games = SIZES[game]
        limits = ["--iterations", iterations, "--evaluate", evaluate, "--games", games]
        limits += ["--minutes", given.minutes] if given.minutes else []
        name = game + (ON_GPU if gpu() else "")
        if ninefold(list(map(str, ["train", "alphazero", game, "--out", given.runs / name, *limits]))) != 0:
            return
        keep(given.runs / name, name)
    write_page()


def gpu() -> str:
    """The GPU that JAX trains on; empty if it trains on the processor."""
    import jax

    return "" if jax.default_backend() == "cpu" else str(jax.devices()[0].device_kind)


def keep(run: Path, name: str) -> None:
    """Copy what the page shows, with the machine that it was measured on, and the weights."""
    for folder in (RESULTS, WEIGHTS):
        folder.mkdir(parents=True, exist_ok=True)
    # The load is that of now, and not of the training, which may have been in pieces.
    facts = [fact for fact in machine("jax", "mctx", "numpy") if "load" not in fact[0]]
    facts = [("GPU", gpu()), *facts] if gpu() else facts
    about = {"machine": facts, "plan": json.loads((run / "plan.json").read_text())}
    about["curve"] = json.loads((run / "curve.json").read_text())
    (RESULTS / f"{name}.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    shutil.copyfile(run / "weights.az", WEIGHTS / f"{name}.az")


def write_page() -> None:
    names = (game + place for game in SIZES for place in ("", ON_GPU))
    parts = [section(name) for name in names if (RESULTS / f"{name}.json").exists()]
    shown = "\n\n".join([MARKS[0], *parts, MARKS[1]])
    begin, end = map(re.escape, MARKS)
    page = re.sub(f"{begin}.*{end}", lambda _: shown, PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    PAGE.write_text(page, encoding="utf-8")


def section(name: str) -> str:
    """The curve of a run as a picture and as a table, with what was measured where."""
    stored = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    points, title = read_curve(stored["curve"]), find_game(name.removesuffix(ON_GPU)).title
    on_gpu = name.endswith(ON_GPU)
    title += ", on a GPU" if on_gpu else ""
    picture = ROOT / "docs" / "pictures" / f"alphazero-{name}.svg"
    plot = curve_plot(points, f"{title}: share of the points against each level", on_gpu=on_gpu)
    picture.write_text(plot, encoding="utf-8")
    plan = " ".join(f"{name}={value}" for name, value in stored["plan"].items() if name not in ("game", "options"))
    image = f"![The share of the points against each level, over time](pictures/{picture.name})"
    where = table(("machine", ""), stored["machine"])
    games = sum(points[0][-3:])  # won, drawn and lost
    return (
        f"### {title}\n\n{image}\n\n{curve_table(points)}\nEvery share is of {games} games. Plan: `{plan}`.\n\n{where}"
    )


if __name__ == "__main__":
    main()
