"""The short menu: which game, who plays, which level."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.core.messages import text
from ninefold.games import all_games, find_game
from ninefold.match import actions
from ninefold.match.files import save
from ninefold.match.match import begin
from ninefold.server.hosting.commands import CLOCK_CHOICES, MatchRequest
from ninefold.terminal import saves
from ninefold.terminal.console.menu import ASKED, choose, pick
from ninefold.terminal.console.prompt import Help, PlayerLeft, Terminal
from ninefold.terminal.game_lock import GameLock
from ninefold.terminal.new_match import Continuation
from ninefold.terminal.new_match_form import OPPONENTS, NewMatchForm
from ninefold.terminal.preferences import PreferencesFile
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
    request = chosen(terminal("1", "1", "4", "O", "")[0])
    assert (request.game, players(request)) == ("classic", {"X": "perfect", "O": "human"})


def test_enter_chooses_at_every_question() -> None:
    keyboard, screen = terminal("", "", "", "", "")
    request = chosen(keyboard)
    assert (request.game, players(request), request.clock) == ("classic", {"X": "human", "O": "medium"}, None)
    assert "(1-10; enter: 1)? " in screen.getvalue()
    assert "Your sign, X or O (enter: X)? " in screen.getvalue()


def test_what_was_chosen_last_is_what_enter_chooses() -> None:
    preferences = PreferencesFile()
    choose(terminal("5", "1", "4", "O", "")[0], preferences)
    request = choose(terminal("", "", "", "", "")[0], preferences)
    assert isinstance(request, MatchRequest)
    assert (request.game, players(request)) == ("ultimate", {"X": "expert", "O": "human"})


def test_one_step_has_who_starts_the_rules_the_clock_and_the_names() -> None:
    keyboard, screen = terminal("1", "2", "X", "1", "2", "3", "3", "4", "Ann", "Bob", "9", "x", "")
    request = chosen(keyboard)
    assert "Options: 1 Starts: X; 2 Early draw: yes; 3 Clock: none; 4 Names: Player 1, Player 2." in screen.getvalue()
    assert "1 Starts: O; 2 Early draw: no; 3 Clock: 3 min + 2 s; 4 Names: Ann, Bob." in screen.getvalue()
    assert (request.first, request.options["early_draw"], request.clock) == ("O", "no", CLOCK_CHOICES[1])
    assert [seat.name for seat in request.seats] == ["Ann", "Bob"]
    refused = " ".join(screen.getvalue().split())
    assert "'9' is no option. Type a number from 1 to 4, or nothing to start the game." in refused


def test_a_question_mark_explains_the_question() -> None:
    """Each question says something of its own; at the options also what the rules of the game let choose."""
    keyboard, screen = terminal("?", "2", "?", "2", "?", "")
    chosen(keyboard)
    seen = " ".join(screen.getvalue().split())
    assert "Type the number of a game to play it" in seen
    assert "A friend here sits beside you." in seen
    assert "Enter starts the game as the line says." in seen
    assert f"Early draw: {find_game('agents').options[-1].help}" in seen


def test_every_question_of_the_menu_has_an_explanation() -> None:
    for game in all_games().values():
        for opponent in range(len(OPPONENTS)):
            for setting in NewMatchForm(game, opponent).settings:
                is_asked = setting.field in ASKED or setting.field == "first"
                assert not is_asked or text(f"menu.help.{setting.field}")


def test_the_rules_of_a_game_are_read_from_the_menu() -> None:
    keyboard, screen = terminal("10", "3", "4", "2", "")
    assert chosen(keyboard).game == "squared"
    assert find_game("swap-nine").rules_page() in screen.getvalue()


def test_the_menu_says_how_to_quit() -> None:
    keyboard, screen = terminal("e")
    with pytest.raises(PlayerLeft):
        choose(keyboard)
    assert "\n  e  Quit\n" in screen.getvalue()


def test_the_menu_asks_who_starts_where_the_players_agree_on_it() -> None:
    keyboard, screen = terminal("3", "2", "3", "")
    assert chosen(keyboard).first == "toss"
    assert "Options: 1 Starts" not in screen.getvalue()


def test_u_in_the_menu_starts_again() -> None:
    assert chosen(terminal("1", "u", "4", "2", "")[0]).game == "squared"


@pytest.mark.parametrize("line", ["0", "3", " 1", "1 ", "", "one", "²", "٢", "-1", "1.0"])
def test_a_wrong_number_is_asked_again(line: str) -> None:
    keyboard, screen = terminal(line, "2")
    assert pick(keyboard, "Which", ["this", "that"], Help(str)) == 1
    assert "is not in the list. Type a number from 1 to 2." in screen.getvalue()


def test_the_computer_against_itself_has_a_level_for_each_side() -> None:
    request = chosen(terminal("4", "4", "1", "4", "")[0])
    assert (request.game, players(request)) == ("squared", {"X": "easy", "O": "expert"})


def test_player_1_chooses_a_sign_where_the_game_asks_for_it() -> None:
    assert chosen(terminal("1", "2", "O", "")[0]).sides == "OX"
    assert chosen(terminal("1", "2", "X", "")[0]).sides == "XO"
    assert chosen(terminal("2", "2", "")[0]).sides == "XO"


def test_every_match_from_the_menu_has_a_seed_of_its_own() -> None:
    assert len({chosen(terminal("4", "2", "")[0]).seed for _ in range(3)}) == 3


def test_the_menu_lists_games_as_the_full_screen_does() -> None:
    assert StartScreen().gallery.games == list(all_games().values())
    keyboard, screen = terminal("1", "2", "X", "")
    chosen(keyboard)
    places = [screen.getvalue().find(f"{n}  {game.title}") for n, game in enumerate(StartScreen().gallery.games, 1)]
    assert -1 not in places
    assert places == sorted(places)


def test_a_saved_game_is_continued(home: Path) -> None:
    match = begin(find_game("classic")).act(1, actions.move(4))
    file = saves.new_saved_file(match)
    home.mkdir(parents=True)
    save(file, match)
    assert choose(terminal("6", "1")[0]) == Continuation(match, file)


def test_saved_games_are_filtered_and_deleted(home: Path) -> None:
    home.mkdir(parents=True)
    games = {"a": "classic", "b": "squared", "c": "ultimate"}
    matches = {name: begin(find_game(game)).act(1, actions.move(4)) for name, game in games.items()}
    for name, match in matches.items():
        save(str(home / f"2026-{name}.log"), match)
    lines = ("6", "squared", "nothing", "SQUARED ongoing", "2", "delete 1", "?", "n", "delete 1", "y", "ultimate", "1")
    keyboard, screen = terminal(*lines)
    assert choose(keyboard) == Continuation(matches["c"], str(home / "2026-c.log"))
    assert sorted(file.name for file in home.glob("*.log")) == ["2026-a.log", "2026-c.log"]
    assert "No game has all these words." in screen.getvalue()
    assert "'2' is not in the list. Type a number from 1 to 1." in screen.getvalue()
    assert screen.getvalue().count("Delete this game (y/n)?") == 3
    assert "y deletes the game for good. n keeps it" in screen.getvalue()


def test_the_list_of_saved_games_says_what_it_leaves_out(home: Path) -> None:
    home.mkdir(parents=True)
    save(str(home / "2026-a.log"), begin(find_game("classic")).act(1, actions.move(4)))
    (home / "2026-b.log").write_text("rubbish", encoding="utf-8")
    keyboard, screen = terminal("6", "1")
    choose(keyboard)
    assert f"Continue a game (one file in {home} cannot be read)" in " ".join(screen.getvalue().split())


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
    keyboard, screen = terminal("6", "2", "2", "")
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
