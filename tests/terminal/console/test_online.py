"""A seat on a server at the console: the same prompts, and news as soon as they come."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ninefold.client import Link, RemoteSeat, read_link
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.terminal.console.menu import choose
from ninefold.terminal.new_match import Continuation
from ninefold.terminal.preferences import PreferencesFile
from tests.support.console import COMMAND, environment, ninefold, refused, terminal
from tests.support.relay import relay
from tests.support.server_process import Serving, serving
from tests.support.short_games import LONG_GAME
from tests.support.terminals import Player, invited, play
from tests.support.waiting import PATIENCE

Sit = Callable[..., Player]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """Seats at the console, taken with links."""
    with contextlib.ExitStack() as stack:

        def take(link: Link, name: str = "Bob") -> Player:
            player = Player(tmp_path, "play", "--join", str(link), "--name", name)
            stack.callback(player.close)
            return player

        yield take


def bobs_turn(server: Serving, sit: Sit) -> tuple[RemoteSeat, Player, Link]:
    """Ann, who has played 5; Bob, who is asked for his move; and the invitation he came with."""
    ann, invitation = invited(server)
    bob = sit(invitation)
    play(ann, "5")
    bob.sees("choose a cell")
    return ann, bob, invitation


def leaves(player: Player) -> Link:
    """The code for another device that is shown."""
    player.types("e")
    player.sees("another device, within 10 minutes: ninefold play --join '")
    return read_link(player.sees("'").removesuffix("'"))


def test_two_consoles_play_a_whole_game(server: Serving, tmp_path: Path) -> None:
    invitations = server.client().create("classic", ("open", "open")).invitations
    typed = {1: "1\n2\n3\n", 2: "4\n5\n"}
    players = [
        subprocess.Popen(
            [COMMAND, "play", "--join", str(invitations[seat]), "--name", name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(XDG_STATE_HOME=str(tmp_path)),
        )
        for seat, name in ((1, "Ann"), (2, "Bob"))
    ]  # fmt: skip
    for seat, player in enumerate(players, 1):
        assert player.stdin
        player.stdin.write(typed[seat])
        player.stdin.flush()
    screens = [player.communicate(timeout=PATIENCE)[0] for player in players]
    assert [player.returncode for player in players] == [0, 0]
    for screen in screens:
        assert screen.endswith("X | X | X\nO | O | 6\n7 | 8 | 9\n\nX wins: three in a row (1 2 3).\n")
    assert "you are Ann (X)" in screens[0]
    assert "you are Bob (O)" in screens[1]


def test_the_opponents_moves_appear_when_they_come(server: Serving, sit: Sit) -> None:
    ann, invitation = invited(server)
    bob = sit(invitation)
    bob.sees("Tic-Tac-Toe: you are Bob (O), against Ann (X).\n\n1 | 2 | 3\n4 | 5 | 6\n7 | 8 | 9\n\n")
    bob.sees("Waiting for Ann (X) ... ")
    play(ann, "5")
    bob.sees("Ann (X): 5\n\n1 | 2 | 3\n4 | X | 6\n7 | 8 | 9\n\nBob (O), choose a cell (1 2 3 4 6 7 8 9): ")
    bob.types("5")
    bob.sees("Cell 5 is taken by X. Free cells: 1 2 3 4 6 7 8 9.\nBob (O), choose a cell")
    bob.types("1")
    bob.sees("Bob (O): 1\n\nO | 2 | 3\n4 | X | 6\n7 | 8 | 9\n\nWaiting for Ann (X) ... ")
    assert ann.my_turn()["position"].startswith("O../.X./... X")


def test_a_move_of_several_steps_is_asked_step_by_step(server: Serving, sit: Sit) -> None:
    ann, invitation = invited(server, "squared")
    bob = sit(invitation)
    play(ann, "37")
    bob.sees("choose a cell")
    bob.types("?")
    bob.sees(find_game("squared").console_rules.replace("\r\n", "\n"))
    bob.types("5")
    bob.sees("Bob (O): 75")


def test_the_computer_on_the_server_is_played_against(server: Serving, sit: Sit) -> None:
    bob = sit(server.client().create("classic", ("perfect", "open")).invitations[2])
    bob.sees("perfect (X): ")
    bob.sees("choose a cell")
    bob.types("h")
    bob.sees("Hint: ")
    cells = re.findall(r"\d", bob.sees("): ").partition("choose a cell")[2])
    bob.types(cells[0])
    bob.sees(f"Bob (O): {cells[0]}")


def test_against_a_person_there_are_no_hints(server: Serving, sit: Sit) -> None:
    ann, bob, _ = bobs_turn(server, sit)
    for prompt in ("choose a cell", "Waiting for Ann (X) ... "):
        bob.types("h")
        assert "Hint" not in bob.sees("There are no hints against a person, only against the computer.\n")
        bob.sees(prompt)
        bob.types("1")
    assert ann.my_turn()["version"] == 2


def test_a_player_who_leaves_continues_with_the_same_link(server: Serving, sit: Sit) -> None:
    ann, bob, invitation = bobs_turn(server, sit)
    bob.types("e")
    told = bob.sees("#code=") + bob.sees("'\n")
    assert f"To continue here: ninefold play --join '{invitation}'\n" in told
    assert bob.ends() == 0
    assert ann.view()["result"] is None
    again = sit(invitation)
    again.sees("you are Bob (O)")
    again.sees("choose a cell")
    again.types("1")
    again.sees("Bob (O): 1")


def test_the_code_that_e_shows_moves_the_seat_to_another_device(server: Serving, sit: Sit) -> None:
    _, bob, invitation = bobs_turn(server, sit)
    code = leaves(bob)
    assert server.client().join(code).number == 2
    again = sit(invitation)
    again.sees("This invitation has been used.")
    assert again.ends() == 2


def test_a_player_who_joined_with_a_code_returns_with_the_same_code(server: Serving, sit: Sit) -> None:
    ann, _ = invited(server)
    code = ann.handover()
    for _ in range(2):
        player = sit(code)
        player.sees("Waiting for a player to join as O ... ")
        player.types("e")
        assert "another device" not in player.sees(f"'{code}'")
        assert player.ends() == 0


def test_a_player_waits_for_an_open_seat(server: Serving, sit: Sit) -> None:
    seat, invitation = invited(server)
    ann = sit(seat.handover())
    ann.sees("Waiting for a player to join as O ... ")
    server.client().join(invitation, "Cy")
    ann.sees("Cy (O) has joined.\nAnn (X), choose a cell")


def test_u_offers_a_take_back(server: Serving, sit: Sit) -> None:
    ann, bob, _ = bobs_turn(server, sit)
    bob.types("1")
    bob.sees("Waiting for Ann (X) ... ")
    bob.types("u")
    bob.sees("Bob (O) offers to take back a move.\nWaiting for Ann (X) ... ")
    ann.view()
    ann.act(actions.ACCEPT)
    bob.sees(
        "Ann (X) accepts.\nThe last move of Bob (O) is taken back.\n\n"
        "1 | 2 | 3\n4 | X | 6\n7 | 8 | 9\n\nBob (O), choose a cell"
    )


def test_an_offer_interrupts_the_question_and_is_asked_about(server: Serving, sit: Sit) -> None:
    ann, invitation = invited(server)
    bob = sit(invitation)
    play(ann, "5")
    bob.sees("choose a cell (1 2 3 4 6 7 8 9): ")
    ann.act(actions.OFFER_TAKE_BACK)
    bob.sees("Ann (X) offers to take back a move.\nBob (O), do you accept (y/n)? ")
    bob.types("maybe")
    bob.sees("'maybe' is neither y nor n. Type y or n.\nBob (O), do you accept (y/n)? ")
    bob.types("n")
    bob.sees("Bob (O) declines.\nBob (O), choose a cell")
    ann.wait()
    ann.act(actions.OFFER_DRAW)
    bob.sees("Ann (X) offers a draw.\nBob (O), do you accept (y/n)? ")
    bob.types("y")
    bob.sees("Bob (O) accepts.\nA draw: agreed by both players.\n")
    bob.types("e")
    assert bob.ends() == 0


def test_players_can_talk_at_every_prompt(server: Serving, sit: Sit) -> None:
    ann, invitation = invited(server)
    bob = sit(invitation)
    bob.sees("Waiting for Ann (X) ... ")
    bob.types("say good luck")
    bob.sees("Bob (O) says: good luck\nWaiting")
    bob.types("5")
    bob.sees("You may type: say TEXT")
    ann.say("you too")
    bob.sees("Ann (X) says: you too\n")
    play(ann, "5")
    bob.sees("choose a cell")
    bob.types("draw")
    bob.sees("Bob (O) offers a draw.\nBob (O), choose a cell")
    bob.types("resign")
    bob.sees("Resign? Your opponent wins the game (y/n) ")
    bob.types("y")
    bob.sees("Bob (O) resigns.\nX wins: O resigned.\n")
    bob.types("e")
    assert bob.ends() == 0


def test_a_person_who_resigns_is_asked_again(server: Serving, sit: Sit) -> None:
    ann, bob, _ = bobs_turn(server, sit)
    bob.types("resign")
    bob.sees("Resign? Your opponent wins the game (y/n) ")
    bob.types("1")
    bob.sees("'1' is neither y nor n. Type y or n.\nResign? ")
    bob.types("?")
    bob.sees("y ends the game, and your opponent wins it. n goes on with it.\nResign? ")
    bob.types("n")
    bob.sees("Bob (O), choose a cell")
    bob.types("1")
    bob.sees("Waiting for Ann (X) ... ")
    assert ann.view()["version"] == 2


def test_a_script_that_resigns_is_not_asked_again(server: Serving) -> None:
    invitation = server.client().create("classic", ("open", "easy"), first="X").invitations[1]
    done = ninefold("play", "--join", str(invitation), typed="resign\n")
    assert "O wins: X resigned." in done.stdout


def test_claims_are_made_answered_and_withdrawn_for_oneself_alone(server: Serving, sit: Sit) -> None:
    ann, invitation = invited(server, "agents")
    bob = sit(invitation)
    ann.my_turn()
    ann.act(actions.move((0,), claim=(0, 1, 2)))
    bob.sees("Bob (O), type confirm, dispute WHY, or withdraw: ")
    bob.types("withdraw")
    bob.sees("You cannot act for your opponent.")
    bob.types("dispute two are empty")
    bob.sees("Bob (O) disputes: two are empty\nThe referee: the claim is false.")
    bob.sees("Bob (O), ")
    bob.types("claim X [0,0][0,1][0,2]")
    bob.sees("You cannot act for your opponent.")
    bob.types("[1,1] claim [1,0][1,1][1,2]")
    bob.sees("and claims victory with")
    bob.sees("Waiting for Ann (X) ... ")
    bob.types("withdraw")
    bob.sees("Bob (O) withdraws the claim.")
    assert ann.view()["barred"] == ["O"]


def test_a_player_who_returns_sees_the_last_claim_and_why_it_was_disputed(server: Serving, sit: Sit) -> None:
    ann, invitation = invited(server, "agents")
    bob = server.client().join(invitation, "Bob")
    ann.act(actions.move((0,), claim=(0, 1, 2)))
    bob.my_turn()
    bob.act(actions.dispute("two are empty"))
    bob.act(actions.move((1,)))
    again = sit(ann.handover())
    again.sees("you are Ann (X), against Bob (O).\nAnn (X): [0,0], and claims victory with [0,0] [0,1] [0,2]\n")
    again.sees(
        "Bob (O) disputes: two are empty\nThe referee: the claim is false. Only one of [0,0] [0,1] [0,2] is X's."
    )


def test_the_end_of_the_game_interrupts_a_question(server: Serving, sit: Sit) -> None:
    ann, bob, _ = bobs_turn(server, sit)
    ann.act(actions.RESIGN)
    bob.sees("Ann (X) resigns.\nO wins: X resigned.\n")
    bob.types("e")
    assert bob.ends() == 0


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_lost_connection_is_opened_again_and_nothing_is_lost(tmp_path: Path, sit: Sit, how: str) -> None:
    with serving(tmp_path / "data") as server:
        ann, invitation = invited(server)
        bob = sit(invitation)
        bob.sees("Waiting for Ann (X) ... ")
        getattr(server, how)()
        bob.sees("Connection lost. Reconnecting ...\nWaiting for Ann (X) ... ")
        server.start()
        bob.sees("Connected again.\n")
        play(ann, "5")
        bob.sees("Ann (X): 5")
        bob.sees("choose a cell")
        getattr(server, how)()
        bob.sees("Connection lost.")
        bob.types("1")  # while nobody is there
        server.start()
        bob.sees("Bob (O): 1")
        assert len(ann.match().events) == 2


def test_a_seat_that_was_moved_to_another_device_ends_the_session(server: Serving, sit: Sit, tmp_path: Path) -> None:
    _, invitation = invited(server)
    bob = sit(invitation)
    bob.sees("Waiting for Ann (X) ... ")
    code = leaves(bob)
    bob.ends()
    again = sit(invitation)
    again.sees("Waiting for Ann (X) ... ")
    server.client().join(code)
    again.sees("Your seat was moved to another device. Continue there.")
    assert again.ends() == 2


def test_ctrl_c_ends_cleanly_says_how_to_return_and_keeps_the_seat(server: Serving, sit: Sit) -> None:
    ann, invitation = invited(server)
    bob = sit(invitation)
    bob.sees("Waiting for Ann (X) ... ")
    os.kill(bob.process.pid, signal.SIGINT)
    bob.sees(f"To continue here: ninefold play --join '{invitation}'\n")
    assert "Traceback" not in bob.sees("Interrupted.")
    assert bob.ends() == 130
    assert ann.view()["seats"][1]["player"] == "person"
    sit(invitation).sees("Waiting for Ann (X) ... ")


def test_a_script_is_asked_only_when_it_is_its_turn_and_may_end(server: Serving) -> None:
    invitation = server.client().create("classic", ("open", "easy"), seed=1).invitations[1]
    done = ninefold("play", "--join", str(invitation), typed="5\n5\n")
    assert "Player 1 (X): 5\n" in done.stdout
    assert "Cell 5 is taken by X." in done.stdout
    assert done.returncode == 3
    assert done.stderr == "The input has ended, so the command stops.\n"


def test_a_match_of_sixty_moves_downloads_the_log_once(tmp_path: Path, sit: Sit) -> None:
    with relay() as between, serving(tmp_path / "data", "--public-url", between.url) as server:
        between.target = server.port
        ann, invitation = invited(server, "squared")
        bob = sit(invitation._replace(server=between.url))
        game, position = find_game("squared"), find_game("squared").begin()
        for ply, move in enumerate(LONG_GAME.split()):
            if ply % 2 == 0:
                play(ann, move)
            else:
                bob.sees("Bob (O), choose")
                for line in lines_of(game, position, move):
                    bob.types(line)
                bob.sees(f"Bob (O): {move}")
            position = position.play(game.move_at(position, game.parse_move(move)))
        bob.sees("Waiting for Ann (X) ... ")
        assert len(ann.match().events) == 60
        assert between.count("/log") == 1
        assert between.count("/actions") == 30


def lines_of(game: Game, position: Position, move: str) -> list[str]:
    """What is typed for a move: its board only where there are several."""
    boards, _ = game.choices(position)
    return [move[1]] if len(boards) == 1 else list(move)


@pytest.mark.parametrize(
    "more", [("classic",), ("--x", "easy"), ("--save", "file"), ("--load", "file"), ("--first", "X"), ("--seed", "1")]
)
def test_options_that_the_server_decides_are_refused(more: tuple[str, ...]) -> None:
    assert "cannot go with --join" in refused("play", "--join", "http://localhost/m/00ff", *more)


def test_a_name_goes_with_join() -> None:
    assert "--name goes with --join." in refused("play", "classic", "--name", "Ann")


def test_links_that_open_no_seat_are_refused(server: Serving) -> None:
    assert "is not a link to a match" in refused("play", "--join", "somewhere")
    assert "cannot be reached" in refused("play", "--join", "http://127.0.0.1:1/m/00ff")
    assert "There is no such match." in refused("play", "--join", f"{server.url}/m/00ff")


def test_a_friend_is_invited_to_a_match_on_a_server(server: Serving) -> None:
    address = server.url
    preferences = PreferencesFile()
    keyboard, screen = terminal("1", "3", "O", "4", "Ann", "", "nowhere", address)
    joined = choose(keyboard, preferences)
    assert isinstance(joined, Continuation)
    assert joined.name == "Ann"
    assert "'nowhere' is not the address" in " ".join(screen.getvalue().split())
    links = [word for word in screen.getvalue().split() if "#invite=" in word]
    assert len(links) == 1
    assert links != [joined.link]
    assert preferences.current.server == address
    keyboard, screen = terminal("", "", "", "", "")
    assert isinstance(choose(keyboard, preferences), Continuation)
    assert f"The address of the server (enter: {address}): " in screen.getvalue()
