"""Languages: the catalogues of texts, which language somebody wants, and how it writes numbers and counts.

English is in the code; every other language is a file in ``core/languages``, which has the same codes. The terminal and
the browser read the same files.
"""

from __future__ import annotations

import os
import re
import string
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from ninefold.core.messages import ENGLISH, Template

_FOLDER = os.path.join(os.path.dirname(__file__), "languages")
# Every language in its own words: whoever looks for one may read no other.
NAMES = {ENGLISH: "English", "de": "Deutsch", "fr": "Français", "es": "Español"}
_THOUSANDS = {"de": ".", "fr": "\u202f", "es": "."}  # the decimal point is a comma in all of them
_SEPARATORS = re.compile(r"[.,](?=\d)")


class Catalogue(NamedTuple):
    """The texts of a language: those that a server can send, those of the terminal, and those of the browser client."""

    server: Mapping[str, Template]
    terminal: Mapping[str, Template]
    browser: Mapping[str, str]


@cache
def read_catalogue(language: str) -> Catalogue:
    """The catalogue of a language other than English."""
    import json  # English needs none

    with open(os.path.join(_FOLDER, f"{language}.json"), encoding="utf-8") as file:
        sections: dict[str, dict[str, Any]] = json.load(file)
    server, terminal = (
        {code: tuple(found) if isinstance(found, list) else found for code, found in sections[name].items()}
        for name in ("server", "terminal")
    )
    return Catalogue(server, terminal, sections["browser"])


def choose_language(wanted: Iterable[str]) -> str:
    """The first language that there is among those that somebody wants; English if there is none.

    >>> choose_language(["pt-BR", "fr_CA.UTF-8", "de"]), choose_language(["C.UTF-8"])
    ('fr', 'en')
    """
    names = (re.split(r"[-_.@]", one, maxsplit=1)[0].lower() for one in wanted)
    return next((name for name in names if name in NAMES), ENGLISH)


def language_of_environment(environment: Mapping[str, str] = os.environ) -> str:
    """The language of a terminal, by the variables that all programs read.

    >>> language_of_environment({"LANG": "de_DE.UTF-8"}), language_of_environment({"LC_ALL": "C", "LANG": "de_DE"})
    ('de', 'en')
    """
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    if choose_language([locale]) == ENGLISH and locale.partition(".")[0] in ("", "C", "POSIX"):
        return ENGLISH  # as gettext does: LANGUAGE counts only where there is a locale
    return choose_language([*environment.get("LANGUAGE", "").split(":"), locale])


def language_of_header(accepted: str) -> str:
    """The language of a reader, by the header Accept-Language.

    >>> [language_of_header(accepted) for accepted in ("pt;q=0.9, es-MX;q=0.8, de;q=0.3", "en, de;q=0.9", "")]
    ['es', 'en', 'en']
    """
    ranked = sorted(_ranges(accepted[:1000].split(",")), key=lambda one: -one[0])
    return choose_language(name for quality, name in ranked if quality > 0)


def _ranges(parts: Sequence[str]) -> Iterable[tuple[float, str]]:
    for part in parts:
        name, _, quality = part.strip().partition(";q=")
        try:
            yield (float(quality) if quality else 1.0), name
        except ValueError:
            continue


def plural_form(language: str, count: object) -> str:
    """The form that a language has for a count: ``one``, or ``other``. French counts nothing as one.

    >>> [plural_form(language, count) for language, count in (("en", 0), ("fr", 0), ("de", 1), ("es", 2))]
    ['other', 'one', 'one', 'other']
    """
    is_one = count in (0, 1) if language == "fr" else count == 1
    return "one" if is_one and isinstance(count, int) else "other"


class LocalFormatter(string.Formatter):
    """Puts parameters into a template, with numbers as the language writes them.

    >>> LocalFormatter("de").vformat("{nodes:,} in {seconds:.1f} s", (), {"nodes": 12345, "seconds": 0.5})
    '12.345 in 0,5 s'
    """

    def __init__(self, language: str) -> None:
        self._signs = {",": _THOUSANDS[language], ".": ","}

    def format_field(self, value: Any, format_spec: str) -> str:
        written: str = super().format_field(value, format_spec)
        if isinstance(value, int | float) and ("," in format_spec or "." in format_spec):
            return _SEPARATORS.sub(lambda sign: self._signs[sign[0]], written)
        return written
