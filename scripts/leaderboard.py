"""Plays the built-in baselines, and writes docs/leaderboard.md with its plots: ``make leaderboard``.

With ``--chat`` and ``--model`` a model behind an OpenAI-compatible endpoint plays against those of the agents' game;
then the pages are written, and the documentation is left alone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ninefold.agents.evaluation.agents import check_agents
from ninefold.agents.evaluation.keys import read_keys
from ninefold.agents.evaluation.manifest import write_manifest
from ninefold.agents.evaluation.plan import Plan, parse_plan
from ninefold.agents.evaluation.runner import EvaluationRun
from ninefold.agents.evaluation.schedule import RunFolder, play_all, resume, schedule
from ninefold.agents.leaderboard.markdown import cross_table, figures_table, ratings_table
from ninefold.agents.leaderboard.pages import write_pages
from ninefold.agents.leaderboard.plots import Proportion, rates_plot, ratings_plot
from ninefold.agents.leaderboard.runs import RunMatch, read_matches, read_runs
from ninefold.agents.leaderboard.standings import Leaderboard, leaderboards
from ninefold.arena.progress import Progress
from ninefold.core.errors import Refusal

ROOT = Path(__file__).parents[1]
PLANS = ROOT / "docs" / "examples" / "baselines"
BASELINES = ("agents", "classic", "swap-nine", "squared", "squared-expert", "ultimate", "ultimate-expert")  # plans
OUT = ROOT / "build" / "leaderboard"
NODES = 20_000  # for judging a move of a big game
MODEL = "model"  # the name of the agent behind an endpoint
GAME_OF_MODELS = "agents"  # the plan whose baselines a model meets
_HEAD = """\
# The leaderboard of the built-in baselines

Everything here is made by one command, which plays all matches again. They depend on the seeds in the plans alone, so
the figures are the same on every machine:

    make leaderboard

It plays the plans in [examples/baselines](examples/baselines/agents.toml), writes this page, and puts
[pages](evaluate.md#leaderboards) with every match to step through into `build/leaderboard/html`. Elo has a mean of 0 in
each game; the intervals are those of 95%, and [evaluate.md](evaluate.md#how-intervals-are-made) says how they are made.
Mistakes are out of the moves judged, and misreports out of the messages that say what the agent has played.
[evaluate.md](evaluate.md#the-report) says what each figure counts.

## A model of your own

A small local model is measured against the same baselines through any OpenAI-compatible endpoint (llama.cpp, Ollama,
vLLM, LM Studio and others have one). None is downloaded for you. Start the endpoint, then:

    .venv/bin/python -m scripts.leaderboard --chat http://127.0.0.1:11434/v1 --model qwen3:1.7b --rounds 2

The model plays the {opponents} baselines of the agents' game, with both sides, twice, after these have played each
other, which takes a minute. The leaderboard with the model is in `build/leaderboard/html`; this page stays as it is.
`--key-env NAME` names the variable that holds a key. An interrupted run goes on with the same command.
"""
_RANDOM_OPENINGS = "Each round begins with random first moves, which both agents play with both sides."
_BIG = (
    "Each round begins with a balanced opening of the suite, which both agents play with both sides. `expert` takes a "
    "second for a move, so it has played few pairs, and its interval is wide. Mistakes are those that the engine finds "
    f"at {NODES:,} positions a move: fewer than `hard` and `expert` search, so that moves of theirs may be called "
    "mistakes and be none. `hard` has a small random error in its scores, so that it often wins some moves later than "
    "it could: most of its missed wins cost it nothing."
)
_ABOUT = {
    "agents": (
        "The scripts move like `easy`, but for their one way of lying or failing; `honest` has none. So a script far "
        "from `honest` shows what its lie costs. `confirms-all` and `disputes-all` lose nothing by their answers: the "
        "referee decides, whatever the answer is."
    ),
    "classic": _RANDOM_OPENINGS,
    "swap-nine": _RANDOM_OPENINGS,
    "squared": _BIG,
    "ultimate": _BIG,
}


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        return make(given)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 2


def make(given: argparse.Namespace) -> int:
    """Play, judge and write."""
    plans = {name: read_baselines(name) for name in ([GAME_OF_MODELS] if given.chat else BASELINES)}
    if given.chat:
        agent = {"chat": given.chat, "model": given.model, **({"key_env": given.key_env} if given.key_env else {})}
        plans["model"] = _model_plan(agent, given.rounds)  # mistakes in it are refused before anybody plays
        read_keys(plans["model"].agents, os.environ)
    runs = [_play(plan, given.out / f"{name}-run", is_new=not given.chat) for name, plan in plans.items()]
    boards = _boards(runs)
    pages = given.out / "html"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    for _ in write_pages(pages, boards, read_runs([*map(str, runs)])):
        pass
    print(f"wrote {pages}")
    if not given.chat:
        write_docs(given.docs, boards)
        print(f"wrote {given.docs / 'leaderboard.md'}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.leaderboard", description=__doc__)
    parser.add_argument("--chat", metavar="URL", help="an OpenAI-compatible endpoint, as http://127.0.0.1:11434/v1")
    parser.add_argument("--model", default="", help="the model behind it")
    parser.add_argument("--key-env", default="", metavar="NAME", help="the variable that holds its key")
    parser.add_argument(
        "--rounds", type=int, default=1, help="how often the model meets each baseline, with both sides"
    )
    parser.add_argument("--out", type=Path, default=OUT, help="the folder of the runs and the pages")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs", help="the folder of the documentation")
    return parser


def read_baselines(name: str) -> Plan:
    with (PLANS / f"{name}.toml").open("rb") as file:
        return parse_plan(tomllib.load(file))


def _model_plan(agent: Mapping[str, Any], rounds: int) -> Plan:
    """The model against every baseline of its game."""
    with (PLANS / f"{GAME_OF_MODELS}.toml").open("rb") as file:
        table = tomllib.load(file)
    matches = [[MODEL, name] for name in table["agents"]]
    return parse_plan(table | {"agents": table["agents"] | {MODEL: agent}, "matches": matches, "rounds": rounds})


def _play(plan: Plan, path: Path, *, is_new: bool) -> Path:
    """Play a plan in a folder: from its beginning, or on from where it was."""
    if is_new:
        shutil.rmtree(path, ignore_errors=True)
    check_agents(plan)
    keys = read_keys(plan.agents, os.environ)
    folder, jobs = RunFolder(path), schedule(plan)
    with folder.locked(), EvaluationRun(plan, keys, folder) as run:
        done = resume(plan, folder, jobs)
        write_manifest(plan, folder, jobs, isolation="", server="")
        progress = Progress(len(done), len(jobs), f"matches of {path.name}")
        for result in play_all([job for job in jobs if job.number not in done], run.play, plan.at_once):
            folder.append(result)
            done[result.number] = result
            progress.show(len(done))
    return path


def _boards(runs: Sequence[Path]) -> list[Leaderboard]:
    found = read_runs([*map(str, runs)])
    progress = Progress(0, sum(len(run.results) for run in found), "matches judged")
    matches: list[RunMatch] = []
    for run in found:
        for match in read_matches(run, NODES):
            matches.append(match)
            progress.show(len(matches))
    return leaderboards(found, matches)


def write_docs(docs: Path, boards: Sequence[Leaderboard]) -> None:
    """The page, and two plots for each game."""
    pictures = docs / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    for board in boards:
        rates = [Proportion(one.agent, one.metrics.mistakes, one.metrics.judged) for one in board.standings]
        (pictures / f"leaderboard-{board.id}.svg").write_text(ratings_plot(board.standings), encoding="utf-8")
        mistakes = rates_plot("Mistakes per judged move", rates)
        (pictures / f"leaderboard-{board.id}-mistakes.svg").write_text(mistakes, encoding="utf-8")
    (docs / "leaderboard.md").write_text("\n".join(_page(boards)) + "\n", encoding="utf-8")


def _page(boards: Sequence[Leaderboard]) -> Iterator[str]:
    yield _HEAD.format(opponents=len(boards[0].standings)).rstrip()
    for board in boards:
        yield f"\n## {board.title}\n"
        yield textwrap.fill(f"{len(board.matches):,} matches. {_ABOUT[board.game.id]}", 120) + "\n"
        yield f"![Elo of each agent with its interval](pictures/leaderboard-{board.id}.svg)\n"
        yield from ratings_table(board)
        yield f"\n![Mistakes of each agent per judged move](pictures/leaderboard-{board.id}-mistakes.svg)\n"
        yield from figures_table(board)
        yield "\nShare of the points of each row against each column, in percent:\n"
        yield from cross_table(board)


if __name__ == "__main__":
    sys.exit(main())
