"""The short menu: which game, who plays, which level."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.games import all_games, find_game
from ninefold.match import actions
from ninefold.match.files import save
from ninefold.match.match import begin
from ninefold.server.hosting.commands import MatchRequest
from ninefold.terminal import saves
from ninefold.terminal.console.menu import choose, file_for, pick
from ninefold.terminal.console.prompt import Terminal
from ninefold.terminal.game_lock import GameLock
from ninefold.terminal.new_match import Continuation
from ninefold.terminal.tui.start_screen import StartScreen
from tests.support.console import terminal


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of saved games."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "ninefold" / "games"


def chosen(typing: Terminal) -> MatchRequest:
    """A new game."""
    request = choose(typing)
    assert isinstance(request, MatchRequest)
    return request


def players(request: MatchRequest) -> dict[str, str]:
    """By side."""
    return {side: seat.player for side, seat in zip(request.sides, request.seats, strict=True)}


def test_the_menu_asks_for_the_game_the_players_and_the_level() -> None:
    request = chosen(terminal("1", "2", "4", "O")[0])
    assert (request.game, players(request)) == ("classic", {"X": "perfect", "O": "human"})


def test_the_menu_asks_who_starts_where_the_players_agree_on_it() -> None:
    assert chosen(terminal("3", "1", "3")[0]).first == "toss"


def test_u_in_the_menu_starts_again() -> None:
    assert chosen(terminal("1", "u", "4", "1")[0]).game == "squared"


@pytest.mark.parametrize("line", ["0", "3", " 1", "1 ", "", "one", "²", "٢", "-1", "1.0"])
def test_a_wrong_number_is_asked_again(line: str) -> None:
    keyboard, screen = terminal(line, "2")
    assert pick(keyboard, "Which", ["this", "that"]) == 1
    assert "is not a number from 1 to 2." in screen.getvalue()


def test_the_computer_against_itself_has_a_level_for_each_side() -> None:
    request = chosen(terminal("4", "3", "1", "4")[0])
    assert (request.game, players(request)) == ("squared", {"X": "easy", "O": "expert"})


def test_player_1_chooses_a_sign_where_the_game_asks_for_it() -> None:
    assert chosen(terminal("1", "1", "O")[0]).sides == "OX"
    assert chosen(terminal("1", "1", "X")[0]).sides == "XO"
    assert chosen(terminal("2", "1")[0]).sides == "XO"


def test_every_match_from_the_menu_has_a_seed_of_its_own() -> None:
    assert len({chosen(terminal("4", "1")[0]).seed for _ in range(3)}) == 3


def test_the_menu_lists_games_as_the_full_screen_does_and_explains_itself() -> None:
    assert StartScreen().gallery.games == list(all_games().values())
    keyboard, screen = terminal("?", "1", "?", "1", "X")
    chosen(keyboard)
    places = [screen.getvalue().find(f"{n}  {game.title}") for n, game in enumerate(StartScreen().gallery.games, 1)]
    assert -1 not in places
    assert places == sorted(places)
    assert "e leaves, u takes back, h gives a hint" in screen.getvalue()
    assert find_game("classic").console_rules in screen.getvalue()


def test_a_saved_game_is_continued(home: Path) -> None:
    match = begin(find_game("classic")).act(1, actions.move(4))
    file = file_for(match)
    home.mkdir(parents=True)
    save(file, match)
    assert choose(terminal("6", "1")[0]) == Continuation(match, file)


def test_saved_games_are_filtered_and_deleted(home: Path) -> None:
    home.mkdir(parents=True)
    games = {"a": "classic", "b": "squared", "c": "ultimate"}
    matches = {name: begin(find_game(game)).act(1, actions.move(4)) for name, game in games.items()}
    for name, match in matches.items():
        save(str(home / f"2026-{name}.log"), match)
    lines = ("6", "squared", "nothing", "SQUARED ongoing", "2", "delete 1", "n", "delete 1", "y", "ultimate", "1")
    keyboard, screen = terminal(*lines)
    assert choose(keyboard) == Continuation(matches["c"], str(home / "2026-c.log"))
    assert sorted(file.name for file in home.glob("*.log")) == ["2026-a.log", "2026-c.log"]
    assert "No game has all these words." in screen.getvalue()
    assert "'2' is not a number from 1 to 1." in screen.getvalue()
    assert screen.getvalue().count("Delete this game (y/n)?") == 2


def test_a_saved_game_that_is_open_elsewhere_is_not_deleted(home: Path) -> None:
    home.mkdir(parents=True)
    file = home / "2026-a.log"
    save(str(file), begin(find_game("classic")).act(1, actions.move(4)))
    lock = GameLock.acquire(file)
    keyboard, screen = terminal("6", "delete 1", "y", "1")
    choose(keyboard)
    lock.release()
    assert "is open in another window" in screen.getvalue()
    assert file.exists()


def test_a_saved_seat_on_a_server_is_continued(home: Path) -> None:
    saves.save_link(home, "http://localhost:8090/m/00ff#invite=abcdefghijklmnop", begin(find_game("classic")), 2)
    link = "http://localhost:8090/m/00ff#invite=abcdefghijklmnop"
    assert choose(terminal("6", "1")[0]) == Continuation(link=link, rematches=2)


def test_without_saved_games_the_menu_says_so_and_asks_again(home: Path) -> None:
    assert not home.exists()
    keyboard, screen = terminal("6", "2", "1")
    assert chosen(keyboard).game == "agents"
    assert "There are no saved games yet." in screen.getvalue()


def test_a_record_is_continued_in_a_file_of_its_own(home: Path, tmp_path: Path) -> None:
    match = begin(find_game("classic")).act(1, actions.move(4))
    file = tmp_path / "game.record"
    save(str(file), match)
    keyboard, screen = terminal("7", "nothing.record", str(file))
    opened = choose(keyboard)
    assert isinstance(opened, Continuation)
    assert opened.match
    assert opened.match.state.moves == (4,)
    assert Path(opened.file).parent == home
    assert "Cannot read 'nothing.record'" in screen.getvalue()


def test_a_match_is_joined_or_watched_by_its_link(home: Path) -> None:
    link = "http://localhost:8090/m/00ff"
    keyboard, screen = terminal("8", "somewhere", f" {link}#invite=abcdefghijklmnop", "Ann")
    assert choose(keyboard) == Continuation(link=f"{link}#invite=abcdefghijklmnop", name="Ann")
    assert "is not a link" in screen.getvalue()
    assert choose(terminal("9", link)[0]) == Continuation(link=link, watches=True)
