"""``import ninefold``: what it exports, and what it does not load."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ninefold
from ninefold import Engine, Seat, Unreadable, begin, find_game, make_player, play_tournament

FILE = Path(ninefold.__file__)
BIG = find_game("squared").begin()
# Loads a name, and prints the packages of others and the modules of ours that came with it.
LOAD = """
import sys
before = set(sys.modules)
import ninefold
for name in sys.argv[1:]:
    getattr(ninefold, name)
print(*sorted(set(sys.modules) - before))
"""


def loaded_with(*names: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", LOAD, *names], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def typed_names() -> set[str]:
    """The names that type checkers see."""
    blocks = [node for node in ast.parse(FILE.read_text(encoding="utf-8")).body if isinstance(node, ast.If)]
    (block,) = [node for node in blocks if ast.unparse(node.test) == "TYPE_CHECKING"]
    return {alias.name for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}


def test_every_name_is_there_at_run_time_for_type_checkers_and_for_completion() -> None:
    assert sorted(typed_names()) == ninefold.__all__
    assert all(getattr(ninefold, name) is not None for name in ninefold.__all__)
    assert set(ninefold.__all__) <= set(dir(ninefold))
    star: dict[str, object] = {}
    exec("from ninefold import *", star)  # noqa: S102 (our own text)
    assert set(ninefold.__all__) <= set(star)


def test_completion_knows_names_that_nobody_has_asked_for_yet() -> None:
    command = "import ninefold; print(*sorted(set(ninefold.__all__) - set(dir(ninefold))))"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'ninefold' has no attribute 'chess'"):
        ninefold.chess  # type: ignore[attr-defined]  # noqa: B018


def test_import_alone_loads_no_module_of_ours_and_no_package_of_others() -> None:
    loaded = loaded_with()
    assert {name for name in loaded if name.startswith("ninefold")} == {"ninefold"}
    assert {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names == {"ninefold"}


def test_all_names_together_load_no_package_of_others_and_no_server() -> None:
    loaded = loaded_with(*ninefold.__all__)
    assert {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names == {"ninefold"}
    assert {"asyncio", "http", "socket", "sqlite3", "ssl"} & loaded == set()


def test_a_match_loads_neither_the_engine_nor_the_arena() -> None:
    ours = {name for name in loaded_with("begin", "find_game", "read_record") if name.startswith("ninefold.")}
    assert {name.split(".")[1] for name in ours} == {"core", "games", "match"}


def test_the_page_of_the_library_names_everything() -> None:
    page = (FILE.parents[2] / "docs" / "library.md").read_text(encoding="utf-8")
    table = page.partition("\n## All names\n")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"`(\w+)`", table)) == ninefold.__all__


def test_what_begins_with_an_id_is_what_begins_with_the_game() -> None:
    game = ninefold.find_game("ultimate")
    by_id = ninefold.begin("ultimate", {"first": "O"}, tie_break="boards")
    assert by_id == ninefold.begin(game, {"first": "O", "tie_break": "boards"})
    assert ninefold.find_game(game) is game
    with pytest.raises(ninefold.Unreadable, match="'chess'"):
        ninefold.begin("chess")
    with pytest.raises(ninefold.Unreadable, match="no option 'tie_break'"):
        ninefold.begin("classic", tie_break="boards")


def test_players_by_name_and_by_function_meet_in_every_game() -> None:
    def last_of_all(match: ninefold.Match) -> int:
        return match.position.moves()[-1]

    for game in ninefold.all_games():
        match = ninefold.play_match(game, "random", "random" if game == "agents" else last_of_all, seed=2)
        assert match.result is not None
        assert match == ninefold.play_match(game, "random", "random" if game == "agents" else last_of_all, seed=2)
    assert match.setup.seats[1].player == "last_of_all"


def test_a_tournament_is_the_same_in_one_process_and_in_two() -> None:
    players = ["random", "perfect"]
    alone = ninefold.play_tournament("classic", players, pairs=1, seed=4)
    assert ninefold.play_tournament("classic", players, pairs=1, seed=4, workers=2) == alone
    assert repr(alone) == "<Tournament of classic: random, perfect, 2 games>"
    with pytest.raises(ninefold.Refusal, match="two different players"):
        ninefold.play_tournament("classic", ["random", "random"])
    with pytest.raises(ninefold.Unreadable, match="'nobody'"):
        ninefold.play_tournament("classic", ["random", "nobody"])


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: begin(7), "There is no game '7'. Games: classic"),  # type: ignore[arg-type]
        (lambda: make_player("classic", 3), "has no player '3'"),  # type: ignore[arg-type]
        (lambda: ninefold.play_match("classic", "easy", 3), "has no player '3'"),  # type: ignore[arg-type]
        (
            lambda: begin("classic", seats=(Seat("Ann"), Seat("Bob"))),  # type: ignore[arg-type]
            "side cannot be 'Ann'. Values: X O.",
        ),
    ],
)
def test_a_value_of_another_type_is_refused_with_a_sentence(wrong: Any, sentence: str) -> None:
    with pytest.raises(Unreadable, match=sentence):
        wrong()


anything: Any = ninefold  # without its types
WRONG: list[tuple[Any, str]] = [
    (lambda: anything.analyze("classic", 5), "position must be a position of classic or its text, not 5."),
    (
        lambda: anything.analyze("classic", anything.find_game("swap-nine").begin()),
        "a position of classic or its text, not SwapNine",
    ),
    (lambda: anything.Engine("big"), "memory must be an integer, not 'big'."),
    (lambda: anything.Engine(threads=1.5), "threads must be an integer, not 1.5."),
    (lambda: anything.Engine(2**20).search(BIG, nodes=2.5), "nodes must be an integer, not 2.5."),
    (lambda: anything.Engine(2**20).search(BIG, depth="4"), "depth must be an integer, not '4'."),
    (lambda: anything.Engine(2**20).search(BIG, seconds="1"), "seconds must be a number, not '1'."),
    (lambda: anything.play_tournament("classic", "easy"), "players must be a list of names, such as .*, not 'easy'."),
    (lambda: anything.play_tournament("classic", ["easy", min]), "players must be a list of names"),
    (lambda: anything.play_tournament("classic", ["easy", "hard"], pairs=1.5), "pairs must be an integer, not 1.5."),
    (lambda: anything.play_match("classic", "easy", "hard", seed="a"), "seed must be an integer, not 'a'."),
    (lambda: anything.solve("classic", 5), "options must be a dict, such as .*, not 5."),
    (lambda: anything.find_game("classic").begin("O"), "options must be a dict, such as .*, not 'O'."),
    (lambda: anything.find_game("classic").parse(5), "A position is parsed from its text, not from 5."),
    (lambda: anything.read_record(None), "A record must be a text, not None."),
    (lambda: anything.read_log(b"{}"), "A log must be a text, not b'{}'."),
    (lambda: anything.write_record("1. 5"), "match must be a Match, such as begin.*, not '1. 5'."),
    (lambda: anything.write_log(anything.find_game("classic")), "match must be a Match"),
    (lambda: anything.save(anything.begin("classic"), "game.record"), "match must be a Match, .*, not 'game.record'."),
    (lambda: anything.report(None), "match must be a Match, .*, not None."),
]


@pytest.mark.parametrize(("wrong", "sentence"), WRONG)
def test_a_value_of_no_use_is_a_type_error_with_a_sentence(wrong: Any, sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        wrong()


@pytest.mark.parametrize("nodes", [-1, 2**63])
def test_numbers_out_of_range_are_refused_before_a_search_or_a_tournament(nodes: int) -> None:
    with pytest.raises(ValueError, match=f"Nodes are 0 .* not {nodes}"):
        Engine(2**20).search(BIG, nodes=nodes)
    with pytest.raises(ValueError, match="A depth is 0"):
        Engine(2**20).search(BIG, depth=2**40)
    with pytest.raises(ValueError, match="at least one pair of games and one worker, not 0 and 1"):
        play_tournament("classic", ["easy", "hard"], pairs=0)


def test_an_engine_and_what_it_found_show_themselves_in_a_line() -> None:
    assert repr(Engine(2**20)) == "<Engine with 1,024 KiB>"
    found = Engine(2**20).search(BIG, nodes=2000, lines=81)
    assert repr(found) == f"<SearchInfo: depth {found.depth}, {found.nodes:,} nodes, 81 lines>"
