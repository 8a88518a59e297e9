"""The line menu: start a new game, continue a saved one, join or watch a match, or read the rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ninefold.core.errors import Refusal, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.messages import Message, text
from ninefold.core.text import clean_name
from ninefold.games import all_games
from ninefold.server.hosting.commands import MatchRequest
from ninefold.terminal.console.prompt import WIDTH, Help, Terminal, UndoRequested
from ninefold.terminal.new_match import Continuation
from ninefold.terminal.new_match_form import FormSetting, NewMatchForm, Opponent
from ninefold.terminal.preferences import PreferencesFile

if TYPE_CHECKING:
    from ninefold.terminal.saves import SavedMatch

T = TypeVar("T")
ASKED = (
    "opponent",
    "level",
    "other_level",
    "side",
)  # the other settings of a form are options: enter takes them as they are


def choose(terminal: Terminal, preferences: PreferencesFile | None = None) -> MatchRequest | Continuation:
    """Ask until there is a match to play; u starts again from the first question. What was chosen the last time is
    what an empty line chooses."""
    preferences = preferences or PreferencesFile()
    terminal.say(text("menu.welcome"))
    while True:
        try:
            if chosen := _choose(terminal, preferences):
                return chosen
        except UndoRequested:
            terminal.say(text("menu.again"))


def _choose(terminal: Terminal, preferences: PreferencesFile) -> MatchRequest | Continuation | None:
    games = list(all_games().values())
    others: dict[str, Callable[[Terminal], Continuation | None]] = {
        text("menu.continue"): _continue,
        text("menu.open"): _open,
        text("menu.join"): _join,
        text("menu.watch"): _watch,
        text("menu.rules"): _show_rules,
    }
    last = next((place for place, game in enumerate(games) if game.id == preferences.current.game), 0)
    titles = [*map(_title, games), *others]
    place = pick(terminal, text("menu.what"), titles, _help("what"), enter=last, more=text("menu.quit"))
    if place < len(games):
        return _new(terminal, NewMatchForm.remembered(games[place], preferences.current), preferences)
    return list(others.values())[place - len(games)](terminal)


def _title(game: Game) -> str:
    return f"{game.title:<21} {game.summary}"


def _show_rules(terminal: Terminal) -> None:
    games = list(all_games().values())
    terminal.say(
        games[pick(terminal, text("menu.which_rules"), [*map(_title, games)], _help("rules"), enter=0)].rules_page()
    )


def _help(question: str) -> Help:
    """What ? says at a question of the menu."""
    return Help(rules=lambda: _wrapped(text(f"menu.help.{question}")))


def _wrapped(words: str) -> str:
    from textwrap import fill

    return fill(words, WIDTH, break_long_words=False, break_on_hyphens=False)


# A new match


def _new(terminal: Terminal, form: NewMatchForm, preferences: PreferencesFile) -> MatchRequest | Continuation:
    asked = (*ASKED, "first") if form.game.ask_first else ASKED
    for field in asked:
        if setting := next((one for one in form.settings if one.field == field), None):
            form = form.with_choice(field, _ask_setting(terminal, form, setting))
    form = _ask_options(terminal, form, asked)
    preferences.remember(**form.remember())
    if form.chosen_opponent is Opponent.ONLINE:
        return _invite(terminal, form, preferences)
    return form.request()


def _ask_setting(terminal: Terminal, form: NewMatchForm, setting: FormSetting) -> int:
    if setting.field != "side":
        return pick(terminal, setting.label, setting.values, _help(setting.field), enter=setting.chosen)
    question = text("menu.player_1_side" if form.chosen_opponent is Opponent.FRIEND else "menu.your_side")
    return setting.values.index(str(terminal.ask_side(question, _help("side"), enter=setting.value)))


def _ask_options(terminal: Terminal, form: NewMatchForm, asked: Sequence[str]) -> NewMatchForm:
    """One step for all that is rarely changed: an empty line plays, a number changes an option."""
    while True:
        settings = [setting for setting in form.settings if setting.field not in asked]
        shown = [f"{setting.label}: {setting.value}" for setting in settings]
        if form.named_players:
            shown.append(f"{form.names_label}: {', '.join(form.shown_names)}")
        listed = "; ".join(f"{number} {one}" for number, one in enumerate(shown, 1))
        question = text("menu.options", options=listed, most=len(shown))
        answer = terminal.ask(question, Help(rules=partial(_explain_options, form))).strip()
        place = int(answer) - 1 if answer.isascii() and answer.isdigit() and len(answer) < 3 else -1
        if not answer:
            terminal.say()
            return form
        if not 0 <= place < len(shown):
            terminal.refuse(Unreadable("not_an_answer.option", answer=quoted(answer), most=len(shown)))
        elif place < len(settings):
            form = form.changed(settings[place].field, 1)
        else:
            form = _ask_names(terminal, form)


def _explain_options(form: NewMatchForm) -> str:
    helps = {option.name: option.help for option in form.game.options}
    lines = [f"  {one.label}: {helps[one.field]}" for one in form.settings if one.field in helps]
    return "\n".join([_wrapped(text("menu.help.options")), *lines])


def _ask_names(terminal: Terminal, form: NewMatchForm) -> NewMatchForm:
    labels = [text("menu.name")] if form.named_players == 1 else [text("menu.name.player", seat=n) for n in (1, 2)]
    names = [clean_name(terminal.ask(label, _help("name"))) for label in labels]
    return form._replace(names=(names[0], names[1] if len(names) > 1 else form.names[1]))


def _invite(terminal: Terminal, form: NewMatchForm, preferences: PreferencesFile) -> Continuation:
    """Begin a match on a server, and show the link for the friend."""
    from ninefold.terminal.new_match import invite

    last = preferences.current.server
    question = text("menu.server.last", server=last) if last else text("menu.server")
    request = form.request()
    address, (mine, theirs) = _ask_for(
        terminal, question, lambda answer: (answer, invite(answer.strip() or last, request)), _help("server")
    )
    preferences.remember(server=address.strip().rstrip("/") or last)
    terminal.say(f"{text('invite.how')}\n{theirs}\n")
    return Continuation(link=str(mine), name=request.seats[0].name)


# What exists already


def _continue(terminal: Terminal) -> Continuation:
    """One of the saved games by its number. The list is filtered by words, and a game is deleted by its number."""
    from ninefold.terminal import saves

    folder = saves.games_folder()
    saved = saves.list_saved(folder)
    if saves.left_out(folder, saved):
        terminal.say(_wrapped(saves.heading(folder, saved)))
    words: list[str] = []
    while saved:
        shown = [one for one in saved if all(word in saves.describe_saved(one).lower() for word in words)]
        if not shown:
            terminal.say(text("dialog.no_match"))
            shown = saved
        for number, one in enumerate(shown, 1):
            terminal.say(f"  {number}  {saves.describe_saved(one)}")
        answer = terminal.ask(text("menu.which_saved", most=len(shown)), _help("saved"))
        command, _, written = answer.strip().rpartition(" ")
        place = int(written) - 1 if written.isascii() and written.isdigit() else -1
        if command not in ("", "delete") or place == -1:
            words = answer.lower().split()
        elif not 0 <= place < len(shown):
            terminal.refuse(Unreadable("not_an_answer.number", answer=quoted(written), most=len(shown)))
        elif command:
            saved = _without(terminal, saved, shown[place])
        else:
            terminal.say()
            return _continuation(shown[place])
    terminal.say(text("save.none"))
    raise UndoRequested


def _without(terminal: Terminal, saved: list[SavedMatch], one: SavedMatch) -> list[SavedMatch]:
    """The games without one that is deleted, if the player means it."""
    from ninefold.terminal import saves

    if not terminal.ask_yes(text("menu.delete", game=saves.describe_saved(one)), _help("delete")):
        return saved
    try:
        saves.delete(one.file)
    except Refusal as refusal:
        terminal.refuse(refusal)
        return saved
    return [other for other in saved if other is not one]


def _continuation(saved: SavedMatch) -> Continuation:
    from ninefold.terminal.saves import SavedLink

    if isinstance(saved, SavedLink):
        return Continuation(link=saved.link, rematches=saved.rematches)
    return Continuation(saved.match, str(saved.file), control=saved.control, clock=saved.clock)


def _open(terminal: Terminal) -> Continuation:
    """A game from a file continues among the saved games; the file stays as it is."""
    from ninefold.match.files import load
    from ninefold.terminal.saves import new_saved_file

    match = _ask_for(
        terminal, text("menu.file"), lambda answer: load(os.path.expanduser(answer.strip())), _help("file")
    )
    return Continuation(match, new_saved_file(match))


def _join(terminal: Terminal) -> Continuation:
    from ninefold.client.links import INVITATION

    link = _ask_for(terminal, text("menu.invitation"), lambda answer: _link(answer, INVITATION), _help("invitation"))
    return Continuation(link=link, name=terminal.ask(text("menu.name"), _help("name")))


def _watch(terminal: Terminal) -> Continuation:
    from ninefold.client.links import TO_WATCH

    link = _ask_for(terminal, text("menu.link_to_watch"), lambda answer: _link(answer, TO_WATCH), _help("link"))
    return Continuation(link=link, watches=True)


def _ask_for(terminal: Terminal, question: str, read: Callable[[str], T], help: Help) -> T:
    """What an answer stands for, asked until it can be read."""
    while True:
        try:
            return read(terminal.ask(question, help))
        except Refusal as refusal:
            terminal.refuse(refusal)


def _link(answer: str, example: str | Message) -> str:
    from ninefold.client.links import read_link

    return str(read_link(answer.strip(), example=example))


def pick(
    terminal: Terminal,
    question: str,
    choices: Sequence[str],
    help: Help,
    *,
    enter: int | None = None,
    more: str = "",
) -> int:
    """The place of the choice whose number was typed; an empty line is ``enter``. ``more`` stands below the choices."""
    for number, choice in enumerate(choices, 1):
        terminal.say(f"{number:>3}  {choice}")
    if more:
        terminal.say(more)
    numbers = [str(number) for number in range(1, len(choices) + 1)]
    default = "" if enter is None else text("menu.enter", answer=enter + 1)
    while True:
        answer = terminal.ask(text("menu.pick", question=question, most=len(choices), enter=default), help)
        if answer in numbers or (answer == "" and enter is not None):
            terminal.say()
            return numbers.index(answer) if answer else enter or 0
        terminal.refuse(Unreadable("not_an_answer.number", answer=quoted(answer), most=len(choices)))
