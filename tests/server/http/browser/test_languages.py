"""Languages in a real browser: a whole game in each, and no text that comes from anywhere but a catalogue."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Mapping

import pytest
from playwright.sync_api import Route, expect

from ninefold.core.language import NAMES, read_catalogue
from ninefold.core.messages import ENGLISH, Template
from tests.support.browser_person import NewPerson, Person
from tests.support.http_server import API, Running, bearer
from tests.support.languages import browser_texts, server_texts

LOCALES = {"de": "de-DE", "fr": "fr-CA", "es": "es-MX"}
# Everything that people read or hear: visible texts, labels, placeholders, what screen readers are told, and the title.
READ_PAGE = """() => {
  const found = [document.title];
  for (const element of document.querySelectorAll("body, body *")) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest("noscript, script")) continue;
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent.trim());
    for (const name of ["aria-label", "aria-valuetext", "placeholder", "title", "alt"])
      found.push(element.getAttribute(name) ?? "");
  }
  return found.filter((words) => /\\p{L}{2}/u.test(words));
}"""
PLACEHOLDER = re.compile(r"(\{[^}]*\})")
WIDE = {ord(letter): ord(letter) - ord("A") + ord("Ａ") for letter in string.ascii_letters if letter not in "XO"}
# Names of the program and of languages, addresses, and the first words of a record, which is English.
# The first page lists matches of other tests too, with the names of their players.
PLAYERS = r"\b(?:Ann|Ben|Carl|Robot)\b"
NAMES_ONLY = re.compile(rf'Ninefold|English|Deutsch|Français|Español|https?://\S+|\[Game "classic"\]|{PLAYERS}')


def marked(template: Template) -> str | list[str]:
    """A template in which every letter of a word is a wide one."""
    if isinstance(template, tuple):
        return [str(marked(part)) for part in template]
    parts = PLACEHOLDER.split(template)
    return "".join(part if part.startswith("{") else part.translate(WIDE) for part in parts)


def mark_texts(person: Person) -> None:
    """Give a person a language in which every text of the catalogues is English in wide letters."""
    sections: Mapping[str, Mapping[str, Template]] = {"browser": browser_texts(), "server": server_texts()}
    catalogue = {name: {code: marked(one) for code, one in texts.items()} for name, texts in sections.items()}

    def fulfil(route: Route) -> None:
        route.fulfill(body=json.dumps(catalogue), content_type="application/json")

    person.context.route("**/de.json", fulfil)


def unmarked(person: Person) -> set[str]:
    """What is read on the page and comes from no catalogue."""
    return {words for words in person.page.evaluate(READ_PAGE) if re.search("[A-Za-z]{2}", NAMES_ONLY.sub("", words))}


def play_here(person: Person, game: str, *cells: int) -> None:
    """Play a game against oneself, from the first page."""
    person.page.goto(f"/?game={game}")
    person.page.locator("#home-actions [data-key=here]").click()
    person.page.wait_for_url("**/m/*")
    for ply, cell in enumerate(cells, 1):
        person.press(cell)
        expect(person.moves).to_have_count(ply)


@pytest.mark.parametrize("language", LOCALES)
def test_a_whole_game_is_played_in_each_language(new_person: NewPerson, language: str) -> None:
    person = new_person(locale=LOCALES[language])
    catalogue, english = read_catalogue(language), browser_texts()
    left = set(english.values()) - set(catalogue.browser.values())
    play_here(person, "classic", 0, 1, 4, 2)
    expect(person.page.locator("html")).to_have_attribute("lang", language)
    assert not left & set(person.page.evaluate(READ_PAGE))
    person.press(8)
    why = str(catalogue.server["outcome.win"]).format(side="X", why=catalogue.server["classic.line"])
    expect(person.page.locator("#status")).to_contain_text(why.partition(": ")[2])
    assert not left & set(person.page.evaluate(READ_PAGE))
    person.page.locator("#actions [data-key=review]").click()
    expect(person.page.locator("#title")).to_contain_text(str(catalogue.server["game.classic.title"]))
    assert not left & set(person.page.evaluate(READ_PAGE))


def test_no_text_of_the_main_pages_bypasses_the_catalogues(new_person: NewPerson) -> None:
    person = new_person(locale="de-DE")
    mark_texts(person)
    page = person.page
    page.goto("/?game=ultimate")
    expect(page.locator("#home-actions")).to_be_visible()
    page.locator("#settings").click()
    assert unmarked(person) == set()
    page.keyboard.press("Escape")
    page.locator(".about-game button").click()
    expect(page.locator(".rules-pictures nine-board")).to_have_count(4)
    assert unmarked(person) == set()
    page.keyboard.press("Escape")
    page.locator("#home-actions [data-key=options]").click()
    page.locator("dialog details summary").click()
    assert unmarked(person) == set()

    play_here(person, "agents", 0, 4, 1, 5, 2)
    page.locator("#actions [data-key=claim]").click()
    assert unmarked(person) == set()
    for cell in (0, 1, 2):
        person.press(cell)
    page.locator("#claim button").filter(has_text=re.compile("O$")).click()
    expect(page.locator("#claim-lines tbody tr")).to_have_count(8)
    assert unmarked(person) == set()
    page.locator("#claim button.strong").first.click()
    expect(page.locator("#report")).to_be_visible()
    page.locator("#report summary").click()
    expect(page.locator("#report-contents table")).to_be_visible()
    assert unmarked(person) == set()
    match = page.url
    page.locator("#actions [data-key=share_game]").click()
    page.wait_for_url("**/g/*")
    expect(page.locator("#history li")).to_have_count(5)
    assert unmarked(person) == set()
    page.goto(match)
    page.locator("#actions [data-key=review]").click()
    page.locator("[data-step=back]").click()
    expect(page.locator("#move-values li").first).to_be_visible()
    assert unmarked(person) == set()

    page.goto("/?game=squared")
    page.locator("#home-actions [data-key=friend]").click()
    expect(page.locator("#join svg, #join img").first).to_be_visible()
    assert unmarked(person) == set()

    for path, seen in (
        ("/puzzle", "#board button"), ("/learn?game=swap-nine", "#pictures li"),
        ("/review", "main"), ("/profile", "main form"),
    ):  # fmt: skip
        page.goto(path)
        expect(page.locator(seen).first).to_be_visible()
        assert unmarked(person) == set()


def test_a_profile_names_its_games_and_the_levels_of_computers_in_the_language(
    new_person: NewPerson, server: Running
) -> None:
    key = "the-key-of-a-german-0123456789-0123456789"
    server.http.put(f"{API}/profile", json={"name": "Ann"}, headers=bearer(key))
    created = server.post(
        "/matches", {"game": "agents", "seats": [{"player": "human"}, {"player": "easy"}]}, key
    ).json()
    server.post(f"/matches/{created['match']}/actions", {"request": "end", "action": {"kind": "resign"}}, key)
    person = new_person(locale="de-DE")
    person.page.goto("/")
    person.page.evaluate("(key) => localStorage.setItem('ninefold:key', key)", key)
    person.page.goto("/profile")
    expect(person.page.locator("#played-list .name")).to_have_text("Agentenspiel mit Computer (leicht)")
    expect(person.page.locator(".standings tbody")).to_contain_text("Agentenspiel")


@pytest.mark.parametrize("language", [ENGLISH, *LOCALES])
def test_the_tabs_of_the_games_stay_inside_their_panel(new_person: NewPerson, language: str) -> None:
    person = new_person(locale=LOCALES.get(language, "en-GB"))
    person.page.goto("/")
    tabs = person.page.locator("#tabs")
    expect(tabs.get_by_role("tab")).to_have_count(5)
    for width in (768, 1024, 1100, 1280):
        person.page.set_viewport_size({"width": width, "height": 760})
        assert tabs.evaluate("tabs => tabs.scrollWidth - tabs.clientWidth") <= 0, width


def test_the_language_is_chosen_from_a_menu_and_remembered_also_for_pages_of_the_server(new_person: NewPerson) -> None:
    person = new_person()
    person.page.goto("/")
    person.page.locator("#settings").click()
    with person.page.expect_navigation():
        person.page.locator("#settings-language").select_option("fr")
    expect(person.page.locator("h1")).to_have_text("La famille du morpion")
    person.page.goto("/nowhere")
    expect(person.page.locator("h1")).to_have_text("Cette page n’existe pas.")
    expect(person.page.locator("html")).to_have_attribute("lang", "fr")
    person.ignore_errors("Failed to load resource")


def test_a_page_whose_catalogue_cannot_be_loaded_is_english(new_person: NewPerson) -> None:
    person = new_person(locale="es-ES")
    person.context.route("**/es.json", lambda route: route.abort())
    person.page.goto("/")
    expect(person.page.locator("h1")).to_have_text("The tic-tac-toe family")
    expect(person.page.locator("html")).to_have_attribute("lang", ENGLISH)
    person.ignore_errors("Failed to load resource")


def test_a_refused_request_is_explained_in_the_language_of_the_browser(server: Running) -> None:
    for language in NAMES:
        page = server.http.get("/nowhere", headers={"Accept": "text/html", "Accept-Language": f"{language};q=0.8, x"})
        assert f'<html lang="{language}"' in page.text
    assert (
        "<h1>Diese Seite gibt es nicht.</h1>"
        in server.http.get("/nowhere", headers={"Accept": "text/html", "Accept-Language": "de"}).text
    )
