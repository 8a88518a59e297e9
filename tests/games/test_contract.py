"""What every game promises, whatever its rules: asked of each game that is found, with every choice of its options."""

from __future__ import annotations

import pickle
import random
import string
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest

from ninefold.core.errors import IllegalMove
from ninefold.core.game import Game
from ninefold.core.position import Path, Position, Side
from ninefold.games import all_games, find_game, rule_sets

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Case(NamedTuple):
    game: Game
    options: dict[str, str]

    @property
    def label(self) -> str:
        return " ".join([self.game.id, *(f"{name}={value}" for name, value in self.options.items())])


def cases() -> Iterator[Case]:
    for game in all_games().values():
        options = [option for option in game.options if not option.of_match]
        for values in product(*(option.values for option in options)):
            yield Case(game, {option.name: value for option, value in zip(options, values, strict=True)})


EVERY_CASE = pytest.mark.parametrize("case", list(cases()), ids=lambda case: case.label)
EVERY_GAME = pytest.mark.parametrize("game", list(all_games().values()), ids=list(all_games()))


def random_game(case: Case, seed: int = 0) -> list[Position]:
    """Every position of a game, from the start to the end."""
    rng = random.Random(f"{case.label}/{seed}")
    game = [case.game.begin(case.options)]
    while moves := game[-1].moves():
        assert len(game) <= len(game[0].cells), "every move fills a cell, so no game is longer than the board"
        game.append(game[-1].play(moves[int(rng.random() * len(moves))]))
    return game


def marks(position: Position) -> str:
    return str(position).split()[0].replace("/", "")


def owner(board: str, drawn: str) -> str:
    """Who owns a small board: looked up in its nine marks."""
    for mark in "XO":
        if any(all(board[cell] == mark for cell in line) for line in LINES):
            return mark
    return "" if "." in board else drawn


@EVERY_CASE
def test_moves_are_ascending_and_unique_and_in_range(case: Case) -> None:
    for position in random_game(case):
        moves = position.moves()
        assert list(moves) == sorted(set(moves))
        assert all(type(move) is int and move in range(len(case.game.paths)) for move in moves)


@EVERY_CASE
def test_there_are_moves_exactly_while_there_is_no_outcome(case: Case) -> None:
    for seed in range(5):
        for position in random_game(case, seed):
            assert bool(position.moves()) == (position.outcome is None)


@EVERY_CASE
def test_random_games_end_with_a_winner_or_a_draw_and_a_reason(case: Case) -> None:
    for seed in range(10):
        outcome = random_game(case, seed)[-1].outcome
        assert outcome is not None
        assert outcome.winner in (Side.X, Side.O, None)
        assert outcome.reason
        assert case.game.describe(outcome).endswith(".")


@EVERY_CASE
def test_the_option_says_who_starts_and_the_sides_take_turns(case: Case) -> None:
    turns = [position.turn for position in random_game(case)]
    first = turns[0]
    assert first.name == case.options.get("first", first.name)
    assert turns == [(first, first.other)[ply % 2] for ply in range(len(turns))]


@EVERY_CASE
def test_play_leaves_the_old_position_unchanged(case: Case) -> None:
    for position in random_game(case):
        before, number, moves = str(position), hash(position), position.moves()
        for move in moves:
            assert position.play(move) != position
        assert (str(position), hash(position), position.moves()) == (before, number, moves)


@EVERY_CASE
def test_the_text_of_a_position_gives_the_same_position(case: Case) -> None:
    for position in random_game(case):
        again = case.game.parse(str(position))
        assert again == position
        assert hash(again) == hash(position)
        assert str(again) == str(position)
        assert (again.moves(), again.outcome, again.turn) == (position.moves(), position.outcome, position.turn)


@EVERY_CASE
def test_a_position_knows_its_options(case: Case) -> None:
    assert [position.options for position in random_game(case)[::5]] == [case.options] * len(random_game(case)[::5])


@EVERY_CASE
def test_a_position_knows_the_start_it_came_from(case: Case) -> None:
    start, *_, end = random_game(case)
    assert case.game.start_of(end) == start


@EVERY_CASE
def test_the_cells_are_the_marks_of_the_text(case: Case) -> None:
    for position in random_game(case):
        assert "".join("." if mark is None else mark.name for mark in position.cells) == marks(position)


@EVERY_CASE
def test_every_illegal_number_is_refused_with_a_reason_and_a_sentence(case: Case) -> None:
    size = len(case.game.paths)
    for position in random_game(case):
        before = str(position)
        for move in {*range(-1, size + 1), -size, 10**6} - set(position.moves()):
            with pytest.raises(IllegalMove) as refused:
                position.play(move)
            assert refused.value.reason
            assert refused.value.sentence
            assert refused.value.instead or position.outcome
        assert str(position) == before


@EVERY_CASE
def test_a_path_is_played_exactly_when_its_move_is_legal(case: Case) -> None:
    for position in random_game(case):
        for move, path in enumerate(case.game.paths):
            if move in position.moves():
                assert case.game.move_at(position, path) == move
            else:
                with pytest.raises(IllegalMove) as refused:
                    case.game.move_at(position, path)
                assert refused.value.sentence


def walk(game: Game, position: Position, prefix: Path = ()) -> Iterator[tuple[Path, int]]:
    """Every path that can be walked choice by choice, with the move it ends in."""
    choices, move = game.choices(position, prefix)
    assert list(choices) == sorted(set(choices))
    assert choices or move is not None or not prefix, "a choice that leads nowhere"
    if move is not None:
        yield prefix, move
    for choice in choices:
        yield from walk(game, position, (*prefix, choice))


@EVERY_CASE
def test_the_tree_of_choices_leads_to_exactly_the_legal_moves(case: Case) -> None:
    for position in random_game(case):
        walked = list(walk(case.game, position))
        assert sorted(move for _, move in walked) == list(position.moves())
        assert all(case.game.paths[move] == path for path, move in walked)


@EVERY_CASE
def test_a_choice_that_does_not_lead_on_is_refused_at_once(case: Case) -> None:
    for position in random_game(case)[:-1]:
        choices, _ = case.game.choices(position)
        for cell in set(range(-1, 10)) - set(choices):
            assert position.why_not((cell,), case.game.naming).sentence


@EVERY_CASE
def test_effects_are_what_the_move_changes(case: Case) -> None:
    game = case.game
    for position in random_game(case):
        for move in position.moves():
            after, effects = position.play(move), game.effects(position, move)
            old, new = marks(position), marks(after)
            assert effects.cells == {cell: new[cell] for cell in range(len(new)) if new[cell] != old[cell]}
            assert effects.outcome == after.outcome
            assert effects.opens == tuple(sorted({game.paths[reply][0] for reply in after.moves()}))
            drawn = "XO" if case.options.get("drawn") == "both" else "="
            boards = range(9) if len(new) == 81 else ()
            owned = {board: owner(new[board * 9 : board * 9 + 9], drawn) for board in boards}
            assert effects.boards == {b: who for b, who in owned.items() if who != owner(old[b * 9 : b * 9 + 9], drawn)}


@EVERY_CASE
def test_a_position_met_in_play_is_not_called_impossible(case: Case) -> None:
    if case.game.impossible:
        assert {case.game.impossible(position) for position in random_game(case)[:20:3]} == {None}


@EVERY_GAME
def test_every_move_reads_back_from_its_name(game: Game) -> None:
    for move, path in enumerate(game.paths):
        assert game.parse_move(game.name(move)) == path
    assert len({game.name(move) for move in range(len(game.paths))}) == len(game.paths)


@EVERY_GAME
def test_every_move_can_be_given_by_rows_and_columns(game: Game) -> None:
    for path in game.paths:
        for spelling in ("{},{}", "[{},{}]"):
            assert game.parse_move(game.joiner.join(spelling.format(*divmod(cell, 3)) for cell in path)) == path


@EVERY_GAME
def test_paths_are_unique_and_made_of_cells(game: Game) -> None:
    assert len(set(game.paths)) == len(game.paths)
    assert all(path and set(path) <= set(range(9)) for path in game.paths)


@EVERY_GAME
def test_there_is_a_question_for_every_step_and_it_can_be_put(game: Game) -> None:
    assert len(game.steps) == max(len(path) for path in game.paths)
    for step in game.steps:
        asked = step.question.format(player="Player 1 (X)", choices="1 2 3", chosen="5")
        assert asked.startswith("Player 1 (X), ")
        assert {field for _, field, _, _ in string.Formatter().parse(step.question)} <= {
            "player",
            "choices",
            "chosen",
            None,
        }


@EVERY_GAME
def test_the_rules_fit_on_one_screen(game: Game) -> None:
    lines = game.console_rules.splitlines()
    assert 0 < len(lines) <= 24
    assert max(map(len, lines)) <= 80


@EVERY_GAME
def test_every_default_is_one_of_the_values(game: Game) -> None:
    assert all(option.default in option.values for option in game.options)
    assert game.settle_options() == {option.name: option.default for option in game.options}
    assert game.begin() == game.begin(game.settle_options())


def test_games_are_found_by_their_ids() -> None:
    assert {"classic", "agents", "squared", "ultimate", "swap-nine"} <= set(all_games())
    assert all(find_game(game_id) is game and game.id == game_id for game_id, game in all_games().items())
    assert "agents" not in rule_sets()
    assert find_game("agents").rule_set == "classic"


@EVERY_CASE
def test_a_position_is_a_value_that_cannot_be_changed_and_can_be_sent(case: Case) -> None:
    for position in random_game(case):
        assert pickle.loads(pickle.dumps(position)) == position  # noqa: S301 (our own bytes)
        with pytest.raises(AttributeError):
            position.turn = position.turn.other  # type: ignore[misc]


@EVERY_CASE
def test_a_position_that_play_has_met_says_the_same_as_one_from_its_text(case: Case) -> None:
    for met in random_game(case):
        read = case.game.parse(str(met))
        assert (read.moves(), read.outcome, hash(read)) == (met.moves(), met.outcome, hash(met))
        assert [met.play(move) for move in met.moves()] == [read.play(move) for move in met.moves()]
