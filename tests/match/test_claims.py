"""Verdicts on claims, in the order of their reasons, and the checklist."""

from __future__ import annotations

import pytest

from ninefold.core.grid import ROW_COLUMN, line_held
from ninefold.core.position import O, Side, X
from ninefold.games import find_game
from ninefold.match.claims import Claim, checklist, judge

AGENTS = find_game("agents")


def marks(text: str) -> tuple[Side | None, ...]:
    return AGENTS.parse(f"{text} O").cells


@pytest.mark.parametrize(
    ("board", "side", "cells", "reason", "sentence"),
    [
        ("OOO/XX./...", O, (0, 1, 2), "true", "[0,0] [0,1] [0,2] is a line of O."),
        ("O../XO./O..", O, (0, 4, 6), "not_a_line", "[0,0] [1,1] [2,0] is not a line."),
        ("OOO/XX./...", X, (0, 1, 2), "all_opponents", "All of [0,0] [0,1] [0,2] are O's."),
        ("OXO/.../...", O, (0, 1, 2), "broken", "X breaks the line [0,0] [0,1] [0,2]."),
        ("O.O/.X./...", O, (0, 1, 2), "gap", "There is a gap in the middle of [0,0] [0,1] [0,2]."),
        ("OO./.X./...", O, (0, 1, 2), "only_two", "Only two of [0,0] [0,1] [0,2] are O's."),
        (".OO/.X./...", O, (0, 1, 2), "only_two", "Only two of [0,0] [0,1] [0,2] are O's."),
        ("O../.X./...", O, (0, 1, 2), "only_two", "Only one of [0,0] [0,1] [0,2] is O's."),
        (".../.X./O..", O, (0, 1, 2), "only_two", "None of [0,0] [0,1] [0,2] is O's."),
        ("X../X../O..", O, (0, 3, 6), "broken", "X breaks the line [0,0] [1,0] [2,0]."),
        ("X../.../O..", O, (0, 4, 6), "not_a_line", "[0,0] [1,1] [2,0] is not a line."),
    ],
)
def test_each_claim_gets_its_own_reason(
    board: str, side: Side, cells: tuple[int, ...], reason: str, sentence: str
) -> None:
    verdict = judge(marks(board), Claim(side, cells))
    assert verdict.reason == reason
    assert verdict.sentence(ROW_COLUMN) == sentence


def test_the_checklist_reports_all_eight_lines_under_their_own_names() -> None:
    found = {check.name: (check.holder, check.broken) for check in checklist(marks("OOO/XX./X.."))}
    assert found == {
        "Row 1": (O, False),
        "Row 2": (None, False),
        "Row 3": (None, False),
        "Col 1": (None, True),
        "Col 2": (None, True),
        "Col 3": (None, False),
        "Diagonal": (None, True),
        "Anti-diagonal": (None, True),
    }


def test_an_empty_line_is_held_by_nobody() -> None:
    assert [check.holder for check in checklist(marks(".../.../..."))] == [None] * 8


def test_a_line_that_could_be_claimed_is_found_for_its_owner_alone() -> None:
    board = marks("OX./OX./O..")
    assert line_held(board, O) == (0, 3, 6)
    assert line_held(board, X) is None
