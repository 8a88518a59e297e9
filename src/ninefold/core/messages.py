"""Messages to people: a code with parameters, which becomes a sentence here.

Code that has a message for people passes a code with parameters. Each layer has its English templates in a dictionary
in its ``messages.py``; a game has its templates in its own file. The other languages are files with the same codes, see
``language.py``; what one of them lacks is said in English. A process speaks English unless it chooses a language.

>>> register({"doctest.greeting": "Good morning, {name}."})
>>> text("doctest.greeting", name="Ann")
'Good morning, Ann.'

The template of a refusal is a pair: what is wrong, and what is possible instead. A code may have forms for one and for
many: ``.one`` is taken where ``count`` is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

ENGLISH = "en"
# Behind the code of a refusal: both parts of it as one text; without its last full stop, to stand inside a sentence.
WHOLE, CLAUSE = ":whole", ":clause"
Template = str | tuple[str, str]
Params = tuple[tuple[str, object], ...]


class Translation(NamedTuple):
    """The texts of the chosen language, the form that it has for a count, and how it fills in parameters."""

    language: str
    templates: Mapping[str, Template]
    plural_form: Callable[[object], str]
    fill_in: Callable[[str, Mapping[str, object]], str]


_templates: dict[str, Template] = {}
_chosen: list[Translation] = []  # empty for English


class Message(NamedTuple):
    """A code with its parameters, to be put into words later. It is a value: it can be compared and hashed."""

    code: str
    params: Params = ()

    def __str__(self) -> str:
        return text(self.code, **dict(self.params))


def message(code: str, /, **params: object) -> Message:
    return Message(code, tuple(params.items()))


def register(texts: Mapping[str, Template]) -> None:
    """Add the texts of a layer or of a game. Two texts for one code are refused."""
    for code, template in texts.items():
        if _templates.setdefault(code, template) != template:
            raise ValueError(f"two texts for the message {code}")


def has_text(code: str) -> bool:
    return code in _templates


def catalogue() -> Mapping[str, Template]:
    """All texts that are registered."""
    return dict(_templates)


def use_language(language: str) -> None:
    """Choose the language of this process: what a person at a terminal reads. Servers and agents speak English."""
    _chosen[:] = _translation_to(language)


def use_texts(language: str, templates: Mapping[str, Template]) -> None:
    """Choose a language with these texts."""
    _chosen[:] = [_translation(language, templates)]


def _translation_to(language: str) -> list[Translation]:
    if language == ENGLISH:
        return []
    from ninefold.core.language import read_catalogue

    catalogue = read_catalogue(language)
    return [_translation(language, {**catalogue.server, **catalogue.terminal})]


def _translation(language: str, templates: Mapping[str, Template]) -> Translation:
    from ninefold.core.language import LocalFormatter, plural_form

    formatter = LocalFormatter(language)
    return Translation(
        language,
        templates,
        lambda count: plural_form(language, count),
        lambda template, params: formatter.vformat(template, (), params),
    )


def current_language() -> str:
    return _chosen[0].language if _chosen else ENGLISH


def text(code: str, /, **params: object) -> str:
    """A message in words."""
    if code.endswith((WHOLE, CLAUSE)):
        both = " ".join(refusal_texts(code.partition(":")[0], params)).strip()
        return both.removesuffix(".") if code.endswith(CLAUSE) else both
    template, fill_in = _template_in(_chosen, code, params)
    return fill_in(template if isinstance(template, str) else template[0], params)


def refusal_texts(code: str, params: Mapping[str, object], language: str | None = None) -> tuple[str, str]:
    """A message in two parts: what is wrong, and what is possible instead. By default in the chosen language."""
    template, fill_in = _template_in(_chosen if language is None else _translation_to(language), code, params)
    sentence, instead = (template, "") if isinstance(template, str) else template
    return fill_in(sentence, params), fill_in(instead, params)


def translated(code: str, default: str) -> str:
    """A text without parameters in the chosen language, such as the title of a game; the default if it has none."""
    found = _chosen[0].templates.get(code, default) if _chosen else default
    return found if isinstance(found, str) else default


def said_again(code: str, params: Mapping[str, object], english: tuple[str, str]) -> tuple[str, str]:
    """What somebody else has said in English, in the chosen language as far as it knows the code."""
    try:
        return refusal_texts(code, params) if _chosen and code in _chosen[0].templates else english
    except (LookupError, ValueError, TypeError):  # a server of another version has other parameters
        return english


def sentence_params(code: str, params: Mapping[str, object]) -> dict[str, object]:
    """The parameters of a refusal that its sentence uses, without those of what is possible instead."""
    from string import Formatter  # rarely needed

    template = _template(code, params)
    sentence = template if isinstance(template, str) else template[0]
    names = {name for _, name, _, _ in Formatter().parse(sentence)}
    return {name: value for name, value in params.items() if name in names}


def _template(code: str, params: Mapping[str, object]) -> Template:
    return _templates[f"{code}.one" if params.get("count") == 1 and f"{code}.one" in _templates else code]


def _template_in(
    chosen: Sequence[Translation], code: str, params: Mapping[str, object]
) -> tuple[Template, Callable[[str, Mapping[str, object]], str]]:
    """The template of a code, and what fills it in; in English if the chosen language lacks it."""
    for language in chosen:
        form = f"{code}.{language.plural_form(params.get('count'))}"
        if found := language.templates.get(form) or language.templates.get(code):
            return found, language.fill_in
    return _template(code, params), str.format_map


register(
    {
        # Positions and moves, in every game.
        "ended": ("The game has ended.", "Begin another one."),
        "outside": ("That is outside the board.", "Free cells: {free}."),
        "taken": ("Cell {cell} is taken by {side}.", "Free cells: {free}."),
        "not_a_move": ("{text} is not a move.", "A move looks like {example}."),
        "not_a_move.partial": ("That is not a whole move.", "A move looks like {example}."),
        "not_a_position.too_long": ("This is too long for a position.", "A position has at most {most} characters."),
        "not_a_position.too_short": (
            "This is not a whole position.",
            "A position starts with its marks and whose turn it is.",
        ),
        "not_a_position.marks": (
            "A position has {expected} marks, each X, O or a dot; these are {found}.",
            "Write a dot for each empty cell.",
        ),
        "not_a_position.turn": ("It is not said whose turn it is.", "Add X or O behind the marks, after a space."),
        "not_a_position.option_twice": ("An option is named twice.", "Name each option once."),
        "not_a_position.option": ("{word} is not an option of this game's positions.", "Options: {options}."),
        "not_a_position.words": (
            "A position of this game has {expected} words before its options, not {found}.",
            "Write the marks, the turn, and in the big games the board to play in.",
        ),
        "no_pandas": ("pandas is not installed.", "pip install 'ninefold[pandas]'"),
        "unreachable": ("This position cannot arise in play.", "Check its marks and the turn."),
        "too_big": (
            "This game has more than {most:,} positions, too many for a table.",
            "Its moves can be analyzed by search.",
        ),
        "too_big.game": ("{game} has too many positions for a table.", "Its moves can be analyzed by search."),
        # Games and their options.
        "no_such_symmetry": ("There is no symmetry {symmetry}.", "Symmetries are 0 to 7."),
        "no_symmetry": ("The positions of this game cannot be turned.", "Give its position class a method transform."),
        "no_such_game": ("There is no game {game}.", "Games: {games}."),
        "no_such_game.unnamed": ("No game is named.", "Games: {games}."),
        "no_such_option": ("{game} has no option {option}.", "Options: {options}."),
        "no_such_value": ("{option} cannot be {value}.", "Values: {values}."),
        "outcome.win": "{side} wins: {why}.",
        "outcome.draw": "A draw: {why}.",
        "outcome.lines": "{why} ({lines})",
        "options.heading": "Options (the default first):",
        "advice.heading": "Advice, not part of the rules:",
        # Text from outside.
        "no_text": ("There is no text in that message.", "Send at least one printable character."),
        "too_long": ("A message has at most {most} characters; this one has {found}.", "Send a shorter one."),
        # Boards in a picture.
        "svg.won": "won by {side}",
        "svg.drawn.both": "drawn, counts for X and O",
        "svg.drawn.nobody": "drawn, counts for nobody",
        # Exact values.
        "value.draw": "draw",
        "value.win": "win",
        "value.loss": "loss",
        "value.in": "{value} in {plies}",
        # Cells, as people name them.
        "naming.reading": "a number from 1 (top left) to 9 (bottom right)",
        "naming.numpad": "a number as on the numpad, from 7 (top left) to 3 (bottom right)",
        "naming.row_column": "[row,col], from [0,0] (top left) to [2,2] (bottom right)",
    }
)
