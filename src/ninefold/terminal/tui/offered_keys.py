"""The keys of the moment: every key that does something now, the most important first. None of them is refused."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from ninefold.client.session import SeatAction
from ninefold.core.errors import Refusal
from ninefold.core.grid import LINES, NUMPAD
from ninefold.core.messages import text
from ninefold.core.position import Side
from ninefold.match import actions, move_input
from ninefold.terminal.tui.bars import KeyHint
from ninefold.terminal.tui.board import CLAIMED
from ninefold.terminal.tui.prompts import ViewState

WIDTH = 78  # columns of the page with the rules


def keys(view: ViewState) -> list[KeyHint]:
    """Everything that can be pressed now."""
    now, later = _claim_keys(view) if view.picked is not None else _play_keys(view)
    rules, leave = KeyHint("?", text("key.rules"), "screen.rules"), KeyHint("e", text("key.leave"), "screen.leave")
    console = KeyHint("f2", text("key.console"), "app.console")
    theme = KeyHint("f3", text("key.theme"), "app.next_theme")
    return [*now, rules, leave, *later, *_labels(view), console, theme, *_first(view)]


def describe_keys(hints: Iterable[KeyHint]) -> str:
    """The keys of the moment for the page with the rules."""
    words = (f"{hint.key} {hint.does}".replace(" ", "\0") for hint in hints)
    return "\n".join([text("keys.now"), *wrap("   ".join(words), WIDTH)]).replace("\0", " ") + "\n"


def is_allowed(view: ViewState, choice: SeatAction) -> bool:
    """True if an action would not be refused. The rules of the match decide, as when it is taken."""
    if view.session.ended or view.is_sending:
        return False
    try:
        view.match.act(*choice)
    except Refusal:
        return False
    return True


KeyGroups = tuple[list[KeyHint], list[KeyHint]]  # the most important ones, and the others


def _play_keys(view: ViewState) -> KeyGroups:
    seat_keys, analysis = _seat_keys(view), _analysis_keys(view)
    talk = [*_talk_keys(view), *analysis] if view.session.is_remote else [*analysis, *_talk_keys(view)]
    if not view.history.is_latest:
        looking = [*_history_keys(view), *_go_on(view)]
        return looking, [*seat_keys, *analysis, *_threats(view), *_talk_keys(view)]
    if view.match.result:
        return [*_rematch(view), *_undo(view), *_back(view), *analysis], _talk_keys(view)
    now = [*_answer_keys(view), *_move_keys(view), *_go_on(view), *seat_keys]
    return now, [*_start_over(view), *talk, *_threats(view), *_arrows(view), *_back(view)]


# Looking


def _history_keys(view: ViewState) -> list[KeyHint]:
    before = [
        KeyHint(",", text("key.back"), "screen.step(-1)"),
        KeyHint("home", text("key.first"), "screen.first"),
    ]
    after = [
        KeyHint(".", text("key.forward"), "screen.step(1)"),
        KeyHint("end", text("key.latest"), "screen.latest"),
    ]
    return [*(before if view.history.ply else []), *after]


def _back(view: ViewState) -> list[KeyHint]:
    return [KeyHint(",", text("key.look_back"), "screen.step(-1)")] if view.history.ply else []


def _first(view: ViewState) -> list[KeyHint]:
    """From the latest position; on the way back it is among the keys for looking."""
    may = view.history.ply and view.history.is_latest and view.picked is None
    return [KeyHint("home", text("key.first"), "screen.first")] if may else []


def _analysis_keys(view: ViewState) -> list[KeyHint]:
    if not view.may_analyze:
        return []
    return [KeyHint("a", text("key.close_analysis" if view.analyzing else "key.analysis"), "screen.analysis")]


def _go_on(view: ViewState) -> list[KeyHint]:
    return [KeyHint("+", text("key.search_on"), "screen.search_on")] if view.is_paused else []


def _threats(view: ViewState) -> list[KeyHint]:
    return [KeyHint("t", text("key.hide_threats" if view.shows_threats else "key.threats"), "screen.threats")]


def _labels(view: ViewState) -> list[KeyHint]:
    """Where cells have two names."""
    if view.session.match.game.naming == NUMPAD:
        return []
    return [KeyHint("l", text("key.digits" if view.numpad else "key.numpad"), "screen.labels")]


# Acting


def _answer_keys(view: ViewState) -> list[KeyHint]:
    found = []
    if view.is_sending or view.session.ended:
        return []
    if view.session.is_offered:
        found = [("y", text("key.accept"), True), ("n", text("key.decline"), False)]
    elif view.answers_claim:
        found = [("y", text("key.confirm"), True), ("n", text("key.dispute"), False)]
    answers = [KeyHint(key, does, f"screen.answer({yes})") for key, does, yes in found]
    return [*answers, *([KeyHint("w", text("key.withdraw"), "screen.withdraw")] if view.may_withdraw else [])]


def _seat_keys(view: ViewState) -> list[KeyHint]:
    claim = [KeyHint("c", text("key.claim"), "screen.claim")] if _may_begin_a_claim(view) else []
    has_hint = view.session.has_hints and view.session.to_act is not None and view.history.is_latest
    hint = [KeyHint("h", text("key.hint"), "screen.hint")] if has_hint else []
    return [*claim, *_undo(view), *hint]


def _undo(view: ViewState) -> list[KeyHint]:
    """In the middle of a move it goes back to its beginning, as esc does."""
    if view.undo is None or view.way or view.digits or not is_allowed(view, view.undo):
        return []
    side = _taken_back(view, view.undo)
    return [KeyHint("u", text("key.take_back" if view.session.is_remote else "key.undo", side=side), "screen.undo")]


def _taken_back(view: ViewState, undo: SeatAction) -> Side:
    """Whose move is taken back; of several moves, whose the first is."""
    seat, action = undo
    if action.number is None:  # an offer
        return view.match.setup.side(seat)
    return view.history.positions[-1 - action.number].turn


def _rematch(view: ViewState) -> list[KeyHint]:
    session = view.session
    may = session.seats and not session.ended and not session.open_seats
    return [KeyHint("g", text("key.rematch"), "screen.rematch")] if may else []


def _talk_keys(view: ViewState) -> list[KeyHint]:
    session, seats = view.session, view.session.seats
    if not seats or session.ended:
        return []
    seat = session.to_act or seats[0]
    may_offer = session.is_remote and is_allowed(view, (seat, actions.OFFER_DRAW))
    return [
        KeyHint("s", text("key.say"), "screen.say"),
        *([KeyHint("d", text("key.draw"), "screen.offer_draw")] if may_offer else []),
        *([KeyHint("r", text("key.resign"), "screen.resign")] if is_allowed(view, (seat, actions.RESIGN)) else []),
    ]


# Moving


def _move_keys(view: ViewState) -> list[KeyHint]:
    if not view.is_live:
        return []
    begun = view.way or view.digits
    back = [KeyHint("esc", text(_back_code(view)), "screen.back")] if begun else []
    return [*_enter(view), *_digit_keys(view), *back]


def _arrows(view: ViewState) -> list[KeyHint]:
    return [KeyHint(text("key.arrows"), text("key.cursor"))] if view.is_live else []


def _back_code(view: ViewState) -> str:
    return "key.another_board" if view.way and view.match.game.picture.boards else "key.back"


def _enter(view: ViewState) -> list[KeyHint]:
    """What enter does on the square under the cursor, if it does anything."""
    game, way = view.match.game, view.way
    step = None if view.cursor is None else move_input.press(game, view.history.position, way, view.cursor)
    if step is None or view.cursor is None:
        return []
    cell = game.naming.name(view.cursor % 9)
    if step.move is None:
        if game.picture.boards:
            return [KeyHint("enter", text("key.board", board=game.naming.name(step.way[0])))]
        return [KeyHint("enter", text("key.place_instead" if way else "key.place_cell", cell=cell))]
    if way and move_input.square_at(game, way) == view.cursor:
        return [KeyHint("enter", text("key.take_none"))]
    if way and not game.picture.boards:
        is_taken = len(game.paths[step.move]) > len(way)
        return [KeyHint("enter", text("key.take_cell" if is_taken else "key.place_instead", cell=cell))]
    code = "key.place_cell" if game.may_decline else "key.play_cell"
    return [KeyHint("enter", text(code, cell=cell, move=game.name(step.move)))]


def _digit_keys(view: ViewState) -> list[KeyHint]:
    """The digits that can be typed next."""
    game, position = view.match.game, view.history.position
    start = view.way or move_input.begun(game, position)
    choices, declined = game.choices(position, start)
    names = [move_input.digits_of(game.naming, cell) for cell in choices]
    typed = len(view.digits)
    digits = _ranges({name[typed] for name in names if name.startswith(view.digits) and len(name) > typed})
    if not digits:
        return []
    if len(names[0]) > 1:
        return [KeyHint(digits, text("key.column" if typed else "key.row"))]
    if declined is not None:
        return [KeyHint(digits, text("key.take"))]
    if game.picture.boards and not start:
        return [KeyHint(digits, text("key.choose_board"))]
    return [KeyHint(digits, text("key.place" if game.may_decline else "key.play"))]


def _start_over(view: ViewState) -> list[KeyHint]:
    """The digits that start a move over, while a choice is left that may be declined."""
    if not view.is_live or not view.way:
        return []
    game, position = view.match.game, view.history.position
    following, declined = game.choices(position, view.way)
    if declined is None:
        return []
    others = set(game.choices(position)[0]) - {*following, view.way[-1]}
    digits = _ranges(move_input.digits_of(game.naming, cell) for cell in others)
    return [KeyHint(digits, text("key.place_other"))] if digits else []


def _ranges(digits: Iterable[str]) -> str:
    """Digits in order, those that follow each other as a range.

    >>> _ranges("932578")
    '2 3 5 7-9'
    """
    runs: list[list[str]] = []
    for digit in sorted(digits):
        if runs and int(digit) == int(runs[-1][-1]) + 1:
            runs[-1].append(digit)
        else:
            runs.append([digit])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(run) for run in runs)


# Claiming


def _may_begin_a_claim(view: ViewState) -> bool:
    """Also a player who is barred may, together with a move."""
    if not view.may_claim or not view.history.is_latest or view.is_sending or view.session.ended:
        return False
    return view.session.to_act is not None or any(_may_claim(view, seat) for seat in view.session.seats)


def _may_claim(view: ViewState, seat: int) -> bool:
    """True if this seat can claim three cells now; with the move that was chosen for it, if there is one."""
    if view.placed is None:
        return is_allowed(view, (seat, actions.claim(LINES[0])))
    return is_allowed(view, (seat, actions.move((view.placed,), claim=LINES[0])))


def _claim_keys(view: ViewState) -> KeyGroups:
    """First the cells, then what makes the claim; the way out at any time."""
    picked, seats = view.picked or frozenset(), view.session.seats
    out = KeyHint("esc", text("key.cancel"), "screen.back")
    line, place = KeyHint("1-8", text("key.pick_line")), _place(view)
    if len(picked) < CLAIMED:
        pick = KeyHint("enter", text("key.remove_cell" if view.cursor in picked else "key.pick_cell"))
        return [line, pick, KeyHint(text("key.arrows"), text("key.cursor")), out, *place], []
    may = [seat for seat in seats if _may_claim(view, seat)]
    if len(seats) > 1:
        sides = [side for side in Side if view.match.setup.seat(side) in may]
        claims = [
            KeyHint(side.name.lower(), text("key.claim_for", side=side), f"screen.claim_for('{side}')")
            for side in sides
        ]
    else:
        claims = [KeyHint("enter", text("key.claim_it"), "screen.claim")] if may else []
    remove = [KeyHint("space", text("key.remove_cell"))] if view.cursor in picked else []
    return [*claims, line, out, *place, *remove], []


def _place(view: ViewState) -> list[KeyHint]:
    """A move that goes with the claim, on the cell under the cursor; once more removes it."""
    seat, cursor = view.session.to_act, view.cursor
    if seat is None or cursor is None:
        return []
    is_free = is_allowed(view, (seat, actions.move((cursor,), claim=LINES[0])))
    does = text("key.no_move" if cursor == view.placed else "key.move_here")
    return [KeyHint("m", does, "screen.place")] if is_free else []
