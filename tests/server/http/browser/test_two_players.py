"""Two people play each game to its end, each in their own browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ninefold.core.game import Game
from ninefold.games import all_games
from tests.support.browser_person import NewPerson, Pair
from tests.support.short_games import short_game


@pytest.mark.parametrize("game", list(all_games().values()), ids=list(all_games()))
def test_a_friend_is_invited_by_link_and_both_play_to_the_end(new_person: NewPerson, game: Game) -> None:
    ann, ben = new_person("Ann"), new_person("Ben")
    match = ann.start(game, "friend")
    expect(ann.status).to_have_text("Waiting for the other player.")
    ben.join(ann.invitation_link())
    pair = Pair(match, ann, ben)
    short = short_game(game)

    pair.play(*short.plies)
    winner, loser = (ann, ben) if short.winner == "X" else (ben, ann)
    if short.claim:
        winner.claim(*short.claim)
        loser.confirm_claim()

    expect(winner.status).to_have_text(f"You won. {short.shown}")
    expect(loser.status).to_have_text(f"You lost. {short.shown}")
    for person in (ann, ben):
        expect(person.playable).to_have_count(0)
        expect(person.page).to_have_title(f"{'You won' if person is winner else 'You lost'} · Ninefold")
