"""Claims in a real browser: made, checked line by line, answered."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from ninefold.games import find_game
from tests.support.browser_person import NewPair, NewPerson, Pair
from tests.support.short_games import short_game

AGENTS = find_game("agents")


def test_a_false_claim_is_disputed_and_void(new_pair: NewPair) -> None:
    pair = new_pair(AGENTS)
    pair.o.press(0)
    pair.x.press(4)
    pair.o.press(1)
    pair.o.claim(0, 1, 2)
    expect(pair.x.status).to_have_text("O claims victory. Is it true?")
    expect(pair.x.page.locator("#claim-due")).to_have_text(
        re.compile(r"^Without an answer the referee decides in \d+:\d\d\.$")
    )
    expect(pair.x.playable).to_have_count(0)
    lines = pair.x.page.locator("#claim-lines tbody tr")
    expect(lines).to_have_count(8)
    expect(lines.filter(has_text="claimed")).to_have_text("Top rowO O ·not three, claimed")

    pair.x.dispute_claim("[0,2] is empty")
    for person in pair.people:
        expect(person.page.locator("#claim")).to_contain_text(
            "O claimed top row: false. Only two of top-left, top-middle, top-right are O's."
        )
        expect(person.page.locator("#claim")).to_contain_text("Ann (X) disputed it: [0,2] is empty")
    pair.o.page.reload()
    expect(pair.o.page.locator("#claim")).to_contain_text("Ann (X) disputed it: [0,2] is empty")
    expect(pair.o.button("Claim victory")).to_be_hidden()
    pair.x.press(2)
    expect(pair.o.button("Claim victory")).to_be_visible()


def test_a_true_claim_wins_even_if_it_is_disputed(new_pair: NewPair) -> None:
    pair, short = new_pair(AGENTS), short_game(AGENTS)
    pair.play(*short.plies)
    assert short.claim
    pair.o.claim(*short.claim)
    pair.x.dispute_claim("I do not like it")
    expect(pair.o.status).to_contain_text("You won.")
    expect(pair.x.status).to_contain_text("You lost.")


def test_a_claim_is_sent_with_the_move_that_completes_its_line(new_pair: NewPair) -> None:
    pair, short = new_pair(AGENTS), short_game(AGENTS)
    *before, _ = short.plies
    pair.play(*before)
    assert short.claim
    pair.o.button("Claim victory").click()
    expect(pair.o.page.locator("#claim")).to_contain_text("A free one can be your move.")
    pair.o.press(*short.claim)
    place = pair.o.page.get_by_role("button", name=re.compile("^Place .* and claim$"))
    expect(place).to_have_text("Place bottom-right and claim")
    place.click()
    expect(pair.x.status).to_have_text("O claims victory. Is it true?")
    expect(pair.x.moves).to_have_count(len(short.plies))
    pair.x.confirm_claim()
    expect(pair.o.status).to_have_text(f"You won. {short.shown}")


def test_on_one_screen_a_claim_is_made_and_answered_by_the_right_side(new_person: NewPerson) -> None:
    ann, short = new_person(), short_game(AGENTS)
    match = ann.start(AGENTS, "here")
    Pair(match, ann, ann).play(*short.plies)
    assert short.claim
    ann.button("Claim victory").click()
    ann.press(*short.claim)
    ann.button("Claim for O").click()
    ann.confirm_claim()
    expect(ann.status).to_have_text(short.shown)
