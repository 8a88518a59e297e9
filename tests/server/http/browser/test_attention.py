"""Somebody who looks elsewhere is told that it is their turn: by the tab, and by a notification if wanted."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser_person import NewPerson
from tests.support.browser_scenes import play_match, switch_on, take_seat
from tests.support.http_server import Running

# A browser that allows notifications, and keeps them; the page is hidden while `away` is true.
NOTIFICATIONS = """
window.notified = [];
window.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) { window.notified.push([title, body]); }
};
Object.defineProperty(document, "hidden", { get: () => window.away === true });
"""


def test_the_title_the_icon_and_a_notification_say_that_it_is_your_turn(new_person: NewPerson, server: Running) -> None:
    ben, played = new_person(), play_match(server, "classic", 0)
    ben.page.add_init_script(NOTIFICATIONS)
    take_seat(ben, server, played, "2")
    icon = ben.page.locator("link[rel=icon]")
    expect(ben.page).to_have_title("Tic-Tac-Toe · Ninefold")
    expect(icon).to_have_attribute("href", re.compile("favicon.svg$"))
    switch_on(ben, "Notify me when it is my turn")
    ben.page.evaluate("window.away = true")
    server.move(played.match, played.tokens["1"], 0, "5")
    expect(ben.page).to_have_title("Your turn · Ninefold")
    expect(icon).to_have_attribute("href", re.compile("favicon-turn.svg$"))
    assert ben.page.evaluate("notified") == [["Your turn", "Tic-Tac-Toe"]]
    ben.page.evaluate("window.away = false")
    ben.press(0)
    server.move(played.match, played.tokens["1"], 2, "9")
    expect(ben.moves).to_have_count(3)
    assert ben.page.evaluate("notified.length") == 1
