"""The geometry of nine cells and their names, as the rule documents draw them."""

from __future__ import annotations

import pytest

from ninefold.core.grid import (
    CELLS,
    FREE,
    FULL,
    HAS_LINE,
    LINE_MASKS,
    LINE_NAMES,
    LINES,
    NEIGHBOURS,
    NUMPAD,
    OUTSIDE,
    READING,
    ROW_COLUMN,
    Naming,
    lines_in,
    mask_of,
    rows,
)

# The checklist of the agents' document, as [row, col].
CHECKLIST = {
    "Row 1": ((0, 0), (0, 1), (0, 2)),
    "Row 2": ((1, 0), (1, 1), (1, 2)),
    "Row 3": ((2, 0), (2, 1), (2, 2)),
    "Col 1": ((0, 0), (1, 0), (2, 0)),
    "Col 2": ((0, 1), (1, 1), (2, 1)),
    "Col 3": ((0, 2), (1, 2), (2, 2)),
    "Diagonal": ((0, 0), (1, 1), (2, 2)),
    "Anti-diagonal": ((0, 2), (1, 1), (2, 0)),
}
NAMINGS = pytest.mark.parametrize("naming", [READING, NUMPAD, ROW_COLUMN], ids=["reading", "numpad", "row_column"])


def test_the_eight_lines_are_the_checklist_in_its_order_and_under_its_names() -> None:
    assert dict(zip(LINE_NAMES, LINES, strict=True)) == {
        name: tuple(row * 3 + column for row, column in cells) for name, cells in CHECKLIST.items()
    }
    assert tuple(CHECKLIST) == LINE_NAMES


def test_the_centre_is_on_four_lines_a_corner_on_three_an_edge_on_two() -> None:
    assert [sum(cell in line for line in LINES) for cell in CELLS] == [3, 2, 3, 2, 4, 2, 3, 2, 3]


def test_neighbours_are_above_below_left_and_right_and_never_diagonal() -> None:
    assert NEIGHBOURS == ((1, 3), (0, 2, 4), (1, 5), (0, 4, 6), (1, 3, 5, 7), (2, 4, 8), (3, 7), (4, 6, 8), (5, 7))


def test_twenty_four_pairs_are_adjacent_each_both_ways() -> None:
    pairs = {(cell, other) for cell in CELLS for other in NEIGHBOURS[cell]}
    assert len(pairs) == 24
    assert pairs == {(other, cell) for cell, other in pairs}


def test_a_set_of_cells_has_one_bit_a_cell() -> None:
    assert mask_of(()) == 0
    assert mask_of((0, 2, 8)) == 0b100_000_101
    assert mask_of((4, 4)) == 0b000_010_000
    assert mask_of(CELLS) == FULL == 511


def test_a_set_has_a_line_exactly_when_it_holds_all_three_cells_of_one() -> None:
    for mask in range(512):
        cells = {cell for cell in CELLS if mask >> cell & 1}
        held = tuple(line for line in LINES if set(line) <= cells)
        assert lines_in(mask) == held
        assert HAS_LINE[mask] == bool(held)


def test_free_cells_are_the_rest_in_order() -> None:
    for mask in range(512):
        assert FREE[mask] == tuple(cell for cell in range(9) if cell not in {n for n in range(9) if mask & 2**n})


def test_line_masks_are_the_lines_as_sets() -> None:
    assert tuple(mask_of(line) for line in LINES) == LINE_MASKS


def test_nine_characters_are_shown_as_three_rows() -> None:
    assert rows("XX.OO....") == "XX./OO./..."


def test_reading_numbers_start_with_1_at_the_top_left() -> None:
    assert rows("".join(READING.names)) == "123/456/789"


def test_numpad_numbers_are_the_diagram_of_the_document() -> None:
    assert rows("".join(NUMPAD.names)) == "789/456/123"


def test_rows_and_columns_count_from_0() -> None:
    assert ROW_COLUMN.names[0] == "[0,0]"
    assert ROW_COLUMN.names[5] == "[1,2]"
    assert ROW_COLUMN.names[6] == "[2,0]"


@NAMINGS
def test_every_name_reads_back_as_its_cell(naming: Naming) -> None:
    for cell in CELLS:
        assert naming.parse_cell(naming.name(cell)) == cell
        assert naming.parse_cells(naming.name(cell)) == (cell,)


@NAMINGS
def test_every_naming_reads_rows_and_columns_with_and_without_brackets(naming: Naming) -> None:
    for cell in CELLS:
        row, column = divmod(cell, 3)
        assert naming.parse_cells(f"{row},{column}") == (cell,)
        assert naming.parse_cells(f"[{row},{column}]") == (cell,)


@NAMINGS
def test_cells_may_be_written_one_after_the_other(naming: Naming) -> None:
    assert naming.parse_cells(naming.name(7) + naming.name(0) + naming.name(4)) == (7, 0, 4)
    assert naming.parse_cells("2,10,0") == (7, 0)
    assert naming.parse_cells("[2,1][0,0]") == (7, 0)


@NAMINGS
@pytest.mark.parametrize("text", ["[3,1]", "[1,3]", "[-1,0]", "[0,-1]", "[99,99]", "3,0", "0,9", "-1,2"])
def test_coordinates_off_the_board_can_be_read_and_are_outside(naming: Naming, text: str) -> None:
    assert naming.parse_cells(text) == (OUTSIDE,)
    assert OUTSIDE not in CELLS


@NAMINGS
@pytest.mark.parametrize(
    "text", [" 5", "5 ", "²", "٣", "0", "a", "-", "x", "[1,1", "1,1]", "[1 1]", "[1, 1]", "1,", ",1", "[٣,0]"]
)
def test_anything_else_is_no_cell(naming: Naming, text: str) -> None:
    assert naming.parse_cells(text) is None
    assert naming.parse_cell(text) is None


@pytest.mark.parametrize("naming", [READING, NUMPAD], ids=["reading", "numpad"])
@pytest.mark.parametrize("text", ["", "10", "55", "1,1", "[1,1]"])
def test_a_single_cell_has_exactly_its_name(naming: Naming, text: str) -> None:
    assert naming.parse_cell(text) is None


def test_cells_are_said_in_a_row() -> None:
    assert READING.format((0, 4, 8)) == "1 5 9"
    assert NUMPAD.format((0, 4, 8)) == "7 5 3"
    assert ROW_COLUMN.format((0, 4)) == "[0,0] [1,1]"
