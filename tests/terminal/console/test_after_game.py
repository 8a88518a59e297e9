"""After the end the console stays: for a word, for a rematch, and for a review of the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from ninefold.client.local import LocalSession
from ninefold.games import find_game
from ninefold.match.files import load
from ninefold.match.record import read_record, write_record
from ninefold.terminal.console.console import Console
from tests.support.console import EMPTY, O_HAS_THE_TOP, TOP, TWO_PEOPLE, X_WINS, ninefold, play, terminal
from tests.support.terminals import Player

if TYPE_CHECKING:
    import pytest

WON = X_WINS.split()
PROMPT = "What now (say TEXT, rematch, review, u to take back, e to leave)? "


def test_a_person_is_asked_what_now() -> None:
    seen = play("classic", *WON, by_person=True)
    assert seen.text.endswith(f"X wins: three in a row (1 2 3).\n{PROMPT}e\n")


def test_a_script_is_not_asked_and_its_end_is_the_end() -> None:
    done = ninefold("play", "classic", *TWO_PEOPLE, typed=X_WINS)
    assert done.returncode == 0
    assert done.stdout.endswith("X wins: three in a row (1 2 3).\n")
    assert done.stderr == ""


def test_a_player_who_leaves_in_the_game_is_not_kept() -> None:
    assert play("classic", "5", "e", "say never read", by_person=True).text.endswith("No winner: O left the game.\n")


def test_both_players_at_one_screen_say_good_game() -> None:
    seen = play("classic", *WON, "say good game", "o", "say thank you", "X", by_person=True)
    assert "Who says that, X or O? o\nPlayer 2 (O) says: good game\n" in seen.text
    assert "Player 1 (X) says: thank you\n" in seen.text
    assert read_record(write_record(seen.match)).events[-1].action.text == "thank you"


def test_against_the_computer_it_is_the_person_who_speaks() -> None:
    seen = play("classic", "1", "4", "2", "5", "3", "7", "6", "9", "8", "say good game", o="random", by_person=True)
    assert "Player 1 (X) says: good game\n" in seen.text


def test_an_empty_word_and_what_is_no_choice_are_refused_with_what_is_possible() -> None:
    seen = play("classic", *WON, "say", "say  ", "5", "", by_person=True)
    assert seen.text.count("There is no text in that message.") == 2
    assert "Who says that" not in seen.text
    choices = "is not possible now. Type one of: say TEXT, rematch, review, u to take back, e to leave."
    assert f"'5' {choices}" in seen.words
    assert f"'' {choices}" in seen.words


def test_the_word_after_the_game_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    ninefold("play", "classic", *TWO_PEOPLE, "--save", str(file), typed=f"{X_WINS}say good game\nO\n")
    assert [json.loads(line).get("text") for line in file.read_text().splitlines()][-2:] == ["good game", None]


def test_u_after_the_game_takes_back_the_last_move_and_the_game_goes_on() -> None:
    seen = play("classic", *WON, "u", by_person=True)
    assert seen.moves == WON[:-1]
    assert seen.text.rpartition(PROMPT)[2].count("Player 1 (X), choose a cell (3 6 7 8 9): ") == 1


def test_a_question_mark_after_the_game_shows_rules_and_advice() -> None:
    seen = play("classic", *WON, "?", by_person=True)
    assert f"{PROMPT}?\n{find_game('classic').console_help}" in seen.text


def test_a_question_mark_at_who_says_that_explains_this_question() -> None:
    seen = play("classic", *WON, "say good game", "?", "u", by_person=True)
    assert "Who says that, X or O? ?\nType X or O: the message is from that player." in seen.text
    assert f"u goes back and says nothing.\nWho says that, X or O? u\n{PROMPT}" in seen.text


def test_a_rematch_is_another_game_in_another_file(tmp_path: Path) -> None:
    file = tmp_path / "game.log"
    typed = f"{X_WINS}rematch\n5\n1\n2\n3\n8\nrematch\n9\ne\n"
    done = ninefold("play", "classic", *TWO_PEOPLE, "--save", str(file), typed=typed)
    assert done.returncode == 0
    saved = tmp_path / "game-2.log"
    assert f"A rematch: Player 1 (O) and Player 2 (X).\nThe game will be saved in {saved}.\n\n{EMPTY}" in done.stdout
    assert "A rematch: Player 1 (X) and Player 2 (O)." in done.stdout
    games = {path.name: load(str(path)).state.moves for path in tmp_path.iterdir()}
    assert games == {"game.log": (0, 3, 1, 4, 2), "game-2.log": (4, 0, 1, 2, 7), "game-3.log": (8,)}


def test_a_rematch_from_the_menu_is_among_the_saved_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    left = ninefold("--plain", typed=f"1\n2\nX\n\n{X_WINS}rematch\n5\ne\n")
    files = sorted((tmp_path / "ninefold" / "games").iterdir())
    assert [len(load(str(file)).state.moves) for file in files] == [5, 1]
    assert left.stdout.endswith(f"It is saved.\nTo continue it: ninefold play --load {files[1]}\n")


def test_a_finished_game_from_a_file_is_reviewed(tmp_path: Path) -> None:
    file = tmp_path / "game.record"
    file.write_text('[Game "classic"]\n\n1. 1 4 {O: hm} 2. 2 5 3. 3 1-0\n')
    before = file.read_text()
    done = ninefold("play", "--load", str(file), typed="review\n\n\n")
    assert done.returncode == 0
    assert "Player 1 (X): 1\nValue: draw. No move was better.\n" in done.stdout
    assert "Player 2 (O): 4\nValue: loss in 6. Better: 5 (draw).\nPlayer 2 (O) says: hm\n" in done.stdout
    assert file.read_text() == before


def test_a_review_goes_forward_back_and_to_a_move() -> None:
    seen = play("classic", *WON, "review", "", "", "u", "5", "", "0", "u", "9", "+1", "?", "e", by_person=True)
    places = [line.partition(" (")[0] for line in seen.text.splitlines() if line.startswith("Move ")]
    assert places == [f"Move {place} of 5" for place in (0, 1, 2, 1, 5, 5, 0, 0, 0, 0, 0)]
    assert "This is the latest position. u shows the move before, e ends the review." in seen.text
    assert "This is the first position. An empty line shows the next move." in seen.text
    assert "'9' is not a move of this game. Type a number from 0 to 5." in seen.text
    assert "An empty line shows the next move" in seen.text
    assert "Move 0 of 5 (enter: next, a number, h: hint, e: end the review)? " in seen.text
    assert "Move 2 of 5 (enter: next, u: back, a number, h: hint, e: end the review)? " in seen.text
    assert "Move 5 of 5 (u: back, a number, e: end the review)? " in seen.text
    assert seen.text.count("X wins: three in a row (1 2 3).") == 2
    assert seen.text.endswith(f"{PROMPT}e\n")


def test_a_hint_in_a_review_is_about_the_position_that_is_shown() -> None:
    seen = play("classic", *WON, "review", "4", "h", "5", "h", "e", by_person=True)
    assert "Hint: 3. The moves with perfect play: win in 1: 3; draw: 6; loss in 2: 7 8 9.\n" in seen.text
    assert "The game ended here.\n" in seen.text


def test_claims_and_their_settlement_belong_to_the_move_before_them() -> None:
    claimed = (*O_HAS_THE_TOP, f"claim O {TOP}", "confirm")
    seen = play("agents", *claimed, "review", "5", "e", by_person=True)
    shown = seen.text.rpartition("Move 0 of 5")[2]
    assert "Player 2 (O) claims victory with [0,0] [0,1] [0,2].\nPlayer 1 (X) confirms.\nThe referee" in shown


def test_a_move_of_a_big_game_is_reviewed_without_a_search() -> None:
    moves = ("5", "5", "1", "7", "3", "9", "2")
    match = play("squared", *moves).match
    assert match.result
    screen_and_keys, screen = terminal("review", "2", "e", "e", by_person=True)
    with LocalSession.resume(match) as session:
        Console(screen_and_keys, session).play()
    assert "Value:" not in screen.getvalue()
    assert "Move 2 of 6" in screen.getvalue()


def test_two_computers_are_watched_to_the_end_and_reviewed_by_a_person() -> None:
    seen = play("classic", "review", "e", x="perfect", o="perfect", by_person=True)
    assert "What now (review, e to leave)? review\n" in seen.text
    assert "What now" not in play("classic", x="perfect", o="perfect").text


def test_at_a_terminal_the_installed_command_stays(tmp_path: Path) -> None:
    player = Player(tmp_path, "play", "classic", *TWO_PEOPLE)
    try:
        for cell in WON:
            player.sees("): ")
            player.types(cell)
        player.sees(PROMPT)
        player.types("say good game")
        player.sees("X or O? ")
        player.types("O")
        player.sees("Player 2 (O) says: good game\n")
        player.types("e")
        assert player.ends() == 0
    finally:
        player.close()
