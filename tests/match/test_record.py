"""The record: the game as it was finally played, readable, shareable, and loaded through the same door."""

from __future__ import annotations

from random import Random

import pytest

from ninefold.core.errors import Refusal, Unreadable
from ninefold.core.position import O, X
from ninefold.games import all_games, find_game
from ninefold.match import actions
from ninefold.match.actions import REFEREE, move, say, take_back
from ninefold.match.files import read_match
from ninefold.match.match import Match, begin
from ninefold.match.record import read_record, write_record
from ninefold.match.state import Seat

RECORD = r"""[Game "agents"]
[Options "first=O line_ends=no claims=yes early_draw=no"]
[X "B\"o\\b"]
[XPlayer "human"]
[O "Ann"]
[OPlayer "hard"]
[Player1 "O"]
[Date "2026.11.15"]
[Seed "3"]
[Toss "O"]
[Result "0-1"]
[Ended "claim"]

1. [0,0] [1,1] 2. [0,1] X:claim[0,0][0,1][0,2] O:dispute{no \} way\\}
{X: sor\{ry\} it's mine} [2,2] 3. [0,2]+claim[0,0][0,1][0,2] X:confirm 0-1
"""


def the_match() -> Match:
    at = 1_794_700_800_000  # midnight of 15 November 2026, UTC
    match = begin(find_game("agents"), None, (Seat(O, "Ann", "hard"), Seat(X, 'B"o\\b')), at=at, seed=3, toss=True)
    for seat, action in [
        (1, move(0)),
        (2, move(4)),
        (1, move(1)),
        (2, actions.claim((0, 1, 2))),
        (1, actions.dispute("no } way\\")),
        (2, say("sor{ry} it's mine")),
        (2, move(8)),
        (1, move(2, claim=(0, 1, 2))),
        (2, actions.CONFIRM),
    ]:
        match = match.act(seat, action, at)
    return match


def test_a_refusal_of_a_word_keeps_its_code_so_that_it_can_be_said_in_every_language() -> None:
    with pytest.raises(Unreadable) as refused:
        read_record('[Game "classic"]\n\n1. 5 5 *\n')
    (_, word) = dict(refused.value.params["why"].params).values()  # type: ignore[attr-defined]
    assert (word.code, str(word)) == ("taken:clause", "Cell 5 is taken by X. Free cells: 1 2 3 4 6 7 8 9")


def refusal_of(text: str) -> str:
    with pytest.raises(Unreadable) as refused:
        read_record(text)
    return str(refused.value)


def test_a_record_reads_as_people_expect() -> None:
    assert write_record(the_match()) == RECORD


def test_a_record_is_read_back_as_the_very_same_match() -> None:
    assert read_record(RECORD) == the_match()


def test_a_record_has_a_date_only_if_the_match_has_one() -> None:
    undated = write_record(begin("classic").act(1, 4))
    assert "Date" not in undated
    assert read_record(undated).setup.at == 0
    midnight = 1_794_700_800_000  # of 15 November 2026, UTC
    assert '[Date "2026.11.15"]' in write_record(begin("classic", at=midnight))
    assert read_record(write_record(begin("classic", at=midnight))).setup.at == midnight


def test_a_record_with_windows_line_ends_is_read() -> None:
    assert read_match(RECORD.replace("\n", "\r\n").encode()) == the_match()


def test_what_was_taken_back_is_not_in_the_record() -> None:
    match = begin(find_game("classic")).act(1, move(4)).act(2, move(0)).act(2, take_back()).act(2, move(8))
    assert write_record(match).splitlines()[-1] == "1. 5 9 *"
    assert read_record(write_record(match)).position == match.position


def test_swap_nine_and_squared_are_written_in_their_own_numbers() -> None:
    swap = begin(find_game("swap-nine"))
    swap = swap.act(1, move((4,))).act(2, move((1, 4)))
    assert write_record(swap).splitlines()[-1] == "1. 5 2x5 *"
    squared = begin(find_game("squared")).act(1, move((7, 0))).act(2, move((0, 8)))
    assert write_record(squared).splitlines()[-1] == "1. 27 73 *"


@pytest.mark.parametrize(
    ("seat", "action", "words"),
    [
        (1, actions.RESIGN, "1. 5 X:resign 0-1"),
        (2, actions.LEAVE, "1. 5 O:leave *"),
        (REFEREE, actions.flag(1), "1. 5 X:flag 0-1"),
        (REFEREE, actions.gone(2), "1. 5 O:gone 1-0"),
        (REFEREE, actions.EXPIRE, "1. 5 expire *"),
        (2, actions.OFFER_DRAW, "1. 5 O:offer{draw} *"),
    ],
)
def test_other_endings_are_words_of_their_own(seat: int, action: actions.Action, words: str) -> None:
    match = begin(find_game("classic")).act(1, move(4)).act(seat, action)
    assert write_record(match).splitlines()[-1] == words
    assert read_record(write_record(match)).state == match.state


def test_a_claim_settled_by_time_is_settled_again_when_the_record_is_read() -> None:
    match = begin(find_game("agents")).act(2, move(0)).act(1, actions.claim((0, 1, 2))).act(REFEREE, actions.SETTLE)
    assert "X:claim[0,0][0,1][0,2] settle *" in write_record(match)
    assert read_record(write_record(match)).state == match.state


@pytest.mark.parametrize("game", all_games())
def test_random_matches_of_every_game_survive_the_record(game: str) -> None:
    rng = Random(game)
    for _ in range(30):
        match = begin(find_game(game))
        for _ in range(rng.randrange(60)):
            seat, action = _anything(rng, match)
            try:
                match = match.act(seat, action)
            except Refusal:
                continue
        again = read_record(write_record(match))
        assert again.state == match.state
        assert write_record(again) == write_record(match)


def _anything(rng: Random, match: Match) -> tuple[int, actions.Action]:
    """Mostly moves, and some of all the rest."""
    seat = rng.choice((1, 2))
    triple = rng.sample(range(9), 3)
    legal = rng.choice(match.position.moves() or (0,))
    some = [
        (seat, actions.claim(triple)),
        (match.to_act or 1, move(legal, claim=triple)),
        (seat, actions.CONFIRM),
        (seat, actions.WITHDRAW),
        (seat, actions.dispute("a } {b\\ c\n")),
        (seat, say("X:resign } { 1-0 \\")),
        (seat, take_back()),
        (seat, actions.OFFER_DRAW),
        (seat, actions.OFFER_TAKE_BACK),
        (seat, actions.ACCEPT),
        (seat, actions.DECLINE),
        (REFEREE, actions.SETTLE),
    ]
    return rng.choice(some) if rng.random() < 0.4 else (match.to_act or 1, move(legal))


@pytest.mark.parametrize(
    ("old", "new", "refusal"),
    [
        ('[Game "agents"]\n', "", "Line 1: the tag Game is missing"),
        ('"agents"', '"chess"', "Line 1: There is no game 'chess'"),
        ("line_ends=no", "line_ends=perhaps", "Line 2: line_ends cannot be 'perhaps'"),
        ("line_ends=no", "line_ends=yes", "Line 2: Victory can be claimed only where"),
        ('[O "Ann"]', "[O Ann]", "Line 5: a tag is written once"),
        ('[O "Ann"]', '[X "Ann"]', "Line 5: a tag is written once"),
        ('"O"]\n[Date', '"Q"]\n[Date', "Line 7: Player1 is X or O"),
        ("2026.11.15", "yesterday", "Line 8: a date is written"),
        ("2026.11.15", "9999999.01.01", "Line 8: a date is written"),
        ("2026.11.15", "1900.01.01", "Line 8: A match begins between the years 1970 and 9999"),
        ("claims=yes", "claims=yes claims=no", "Line 2: an option is named once"),
        ('[Toss "O"]', '[Toss "Q"]', "Line 10: this side does not start"),
        ('"3"', '"9999999999999999999"', "Line 9: This is not a seed."),
        ('"3"', '"٣"', "Line 9: a seed is a whole number"),
        ('"0-1"', '"1-0"', "Line 11: the result is 0-1, not '1-0'"),
        ('"claim"', '"resigned"', "Line 12: the match ended by 'claim', not 'resigned'"),
        ("[1,1] 2.", "[0,0] 2.", "Line 14: '[0,0]': Cell [0,0] is taken by O"),
        ("[1,1] 2.", "[3,3] 2.", "Line 14: '[3,3]': That is outside the board"),
        ("[1,1] 2.", "castles 2.", "Line 14: 'castles': 'castles' is not a move"),
        (
            "X:claim[0,0][0,1][0,2] O",
            "X:claim[0,0][0,1] O",
            "Line 14: 'X:claim[0,0][0,1]': This is not a claim. A claim names three different cells",
        ),
        (
            "X:claim[0,0]",
            "X:claim!!",
            "Line 14: 'X:claim!![0,1][0,2]': This is not a claim. A claim is written claim[0,0][1,1][2,2]",
        ),
        ("O:dispute{no", "O:dispute", "Line 14: a comment in { } is not closed"),
        ("mine}", "mine", "Line 15: a comment in { } is not closed"),
        ("X:confirm", "O:confirm", "Line 15: 'O:confirm': Your own claim is answered by your opponent"),
        ("X:confirm", "X:dance", "Line 15: 'X:dance': That is not a word of a record"),
        ("X:confirm 0-1", "X:confirm", "Line 16: a record ends with its result"),
        ("X:confirm 0-1", "X:confirm 1-0", "Line 15: the result is 0-1, not '1-0'"),
        ("X:confirm 0-1", "X:confirm [2,0] 0-1", "Line 15: '[2,0]': The game has ended"),
    ],
)
def test_a_broken_record_gives_the_line_and_the_reason(old: str, new: str, refusal: str) -> None:
    assert RECORD.count(old) == 1, "the test breaks one place"
    assert refusal_of(RECORD.replace(old, new)).startswith(refusal)


def test_comments_may_touch_each_other() -> None:
    match = read_record('[Game "classic"]\n\n1. 5 {X: foo}{O: bar} *\n')
    said = [(event.seat, event.action.text) for event in match.events if event.action.kind == "say"]
    assert said == [(1, "foo"), (2, "bar")]


def test_a_record_of_nothing_but_open_braces_is_answered() -> None:
    assert "is not closed" in refusal_of('[Game "classic"]\n\n' + "{" * 200_000 + "\n")


def test_names_in_a_record_lose_their_escape_sequences() -> None:
    assert read_record(RECORD.replace("Ann", "\x1b[31mAnn")).setup.seats[0].name == "[31mAnn"


def test_a_player_without_a_name_has_an_empty_tag_or_none() -> None:
    """Records are frozen: the empty tags stay, and a record without them is the same match."""
    record = write_record(begin(find_game("classic")).act(1, move(4)))
    assert '[X ""]\n' in record
    without = record.replace('[X ""]\n', "").replace('[O ""]\n', "")
    assert read_record(without) == read_record(record)
