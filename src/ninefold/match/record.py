"""The record of a match, for people to read, share and load: the game as it was finally played, PGN-like."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from ninefold.core.errors import Refusal, Unreadable, quoted
from ninefold.core.game import Game
from ninefold.core.position import Side
from ninefold.games import find_game
from ninefold.match import actions
from ninefold.match.actions import ANSWERS, REFEREE, Action, Event
from ninefold.match.log import raise_broken_line
from ninefold.match.match import Match, begin, check_match
from ninefold.match.state import HUMAN, Seat, Setup

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
LONGEST = 20_000  # words
# Actions that are written as the side and one word: X:resign.
_PLAIN = {
    action.kind: action
    for action in (actions.CONFIRM, actions.WITHDRAW, actions.ACCEPT, actions.DECLINE, actions.RESIGN, actions.LEAVE)
}
_BY_REFEREE = {"settle": actions.SETTLE, "expire": actions.EXPIRE}
_OF_A_SEAT = {"flag": actions.flag, "gone": actions.gone}

_TAG = re.compile(r'\[([A-Za-z0-9]+) "((?:[^"\\]|\\.)*)"\]')
# A word, perhaps with something in braces right behind it, or something in braces alone; what is left over is a brace
# without its partner.
_WORD = re.compile(r"[^\s{}]+(?:\{(?:[^{}\\]|\\.)*\})?|\{(?:[^{}\\]|\\.)*\}|\S")
_TALK = re.compile(r"\{([XO]): (.*)\}")
_ACT = re.compile(r"([XO]):([a-z]+)(.*)")


# Writing


def write_record(match: Match) -> str:
    """The record of a match. It has a date if the match has one.

    >>> from ninefold import begin
    >>> print(write_record(begin("classic").act(1, 4).act(2, 0)), end="")
    [Game "classic"]
    [Options "first=X line_ends=yes claims=no early_draw=yes"]
    [X ""]
    [XPlayer "human"]
    [O ""]
    [OPlayer "human"]
    [Player1 "X"]
    [Result "*"]
    <BLANKLINE>
    1. 5 1 *
    """
    check_match(match)
    tags = "".join(f'[{name} "{_escape(value, chr(34))}"]\n' for name, value in _tags(match).items())
    words = [*_words(match), match.result.score if match.result else "*"]
    # Words keep their own spaces: a comment is never broken, so that a line can be read by itself.
    glued = " ".join(word.replace(" ", "\0") for word in words)
    lines = textwrap.wrap(glued, 79, break_long_words=False, break_on_hyphens=False)
    return tags + "\n" + "\n".join(lines).replace("\0", " ") + "\n"


def _tags(match: Match) -> dict[str, str]:
    setup = match.setup
    tags = {"Game": setup.game.id, "Options": " ".join(f"{name}={value}" for name, value in setup.options)}
    for side in Side:
        seat = setup.seats[setup.seat(side) - 1]
        tags |= {side.name: seat.name, f"{side}Player": seat.player}
    tags["Player1"] = setup.seats[0].side.name
    if setup.at:
        tags["Date"] = _date(setup.at)
    if setup.seed is not None:
        tags["Seed"] = str(setup.seed)
    if setup.toss:
        tags["Toss"] = setup.option("first") or ""
    tags["Result"] = match.result.score if match.result else "*"
    if match.result:
        tags["Ended"] = match.result.by
    return tags


def _words(match: Match) -> Iterator[str]:
    setup = match.setup
    ply = 0
    before = ""
    for event in match.played:
        if event.action.kind == "move":
            if ply % 2 == 0:
                yield f"{ply // 2 + 1}."
            ply += 1
        # An early draw, and a settlement after an answer, follow by themselves when the record is read.
        follows = event.action.kind == "draw_early" or (event.action.kind == "settle" and before in ANSWERS)
        if not follows:
            yield _word(setup, event)
        before = event.action.kind


def _word(setup: Setup, event: Event) -> str:
    game, action = setup.game, event.action
    cells = "" if action.cells is None else "claim" + "".join(game.naming.name(cell) for cell in action.cells)
    if action.kind == "move" and isinstance(action.move, int):
        return game.name(action.move) + (f"+{cells}" if cells else "")
    if event.seat == REFEREE and action.number is None:
        return action.kind
    side = setup.side(action.number or event.seat)
    if action.kind == "claim":
        return f"{side}:{cells}"
    if action.kind == "say":
        return f"{{{side}: {_escape(action.text, '{}')}}}"
    if action.kind == "dispute":
        return f"{side}:dispute{{{_escape(action.text, '{}')}}}"
    if action.kind == "offer":
        return f"{side}:offer{{{action.text}}}"
    return f"{side}:{action.kind}"


def _escape(text: str, special: str) -> str:
    for char in "\\" + special:
        text = text.replace(char, "\\" + char)
    return text


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


# Reading

_TAG_OF = {"no_such_game": "Game", "not_a_seed": "Seed", "not_a_time": "Date"}  # by the reason of a refusal


def read_record(text: str) -> Match:
    """The match in a record; a broken record is refused with the line and the reason.

    >>> read_record('[Game "swap-nine"]\\n\\n1. 5 2x5 *')
    <Match of swap-nine: 5 2x5, X to act>
    """
    if not isinstance(text, str):
        raise TypeError(f"A record must be a text, not {text!r}.")
    lines = text.split("\n")
    body = next((number for number, line in enumerate(lines) if not line.startswith("[")), len(lines))
    tags: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines[:body], 1):
        found = _TAG.fullmatch(line)
        if not found or found[1] in tags:
            raise_broken_line(number, "record.tag")
        tags[found[1]] = number, _unescape(found[2])
    match = _begin(tags)
    words = [(number, word) for number, line in enumerate(lines[body:], body + 1) for word in _split(number, line)]
    if len(words) > LONGEST:
        raise_broken_line(words[LONGEST][0], "record.too_long", most=LONGEST)
    if not words or words[-1][1] not in RESULTS:
        raise_broken_line(len(lines), "record.no_result", results=" ".join(RESULTS))
    for number, word in words[:-1]:
        match = _read_word(match, number, word)
    score = match.result.score if match.result else "*"
    for number, said in (words[-1], tags.get("Result", words[-1])):
        if said != score:
            raise_broken_line(number, "record.result", result=score, found=quoted(said))
    ended = match.result.by if match.result else "*"
    if "Ended" in tags and tags["Ended"][1] != ended:
        raise_broken_line(tags["Ended"][0], "record.ended", ended=repr(ended), found=quoted(tags["Ended"][1]))
    return match


def _split(number: int, line: str) -> list[str]:
    words: list[str] = _WORD.findall(line)
    if any(word in "{}" for word in words):
        raise_broken_line(number, "record.comment")
    return words


def _begin(tags: dict[str, tuple[int, str]]) -> Match:
    def tag(name: str, default: str | None = None) -> str:
        if name not in tags and default is None:
            raise_broken_line(1, "record.missing", tag=name)
        return tags[name][1] if name in tags else default or ""

    line = tags["Options"][0] if "Options" in tags else 1
    options = dict(word.partition("=")[::2] for word in tag("Options", "").split())
    if len(options) != len(tag("Options", "").split()):
        raise_broken_line(line, "record.option_twice")
    first = tag("Player1", "X")
    if first not in ("X", "O"):
        raise_broken_line(tags["Player1"][0], "record.player1")
    seats = [Seat(side, tag(side.name, ""), tag(f"{side}Player", HUMAN)) for side in Side]
    seed = tag("Seed", "")
    if seed and not re.fullmatch(r"[0-9]{1,19}", seed):
        raise_broken_line(tags["Seed"][0], "record.seed")
    try:
        match = begin(
            find_game(tag("Game")), options, (seats[Side[first]], seats[Side[first].other]),
            at=_at(tags), seed=int(seed) if seed else None, toss="Toss" in tags,
        )  # fmt: skip
    except Refusal as refusal:
        if refusal.reason == "broken_file":
            raise
        line = tags.get(_TAG_OF.get(refusal.reason, "Options"), (1, ""))[0]
        raise_broken_line(line, "broken_log.refused", refusal=refusal.clause)
    if "Toss" in tags and tags["Toss"][1] != match.setup.option("first"):
        raise_broken_line(tags["Toss"][0], "record.toss")
    return match


def _read_word(match: Match, line: int, word: str) -> Match:
    if re.fullmatch(r"[0-9]{1,3}\.", word):
        return match
    try:
        seat, action = _action(match, word)
        return match.act(seat, action, match.setup.at)
    except Refusal as refusal:
        raise_broken_line(line, "record.word", word=quoted(word), why=refusal.clause)


def _action(match: Match, word: str) -> tuple[int, Action]:
    setup = match.setup
    if word in _BY_REFEREE:
        return REFEREE, _BY_REFEREE[word]
    if talk := _TALK.fullmatch(word):
        return setup.seat(Side[talk[1]]), actions.say(_unescape(talk[2]))
    if act := _ACT.fullmatch(word):
        return _side_action(match, setup.seat(Side[act[1]]), act[2], act[3])
    name, plus, claimed = word.partition("+")
    cells = _claimed(setup.game, claimed) if plus else None
    return setup.seat(match.position.turn), actions.move(setup.game.parse_move(name), claim=cells)


def _side_action(match: Match, seat: int, verb: str, rest: str) -> tuple[int, Action]:
    inside = _unescape(rest[1:-1]) if rest.startswith("{") and rest.endswith("}") else None
    if verb in _OF_A_SEAT and not rest:
        return REFEREE, _OF_A_SEAT[verb](seat)
    if verb in _PLAIN and not rest:
        return seat, _PLAIN[verb]
    if verb == "dispute" and inside is not None:
        return seat, actions.dispute(inside)
    if verb == "offer" and inside is not None:
        return seat, Action("offer", text=inside)
    if verb == "claim":
        return seat, actions.claim(_claimed(match.game, verb + rest))
    raise Unreadable("not_a_word")


def _claimed(game: Game, text: str) -> tuple[int, ...]:
    cells = game.naming.parse_cells(text.removeprefix("claim")) if text.startswith("claim") else None
    if cells is None:
        raise Unreadable("not_a_claim.record", example="claim" + "".join(map(game.naming.name, (0, 4, 8))))
    return cells


# Dates


def _date(at: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y.%m.%d")


def _at(tags: dict[str, tuple[int, str]]) -> int:
    from datetime import UTC, datetime

    line, date = tags.get("Date", (1, "1970.01.01"))
    try:
        return int(datetime.strptime(date, "%Y.%m.%d").replace(tzinfo=UTC).timestamp()) * 1000
    except (ValueError, OverflowError):
        raise_broken_line(line, "record.date")
