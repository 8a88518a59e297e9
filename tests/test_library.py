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
from ninefold import Engine, Seat, Unreadable, begin, make_player

FILE = Path(ninefold.__file__)
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
        (
            lambda: begin("classic", seats=(Seat("Ann"), Seat("Bob"))),  # type: ignore[arg-type]
            "side cannot be 'Ann'. Values: X O.",
        ),
    ],
)
def test_a_value_of_another_type_is_refused_with_a_sentence(wrong: Any, sentence: str) -> None:
    with pytest.raises(Unreadable, match=sentence):
        wrong()


def test_an_engine_shows_its_memory() -> None:
    assert repr(Engine(2**20)) == "<Engine with 1,024 KiB>"
