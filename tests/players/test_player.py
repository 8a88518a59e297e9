"""The computer's players: graded, repeatable, honest, and the perfect one perfect."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, pairwise

import pytest

from ninefold.core.errors import Unreadable
from ninefold.core.game import Game
from ninefold.core.position import O, Position, Side, X
from ninefold.core.solver import solve_table, values
from ninefold.core.state_table import table_of
from ninefold.games import all_games, find_game
from ninefold.match.actions import CONFIRM, Action, claim, dispute, move
from ninefold.match.match import Match, begin
from ninefold.match.state import State
from ninefold.players.player import Player, levels, make_player, player_names

CLASSIC, AGENTS, SQUARED, ULTIMATE, SWAP_NINE = map(
    find_game, ("classic", "agents", "squared", "ultimate", "swap-nine")
)
SMALL = [game for game in all_games().values() if game.small]
SMALL_GAMES = pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
BIG_GAMES = pytest.mark.parametrize("game", [SQUARED, ULTIMATE], ids=lambda game: game.id)
EVERY_AGENT = pytest.mark.parametrize("name", ["random", *levels(AGENTS)])

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
LADDER = [(game, *pair) for game in SMALL for pair in pairwise(("random", *levels(game)))]


def match_at(game: Game, position: Position) -> Match:
    return Match(begin(game).setup, State(position))


def play_match(game: Game, x: str, o: str, seed: int = 0) -> Match:
    """A whole match between two computers; seat 1 is X's."""
    seated: dict[int, Player] = {1: make_player(game, x, 2 * seed), 2: make_player(game, o, 2 * seed + 1)}
    match = begin(game)
    while match.to_act:
        match = match.act(match.to_act, seated[match.to_act](match))
    return match


def share_of_points(game: Game, name: str, opponent: str, seeds: Iterable[int]) -> float:
    """The points a player takes, playing X in the even games and O in the odd ones."""
    points = []
    for seed in seeds:
        side = Side(seed % 2)
        match = play_match(game, name, opponent, seed) if side is X else play_match(game, opponent, name, seed)
        assert match.result is not None
        winner = match.result.outcome.winner
        points.append(0.5 if winner is None else float(winner is side))
    return sum(points) / len(points)


# Levels.


def test_levels_go_from_easy_to_the_best_there_can_be() -> None:
    assert levels(CLASSIC) == levels(SWAP_NINE) == levels(AGENTS) == ("easy", "medium", "hard", "perfect")
    assert levels(SQUARED) == levels(ULTIMATE) == ("easy", "medium", "hard", "expert")
    assert player_names(CLASSIC) == ("human", "random", *levels(CLASSIC))


@pytest.mark.parametrize(("game", "weaker", "stronger"), LADDER, ids=lambda part: getattr(part, "id", part))
def test_each_level_takes_60_percent_from_the_one_before(game: Game, weaker: str, stronger: str) -> None:
    assert share_of_points(game, stronger, weaker, range(2000)) >= 0.6


@pytest.mark.parametrize(("game", "seed"), [(SQUARED, 0), (ULTIMATE, 1)], ids=["squared", "ultimate"])
def test_the_hard_level_beats_random_in_the_big_games(game: Game, seed: int) -> None:
    assert share_of_points(game, "hard", "random", [seed]) == 1


@pytest.mark.exhaustive
@BIG_GAMES
@pytest.mark.parametrize("first", range(0, 20, 2))
def test_the_expert_takes_95_percent_from_random_in_the_big_games(game: Game, first: int) -> None:
    assert share_of_points(game, "expert", "random", range(first, first + 2)) >= 0.95


@BIG_GAMES
def test_every_level_of_the_big_games_has_an_answer(game: Game) -> None:
    middle = match_at(game, game.begin().play(40).play(36).play(0).play(8))
    for name in ("random", *levels(game)):
        for match in (begin(game), middle):
            action = make_player(game, name, 1)(match)
            assert (action.kind, action.move in match.position.moves()) == ("move", True)


@BIG_GAMES
@pytest.mark.parametrize("name", ["hard", "expert"])
def test_the_upper_levels_of_the_big_games_take_a_win(game: Game, name: str) -> None:
    boards = ["XXX......", "XXX......", "X...X....", "OOO......", "OOO......"] + ["........."] * 4
    position = game.parse(f"{'/'.join(boards)} X 9")
    assert make_player(game, name, 1)(match_at(game, position)).move == 2 * 9 + 8


@pytest.mark.parametrize(
    ("game", "name"), [(CLASSIC, "expert"), (SQUARED, "perfect"), (CLASSIC, "nobody"), (CLASSIC, "")]
)
def test_an_unknown_player_is_refused_with_those_there_are(game: Game, name: str) -> None:
    with pytest.raises(Unreadable) as refused:
        make_player(game, name, 0)
    assert refused.value.reason == "no_such_player"
    assert refused.value.instead == f"The computer plays as: {' '.join(player_names(game)[1:])}."
    assert "human" not in str(refused.value)  # who is asked for is a computer


# Perfect play.


@SMALL_GAMES
@pytest.mark.parametrize("first", ["X", "O"])
def test_perfect_never_gives_away_value_nor_time_in_any_position(game: Game, first: str) -> None:
    """By induction over the plies left: what is not lost is never lost, against any reply whatever."""
    setup = begin(game, {"first": first} if "first" in game.settle_options() else {}).setup
    positions = [position for position in table_of(game, setup.start).states if position.outcome is None]
    for seed, position in enumerate(positions):
        if setup.has_claims and line_of(position, position.turn):
            continue  # it claims
        action = make_player(game, "perfect", seed)(Match(setup, State(position)))
        assert isinstance(action.move, int)
        found = values(game, position, claims=setup.has_claims)
        assert found[action.move].rank == max(value.rank for value in found.values()), str(position)


@pytest.mark.parametrize("first", ["X", "O"])
def test_to_players_who_claim_at_once_a_line_ends_the_game(first: str) -> None:
    """So while nobody has a line, the agents' game is worth what the plain one is, move by move."""
    solution = solve_table(table_of(CLASSIC, CLASSIC.begin({"first": first})))
    for state, position in enumerate(solution.table.states):
        if position.outcome is None:
            shown = AGENTS.parse(str(position).replace("line_ends=yes", "line_ends=no"))
            assert values(AGENTS, shown, claims=True) == solution.moves(state)


def line_of(position: Position, side: Side) -> tuple[int, ...] | None:
    return next((line for line in LINES if all(position.cells[cell] is side for cell in line)), None)


def replies(match: Match) -> list[Action]:
    """Everything an opponent can sensibly do: each move, with the claim of the line that it has then."""
    if match.state.pending:
        return [CONFIRM]
    position, claims = match.position, match.setup.option("claims") == "yes"
    return [
        move(cell, claim=line_of(position.play(cell), position.turn) if claims else None) for cell in position.moves()
    ]


@pytest.mark.parametrize("game", [CLASSIC, AGENTS], ids=lambda game: game.id)
@pytest.mark.parametrize("side", [X, O], ids=str)
def test_perfect_does_not_lose_from_the_start_whatever_the_replies(game: Game, side: Side) -> None:
    player = make_player(game, "perfect", 7)
    matches = [begin(game)]
    while matches:
        match = matches.pop()
        if match.result:
            assert match.result.outcome.winner is not side.other
        elif match.to_act:
            asked = [player(match)] if match.to_act == match.setup.seat(side) else replies(match)
            matches += [match.act(match.to_act, action) for action in asked]


# Every seed repeats its game.


@pytest.mark.parametrize("game", [CLASSIC, AGENTS, SWAP_NINE, SQUARED], ids=lambda game: game.id)
@pytest.mark.parametrize("name", ["random", "easy"])
def test_the_same_seed_gives_the_same_game_and_other_seeds_give_others(game: Game, name: str) -> None:
    games = [play_match(game, name, name, seed).events for seed in range(5)]
    assert games == [play_match(game, name, name, seed).events for seed in range(5)]
    assert len(set(games)) > 1


@SMALL_GAMES
def test_perfect_players_repeat_themselves_too_and_vary_with_the_seed(game: Game) -> None:
    games = [play_match(game, "perfect", "perfect", seed).events for seed in range(10)]
    assert games == [play_match(game, "perfect", "perfect", seed).events for seed in range(10)]
    assert len(set(games)) > 1


def test_a_player_asked_twice_gives_the_same_answer() -> None:
    player, match = make_player(CLASSIC, "random", 3), begin(CLASSIC)
    assert player(match) == player(match)


# Claims: O, who starts, sits on seat 2.


def agents_match(text: str) -> Match:
    return match_at(AGENTS, AGENTS.parse(text))


@EVERY_AGENT
def test_a_computer_claims_with_the_move_that_completes_its_line(name: str) -> None:
    match = agents_match("OXO/XOX/XO. O")
    action = make_player(AGENTS, name, 1)(match)
    assert (action.kind, action.move, action.cells) == ("move", 8, (0, 4, 8))
    assert match.act(2, action).status == "claimed_win_O"


@EVERY_AGENT
def test_a_computer_claims_a_line_that_is_there_already(name: str) -> None:
    match = agents_match("OOO/XX./X.. O")
    action = make_player(AGENTS, name, 1)(match)
    assert (action.kind, action.cells) == ("claim", (0, 1, 2))
    assert match.act(2, action).act(1, CONFIRM).status == "won"


@EVERY_AGENT
def test_a_computer_that_is_barred_moves_on(name: str) -> None:
    match = agents_match("OOO/XX./X.. O").act(2, claim((3, 4, 5))).act(1, dispute("They are mine."))
    action = make_player(AGENTS, name, 1)(match)
    assert action.kind == "move"
    assert match.act(2, action).position.turn is X


@EVERY_AGENT
def test_a_computer_claims_nothing_it_does_not_have(name: str) -> None:
    action = make_player(AGENTS, name, 1)(agents_match("OXO/OXX/XO. O"))
    assert (action.kind, action.move, action.cells) == ("move", 8, None)


@EVERY_AGENT
def test_a_computer_confirms_a_true_claim(name: str) -> None:
    match = agents_match("OOO/XX./X.. O").act(2, claim((0, 1, 2)))
    assert make_player(AGENTS, name, 1)(match).kind == "confirm"


@EVERY_AGENT
@pytest.mark.parametrize(
    ("kind", "text", "cells"),
    [
        ("not_a_line", "O.X/XO./O.. X", (0, 4, 6)),
        ("all_opponents", "XXX/OO./O.. O", (0, 1, 2)),
        ("broken", "OXO/X../... O", (0, 1, 2)),
        ("gap", "O.O/X../X.. O", (0, 1, 2)),
        ("only_two", "OO./X../X.. O", (0, 1, 2)),
    ],
)
def test_a_computer_disputes_a_false_claim_and_says_why(
    name: str, kind: str, text: str, cells: tuple[int, ...]
) -> None:
    match = agents_match(text).act(2, claim(cells))
    action = make_player(AGENTS, name, 1)(match)
    assert action.kind == "dispute"
    assert action.text
    after = match.act(1, action)
    assert after.status == "in_progress"
    assert (after.events[-1].action.kind, after.events[-1].action.text) == ("settle", kind)


@pytest.mark.parametrize(("seat", "side"), [(1, X), (2, O)], ids=["X claims", "O claims"])
def test_of_all_84_claims_a_computer_confirms_exactly_the_true_ones(seat: int, side: Side) -> None:
    match = agents_match("OOO/XXX/.X. O line=123")
    player = make_player(AGENTS, "easy", 1)
    for cells in combinations(range(9), 3):
        true = cells in LINES and all(match.position.cells[cell] is side for cell in cells)
        assert player(match.act(seat, claim(cells))).kind == ("confirm" if true else "dispute"), cells


@EVERY_AGENT
def test_between_computers_every_win_was_claimed_and_no_claim_was_false(name: str) -> None:
    for seed in range(50):
        match = play_match(AGENTS, name, "random", seed)
        assert match.result is not None
        assert (match.result.outcome.winner is None) == (match.result.by == "rules")
        assert not [event for event in match.events if event.action.kind in ("dispute", "withdraw")]


def lines_at_hand(position: Position) -> list[int]:
    return [cell for cell in position.moves() if line_of(position.play(cell), position.turn)]


def undecided_agents() -> list[Position]:
    """The positions of the agents' game in which the side to move has no line yet and can complete one."""
    positions = [p for p in table_of(AGENTS, AGENTS.begin()).states if p.outcome is None]
    return [p for p in positions if not line_of(p, p.turn) and lines_at_hand(p)]


def test_a_perfect_agent_completes_and_claims_its_line_before_the_opponent_claims_an_older_one() -> None:
    """The first true claim wins, even over an older line that was never claimed: such a position is not lost."""
    player = make_player(AGENTS, "perfect", 1)
    late = [position for position in undecided_agents() if line_of(position, position.turn.other)]
    assert late
    missed = [
        str(position) for position in late if player(match_at(AGENTS, position)).move not in lines_at_hand(position)
    ]
    assert not missed, f"{len(missed)} of {len(late)} wins missed, the first: {missed[0]}"


def test_a_perfect_agent_completes_and_claims_its_line_at_once() -> None:
    """A claim ends the game, so nothing is faster than the line that can be claimed now."""
    player = make_player(AGENTS, "perfect", 1)
    open_ = [position for position in undecided_agents() if not line_of(position, position.turn.other)]
    assert open_
    missed = [
        str(position) for position in open_ if player(match_at(AGENTS, position)).move not in lines_at_hand(position)
    ]
    assert not missed, f"{len(missed)} of {len(open_)} wins put off, the first: {missed[0]}"
