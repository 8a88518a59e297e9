"""How matches end for those who lose them, and why they resign."""

from __future__ import annotations

from ninefold.analysis.report.endings import FORFEITED, Ending, RefusedAttempt, endings
from ninefold.analysis.report.metrics import report
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.actions import REFEREE, Action
from ninefold.match.match import Match, begin


def played(*moves: int, then: tuple[tuple[int, Action], ...] = (), game: str = "classic") -> Match:
    match = begin(find_game(game), {})
    for move in moves:
        match = match.act(match.to_act or 0, actions.move(move))
    for seat, action in then:
        match = match.act(seat, action)
    return match


def test_a_line_on_the_board_is_the_cause_of_most_losses() -> None:
    assert endings(played(0, 3, 1, 4, 2)) == {2: Ending("board")}


def test_a_draw_has_no_cause() -> None:
    assert endings(played(0, 4, 8, 1, 7, 6, 2)) == {}
    assert endings(played(0)) == {}


def test_to_resign_in_a_lost_position_is_told_from_giving_up_what_was_not_lost() -> None:
    resigned = ((2, actions.RESIGN),)
    assert endings(played(4, 1, then=resigned)) == {2: Ending("resigned_lost")}  # an edge beside the centre loses
    assert endings(played(4, 0, then=resigned)) == {2: Ending("resigned_not_lost")}
    assert endings(played(4, then=resigned)) == {2: Ending("resigned_not_lost")}


def test_in_a_big_game_nobody_knows_whether_it_was_lost() -> None:
    assert endings(played(40, then=((2, actions.RESIGN),), game="ultimate")) == {2: Ending("resigned")}


def test_a_resignation_for_an_agent_that_forfeited_is_a_forfeit_with_the_reason_of_its_last_attempt() -> None:
    match = played(4, then=((2, actions.RESIGN),))
    attempts = [RefusedAttempt(2, "move", "taken"), RefusedAttempt(2, "move", "not_an_answer")]
    forfeited = RefusedAttempt(2, "move", FORFEITED, version=1)
    assert endings(match, [*attempts, forfeited]) == {2: Ending("forfeit", "not_an_answer")}
    earlier = forfeited._replace(version=0)
    assert endings(match, [*attempts, earlier])[2].cause == "resigned_not_lost"


def test_silence_and_the_clock_are_causes_of_their_own() -> None:
    assert endings(played(4, then=((REFEREE, actions.gone(2)),))) == {2: Ending("silence")}
    assert endings(played(4, then=((REFEREE, actions.flag(2)),))) == {2: Ending("clock")}


def test_the_report_counts_resignations_but_not_those_of_a_forfeit() -> None:
    match = played(4, then=((2, actions.RESIGN),))
    assert [row.metrics.resigned for row in report(match).rows] == [0, 1]
    forfeited = RefusedAttempt(2, "move", FORFEITED, version=1)
    assert [row.metrics.resigned for row in report(match, [forfeited]).rows] == [0, 0]
