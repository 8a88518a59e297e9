"""The small tools: each prints something about a game, a position or a file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ninefold.core.errors import NotAllowed
from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.core.position import Position
from ninefold.core.rendering import picture
from ninefold.games import all_games, find_game

if TYPE_CHECKING:
    from ninefold.analysis.engine import Listener, SearchInfo
    from ninefold.analysis.evaluation import Analysis
    from ninefold.match.match import Match


def games(given: argparse.Namespace) -> int:
    from ninefold.players.player import player_names

    if given.json:
        _print_json([_facts(game, player_names(game)) for game in all_games().values()])
    else:
        for game in all_games().values():
            print(f"{game.id:<9} {game.title:<21} {game.summary}")
    return 0


def _facts(game: Game, players: tuple[str, ...]) -> dict[str, object]:
    options = [{"name": name, "values": values, "default": default, "help": help, "of_match": of_match}
               for name, values, default, help, of_match in game.options]  # fmt: skip
    return {
        "id": game.id, "title": game.title, "summary": game.summary, "rule_set": game.rule_set or game.id,
        "moves": len(game.paths), "small": game.small, "players": players, "options": options,
    }  # fmt: skip


def rules(given: argparse.Namespace) -> int:
    print(find_game(given.game).rules_page(), end="")
    return 0


def solve(given: argparse.Namespace) -> int:
    from ninefold.core.solver import best, solution_at
    from ninefold.core.state_table import IN_PROGRESS

    game = find_game(given.game)
    if not game.small:
        raise NotAllowed("too_big.solve", game=game.title, id=game.id)
    start = game.begin(dict(given.option))
    solution, _ = solution_at(game, start)
    undecided = [state for state, result in enumerate(solution.table.result) if result == IN_PROGRESS]
    values = [solution.of(state).sign for state in undecided]
    facts = {
        "game": game.id, "start": str(start), "positions": len(solution.table.states), "value": str(solution.of(0)),
        "best": [game.name(move) for move in best(solution.moves(0))],
        "for_the_side_to_move": {"win": values.count(1), "draw": values.count(0), "loss": values.count(-1)},
        "dead_draws": sum(not solution.alive[state] for state in undecided),
    }  # fmt: skip
    if given.json:
        _print_json(facts)
        return 0
    won, drawn, lost = (values.count(sign) for sign in (1, 0, -1))
    print(text("solve.value", game=game.title, value=facts["value"], side=start.turn))
    print(text("solve.best", moves=" ".join(game.name(move) for move in best(solution.moves(0)))))
    print(text("solve.positions", positions=len(solution.table.states), undecided=len(values)))
    print(text("solve.counts", won=won, drawn=drawn, lost=lost))
    if facts["dead_draws"]:
        print(text("solve.dead", dead=facts["dead_draws"]))
    return 0


def analyze(given: argparse.Namespace) -> int:
    from ninefold.analysis.config import ANALYSIS_SECONDS, MIB
    from ninefold.analysis.evaluation import Search
    from ninefold.analysis.evaluation import analyze as analyzed

    game, position = _position(given)
    claims = game.settle_options().get("claims") == "yes"
    live = None if given.json or not sys.stderr.isatty() else _live(game)
    search = Search(given.time, given.nodes, given.depth, given.lines, given.threads, given.memory * MIB, live)
    if not (given.time or given.nodes or given.depth):
        search = search._replace(seconds=ANALYSIS_SECONDS)
    found = analyzed(game, position, claims=claims, search=search)
    if given.json:
        _print_json(_analysis_facts(game, position, found))
    elif position.outcome:
        print(game.describe(position.outcome))
    else:
        _print_analysis(game, position, found)
    return 0


def _print_analysis(game: Game, position: Position, found: Analysis) -> None:
    print(text("analyze.exact" if found.exact else "analyze.search", side=position.turn))
    for line in found.lines:
        proven = text("analyze.proven") if line.proven and not game.small else ""
        print(f"  {line.name:<6} {line.score_text:<12} {proven:<7} {' '.join(line.variation[1:])}".rstrip())
    if not all(line.value for line in found.lines) and found.info:
        print(text("analyze.unit", side=position.turn))
    if info := found.info:
        print(text("analyze.info", depth=info.depth, nodes=info.nodes, speed=info.nodes_per_second / 1e6))


def _analysis_facts(game: Game, position: Position, found: Analysis) -> dict[str, object]:
    lines = [
        {"move": line.move, "name": line.name, "worth": line.score_text, "proven": line.proven, "score": line.score,
         "value": line.value and line.value.sign, "distance": line.value and line.value.distance,
         "variation": line.variation}
        for line in found.lines
    ]  # fmt: skip
    facts = {
        "game": game.id,
        "position": str(position),
        "turn": str(position.turn),
        "exact": found.exact,
        "moves": lines,
    }
    if info := found.info:
        speed = round(info.nodes_per_second)
        facts |= {"depth": info.depth, "nodes": info.nodes, "seconds": info.seconds, "speed": speed}
    return facts


def _live(game: Game) -> Listener:
    """Shows on one line of the terminal what the engine has found so far."""

    def show(info: SearchInfo) -> bool:
        if info.lines:
            best = info.lines[0]
            moves = " ".join(game.name(move) for move in best.pv[:8])
            line = text("analyze.live", depth=info.depth, score=best.score_text, moves=moves, nodes=info.nodes / 1e6)
            sys.stderr.write(f"\r{line:<79}\r")
            sys.stderr.flush()
        return True

    return show


def perft(given: argparse.Namespace) -> int:
    game = find_game(given.game)
    counts = []
    for depth, count in enumerate(_counts(game.begin(dict(given.option)), given.depth), 1):
        counts.append(count)
        if not given.json:
            print(f"{depth:>2} {count:>16,}", flush=True)
    if given.json:
        _print_json({"game": game.id, "perft": counts})
    return 0


def _counts(start: Position, depth: int) -> Iterator[int]:
    from ninefold.analysis import engine

    if not engine.plays(start):
        return count_sequences(start, depth)
    return (engine.perft(start, ply) for ply in range(1, depth + 1))


def count_sequences(start: Position, depth: int) -> Iterator[int]:
    """The number of move sequences of length 1, 2, ...: equal positions are walked once, with their number."""
    layer = {start: 1}
    for ply in range(1, depth + 1):
        count = sum(times * len(position.moves()) for position, times in layer.items())
        yield count
        if ply == depth or not count:
            return
        after: dict[Position, int] = {}
        for position, times in layer.items():
            for move in position.moves():
                child = position.play(move)
                after[child] = after.get(child, 0) + times
        layer = after


def replay(given: argparse.Namespace) -> int:
    from ninefold.match.files import check_new, load, save
    from ninefold.match.log import write_log
    from ninefold.match.narration import narrate
    from ninefold.match.record import write_record
    from ninefold.match.shared_board import shared_board

    if given.save is not None:
        check_new(given.save)
    match = _rescue(given.file) if given.rescue else load(given.file)
    if given.save is not None:
        save(given.save, match)
    if given.json:
        _print_json(shared_board(match))
    elif given.record or given.log:
        print(write_record(match) if given.record else write_log(match), end="")
    else:
        for line in narrate(match):
            print(line)
    return 0


def _rescue(file: str) -> Match:
    """The part of a damaged log that can be read; how much that is goes to standard error."""
    from ninefold.match.files import rescue

    found = rescue(file)
    if found.wrong is None:
        print(text("replay.whole", count=found.events), file=sys.stderr)
    else:
        print(text("replay.rescued", count=found.events, why=found.wrong.sentence), file=sys.stderr)
    return found.match


def show(given: argparse.Namespace) -> int:
    if given.svg == "-" and given.json:
        raise NotAllowed("said_twice.output")
    game, position = _position(given)
    if given.svg is not None:
        from ninefold.core.svg import svg
        from ninefold.match.files import check_new, write_text

        if given.svg == "-":
            print(svg(game, position), end="")
            return 0
        check_new(given.svg)
        write_text(given.svg, svg(game, position))
    if given.json:
        legal = [{"move": move, "name": game.name(move), "path": game.paths[move]} for move in position.moves()]
        ended = position.outcome
        winner = None if ended is None or ended.winner is None else str(ended.winner)
        outcome = ended and {"winner": winner, "reason": ended.reason, "lines": ended.lines}
        facts = {"game": game.id, "position": str(position), "turn": str(position.turn)}
        _print_json(facts | {"moves": legal, "outcome": outcome})
        return 0
    print(picture(game, position))
    print(game.describe(position.outcome) if position.outcome else text("show.to_move", side=position.turn))
    return 0


def _position(given: argparse.Namespace) -> tuple[Game, Position]:
    game = find_game(given.game)
    return game, game.parse(" ".join(given.position)) if given.position else game.begin()


def _print_json(value: object) -> None:
    json.dump(value, sys.stdout, indent=2, ensure_ascii=False)
    print()


def engine(given: argparse.Namespace) -> int:
    if given.mode == "bench":
        return _bench()
    from ninefold.analysis.ugi import main

    return main()


def _bench() -> int:
    from ninefold.analysis.bench import bench, bench_positions, signature

    heads = (
        text("bench.head.plies"), text("bench.head.nodes"), text("bench.head.depth"), text("bench.head.best"),
        text("bench.head.score"),
    )  # fmt: skip
    row = "{:<26} {:>5} {:>9} {:>5} {:>4} {:>9}".format
    positions, results = bench_positions(), []
    searches = bench(positions)
    print(row(text("bench.head.position"), *heads))
    cpu_seconds = 0.0
    for position, timed in zip(positions, searches, strict=True):
        info, best = timed.info, timed.info.lines[0]
        name = position.game.name(best.move)
        print(row(str(position), position.plies, info.nodes, info.depth, name, best.score_text), flush=True)
        results.append(info)
        cpu_seconds += timed.cpu_seconds
    nodes, seconds = sum(info.nodes for info in results), sum(info.seconds for info in results)
    print(text("bench.speed", nodes=nodes, speed=nodes / seconds, cpu_speed=nodes / cpu_seconds))
    print(text("bench.signature", signature=signature(results)))
    return 0
