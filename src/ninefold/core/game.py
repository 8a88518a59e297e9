"""A game is a small record of facts: what it is called, how it starts, what its moves are called, how it looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ninefold.core.errors import Unreadable, quoted
from ninefold.core.grid import OUTSIDE, READING, Naming
from ninefold.core.messages import ENGLISH, Message, current_language, message, text, translated
from ninefold.core.position import Outcome, Path, Position

__all__ = ["Effects", "Game", "Option", "Picture", "Step"]

YES_NO = ("yes", "no")


class Option(NamedTuple):
    """A choice made before the game; one ``of_match`` is no part of the position.

    >>> from ninefold import find_game
    >>> find_game("ultimate").options[2][:3]
    ('tie_break', ('none', 'boards'), 'none')
    """

    name: str
    values: tuple[str, ...]
    default: str
    help: str
    of_match: bool = False


class Step(NamedTuple):
    """One question on the way to a move.

    >>> from ninefold import find_game
    >>> [step.skip_single for step in find_game("squared").steps]
    [True, False]
    """

    question: str  # for typing; {player} stands for whom it is put to, {choices} for the cells that answer it
    press: str = ""  # the same for somebody who presses cells, as the end of a sentence; {chosen} was pressed before
    skip_single: bool = False  # do not ask when there is only one answer


class Picture(NamedTuple):
    """The frame of a board of nine in text. A board of boards has a picture of its own.

    >>> from ninefold import find_game
    >>> find_game("classic").picture.boards, find_game("ultimate").picture.boards
    (False, True)
    """

    margin: str = " "
    rule: str = "-----------"
    boards: bool = False


class Effects(NamedTuple):
    """The effect of a move: cells changed, boards decided, and where the opponent may play next.

    >>> from ninefold import find_game
    >>> game = find_game("squared")
    >>> game.effects(game.begin(), 36)
    Effects(cells={36: 'X'}, boards={}, opens=(0,), outcome=None)
    """

    cells: dict[int, str]
    boards: dict[int, str]
    opens: tuple[int, ...]
    outcome: Outcome | None


FIRST = Option("first", ("X", "O"), "X", "who starts")
EARLY_DRAW = Option("early_draw", YES_NO, "no", "end as a draw as soon as nobody can win any more", of_match=True)


class Game(NamedTuple):
    """A game: a record of facts. ``find_game`` has them by id.

    >>> from ninefold import find_game
    >>> game = find_game("squared")
    >>> game.id, game.title, game.summary
    ('squared', 'Tic-Tac-Toe Squared', 'Nine boards in one; drawn boards count for both.')
    >>> [(option.name, option.values) for option in game.options]
    [('first', ('X', 'O')), ('drawn', ('both', 'nobody')), ('tie_break', ('none', 'boards'))]
    """

    id: str
    title: str
    summary: str
    rules: str  # as every front end shows them
    start: Callable[[Mapping[str, str]], Position]
    parse_position: Callable[[str, Mapping[str, str]], Position]
    paths: tuple[Path, ...]
    steps: tuple[Step, ...]
    options: tuple[Option, ...] = (FIRST,)
    naming: Naming = READING
    joiner: str = ""
    picture: Picture = Picture()
    small: bool = True  # few enough positions for a table
    as_claimed: Callable[[Any], Position] | None = None  # how players who claim their lines at once see a position
    impossible: Callable[[Any], Message | None] | None = (
        None  # why a position cannot arise in play, where no table can tell
    )
    rule_set: str = ""
    ask_sign: bool = False  # player 1 chooses a sign before the game
    ask_first: bool = False  # the players agree, or toss, who starts
    drawing: str = ""  # more of the rules: what the signs mean where the board is drawn in text
    typing: str = ""  # more of the rules: what is typed at the console, and nowhere else
    advice: tuple[str, ...] = ()  # how to play well and fairly: no part of the rules
    player_1_is_x: bool = False  # signs belong to the seats: a rematch changes who starts, not the signs

    def __hash__(self) -> int:
        return hash(self.id)  # its facts are many, and games are keys of caches

    def __repr__(self) -> str:
        return f"<Game {self.id}: {self.title}>"

    @property
    def text_rules(self) -> str:
        """The rules for whoever sees the board drawn in text.

        >>> from ninefold import find_game
        >>> "Boards framed" in find_game("squared").text_rules
        True
        """
        return self.rules + self.drawing

    @property
    def console_rules(self) -> str:
        """The same with what is typed at the console.

        >>> from ninefold import find_game
        >>> "Type the number of a free cell." in find_game("classic").console_rules
        True
        """
        return self.text_rules + self.typing

    @property
    def console_help(self) -> str:
        """The text that ? shows at the console: the rules, and the advice.

        >>> from ninefold import find_game
        >>> "Nobody can force a win" in find_game("classic").console_help
        True
        """
        return self.with_advice(self.console_rules)

    def with_advice(self, rules: str) -> str:
        """Rules with the advice of this game below them, marked as what it is.

        >>> from ninefold import find_game
        >>> find_game("classic").with_advice("Three in a row win.").splitlines()[2]
        '- The centre (5) lies on four lines, a corner (1 3 7 9) on three, an edge (2 4'
        """
        from textwrap import fill

        listed = [fill(one, 78, initial_indent="- ", subsequent_indent="  ") for one in self.advice]
        return "\n".join([rules, text("advice.heading"), *listed, ""]) if listed else rules

    def settle_options(self, chosen: Mapping[str, str] | None = None) -> dict[str, str]:
        """Every option of this game with its value: the chosen one or the default.

        >>> from ninefold import find_game
        >>> find_game("ultimate").settle_options({"first": "O"})
        {'first': 'O', 'drawn': 'nobody', 'tie_break': 'none'}
        """
        chosen = with_options(chosen)
        known = {option.name: option for option in self.options}
        for name, value in chosen.items():
            if name not in known:
                raise Unreadable("no_such_option", game=self.id, option=quoted(str(name)), options=" ".join(known))
            if value not in known[name].values:
                values = " ".join(known[name].values)
                raise Unreadable("no_such_value", option=name, value=quoted(str(value)), values=values)
        return {name: chosen.get(name, option.default) for name, option in known.items()}

    def begin(self, chosen: Mapping[str, str] | None = None) -> Position:
        """The position that a game starts with.

        >>> from ninefold import find_game
        >>> find_game("swap-nine").begin({"first": "O"})
        SwapNine('.../.../... O first=O')
        """
        return self.start(self.settle_options(chosen))

    def start_of(self, position: Position) -> Position:
        """The start of the games that a position with its options belongs to.

        >>> from ninefold import find_game
        >>> game = find_game("swap-nine")
        >>> game.start_of(game.parse("X../.../... O first=X"))
        SwapNine('.../.../... X first=X')
        """
        return self.begin(position.options)

    def parse(self, written: str) -> Position:
        """A position from its text; options that the text leaves out have this game's defaults.

        >>> from ninefold import find_game
        >>> find_game("classic").parse("XX./OO./... X")
        Classic('XX./OO./... X first=X line_ends=yes')
        """
        if not isinstance(written, str):
            raise TypeError(f"A position is parsed from its text, not from {written!r}.")
        return self.parse_position(written, self.settle_options())

    def name(self, move: int) -> str:
        """The text that a player of this game types for a move.

        >>> from ninefold import find_game
        >>> find_game("classic").name(4), find_game("squared").name(40), find_game("swap-nine").name(9)
        ('5', '55', '1x2')
        """
        return self.joiner.join(self.naming.name(cell) for cell in self.paths[move])

    @lru_cache(4096)  # noqa: B019 - games live as long as the process
    def parse_move(self, written: str) -> Path:
        """The path that a move's text stands for, legal or not; cells may also be given as ``row,col``.

        >>> from ninefold import find_game
        >>> find_game("squared").parse_move("27"), find_game("classic").parse_move("1,1")
        ((7, 0), (4,))
        """
        parts = written.split(self.joiner) if self.joiner else [written]
        cells = [self.naming.parse_cells(part) for part in parts]
        path = tuple(cell for part in cells for cell in part or ())
        one_each = not self.joiner or all(part and len(part) == 1 for part in cells)
        if None in cells or not one_each or not self._readable(path):
            raise Unreadable("not_a_move", text=quoted(written), example=self.name(len(self.paths) - 1))
        return path

    def parse_move_at(self, position: Position, written: str) -> Path:
        """The path that a text stands for here: a question that has one answer only need not be answered.

        >>> from ninefold import find_game
        >>> game = find_game("squared")
        >>> game.parse_move_at(game.begin().play(40), "7")
        (4, 0)
        """
        if self.steps[0].skip_single and (cell := self.naming.parse_cell(written)) is not None:
            choices, _ = self.choices(position)
            if len(choices) == 1:
                return *choices, cell
        return self.parse_move(written)

    def _readable(self, path: Path) -> bool:
        lengths = {len(path) for path in self.paths}
        if path == (OUTSIDE,):
            return True
        # One choice too many is still readable where a choice may be declined: "2x5x4" is a second swap.
        return len(path) in lengths or (self.may_decline and len(path) > max(lengths))

    def move_at(self, position: Position, path: Path) -> int:
        """The legal move a path stands for; raises IllegalMove with the reason.

        >>> from ninefold import find_game
        >>> game = find_game("squared")
        >>> game.move_at(game.begin(), (4, 0))
        36
        """
        found = self._moves_by_path().get(path)
        if found is not None and found in position.moves():
            return found
        started = any(self.paths[move][: len(path)] == path for move in position.moves())
        if started or not self._readable(path):
            raise Unreadable("not_a_move.partial", example=self.name(len(self.paths) - 1))
        raise position.why_not(path, self.naming)

    @lru_cache(64)  # noqa: B019 - games live as long as the process
    def _moves_by_path(self) -> dict[Path, int]:
        return {path: move for move, path in enumerate(self.paths)}

    def choices(self, position: Position, prefix: Path = ()) -> tuple[tuple[int, ...], int | None]:
        """The next cells that lead on from a prefix, and the move that the prefix itself is, if it is one.

        >>> from ninefold import find_game
        >>> game = find_game("swap-nine")
        >>> game.choices(game.begin().play(4), (1,))
        ((4,), 1)
        """
        depth = len(prefix)
        paths = {self.paths[move]: move for move in position.moves() if self.paths[move][:depth] == prefix}
        return tuple(sorted({path[depth] for path in paths if len(path) > depth})), paths.get(prefix)

    def effects(self, position: Position, move: int) -> Effects:
        """The effect of a legal move, so that no front end has to know a rule.

        >>> from ninefold import find_game
        >>> game = find_game("swap-nine")
        >>> game.effects(game.begin().play(4), game.move_at(game.begin().play(4), (1, 4))).cells
        {1: 'O', 4: 'O'}
        """
        after: Any = position.play(move)
        before: Any = position
        cells = {n: str(new) for n, (old, new) in enumerate(zip(before.cells, after.cells, strict=True)) if old != new}
        boards = {}
        if self.picture.boards:
            boards = {
                n: new for n, (old, new) in enumerate(zip(before.owners, after.owners, strict=True)) if old != new
            }
        return Effects(cells, boards, self.choices(after)[0], after.outcome)

    def describe(self, outcome: Outcome) -> str:
        """An outcome as a sentence in this game's own numbers.

        >>> from ninefold import find_game
        >>> game = find_game("classic")
        >>> game.describe(game.parse("XXX/OO./... O").outcome)
        'X wins: three in a row (1 2 3).'
        """
        return str(self.outcome_message(outcome))

    def outcome_message(self, outcome: Outcome) -> Message:
        """How a game ended, as a message, which other languages translate.

        >>> from ninefold import find_game
        >>> game = find_game("classic")
        >>> str(game.outcome_message(game.parse("XXX/OO./... O").outcome))
        'X wins: three in a row (1 2 3).'
        """
        why = self.why(outcome)
        if outcome.winner is None:
            return message("outcome.draw", why=why)
        return message("outcome.win", side=outcome.winner, why=why)

    def why(self, outcome: Outcome) -> Message:
        """The sentence that tells why a game ended, with the lines that decided it.

        >>> from ninefold import find_game
        >>> game = find_game("classic")
        >>> str(game.why(game.parse("XXX/OO./... O").outcome))
        'three in a row (1 2 3)'
        """
        lines = ", ".join(self.naming.format(line) for line in outcome.lines)
        return message("outcome.lines", why=outcome.why, lines=lines) if lines else outcome.why

    def preset(self, defaults: Mapping[str, str], **facts: Any) -> Game:
        """The same rules under another name, with other defaults and other words.

        >>> from ninefold import find_game
        >>> find_game("classic").preset({"first": "O"}, id="o-starts", title="O starts").begin().turn
        Side.O
        """
        options = tuple(option._replace(default=defaults.get(option.name, option.default)) for option in self.options)
        return self._replace(options=options, **facts)

    def rules_page(self) -> str:
        """The rules with the options, and the advice.

        >>> from ninefold import find_game
        >>> print(find_game("classic").rules_page().splitlines()[0])
        Tic-Tac-Toe
        """
        return self.with_advice(f"{self.title}\n\n{self.console_rules}{self.options_page()}")

    def options_page(self) -> str:
        """The options that can be chosen, below the rules.

        >>> from ninefold import find_game
        >>> "early_draw yes no" in find_game("classic").options_page()
        True
        """
        listed = []
        for name, values, default, help, _ in self.options:
            shown = " ".join([default, *(value for value in values if value != default)])
            listed.append(f"  {name:<10} {shown:<12} {help}\n")
        return f"\n{text('options.heading')}\n" + "".join(listed) if listed else ""

    @property
    def may_decline(self) -> bool:
        """True if a move may end before its last step: in Swap Nine nothing need be taken.

        >>> from ninefold import find_game
        >>> find_game("swap-nine").may_decline, find_game("squared").may_decline
        (True, False)
        """
        return len({len(path) for path in self.paths}) > 1

    @property
    def is_preset(self) -> bool:
        """True if it is played by the rules of another game.

        >>> from ninefold import find_game
        >>> find_game("agents").is_preset, find_game("classic").is_preset
        (True, False)
        """
        return self.rule_set != ""


def with_options(options: Mapping[str, str] | None, **more_options: str) -> dict[str, str]:
    """Options that are given as a mapping and by their names, in one.

    >>> with_options({"first": "O"}, tie_break="boards")
    {'first': 'O', 'tie_break': 'boards'}
    """
    if not isinstance(options, Mapping | None):
        raise TypeError(f"options must be a dict, such as {{'first': 'O'}}, not {options!r}.")
    return {**(options or {}), **more_options}


def game_texts(game: Game) -> dict[str, str]:
    """The texts of a game with their codes.

    >>> from ninefold import find_game
    >>> texts = game_texts(find_game("classic"))
    >>> texts["game.classic.title"], texts["option.first"]
    ('Tic-Tac-Toe', 'who starts')
    """
    code = f"game.{game.id}"
    texts = {f"{code}.{name}": getattr(game, name) for name in _TEXTS if getattr(game, name)}
    for number, step in enumerate(game.steps, 1):
        texts |= {f"{code}.question.{number}": step.question, f"{code}.press.{number}": step.press}
    texts |= {f"{code}.advice.{number}": tip for number, tip in enumerate(game.advice, 1)}
    return texts | {f"option.{option.name}": option.help for option in game.options}


_TEXTS = ("title", "summary", "rules", "drawing", "typing")


def in_chosen_language(game: Game) -> Game:
    """A game with its texts in the language of this process."""
    if current_language() == ENGLISH:
        return game
    texts = {code: translated(code, default) for code, default in game_texts(game).items()}
    code = f"game.{game.id}"
    facts: dict[str, Any] = {name: texts[f"{code}.{name}"] for name in _TEXTS if getattr(game, name)}
    return game._replace(
        **facts,
        steps=tuple(
            step._replace(question=texts[f"{code}.question.{number}"], press=texts[f"{code}.press.{number}"])
            for number, step in enumerate(game.steps, 1)
        ),
        advice=tuple(texts[f"{code}.advice.{number}"] for number in range(1, len(game.advice) + 1)),
        options=tuple(option._replace(help=texts[f"option.{option.name}"]) for option in game.options),
    )
