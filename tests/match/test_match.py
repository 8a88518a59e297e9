"""The match: one door, an append-only log, and a state that is nothing but a fold over it."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from ninefold.core.errors import IllegalMove, NotAllowed, Refusal, Unreadable
from ninefold.core.grid import LINE_NAMES
from ninefold.core.palette import LIGHT
from ninefold.core.position import O, X
from ninefold.core.text import MESSAGE_LENGTH
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.actions import REFEREE, Action, move, say, take_back
from ninefold.match.log import read_log, write_log
from ninefold.match.match import Match, begin, replay
from ninefold.match.shared_board import shared_board
from ninefold.match.state import Seat, fold
from ninefold.players.player import play_match
from tests.support.refused_moves import EVERY_REFUSED_MOVE, OPENING, RefusedMove

CLASSIC, AGENTS, SQUARED = find_game("classic"), find_game("agents"), find_game("squared")
ANY_BEGIN: Any = begin  # without its types
FOUR: Any = np.int64(4)


def played(*moves: int, game: str = "classic", **options: str) -> Match:
    match = begin(find_game(game), options)
    for one in moves:
        match = match.act(match.to_act or 0, move(one))
    return match


def refused(match: Match, seat: int, action: Action) -> str:
    with pytest.raises(Refusal) as refusal:
        match.act(seat, action)
    return refusal.value.reason


def test_the_order_of_refusals_is_ended_then_turn_then_outside_then_taken() -> None:
    over = played(0, 3, 1, 4, 2)
    assert refused(over, 1, move(99)) == "ended"
    going = played(4)
    assert refused(going, 1, move(99)) == "not_your_turn"
    assert refused(going, 2, move(99)) == "outside"
    assert refused(going, 2, move((-1,))) == "outside"
    assert refused(going, 2, move(4)) == "taken"


def test_a_refusal_changes_nothing_and_says_what_is_possible() -> None:
    match = played(4, 0, 8)
    with pytest.raises(NotAllowed, match=r"^Cell 5 is taken by X\. Free cells: 2 3 4 6 7 8\.$"):
        match.act(2, move(4))
    assert match == played(4, 0, 8)


def test_refusals_speak_the_numbers_of_the_game() -> None:
    with pytest.raises(NotAllowed, match=r"Cell \[1,1\] is taken by O"):
        played(4, game="agents").act(1, move(4))


def test_only_the_two_seats_can_act() -> None:
    for seat in (0, 3, -1):
        assert refused(played(), seat, move(0)) == "no_such_seat"
    for action in (actions.SETTLE, actions.EXPIRE, actions.flag(1), actions.gone(1)):
        assert refused(played(), 1, action) == "no_such_seat"
    assert refused(played(), REFEREE, actions.flag(7)) == "no_such_seat"
    assert refused(played(), REFEREE, actions.gone(0)) == "no_such_seat"


def test_an_unknown_action_cannot_be_read() -> None:
    with pytest.raises(Unreadable, match="no action 'dance'"):
        played().act(1, Action("dance"))  # type: ignore[arg-type]


def test_the_early_draw_ends_a_match_as_soon_as_nobody_can_win() -> None:
    before = played(0, 1, 2, 4, 7, 5, 3)  # X threatens the left column
    assert before.result is None
    match = before.act(2, move(6))
    assert match.result is not None
    assert match.result.by == "early_draw"
    assert match.result.sentence(CLASSIC) == "A draw: nobody can win any more."
    assert match.position.moves() == (8,)


def test_without_the_early_draw_the_board_is_filled() -> None:
    match = played(0, 1, 2, 4, 3, 6, 5, 8, 7, early_draw="no")
    assert match.result is not None
    assert (match.result.by, match.position.moves()) == ("rules", ())


def test_taking_back_restores_what_was_and_keeps_the_log() -> None:
    match = played(4, 0, 8)
    back = match.act(1, take_back(2))
    assert back.position == played(4).position
    assert len(back.events) == 4
    assert back.state == fold(back.setup, back.played)
    assert back.act(2, move(1)).position == played(4, 1).position


def test_there_is_nothing_to_take_back_before_the_first_move() -> None:
    assert refused(played(), 1, take_back()) == "nothing_to_undo"
    assert refused(played(4), 1, take_back(2)) == "nothing_to_undo"
    assert refused(played(4), 1, take_back(0)) == "nothing_to_undo"


def test_the_move_that_ended_a_game_can_be_taken_back_and_the_game_is_open_again() -> None:
    won = played(0, 3, 1, 4, 2)
    again = won.act(1, take_back())
    assert (again.result, again.position) == (None, played(0, 3, 1, 4).position)
    assert replay(again.setup, again.events) == again
    drawn = played(0, 1, 2, 4, 7, 5, 3, 6)
    assert drawn.result is not None
    assert drawn.result.by == "early_draw"
    assert drawn.act(1, take_back(2)).state == played(0, 1, 2, 4, 7, 5).state


def test_what_a_player_or_the_clock_decided_is_not_taken_back() -> None:
    begun = played(4, 0)
    for ended in (begun.act(1, actions.RESIGN), begun.act(1, actions.LEAVE), begun.act(REFEREE, actions.flag(1))):
        assert refused(ended, 1, take_back()) == "ended"
    true = played(0, 3, 1, 4, 2, game="agents").act(2, actions.claim((0, 1, 2))).act(1, actions.CONFIRM)
    assert refused(true, 2, take_back()) == "ended"


def test_taking_back_a_mark_brings_back_the_bar_that_it_had_lifted() -> None:
    barred = played(0, game="agents").act(1, actions.claim((0, 1, 2))).act(2, actions.dispute("no"))
    again = barred.act(1, move(4)).act(1, take_back())
    assert again.state.barred == {X}
    assert refused(again, 1, actions.claim((0, 1, 2))) == "barred"


def test_a_claim_is_not_taken_back_with_the_move_before_it() -> None:
    withdrawn = played(0, game="agents").act(2, actions.claim((0, 1, 2))).act(2, actions.WITHDRAW)
    assert refused(withdrawn, 1, take_back()) == "claim_stands"
    assert withdrawn.act(1, move(4)).act(2, take_back()).state.moves == (0,)


def test_a_message_can_travel_with_a_move() -> None:
    match = begin(CLASSIC).act(1, move(4, say="good luck"))
    assert [event.action.kind for event in match.events] == ["move", "say"]
    assert replay(match.setup, match.events) == match
    assert refused(begin(CLASSIC), 1, move(4, say="\x00")) == "no_text"


def test_only_whole_numbers_and_paths_of_them_are_moves() -> None:
    for wrong in (True, "4", 4.0, None, (True,), ("4",), [4], (), (4, 5)):
        assert refused(begin(CLASSIC), 1, Action("move", move=wrong)) == "not_a_move"  # type: ignore[arg-type]


def test_names_seeds_and_times_are_checked_at_the_door() -> None:
    assert begin(CLASSIC, None, (Seat(X, "a\x1b[2J\nb"), Seat(O))).setup.seats[0].name == "a[2J b"
    for wrong in ({"at": -1}, {"at": 10**18}, {"seed": -1}, {"seed": 2**63}):
        with pytest.raises(Unreadable):
            begin(CLASSIC, **wrong)  # type: ignore[arg-type]


def test_resigning_gives_the_game_to_the_other_side() -> None:
    match = played(4).act(1, actions.RESIGN)
    assert match.result is not None
    assert (match.result.score, match.result.by, match.status) == ("0-1", "resigned", "won")
    assert match.result.sentence(CLASSIC) == "O wins: X resigned."


def test_leaving_ends_the_game_without_a_winner() -> None:
    match = played(4).act(2, actions.LEAVE)
    assert match.result is not None
    assert (match.result.score, match.result.outcome.winner) == ("*", None)
    assert match.result.sentence(CLASSIC) == "No winner: O left the game."


def test_a_fallen_flag_loses_and_an_idle_match_expires() -> None:
    flagged = played(4).act(REFEREE, actions.flag(2))
    assert flagged.result is not None
    assert flagged.result.score == "1-0"
    expired = played(4).act(REFEREE, actions.EXPIRE)
    assert expired.result is not None
    assert expired.result.score == "*"


def test_who_has_gone_loses_and_that_is_not_said_to_be_the_clock() -> None:
    match = played(4).act(REFEREE, actions.gone(2))
    assert match.result is not None
    assert (match.result.by, match.result.score) == ("gone", "1-0")
    assert match.result.sentence(CLASSIC) == "X wins: O has gone."


def test_messages_are_cleaned_and_never_make_a_move_stale() -> None:
    match = played(4)
    talked = match.act(1, say("  good\x1b[31m luck\u202e\x07 "))
    assert talked.events[-1].action.text == "good[31m luck"
    assert talked.version == match.version
    assert talked.state == match.state


def test_messages_are_short_and_not_empty_and_allowed_after_the_end() -> None:
    over = played(0, 3, 1, 4, 2)
    assert over.act(2, say("good game")).events[-1].action.text == "good game"
    assert refused(over, 1, say("\x00\n")) == "no_text"
    assert refused(over, 1, say("x" * (MESSAGE_LENGTH + 1))) == "too_long"


def test_a_draw_can_be_offered_and_accepted_or_declined() -> None:
    offered = played(4).act(1, actions.OFFER_DRAW)
    assert refused(offered, 1, actions.ACCEPT) == "no_offer"
    assert refused(offered, 2, actions.OFFER_DRAW) == "offer_pending"
    agreed = offered.act(2, actions.ACCEPT)
    assert agreed.result is not None
    assert (agreed.result.by, agreed.result.score) == ("agreed", "1/2-1/2")
    declined = offered.act(2, actions.DECLINE)
    assert declined.result is None
    assert refused(declined, 2, actions.ACCEPT) == "no_offer"


def test_an_offer_lapses_with_the_next_move() -> None:
    match = played(4).act(1, actions.OFFER_DRAW).act(2, move(0))
    assert refused(match, 2, actions.ACCEPT) == "no_offer"


def test_an_accepted_take_back_takes_back_the_last_move_of_who_asked() -> None:
    own = played(4).act(1, actions.OFFER_TAKE_BACK).act(2, actions.ACCEPT)
    assert own.state.moves == ()
    both = played(4, 0).act(1, actions.OFFER_TAKE_BACK).act(2, actions.ACCEPT)
    assert both.state.moves == ()
    assert refused(played(4), 2, actions.OFFER_TAKE_BACK) == "nothing_to_undo"


def test_a_game_without_claims_refuses_them() -> None:
    assert refused(played(4), 1, actions.claim((0, 1, 2))) == "no_claims"
    assert refused(played(4), 2, move(0, claim=(0, 1, 2))) == "no_claims"


def test_an_illegal_move_with_a_claim_leaves_nothing_behind() -> None:
    match = played(4, game="agents")
    assert refused(match, 1, move(4, claim=(0, 1, 2))) == "taken"
    assert refused(match, 1, move(0, claim=(0, 0, 2))) == "not_a_claim"


def test_the_first_true_claim_wins_over_an_older_line() -> None:
    match = played(0, 3, 1, 4, 2, game="agents")  # O has the top row and says nothing
    match = match.act(1, move(5, claim=(3, 4, 5))).act(2, actions.dispute("mine was first"))
    assert match.result is not None
    assert (match.result.by, match.result.outcome.winner) == ("claim", X)


def test_a_full_board_is_settled_by_the_line_that_came_first() -> None:
    match = played(0, 3, 1, 4, 2, 5, 6, 7, 8, game="agents")
    assert match.result is not None
    assert (match.result.by, match.result.outcome.winner) == ("rules", O)


def test_claims_need_a_game_that_a_line_does_not_end() -> None:
    with pytest.raises(NotAllowed, match="line_ends=no"):
        begin(CLASSIC, {"claims": "yes"})


def test_both_seats_cannot_have_one_side() -> None:
    with pytest.raises(NotAllowed, match="same side"):
        begin(CLASSIC, None, (Seat(X), Seat(X)))


def test_player_one_may_sit_at_either_side() -> None:
    match = begin(CLASSIC, None, (Seat(O), Seat(X)))
    assert match.to_act == 2
    assert match.setup.label(2) == "Player 2 (X)"


def test_the_log_replays_to_the_same_match() -> None:
    match = played(4, 0, 8).act(1, take_back()).act(1, say("hm")).act(1, actions.RESIGN)
    assert replay(match.setup, match.events) == match


EIGHT_LINES = [
    {"line": "Row 1", "cells": [0, 1, 2], "marks": ["O", "O", " "]},
    {"line": "Row 2", "cells": [3, 4, 5], "marks": [" ", "X", " "]},
    {"line": "Row 3", "cells": [6, 7, 8], "marks": [" ", " ", " "]},
    {"line": "Col 1", "cells": [0, 3, 6], "marks": ["O", " ", " "]},
    {"line": "Col 2", "cells": [1, 4, 7], "marks": ["O", "X", " "]},
    {"line": "Col 3", "cells": [2, 5, 8], "marks": [" ", " ", " "]},
    {"line": "Diagonal", "cells": [0, 4, 8], "marks": ["O", "X", " "]},
    {"line": "Anti-diagonal", "cells": [2, 4, 6], "marks": [" ", "X", " "]},
]


def test_the_shared_board_is_the_document_of_the_rules() -> None:
    match = played(0, 4, 1, game="agents").act(1, actions.claim((4, 0, 8)))
    assert shared_board(match) == {
        "game": "agents",
        "options": {"first": "O", "line_ends": "no", "claims": "yes", "early_draw": "no"},
        "board": [["O", "O", " "], [" ", "X", " "], [" ", " ", " "]],
        "move_history": [
            {"side": "O", "move": "[0,0]", "path": [0]},
            {"side": "X", "move": "[1,1]", "path": [4]},
            {"side": "O", "move": "[0,1]", "path": [1]},
        ],
        "next_player": "X",
        "game_status": "claimed_win_X",
        "winner": None,
        "ended_by": None,
        "claim": {"side": "X", "cells": [0, 4, 8], "answer": None, "verdict": None, "lines": EIGHT_LINES},
        "checklist": {"lines": EIGHT_LINES, "full": False},
        "seats": [
            {"seat": 1, "side": "X", "name": "", "player": "human"},
            {"seat": 2, "side": "O", "name": "", "player": "human"},
        ],
        "version": 4,
    }
    settled = shared_board(match.act(2, actions.CONFIRM))
    assert settled["game_status"] == "in_progress"
    confirmed = {"seat": 2, "kind": "confirm", "text": ""}
    claim = {"side": "X", "cells": [0, 4, 8], "answer": confirmed, "verdict": "broken", "lines": EIGHT_LINES}
    assert settled["claim"] == claim


def answer_to(match: Match) -> object:
    """What the last claim of a match was answered, as the shared board has it."""
    claim = shared_board(match)["claim"]
    assert isinstance(claim, dict)
    return claim["answer"]


def test_the_shared_board_keeps_the_answer_to_the_last_claim_and_no_other() -> None:
    claimed = played(0, game="agents").act(2, actions.claim((0, 1, 2)))
    disputed = claimed.act(1, actions.dispute("two are empty")).act(2, actions.say("right"))
    assert answer_to(disputed) == {"seat": 1, "kind": "dispute", "text": "two are empty"}
    assert answer_to(disputed.act(1, move(4))) == answer_to(disputed)
    again = disputed.act(1, move(4, claim=(3, 4, 5)))
    assert answer_to(again) is None
    assert answer_to(again.act(1, actions.WITHDRAW)) == {"seat": 1, "kind": "withdraw", "text": ""}
    assert answer_to(claimed.act(0, actions.SETTLE)) is None


def test_the_shared_board_of_a_board_of_boards_has_nine_boards() -> None:
    board = shared_board(played(0, game="squared"))["board"]
    assert isinstance(board, list)
    assert board[0] == [["X", " ", " "], [" ", " ", " "], [" ", " ", " "]]
    assert len(board) == 9


@pytest.mark.parametrize("game", ["classic", "agents"])
def test_the_shared_board_has_the_checklist_without_a_claim(game: str) -> None:
    checklist = shared_board(begin(find_game(game)))["checklist"]
    assert checklist is not None
    assert [line["line"] for line in checklist["lines"]] == list(LINE_NAMES)
    assert {mark for line in checklist["lines"] for mark in line["marks"]} == {" "}
    assert not checklist["full"]
    full = shared_board(played(0, 1, 2, 4, 3, 5, 7, 6, 8, game=game, early_draw="no"))["checklist"]
    assert full is not None
    assert full["full"]


@pytest.mark.parametrize("game", ["squared", "ultimate", "swap-nine"])
def test_games_that_are_not_won_by_a_line_of_marks_have_no_checklist(game: str) -> None:
    document = shared_board(begin(find_game(game)))
    assert document["checklist"] is None
    assert (document["game"], document["options"]) == (game, find_game(game).settle_options())


@pytest.mark.parametrize("game", ["classic", "agents", "squared", "swap-nine"])
def test_a_game_that_was_left_or_expired_is_abandoned_and_no_draw(game: str) -> None:
    match = begin(find_game(game))
    for ended in (match.act(1, actions.LEAVE), match.act(REFEREE, actions.EXPIRE)):
        document = shared_board(ended)
        assert (ended.status, document["game_status"], document["winner"]) == ("abandoned", "abandoned", None)
        assert ended.result
        assert ended.result.score == "*"


def test_other_endings_without_a_winner_are_draws() -> None:
    agreed = begin(CLASSIC).act(1, actions.OFFER_DRAW).act(2, actions.ACCEPT)
    full = played(0, 1, 2, 4, 3, 5, 7, 6, 8, early_draw="no")
    assert [agreed.status, full.status] == ["draw", "draw"]


@EVERY_REFUSED_MOVE
def test_the_library_tells_what_cannot_be_read_from_what_is_not_allowed(refused: RefusedMove) -> None:
    match = begin(AGENTS).act(2, move(AGENTS.parse_move(OPENING)))
    with pytest.raises(Refusal) as refusal:
        match.act(1, move(AGENTS.parse_move_at(match.position, refused.text)))
    assert refusal.value.reason == refused.reason
    assert isinstance(refusal.value, IllegalMove if refused.is_readable else Unreadable)


def test_a_number_and_a_text_are_moves_as_an_action_is() -> None:
    by_action = begin(SQUARED).act(1, move(40)).act(2, move(36))
    assert begin(SQUARED).act(1, 40).act(2, 36) == by_action
    assert begin(SQUARED).act(1, "55").act(2, "57") == begin(SQUARED).act(1, "55").act(2, "7") == by_action
    assert begin(AGENTS).act(2, "[1,1]") == begin(AGENTS).act(2, 4) == begin(AGENTS).act(2, move((4,)))
    swap = begin("swap-nine").act(1, "5").act(2, "2x5")
    assert str(swap.position).startswith(".O./.O./...")


@pytest.mark.parametrize(
    ("given", "kind", "reason"),
    [
        ("five", Unreadable, "not_a_move"),
        ("", Unreadable, "not_a_move"),
        (True, Unreadable, "not_a_move"),
        (4.0, Unreadable, "not_a_move"),
        (None, Unreadable, "not_a_move"),
        ((4,), Unreadable, "not_a_move"),
        ("5", IllegalMove, "taken"),
        (4, IllegalMove, "taken"),
        (9, IllegalMove, "outside"),
        (-1, IllegalMove, "outside"),
    ],
)
def test_what_is_no_move_is_refused_as_an_action_would_be(given: Any, kind: type[Refusal], reason: str) -> None:
    with pytest.raises(kind) as refusal:
        begin("classic").act(1, 4).act(2, given)
    assert refusal.value.reason == reason


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: ANY_BEGIN("classic", at=time.time()), r"at must be an integer, not \d+\.\d+\."),
        (lambda: ANY_BEGIN("classic", seed=True), "seed must be an integer, not True."),
        (lambda: ANY_BEGIN("classic", toss="no"), "toss must be True or False, not 'no'."),
        (lambda: ANY_BEGIN("classic", "O"), "options must be a dict, such as {'first': 'O'}, not 'O'."),
        (lambda: ANY_BEGIN("classic", seats=(X, O)), r"seats must be two seats, such as \(Seat\(X\), Seat\(O\)\), not"),
        (lambda: ANY_BEGIN("classic", seats=(Seat(X, FOUR), Seat(O))), "must be texts, not .*4.* and 'human'."),
        (lambda: ANY_BEGIN("classic").act("1", 4), "seat must be an integer, not '1'."),
        (lambda: ANY_BEGIN("classic").act(1, 4, 2.5), "at must be an integer, not 2.5."),
        (lambda: ANY_BEGIN("classic").act(1, actions.say(FOUR)), "A message must be a text, not .*4"),
    ],
)
def test_what_a_log_could_not_hold_is_refused(wrong: Callable[[], Match], sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        wrong()


def test_numbers_of_numpy_are_numbers() -> None:
    match = ANY_BEGIN("agents", at=FOUR, seed=FOUR).act(
        np.int64(2), actions.move(FOUR, claim=np.array([0, 4, 8])), FOUR
    )
    assert read_log(write_log(match)) == match
    with pytest.raises(Unreadable, match="three different cells"):
        match.act(1, actions.CONFIRM).act(1, actions.claim(FOUR))


def test_an_action_has_a_time_that_a_log_can_hold() -> None:
    with pytest.raises(Unreadable, match="between the years 1970 and 9999"):
        begin("classic").act(1, 4, at=-1)


@pytest.mark.parametrize("game", ["classic", "agents", "squared", "ultimate", "swap-nine"])
def test_everything_shows_itself_in_a_line(game: str) -> None:
    match = play_match(game, "random", "random", seed=5)
    shown: list[object] = [match, match.position, match.state, match.game, match.events[0], match.result, match.setup]
    assert max(len(repr(one)) for one in shown) < 500
    assert all("\n" not in repr(one) for one in shown)
    assert len(repr(match)) < 80
    assert find_game(game).parse(ast.literal_eval(repr(match.position).partition("(")[2][:-1])) == match.position


def test_a_match_shows_its_last_moves_and_whose_turn_or_the_result() -> None:
    assert repr(begin("classic")) == "<Match of classic: no moves, X to act>"
    assert repr(played(0, 3, 1, 4, 2)) == "<Match of classic: 1 4 2 5 3, 1-0>"
    long = play_match("ultimate", "random", "random", seed=5)
    assert repr(long).startswith("<Match of ultimate: ... ")
    claimed = played(0, 3, 1, 4, 2, game="agents").act(2, actions.claim((0, 1, 2)))
    assert repr(claimed).endswith(", X to act>")


def drawn(match: Match) -> list[dict[str, str]]:
    root = ET.fromstring(match._repr_svg_())  # noqa: S314 (our own text)
    return [dict(shape.attrib) for shape in root.iter()]


def lines_of(shapes: list[dict[str, str]]) -> int:
    """Each line is drawn twice: its edge, and the line itself."""
    return sum(shape.get("stroke") == LIGHT.ink for shape in shapes)


def test_a_notebook_shows_the_last_move_and_the_line_that_won() -> None:
    open_game, won = played(0, 3, 1, 4), played(0, 3, 1, 4, 2)
    assert [lines_of(drawn(match)) for match in (open_game, won)] == [0, 1]
    marked = [shape for shape in drawn(open_game) if shape.get("fill") == LIGHT.last]
    assert len(marked) == 1
    swapped = begin("swap-nine").act(1, "5").act(2, "2x5")
    assert sum(shape.get("fill") == LIGHT.last for shape in drawn(swapped)) == 2
    assert won.position._repr_svg_().count(LIGHT.ink) == 1  # type: ignore[attr-defined]


def test_a_notebook_shows_the_line_that_was_claimed() -> None:
    claimed = played(0, 3, 1, 4, 2, game="agents").act(2, actions.claim((0, 1, 2)))
    assert [lines_of(drawn(match)) for match in (claimed, claimed.act(1, actions.CONFIRM))] == [0, 1]
