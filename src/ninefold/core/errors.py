"""What can be refused, and the two kinds of refusal: what cannot be read, and what is not allowed."""

from __future__ import annotations

from typing import Any, Self

from ninefold.core.messages import CLAUSE, WHOLE, Message, message, refusal_texts, sentence_params


def quoted(given: str, longest: int = 20) -> str:
    """Somebody's input, short and printable, to be repeated in a sentence.

    >>> quoted("\\x1b[2J"), quoted("no")
    ("'\\\\x1b[2J'", "'no'")
    """
    return repr(given if len(given) <= longest else given[:longest] + "...")


class Refusal(ValueError):
    """Something was asked that cannot be done; nothing has changed.

    ``code`` names the message, with its ``params``; ``reason`` is the stable part of it for programs, before the first
    dot. ``sentence`` says what is wrong, ``instead`` what is possible. ``details`` are facts for programs.

    >>> from ninefold import begin
    >>> try:
    ...     begin("classic").act(1, 4).act(2, 4)
    ... except Refusal as refusal:
    ...     refusal.reason, refusal.sentence, refusal.instead
    ('taken', 'Cell 5 is taken by X.', 'Free cells: 1 2 3 4 6 7 8 9.')
    """

    code: str
    params: dict[str, object]
    details: dict[str, Any]
    reason: str
    sentence: str
    instead: str

    def __init__(self, code: str, /, **params: object) -> None:
        self._set(code, params, *refusal_texts(code, params))

    def _set(self, code: str, params: dict[str, object], sentence: str, instead: str) -> None:
        self.args: tuple[Any, ...] = (code, params)
        self.code = code
        self.params = params
        self.details = {}
        self.other_instead: Message | None = None  # what is possible, if that is not the code's own text
        self.reason = code.partition(".")[0]
        self.sentence, self.instead = sentence, instead

    @classmethod
    def from_text(cls, code: str, sentence: str, instead: str, /, **params: object) -> Self:
        """A refusal that somebody else has put into words, such as a server.

        >>> str(Refusal.from_text("ended", "The game has ended.", "Start another."))
        'The game has ended. Start another.'
        """
        refusal = cls.__new__(cls)
        refusal._set(code, params, sentence, instead)
        return refusal

    def with_instead(self, code: str, /, **params: object) -> Self:
        """The same refusal with another message of what is possible. It has only the parameters of its sentence.

        >>> taken = IllegalMove("taken", cell="5", side="X", free="1 2")
        >>> str(taken.with_instead("naming.reading"))
        'Cell 5 is taken by X. a number from 1 (top left) to 9 (bottom right)'
        """
        used = sentence_params(self.code, self.params)
        other = message(code, **params)
        refusal = type(self).from_text(self.code, self.sentence, str(other), **used)
        refusal.other_instead = other
        return refusal

    @property
    def whole(self) -> Message | str:
        """The refusal as a part of another message, which can be said in every language.

        >>> str(IllegalMove("ended").whole)
        'The game has ended. Begin another one.'
        """
        return message(f"{self.code}{WHOLE}", **self.params) if self.other_instead is None else str(self)

    @property
    def clause(self) -> Message | str:
        """The same without its last full stop.

        >>> str(IllegalMove("taken", cell="5", side="X", free="1 2").clause)
        'Cell 5 is taken by X. Free cells: 1 2'
        """
        if self.other_instead is not None:
            return str(self).removesuffix(".")
        return message(f"{self.code}{CLAUSE}", **self.params)

    def with_details(self, **details: object) -> Self:
        """The same refusal, with more facts for programs.

        >>> IllegalMove("ended").with_details(legal=[]).details
        {'legal': []}
        """
        self.details.update(details)
        return self

    def __str__(self) -> str:
        return f"{self.sentence} {self.instead}".strip()

    def __reduce__(self) -> tuple[Any, ...]:
        texts = (self.code, self.sentence, self.instead)
        return _restore, (type(self), texts, self.params, self.details, self.other_instead)


def _restore(
    kind: type[Refusal],
    texts: tuple[str, str, str],
    params: dict[str, object],
    details: dict[str, Any],
    other_instead: Message | None,
) -> Refusal:
    refusal = kind.from_text(*texts, **params).with_details(**details)
    refusal.other_instead = other_instead
    return refusal


class Unreadable(Refusal):
    """Cannot read this: not a number, not a move, not a position.

    >>> from ninefold import find_game
    >>> find_game("classic").parse_move("the middle")
    Traceback (most recent call last):
        ...
    ninefold.core.errors.Unreadable: 'the middle' is not a move. A move looks like 9.
    """


class NotAllowed(Refusal):
    """Cannot do this: readable, and not allowed here and now."""


class IllegalMove(NotAllowed):
    """Cannot play this move here.

    >>> from ninefold import find_game
    >>> find_game("classic").begin().play(4).play(4)
    Traceback (most recent call last):
        ...
    ninefold.core.errors.IllegalMove: Cell 5 is taken by X. Free cells: 1 2 3 4 6 7 8 9.
    """
