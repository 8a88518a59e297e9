"""At the console: clocks at every prompt, a rematch after the game, and matches of others."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ninefold.client import Link
from ninefold.match import actions
from tests.support.console import COMMAND, environment, read_until, refused
from tests.support.server_process import Serving, serving
from tests.support.terminals import Player, invited, play
from tests.support.waiting import PATIENCE

Open = Callable[..., Player]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Open]:
    """Terminals at which somebody has given a command."""
    with contextlib.ExitStack() as stack:

        def give(*command: str | Link) -> Player:
            player = Player(tmp_path, *map(str, command))
            stack.callback(player.close)
            return player

        yield give


def test_every_prompt_shows_the_clocks(server: Serving, terminal: Open) -> None:
    ann, invitation = invited(server, clock=(3600, 600))
    bob = terminal("play", "--join", invitation)
    bob.sees("[X 1:00:00  O 1:00:00] Waiting for Ann (X) ... ")
    play(ann, "5")
    bob.sees("[X 1:00:00  O ")
    bob.sees("] Player 2 (O), choose a cell (1 2 3 4 6 7 8 9): ")
    bob.types("1")
    bob.sees("O 1:")  # ten minutes more for a move
    assert bob.sees("] Waiting for Ann").startswith(("09:", "10:"))


def test_a_flag_that_falls_interrupts_a_question(server: Serving, terminal: Open) -> None:
    ann, invitation = invited(server, clock=(5, 0))
    bob = terminal("play", "--join", invitation)
    bob.sees("[X 0:05.0  O 0:05.0] Waiting for Ann (X) ... ")
    play(ann, "5")
    bob.sees("choose a cell")
    bob.sees("X wins: O ran out of time.\n")


def test_a_rematch_swaps_sides(server: Serving, terminal: Open) -> None:
    ann, invitation = invited(server)
    bob = terminal("play", "--join", invitation, "--name", "Bob")
    bob.sees("Waiting for Ann (X) ... ")
    ann.act(actions.RESIGN)
    bob.sees("O wins: X resigned.\nWhat now (say TEXT, rematch, e to leave)? ")
    bob.types("resign")
    bob.sees("'resign' is not possible now. Type one of: say TEXT, rematch, e to leave.\nWhat now")
    bob.types("say good game")
    bob.sees("Bob (O) says: good game\nWhat now")
    ann.say("again?")
    bob.sees("Ann (X) says: again?\nWhat now")
    again = ann.rematch()
    bob.sees("A rematch was requested.\nWhat now")
    bob.types("rematch")
    bob.sees("you are Bob (X), against Ann (O).\n")
    bob.sees("Bob (X), choose a cell")
    bob.types("5")
    bob.sees("Waiting for Ann (O) ... ")
    assert again.my_turn()["history"][0]["text"] == "5"
    bob.types("e")
    bob.sees("Your seat is kept.\nTo continue here or elsewhere, within 10 minutes: ninefold play --join '")
    assert bob.ends() == 0


def test_a_game_is_reviewed_with_hints_while_the_opponent_talks(server: Serving, terminal: Open) -> None:
    ann, invitation = invited(server)
    bob = terminal("play", "--join", invitation, "--name", "Bob")
    play(ann, "1")
    bob.sees("choose a cell")
    bob.types("2")
    bob.sees("Waiting for Ann (X) ... ")
    ann.act(actions.RESIGN)
    bob.sees("What now (say TEXT, rematch, review, e to leave)? ")
    bob.types("review")
    bob.sees("Move 0 of 2")
    bob.types("2")
    bob.sees("Bob (O): 2\nValue: loss in 6. Better: 5 (draw).\n")
    bob.sees("Move 2 of 2")
    ann.say("thanks")
    bob.sees("Ann (X) says: thanks\nMove 2 of 2")
    bob.types("u")
    bob.sees("Ann (X): 1\nValue: draw. No move was better.\n")
    bob.types("h")
    bob.sees("Hint: 5. The moves with perfect play: draw: 5;")
    bob.types("e")
    bob.sees("What now")
    bob.types("e")
    assert bob.ends() == 0


def test_spectators_of_an_open_match_are_told_who_is_awaited(server: Serving, terminal: Open) -> None:
    created = server.client().create("classic", ("open", "open"))
    guest = terminal("watch", f"{server.url}/m/{created.match}")
    guest.sees("Waiting for players to join as X and O ... ")
    server.client().join(created.invitations[1], "Ann")
    server.client().join(created.invitations[2], "Bob")
    guest.sees("Ann (X) and Bob (O) have joined.\nWaiting for Ann (X) ... ")


@pytest.mark.parametrize("how", [("watch",), ("play", "--join")], ids=" ".join)
def test_a_private_match_is_watched_with_its_link(server: Serving, terminal: Open, how: tuple[str, ...]) -> None:
    created = server.client().create("classic", private=True, names=("Ann", ""), clock=(600, 0))
    ann = created.seats[1]
    guest = terminal(*how, created.watch)
    guest.sees("Tic-Tac-Toe: you are watching Ann (X) and Player 2 (O).\n\n1 | 2 | 3\n")
    guest.sees("[X 10:00  O 10:00] Waiting for a player to join as O ... ")
    bob = server.client().join(created.invitations[2], "Bob")
    guest.sees("Ann (X) and Bob (O) have joined.\n[X 10:00  O 10:00] Waiting for Ann (X) ... ")
    play(ann, "5")
    guest.sees("Ann (X): 5\n\n1 | 2 | 3\n4 | X | 6\n")
    guest.sees("Waiting for Bob (O) ... ")
    for typed in ("1", "u", "resign"):
        guest.types(typed)
        guest.sees("You are watching. e leaves, ? shows the rules.\n")
    guest.types("h")
    guest.sees("There is no hint here.")
    bob.act(actions.RESIGN)
    guest.sees("Bob (O) resigns.\nX wins: O resigned.\n")
    guest.sees("What now (review, e to leave)? ")
    guest.types("rematch")
    guest.sees("'rematch' is not possible now. Type one of: review, e to leave.")
    guest.types("review")
    guest.sees("\n1 | 2 | 3\n4 | 5 | 6\n7 | 8 | 9\n\n")
    guest.sees("Move 0 of 1 (")
    guest.types("1")
    guest.sees("Ann (X): 5\n")
    guest.types("e")
    guest.sees("What now")
    guest.types("e")
    assert guest.ends() == 0
    assert bob.view()["seats"][0]["player"] == "person"


def test_a_public_match_is_watched_without_a_keyboard(server: Serving, tmp_path: Path) -> None:
    ann, invitation = invited(server)
    watcher = subprocess.Popen(
        [COMMAND, "watch", f"{server.url}/m/{ann.id}"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment(XDG_STATE_HOME=str(tmp_path)),
    )  # fmt: skip
    with watcher:
        read_until(watcher, "7 | 8 | 9\n\nWaiting for a player to join as O ...\n")
        bob = server.client().join(invitation, "Bob")
        read_until(watcher, "Ann (X) and Bob (O) have joined.\nWaiting for Ann (X) ...\n")
        for seat, move in ((ann, "1"), (bob, "4"), (ann, "2"), (bob, "5"), (ann, "3")):
            play(seat, move)
        screen = watcher.communicate(timeout=PATIENCE)[0]
    assert screen.endswith("X | X | X\nO | O | 6\n7 | 8 | 9\n\nX wins: three in a row (1 2 3).\n")
    assert watcher.returncode == 0


def test_a_spectator_leaves_with_e_and_nobody_notices(server: Serving, terminal: Open) -> None:
    ann, invitation = invited(server)
    server.client().join(invitation, "Bob")
    guest = terminal("watch", f"{server.url}/m/{ann.id}")
    guest.sees("Waiting for Ann (X) ... ")
    guest.types("e")
    assert guest.ends() == 0
    assert ann.view()["status"] == "live"


def test_a_private_match_is_not_shown_without_its_link(server: Serving) -> None:
    created = server.client().create("classic", private=True)
    told = refused("watch", f"{server.url}/m/{created.match}")
    assert "There is no such match." in told
    assert "a private match needs the part behind the #" in told
    told = refused("watch", "somewhere")
    assert "is not a link to a match" in told
    assert "#invite=" not in told
