"""The referee's report on the page of a match."""

from __future__ import annotations

from playwright.sync_api import expect

from ninefold.games import find_game
from tests.support.browser_person import NewPair, NewPerson, violations
from tests.support.browser_scenes import report
from tests.support.http_server import Running


def test_the_report_of_an_ended_match_counts_a_false_claim(new_pair: NewPair) -> None:
    pair = new_pair(find_game("agents"))
    panel = pair.x.page.locator("#report")
    pair.o.press(4)
    pair.o.claim(0, 4, 8)
    pair.x.confirm_claim()
    expect(panel).to_be_hidden()
    pair.x.resign()
    panel.get_by_text("The referee's report").click()
    rows = panel.locator("tbody tr")
    expect(panel.locator("thead th")).to_have_text(["Statistic", "Ann (X)", "Ben (O)"])
    expect(rows.filter(has_text="Points")).to_have_text("Points01")
    expect(rows.filter(has_text="False claims")).to_have_text("False claims01")
    expect(rows.filter(has_text="Wrong confirmations")).to_have_text("Wrong confirmations10")
    expect(panel).to_contain_text("by exact values")
    assert violations(pair.x) == ""


def test_the_report_of_a_game_without_claims_says_nothing_about_claims(new_person: NewPerson, server: Running) -> None:
    ann = new_person()
    report(ann, server)
    expect(ann.page.locator("#report tbody th")).to_have_text(
        ["Points", "Illegal moves tried", "Unreadable answers", "Missed wins", "Mistakes", "Time used"]
    )
