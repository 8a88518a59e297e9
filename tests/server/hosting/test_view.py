"""The view of a hosted match: what the referee has to say about a claim."""

from __future__ import annotations

from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.match import Match, begin
from ninefold.match.shared_board import shared_board
from ninefold.server.hosting.commands import MatchRequest
from ninefold.server.hosting.model import HostedMatch, SeatHolder
from ninefold.server.hosting.view import ViewedClaimDoc, plain_claim, stored_view


def claim_of(match: Match) -> ViewedClaimDoc:
    holders = (SeatHolder("person"), SeatHolder("person"))
    claim = stored_view(HostedMatch("id", match, MatchRequest("agents").settings, holders, 0, 0))["claim"]
    assert claim
    return claim


def claimed() -> Match:
    """O has the first two cells of row 1 and claims all three."""
    match = begin(find_game("agents"))
    for cell in (0, 4, 1):
        assert match.to_act
        match = match.act(match.to_act, actions.move(cell))
    return match.act(2, actions.claim((0, 1, 2)))


def test_the_verdict_on_a_claim_is_a_message_with_its_code_and_text() -> None:
    assert claim_of(claimed())["why"] is None
    disputed = claimed().act(1, actions.dispute("one is empty"))
    assert claim_of(disputed)["why"] == {
        "code": "verdict.only_two",
        "params": {"cells": "[0,0] [0,1] [0,2]", "side": "O", "other": "X"},
        "text": "Only two of [0,0] [0,1] [0,2] are O's.",
    }


def test_the_verdict_speaks_of_the_board_on_which_the_claim_was_made() -> None:
    disputed = claimed().act(1, actions.dispute("one is empty"))
    later = disputed.act(1, actions.move(3)).act(2, actions.move(2))
    assert claim_of(later)["why"] == claim_of(disputed)["why"]
    assert claim_of(later)["lines"][0]["finding"] == {"code": "line.three", "params": {"side": "O"}, "text": "three O"}


def test_the_lines_of_a_claim_have_their_findings() -> None:
    lines = claim_of(claimed())["lines"]
    assert {one["line"]: one["finding"]["code"] for one in lines} == {
        "Row 1": "line.not_three",
        "Row 2": "line.not_three",
        "Row 3": "line.not_three",
        "Col 1": "line.not_three",
        "Col 2": "line.broken",
        "Col 3": "line.not_three",
        "Diagonal": "line.broken",
        "Anti-diagonal": "line.not_three",
    }


def test_agents_get_the_claim_without_the_words_of_the_referee() -> None:
    match = claimed()
    assert plain_claim(claim_of(match)) == shared_board(match)["claim"]
    assert plain_claim(None) is None
