"""An identity without a password: made, carried to another device, rated, blocked, reported, exported and deleted."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.support.browser_person import NewPerson, Person, violations
from tests.support.http_server import API, Running, bearer


def make_profile(person: Person) -> str:
    """Make a profile on its page; returns the link that carries the identity."""
    person.page.goto("/profile")
    person.page.locator("#begin-name").fill(person.name)
    person.button("Make a profile").click()
    expect(person.page.locator("#title")).to_have_text(person.name)
    person.button("Show the link to my identity").click()
    expect(person.page.get_by_role("img", name="QR code: Link to my identity")).to_be_visible()
    expect(person.page.locator(".qr-light")).to_have_css("fill", "rgb(255, 255, 255)")  # else nobody can scan it
    return person.page.get_by_label("Link to my identity", exact=True).input_value()


def key_of(link: str) -> str:
    return link.partition("#key=")[2]


def test_a_rated_game_goes_on_at_a_second_device_and_changes_the_rating(new_person: NewPerson, server: Running) -> None:
    ann, ben, phone = new_person("Ann"), new_person("Ben"), new_person()
    link, others = make_profile(ann), make_profile(ben)
    seats = [{"player": "human"}, {"player": "open"}]
    body = {"game": "classic", "seats": seats, "private": True, "clock": {"initial_seconds": 300}}
    created = server.post("/matches", body, key_of(link)).json()
    ben.page.goto(created["links"]["invite"]["2"])
    expect(ben.page.locator("#join")).to_contain_text("You join as Ben.")
    ben.button("Join the game").click()
    expect(ben.page.locator("#rating")).to_have_text("Rated game")
    # Behind the # browsers send nothing to a server; the phone is asked before it becomes Ann's.
    phone.page.goto(link)
    expect(phone.dialog).to_contain_text("You will play as Ann here.")
    phone.dialog.get_by_role("button", name="Use on this device").click()
    expect(phone.page.locator("#title")).to_have_text("Ann")
    assert "#" not in phone.page.url
    phone.page.get_by_role("link", name="Continue").click()
    for cell in (0, 1, 3, 4, 6):
        (phone if cell % 3 == 0 else ben).press(cell)
    expect(phone.page.locator("#rating")).to_contain_text("Your rating: 1500 → 1662")
    expect(ben.page.locator("#rating")).to_contain_text("Your rating: 1500 → 1338")
    ben.page.goto("/profile")
    expect(ben.page.locator(".standings tbody tr")).to_have_count(1)
    expect(ben.page.locator(".standings tbody")).to_contain_text("1338? ± 290")
    expect(ben.page.locator("#played-list li")).to_contain_text("Lost")
    assert server.get("/profile", key_of(others)).json()["standings"][0]["losses"] == 1


def test_another_player_is_reported_and_blocked_from_the_match(new_person: NewPerson, server: Running) -> None:
    ann, ben = new_person("Ann"), new_person("Ben")
    key, other = key_of(make_profile(ann)), key_of(make_profile(ben))
    body = {"game": "classic", "seats": [{"player": "human"}, {"player": "open"}], "private": True}
    created = server.post("/matches", body, other).json()
    say = {"request": "say", "action": {"kind": "say", "text": "You are slow"}}
    server.post(f"/matches/{created['match']}/actions", say, created["seats"]["1"])
    ann.page.goto(created["links"]["invite"]["2"])
    ann.button("Join the game").click()
    expect(ann.page.locator("#chat-messages")).to_contain_text("You are slow")
    ann.page.locator("#more summary").click()
    ann.button("Report player").click()
    ann.dialog.locator('[value="chat"]').check()
    ann.dialog.get_by_label("What happened (optional)").fill("rude")
    ann.dialog.get_by_role("button", name="Send the report").click()
    expect(ann.notice).to_have_text("The operator of this server was told.")
    ann.button("Block player").click()
    ann.dialog.get_by_role("button", name="Block player").click()
    expect(ann.notice).to_have_text("Ben is blocked.")
    expect(ann.page.locator("#chat-messages li")).to_have_count(0)
    assert [one["name"] for one in server.get("/profile/blocks", key).json()["blocks"]] == ["Ben"]
    ann.page.goto("/profile")
    ann.button("Unblock Ben").click()
    expect(ann.page.locator("#blocks-none")).to_be_visible()


def test_a_profile_is_shared_exported_and_deleted(new_person: NewPerson, server: Running, tmp_path: Path) -> None:
    ann, visitor = new_person("Ann"), new_person()
    key = key_of(make_profile(ann))
    body = {"game": "classic", "seats": [{"player": "human"}, {"player": "open"}]}
    created = server.post("/matches", body, key).json()
    server.post(f"/matches/{created['match']}/join", {"invitation": created["invitations"]["2"]})
    resign = {"request": "end", "action": {"kind": "resign"}}
    server.post(f"/matches/{created['match']}/actions", resign, key)
    ann.page.locator("#shared").check()
    public = ann.page.get_by_label("Link to my profile", exact=True).input_value()
    visitor.page.goto(public)
    expect(visitor.page.locator("#played-list li")).to_have_count(1)
    expect(visitor.page.locator("#manage")).to_be_hidden()
    assert violations(visitor) == ""
    assert violations(ann) == ""
    with ann.page.expect_download() as download:
        ann.button("Export my data").click()
    download.value.save_as(tmp_path / "export")
    head, match = [json.loads(line) for line in (tmp_path / "export").read_text(encoding="utf-8").splitlines()]
    assert (head["profile"]["name"], match["match"]["match"]) == ("Ann", created["match"])
    ann.button("Delete my profile").click()
    ann.dialog.get_by_role("button", name="Delete my profile").click()
    expect(ann.page.locator("#begin")).to_be_visible()
    assert ann.page.evaluate("Object.values(localStorage).join()").count(key) == 0
    assert server.http.get(f"{API}/profiles/{public.rpartition('/')[2]}").status_code == 404
    assert server.get(f"/matches/{created['match']}").json()["seats"][0]["name"] == "deleted"


def test_a_device_whose_profile_was_deleted_elsewhere_can_make_a_new_one(
    new_person: NewPerson, server: Running
) -> None:
    ann = new_person("Ann")
    key = key_of(make_profile(ann))
    assert server.http.delete(f"{API}/profile", headers=bearer(key)).status_code == 200
    ann.page.reload()
    expect(ann.page.locator("#notice")).to_contain_text("This key opens no profile.")
    expect(ann.page.locator("#manage")).to_be_hidden()
    ann.button("Make a profile").click()
    expect(ann.page.locator("#manage")).to_be_visible()
    ann.ignore_errors("Failed to load resource")


def test_a_damaged_link_to_an_identity_says_so_and_the_page_stays(new_person: NewPerson) -> None:
    visitor, ann = new_person(), new_person("Ann")
    link = make_profile(ann)
    for damaged, sentence in (
        (link[:-20], "This is not the whole link"),
        (f"{link[:-5]}xxxxx", "This key opens no profile."),
    ):
        for person, section in ((visitor, "#begin"), (ann, "#manage")):
            person.page.goto("/")
            person.page.goto(damaged)
            expect(person.notice).to_contain_text(sentence)
            expect(person.page.locator(section)).to_be_visible()
    visitor.page.get_by_label("Or the link from your other device").fill(link)
    visitor.button("Use on this device").first.click()
    expect(visitor.dialog).to_contain_text("You will play as Ann here.")
    for person in (visitor, ann):
        person.ignore_errors("Failed to load resource")


def test_a_link_to_no_profile_says_so(new_person: NewPerson) -> None:
    visitor = new_person()
    visitor.page.goto("/p/xyz")
    expect(visitor.page.locator("#notice")).to_contain_text("There is no such profile")
    expect(visitor.page.locator("#begin")).to_be_hidden()
    visitor.ignore_errors("Failed to load resource")
