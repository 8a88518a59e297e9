"""The first screen: the games, the form of a new match, and every other way to open one."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from textual import events

from ninefold.client.local import LocalSession
from ninefold.core.position import Side
from ninefold.games import all_games
from ninefold.match.files import save
from ninefold.match.state import HUMAN
from ninefold.server.hosting.seats import start_match
from ninefold.terminal.new_match_form import OPPONENTS, NewMatchForm, Opponent
from ninefold.terminal.preferences import PreferencesFile
from ninefold.terminal.tui.gallery import Gallery
from ninefold.terminal.tui.menu import Menu
from ninefold.terminal.tui.start_screen import StartScreen
from ninefold.terminal.tui.themes import ANSI
from tests.support.async_tests import async_test
from tests.support.tui_person import LARGE, Person, at_screen, local
from tests.support.tui_scenes import played


def screen(person: Person) -> StartScreen:
    found = person.app.screen
    assert isinstance(found, StartScreen)
    return found


async def go_to(person: Person, name: str) -> None:
    """Walk down the menu to an item."""
    menu = screen(person).query_one(Menu)
    while menu.items[menu.at].name != name:
        await person.press("down")


@pytest.mark.parametrize("size", [(80, 24), LARGE], ids=["small", "large"])
@async_test
async def test_every_game_is_shown_by_name_with_a_board(tmp_path: Path, size: tuple[int, int]) -> None:
    async with at_screen(tmp_path, size) as person:
        for game in all_games().values():
            assert game.title in person.text
        assert person.text.count("┼") >= 6 if size == (80, 24) else person.text.count("┌") >= 9


@async_test
async def test_the_boards_play_games(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        gallery = screen(person).query_one(Gallery)
        before = [demo.position for demo in gallery.demos]
        for _ in gallery.games:
            gallery.step()
        assert all(demo.position != old for demo, old in zip(gallery.demos, before, strict=True))
        for _ in range(5 * 90):
            gallery.step()  # to the end, and on with the next game
        await person.settle()
        assert "Tic-Tac-Toe" in person.text


@async_test
async def test_the_boards_move_by_themselves(tmp_path: Path) -> None:
    async with at_screen(tmp_path, moving=True, demo_interval=0.01) as person:
        shown = person.text
        await person.until(lambda: person.text != shown)


@async_test
async def test_garbage_is_collected_after_the_first_frame_and_nothing_older_is_looked_at(tmp_path: Path) -> None:
    gc.disable()  # as the command does before it opens the app
    try:
        async with at_screen(tmp_path) as person:
            await person.until(gc.isenabled)
            assert gc.get_freeze_count()
    finally:
        gc.enable()
    assert not gc.get_freeze_count()


@async_test
async def test_enter_plays_at_once(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await person.press("enter")
        await person.opens_match()
        assert person.match.game.id == "classic"
        assert [seat.player for seat in person.match.setup.seats] == [HUMAN, "medium"]
        await person.press("5")
        await person.until(lambda: len(person.moves) == 2)


@async_test
async def test_keys_that_are_typed_ahead_are_followed_in_their_order(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        for key in ("4", "2", "down", "right", "enter"):
            person.app.simulate_key(key)
        await person.sees("The agents' game")
        await person.sees("Player 2")
        assert person.match.game.id == "agents"


@async_test
async def test_a_game_is_chosen_by_number_with_arrows_and_by_mouse(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await person.press("4")
        assert screen(person).form.game.id == "squared"
        await person.press("right")
        assert screen(person).form.game.id == "ultimate"
        await person.press("right")
        assert screen(person).form.game.id == "classic"
        gallery = screen(person).query_one(Gallery)
        for game, place in zip(gallery.games, gallery.places(), strict=True):
            await person.pilot.click(gallery, offset=(place.column + 3, place.row + 2))
            await person.settle()
            assert screen(person).form.game is game


@async_test
async def test_every_setting_is_in_the_match(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await person.press("3")
        for name, times in (("level", 2), ("side", 1), ("first", 1), ("clock", 2)):
            await go_to(person, name)
            await person.press(*["right"] * times)
        await go_to(person, "play")
        await person.press("enter")
        await person.opens_match()
        setup = person.match.setup
        assert setup.game.id == "swap-nine"
        assert [(seat.side, seat.player) for seat in setup.seats] == [(Side.X, "perfect"), (Side.O, HUMAN)]
        assert setup.option("first") == "O"
        clock = person.screen.session.clock()
        assert clock
        assert clock.left == (180_000, 180_000)
        assert "3:00" in person.text


@async_test
async def test_a_toss_decides_who_starts(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await person.press("3")
        await go_to(person, "first")
        await person.press("left")
        assert "‹ toss ›" in person.text
        form = screen(person).form
        firsts = {LocalSession.create(form.request(seed)).match.setup.option("first") for seed in range(20)}
        assert firsts == {"X", "O"}
        await go_to(person, "play")
        await person.press("enter")
        await person.opens_match()
        assert person.match.setup.option("first") in ("X", "O")


@async_test
async def test_the_rules_of_a_game_are_chosen_and_are_in_the_match(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await go_to(person, "early_draw")
        assert "Early draw ‹ yes ›" in person.text
        await person.press("right")
        await go_to(person, "play")
        await person.press("enter")
        await person.opens_match()
        assert person.match.setup.option("early_draw") == "no"
        await person.press("e", "5")
        assert "Early draw" not in person.text
        await go_to(person, "tie_break")
        await person.press("right")
        assert "‹ most boards ›" in person.text
        await go_to(person, "play")
        await person.press("enter")
        await person.opens_match()
        assert (person.match.game.id, person.match.setup.option("tie_break")) == ("ultimate", "boards")
        await person.press("e", "2")
        assert "Early draw ‹ no ›" in person.text  # each game has its own default


@async_test
async def test_a_setting_that_has_gone_before_its_key_is_followed_is_not_changed(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await go_to(person, "level")
        for key in ("2", "5", "right"):
            person.app.simulate_key(key)
        screen(person).post_message(Menu.SettingChanged("early_draw", 1))
        await person.settle()
        assert "‹ hard ›" in person.text
        form = screen(person).form
        assert form.changed("early_draw", 1) == form  # which this game has not


@async_test
async def test_players_are_named(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        assert "Your name  Player 1" in person.text
        await person.press("n")
        await person.paste("Ann")
        await person.press("enter")
        assert "Your name  Ann" in person.text
        await go_to(person, "opponent")
        await person.press("right")
        await go_to(person, "names")
        await person.press("enter", "enter")  # to the second name
        await person.paste("Bob")
        await person.press("enter")
        assert "Names      Ann, Bob" in person.text
        await go_to(person, "side")
        await person.press("right")
        await go_to(person, "play")
        await person.press("enter")
        await person.opens_match()
        setup = person.match.setup
        assert [(seat.side, seat.name) for seat in setup.seats] == [(Side.O, "Ann"), (Side.X, "Bob")]
        await person.press("e")
        await go_to(person, "opponent")
        await person.press("right", "right")
        assert "Names" not in person.text  # two computers have none
        await person.press("n")
        assert isinstance(person.app.screen, StartScreen)


@async_test
async def test_a_name_that_is_too_long_is_refused_and_stays(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await person.press("n")
        await person.paste("x" * 200)
        await person.press("enter")
        await person.sees("That is too long: 200 characters.")
        await person.press("escape")
        assert screen(person).form.names == ("", "")


@async_test
async def test_what_was_chosen_is_remembered(tmp_path: Path) -> None:
    file = tmp_path / "config" / "settings.json"
    async with at_screen(tmp_path, preferences=PreferencesFile(file)) as person:
        await person.press("f3", "3", "n")
        await person.paste("Ann")
        await person.press("enter")
        for name, times in (("level", 2), ("side", 1)):
            await go_to(person, name)
            await person.press(*["right"] * times)
        await go_to(person, "play")
        await person.press("enter")
        await person.opens_match()
        await person.press("l")
        await person.until(lambda: person.screen.view_state().numpad)

    preferences = PreferencesFile(file)
    assert preferences.current.theme == "ninefold-light"
    async with at_screen(tmp_path, preferences=preferences) as person:
        assert "‹ Swap Nine ›" in person.text
        assert "‹ perfect ›" in person.text
        assert "Your name  Ann" in person.text
        await go_to(person, "play")
        await person.press("enter")
        await person.opens_match()
        assert [(seat.side, seat.name) for seat in person.match.setup.seats] == [(Side.X, ""), (Side.O, "Ann")]
        assert "l digits" in person.text or person.screen.view_state().numpad


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (30, 6)], ids=str)
@async_test
async def test_the_menu_scrolls_to_what_is_chosen(tmp_path: Path, size: tuple[int, int]) -> None:
    async with at_screen(tmp_path, size) as person:
        menu = screen(person).query_one(Menu)
        for _ in menu.items:
            item = menu.items[menu.at]
            assert f"▸ {(item.label or item.value)[:10]}" in person.text.replace("‹ ", "")
            await person.press("down")
        assert menu.at == 0
        await person.press("up")
        assert "▸ Quit" in person.text


@async_test
async def test_a_menu_that_scrolls_says_that_there_is_more_and_obeys_the_mouse(tmp_path: Path) -> None:
    async with at_screen(tmp_path, (60, 18)) as person:
        assert "▾" in person.text
        assert "▴" not in person.text
        menu = screen(person).query_one(Menu)
        for _ in range(50):
            await person.pilot._post_mouse_events([events.MouseScrollDown], menu)
        await person.settle()
        assert "▸ Quit" in person.text
        assert "▴" in person.text
        row = next(n for n, line in enumerate(person.lines) if "Watch a match" in line)
        await person.pilot.click(offset=(40, row))
        await person.sees("The link of a match")


@async_test
async def test_a_setting_is_changed_by_mouse_both_ways(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        menu = screen(person).query_one(Menu)
        row = next(n for n, line in enumerate(person.lines) if "Level" in line) - menu.content_region.y
        await person.pilot.click(menu, offset=(20, row + 1))
        await person.settle()
        assert "‹ hard ›" in person.text
        await person.pilot.click(menu, offset=(2, row + 1))
        await person.settle()
        assert "‹ medium ›" in person.text


@async_test
async def test_two_computers_play_to_the_end_by_themselves(tmp_path: Path) -> None:
    two_computers = OPPONENTS.index(Opponent.TWO_COMPUTERS)
    form = NewMatchForm(all_games()["classic"], opponent=two_computers, level=3, other_level=3)

    async with at_screen(tmp_path) as person:
        await person.open(LocalSession.create(form.request(seed=1)))
        await person.sees("A draw")
        assert person.screen.session.state.seats == ()


def test_every_value_of_every_setting_begins_a_match() -> None:
    for game in all_games().values():
        for opponent in range(len(OPPONENTS)):
            form = NewMatchForm(game, opponent=opponent)
            for setting in form.settings:
                for _ in setting.values:
                    form = form.changed(setting.field, 1) if setting.field != "opponent" else form
                    assert start_match(form.request(seed=2), 0).setup.game is game


@async_test
async def test_the_rules_are_shown_before_a_game_is_chosen(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await person.press("5", "question_mark")
        assert "The first to win three boards in a row wins" in person.text
        assert "Advice, not part of the rules:" in person.text


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("game", "↑ ↓ choose  ← → 1-5 game  enter play  f2 lines, for screen readers  f3 colours"),
        ("level", "↑ ↓ choose  ← → change  enter play  f2 lines, for screen readers  f3 colours"),
        ("names", "↑ ↓ choose  enter change  f2 lines, for screen readers  f3 colours  1-5 game"),
        ("play", "↑ ↓ choose  enter play  f2 lines, for screen readers  f3 colours  1-5 game"),
        ("join", "↑ ↓ choose  enter join by link  f2 lines, for screen readers  f3 colours"),
        ("quit", "↑ ↓ choose  enter quit  f2 lines, for screen readers  f3 colours  1-5 game"),
    ],
)
@async_test
async def test_the_bottom_line_says_what_keys_do_on_the_chosen_item(tmp_path: Path, name: str, keys: str) -> None:
    async with at_screen(tmp_path) as person:
        await go_to(person, name)
        assert person.lines[-1].strip() == keys


@async_test
async def test_the_bottom_line_follows_an_item_that_goes(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        await go_to(person, "early_draw")
        await go_to(person, "names")
        assert "enter change" in person.lines[-1]
        screen(person).post_message(Menu.SettingChanged("opponent", -1))  # to two computers, which have no names
        await person.settle()
        menu = screen(person).query_one(Menu)
        assert menu.items[menu.at].name == "play"
        assert "enter play" in person.lines[-1]


@async_test
async def test_the_page_with_the_rules_has_the_keys_of_the_first_screen_and_of_a_match(tmp_path: Path) -> None:
    async with at_screen(tmp_path, (120, 100)) as person:
        await go_to(person, "continue")
        await person.press("question_mark")
        now = person.text.partition("Keys now")[2].partition("The game")[0]
        assert all(
            key in now for key in ("enter continue a game", "1-5 game", "j join by link", "n your name", "q quit")
        )
        assert "← →" not in now
        await person.press("end")
        await person.sees("All keys of a match")


@async_test
async def test_a_window_that_is_too_small_says_so(tmp_path: Path) -> None:
    async with at_screen(tmp_path, (79, 24)) as person:
        assert "80 x 24 are needed" in person.lines[0]
        await person.resize(80, 24)
        await person.sees("the tic-tac-toe family")
        await person.resize(30, 6)
        await person.sees(" Ninefold  80 x 24 are needed")


@async_test
async def test_the_choice_and_the_cursor_are_visible_without_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    match = played(local("classic").match, "5")
    save(str(tmp_path / "2026.log"), match)

    def underlined(person: Person) -> str:
        strips = person.app.screen._compositor.render_strips(person.app.size)
        return "".join(text for strip in strips for text, style, _ in strip if style and style.underline)

    async with at_screen(tmp_path, theme=ANSI) as person:
        await person.press("c")
        await person.sees("ongoing")
        assert underlined(person).startswith("Tic-Tac-Toe")
        await person.press("escape", "w")
        assert len(underlined(person)) == 1


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
@async_test
async def test_a_key_quits(tmp_path: Path, key: str) -> None:
    async with at_screen(tmp_path) as person:
        await person.press(key)
        await person.until(lambda: not person.app.is_running)
        assert not person.app.interrupted


@async_test
async def test_f2_continues_the_game_line_by_line(tmp_path: Path) -> None:
    async def leave(begun: bool) -> Person:
        async with at_screen(tmp_path) as person:
            if begun:
                await person.press("down", "right", "enter", "5")
            await person.press("f2")
            await person.until(lambda: not person.app.is_running)
        return person

    continuation = (await leave(begun=False)).app.return_value
    assert continuation is not None
    assert (continuation.match, continuation.link) == (None, "")
    continuation = (await leave(begun=True)).app.return_value
    assert continuation is not None
    assert continuation.match is not None
    assert continuation.match.state.moves == (4,)
    assert Path(continuation.file).exists()


@async_test
async def test_the_colours_can_be_changed(tmp_path: Path) -> None:
    async with at_screen(tmp_path) as person:
        names = {person.app.theme}
        for _ in range(3):
            await person.press("f3")
            names.add(person.app.theme)
            assert "Tic-Tac-Toe" in person.text
        assert names == {"ninefold-dark", "ninefold-light", "ninefold-contrast", "ninefold-ansi"}
