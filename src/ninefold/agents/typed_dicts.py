"""TypedDicts as fields of pydantic models.

Before Python 3.12 pydantic reads only the TypedDict of typing_extensions, and the modules that build the documents use
the standard library alone.
"""

from __future__ import annotations

import functools
import operator
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

from typing_extensions import TypedDict

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler


class ReadTypedDict:
    """The annotation of a field: pydantic reads its TypedDict, and those inside it."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return handler(converted(source))


@functools.cache
def converted(kind: Any) -> Any:
    """The same type with every TypedDict in it made anew by typing_extensions."""
    if is_typeddict(kind):
        return _converted_dict(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if not parts or origin is Literal:
        return kind
    changed = tuple(converted(part) for part in parts)
    return functools.reduce(operator.or_, changed) if isinstance(kind, UnionType) else origin[changed]


def _converted_dict(kind: Any) -> Any:
    optional: frozenset[str] = kind.__optional_keys__
    hints = {name: converted(hint) for name, hint in get_type_hints(kind).items()}
    fields = {name: NotRequired[hint] if name in optional else hint for name, hint in hints.items()}
    make: Any = TypedDict
    made = make(kind.__name__, fields)
    made.__module__, made.__qualname__, made.__doc__ = kind.__module__, kind.__qualname__, kind.__doc__
    return made
