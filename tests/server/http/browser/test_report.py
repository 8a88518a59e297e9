"""The referee's report on the page of a match."""

from __future__ import annotations

from playwright.sync_api import expect

from ninefold.games import find_game
from tests.support.browser_person import NewPair, violations


def test_the_report_of_an_ended_match_counts_a_false_claim(new_pair: NewPair) -> None:
    pair = new_pair(find_game("agents"))
    report = pair.x.page.locator("#report")
    pair.o.press(4)
    pair.o.claim(0, 4, 8)
    pair.x.confirm_claim()
    expect(report).to_be_hidden()
    pair.x.resign()
    report.get_by_text("The referee's report").click()
    rows = report.locator("tbody tr")
    expect(report.locator("thead th")).to_have_text(["Statistic", "Ann (X)", "Ben (O)"])
    expect(rows.filter(has_text="Points")).to_have_text("Points01")
    expect(rows.filter(has_text="False claims")).to_have_text("False claims01")
    expect(rows.filter(has_text="Wrong confirmations")).to_have_text("Wrong confirmations10")
    expect(report).to_contain_text("by exact values")
    assert violations(pair.x) == ""
