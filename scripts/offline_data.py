"""Writes what the browser client knows offline, from the Python rules: `make offline-data` runs it.

Small games become tables of all their positions, the referee's verdicts a table of marks, refusals of moves a table of
paths. Messages, games, puzzles and lessons are the documents that a server sends. A test fails if a rule has changed
since (``tests/server/http/test_offline_data.py``).
"""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.analysis.puzzles.puzzle import STEP, all_puzzles, puzzle_set
from ninefold.core.game import Game
from ninefold.core.grid import CELLS, LINE_NAMES, LINES, OUTSIDE
from ninefold.core.messages import Message, catalogue
from ninefold.core.position import Outcome, Position, Side
from ninefold.core.solver import Solution, solution_from
from ninefold.core.text import MESSAGE_LENGTH, NAME_LENGTH, PLAYER_LENGTH
from ninefold.games import all_games, find_game
from ninefold.match import messages as match_messages
from ninefold.match.actions import REFEREE_ACTIONS, SEAT_ACTIONS, UNVERSIONED
from ninefold.match.claims import Claim, judge
from ninefold.match.log import PAST
from ninefold.match.rules import HANDLERS, OFFERS
from ninefold.players.solved import RANDOM_SHARE
from ninefold.server.http import learning, lessons
from ninefold.server.http.routes import game_document
from ninefold.server.http.static_files import STATIC

FOLDER = STATIC / "offline" / "data"
# The starts of the small games that have tables. One of each pair of sides is enough: see ``_mirrored``.
TABLES = {
    "classic": ("classic", {"line_ends": "yes"}),
    "claims": ("classic", {"line_ends": "no"}),
    "swap-nine": ("swap-nine", {}),
}
# The messages that are needed offline: families of codes, of games and of matches, and single ones.
GAME_FAMILIES = ("classic.", "swap_nine.", "squared.", "not_a_position", "outcome.")
MATCH_FAMILIES = ("level.", "line.", "log.", "player.", "result.", "verdict.")
CODES = (
    "barred", "broken_file.line", "broken_file.neither", "broken_log.fields", "broken_log.missing",
    "broken_log.refused", "claim_pending", "claim_stands", "dead_board.drawn", "dead_board.won", "ended",
    "ended.result", "left", "line_ends", "move.hidden", "no_claim", "no_claim.withdraw", "no_claims", "no_hint",
    "no_hint.turn", "no_offer", "no_such_action", "no_such_action.seat", "no_such_game", "no_such_match",
    "no_such_offer", "no_such_option", "no_such_puzzle", "no_such_seat", "no_such_seat.flag",
    "no_such_seat.referee", "no_such_value", "no_text", "no_text.dispute", "no_version", "not_a_claim",
    "not_a_move", "not_a_move.kind", "not_a_move.partial", "not_a_seed", "not_a_time", "not_adjacent",
    "not_ended.report", "not_ended.rematch", "not_ended.share", "not_opponents", "not_your_turn",
    "not_yours_to_answer", "not_yours_to_answer.withdraw", "nothing_to_undo", "offer_pending", "outside",
    "outside.boards", "same_side", "stale_version", "stale_version.ahead", "taken", "taken.in_board", "too_long",
    "two_swaps", "unreachable", "unreachable.because", "wrong_board",
)  # fmt: skip


class Start(NamedTuple):
    game: Game
    solution: Solution


@cache
def documents() -> Mapping[str, bytes]:
    """The content of every file, by name; made once in a process."""
    starts = {name: _start(*table) for name, table in TABLES.items()}
    files = {f"{name}.table": _table(start.solution) for name, start in starts.items()}
    files["rules.json"] = _json(_rules(starts))
    files["puzzles.json"] = _json(_puzzles())
    files["lessons.json"] = _json({game: lessons.lesson(game) for game in all_games()})
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    return files | {"manifest.json": _json(hashes)}


def _start(game_id: str, options: Mapping[str, str]) -> Start:
    game = find_game(game_id)
    solution = solution_from(game, game.begin(options))
    _check_mirrored(game, solution, options)
    return Start(game, solution)


def _check_mirrored(game: Game, solution: Solution, options: Mapping[str, str]) -> None:
    """The games that O starts are those that X starts with the signs exchanged, state by state."""
    other = solution_from(game, game.begin({**options, "first": "O"}))
    one, two = solution.table, other.table
    swapped = [tuple(None if mark is None else mark.other for mark in state.cells) for state in one.states]
    _check(
        one.successor == two.successor
        and [1 - side for side in one.side] == list(two.side)
        and [-value for value in solution.value] == list(other.value)
        and solution.distance == other.distance
        and swapped == [state.cells for state in two.states],
        f"the games of {game.id} that O starts are not those that X starts: export both",
    )


def _check(holds: bool, otherwise: str) -> None:
    """The files hold what these assumptions leave out."""
    if not holds:
        raise ValueError(otherwise)


def _table(solution: Solution) -> bytes:
    """States, then moves, as columns of little-endian numbers; ``offline/table-rules.js`` reads them."""
    table = solution.table
    size = len(table.states)
    details, outcomes = _details(solution), _outcomes(solution)
    edges = [table.moves(state) for state in range(size)]
    columns = [
        array("I", [size, sum(map(len, edges))]),
        array("H", [_mask(state, Side.X) for state in table.states]),
        array("H", [_mask(state, Side.O) for state in table.states]),
        array("H", [details.index(_detail(state)) for state in table.states]),
        array("H", [outcomes.index(state.outcome) + 1 if state.outcome else 0 for state in table.states]),
        array("H", [after for row in edges for _, after in row]),
        array("b", table.side.tolist()),
        array("b", solution.value.tolist()),
        array("b", solution.distance.tolist()),
        array("b", list(solution.alive)),
        array("b", [len(row) for row in edges]),
        array("b", [move for row in edges for move, _ in row]),
    ]
    _check(sys.byteorder == "little" and columns[0].itemsize == 4, "this machine writes other numbers")
    return b"".join(column.tobytes() for column in columns)


def _mask(position: Position, side: Side) -> int:
    return sum(1 << cell for cell, mark in enumerate(position.cells) if mark is side)


def _detail(position: Position) -> str:
    """The text of a position behind its marks and its turn, without who starts."""
    words = str(position).split(" ")[2:]
    return " ".join(word for word in words if not word.startswith("first="))


def _details(solution: Solution) -> list[str]:
    return sorted({_detail(state) for state in solution.table.states})


def _outcomes(solution: Solution) -> list[Outcome]:
    return sorted({state.outcome for state in solution.table.states if state.outcome}, key=_order)


def _order(outcome: Outcome) -> tuple[str, str]:
    return repr(outcome), str(outcome.why)


def _rules(starts: Mapping[str, Start]) -> dict[str, object]:
    return {
        "games": [game_document(game) for game in all_games().values()],
        "facts": {game.id: _facts(game) for game in all_games().values()},
        "tables": {name: _about(start) for name, start in starts.items()},
        "lines": LINES,
        "line_names": LINE_NAMES,
        "verdicts": verdicts(),
        "actions": {
            "kinds": list(HANDLERS),
            "referee": REFEREE_ACTIONS,
            "seat": SEAT_ACTIONS,
            "unversioned": UNVERSIONED,
            "offers": OFFERS,
            "events": PAST,
        },
        "lengths": {"message": MESSAGE_LENGTH, "name": NAME_LENGTH, "player": PLAYER_LENGTH},
        "random_share": RANDOM_SHARE,
        "messages": _messages(),
    }


def _facts(game: Game) -> dict[str, object]:
    """What is not in the document of a game that servers send."""
    return {
        "rule_set": game.rule_set,
        "small": game.small,
        "player_1_is_x": game.player_1_is_x,
        "skip_single": game.steps[0].skip_single,
        "of_match": [option.name for option in game.options if option.of_match],
        "refusals": refusals(game) if game.small else {},
    }


def _about(start: Start) -> dict[str, object]:
    outcomes = [
        {
            "winner": None if outcome.winner is None else outcome.winner.symbol,
            "reason": outcome.reason,
            "why": _message(outcome.why),
            "lines": outcome.lines,
        }
        for outcome in _outcomes(start.solution)
    ]
    return {"details": _details(start.solution), "outcomes": outcomes}


def _message(message: Message) -> dict[str, object]:
    return {"code": message.code, "params": dict(message.params)}


def verdicts() -> dict[str, list[str]]:
    """The referee's verdicts: by claimed cells, for each marks of the three (0 none, 1 the claimant's, 2 the other's;
    the first cell counts 9, the second 3)."""
    owners = (None, Side.X, Side.O)
    return {
        "".join(map(str, cells)): [_judge(cells, marks) for marks in product(owners, repeat=3)]
        for cells in combinations(CELLS, 3)
    }


def _judge(cells: tuple[int, ...], marks: tuple[Side | None, ...]) -> str:
    board: list[Side | None] = [None] * 9
    for cell, mark in zip(cells, marks, strict=True):
        board[cell] = mark
    return judge(board, Claim(Side.X, cells)).reason


def refusals(game: Game) -> dict[str, str]:
    """The code with which a path is refused: by its cells and the marks on them, as the side to move sees them. It is
    asked of many positions, and must be the same in all of them."""
    found: dict[str, str] = {}
    solution = solution_from(game, game.begin({}))
    for position in solution.table.states[::7]:
        legal = {game.paths[move] for move in position.moves()}
        for path in _paths(game) if legal else ():
            if path in legal or (len(path) == 1 and any(other[:1] == path for other in legal)):
                continue
            code = position.why_not(path, game.naming).code
            key = refusal_key(position, path)
            _check(found.setdefault(key, code) == code, f"{game.id}: {key} is refused for two reasons")
    return dict(sorted(found.items()))


def _paths(game: Game) -> list[tuple[int, ...]]:
    cells = (OUTSIDE, *CELLS)
    longest = max(map(len, game.paths))
    paths: list[tuple[int, ...]] = [path for length in range(1, longest + 1) for path in product(cells, repeat=length)]
    return paths + ([(cell, 0, 1) for cell in cells] if longest > 1 else [])


def refusal_key(position: Position, path: tuple[int, ...]) -> str:
    """``offline/table-rules.js`` makes the same."""
    if any(cell not in CELLS for cell in path):
        return "outside"
    marks = "".join(_mark(position, cell) for cell in path[:2])
    return f"more:{marks[0]}" if len(path) > 2 else f"{','.join(map(str, path))}:{marks}"


def _mark(position: Position, cell: int) -> str:
    mark = position.cells[cell]
    return "." if mark is None else "m" if mark is position.turn else "t"


def _messages() -> dict[str, object]:
    known = catalogue()
    of_games = [code for code in known if code.startswith(GAME_FAMILIES)]
    of_matches = [code for code in match_messages.ENGLISH if code.startswith(MATCH_FAMILIES)]
    return {code: known[code] for code in sorted({*CODES, *of_games, *of_matches})}


def _puzzles() -> dict[str, object]:
    puzzles = {puzzle.id: learning.puzzle(puzzle) for puzzle in all_puzzles()}
    sets = [[puzzle.id for puzzle in found] for game in all_games().values() if (found := puzzle_set(game))]
    return {"list": learning.puzzle_list(), "sets": sets, "step": STEP, "puzzles": puzzles}


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain).encode() + b"\n"


def _plain(value: Any) -> object:
    raise TypeError(f"{value!r} has no place in these files")


def changed(folder: Path = FOLDER) -> list[str]:
    """The names of the files that are not as the rules would make them now."""
    made = documents()
    known = {file.name for file in folder.iterdir()} if folder.exists() else set[str]()
    stale: Iterable[str] = (name for name, content in made.items() if not _holds(folder / name, content))
    return sorted({*stale, *(known - set(made))})


def _holds(file: Path, content: bytes) -> bool:
    return file.exists() and file.read_bytes() == content


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, content in documents().items():
        (FOLDER / name).write_bytes(content)
        print(f"wrote {FOLDER / name}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
