"""Writes what the browser client has from the server: the TypeScript types, from the OpenAPI document, and constants.

`make web-types` runs it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ninefold.analysis.engine import EXPECTATION_SLOPE
from ninefold.analysis.network import FOLDER as NETWORKS
from ninefold.core.text import MESSAGE_LENGTH, NAME_LENGTH
from ninefold.match.actions import UNVERSIONED
from ninefold.players.engine_levels import LEVELS, MEMORY
from ninefold.server.hosting.commands import CLOCK_CHOICES
from ninefold.server.http.app import create_app
from ninefold.server.http.config import Config
from ninefold.server.storage.config import MOST_IN_PAGE

STATIC = Path(__file__).parents[1] / "src" / "ninefold" / "server" / "http" / "static"
FILE = STATIC / "lib" / "api-types.d.ts"
HEAD = "/** The server's JSON types, generated from its OpenAPI document by `make web-types`. Do not edit. */\n"
CONSTANTS_FILE = STATIC / "lib" / "api-constants.js"
CONSTANTS_HEAD = "/** The server's limits and choices, generated from its Python by `make web-types`. Do not edit. */\n"
PRIMITIVES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
# Types have no ranges, patterns and lengths.
ANNOTATIONS = {"title", "description", "default", "examples", "format"}

Schema = Mapping[str, Any]


def module() -> str:
    """The text of the file of types: one for each schema of the document."""
    document = create_app(Config(Path("unused"))).openapi()
    schemas: Mapping[str, Schema] = document["components"]["schemas"]
    return HEAD + "".join(f"\n{declaration(name, schemas[name])}" for name in sorted(schemas))


def constants_module() -> str:
    """The text of the file of constants."""
    constants: dict[str, tuple[str, object]] = {
        "NAME_LENGTH": ("Characters of a player's name.", NAME_LENGTH),
        "MESSAGE_LENGTH": ("Characters of a message.", MESSAGE_LENGTH),
        "MOST_IN_PAGE": ("Matches in one page of a list.", MOST_IN_PAGE),
        "UNVERSIONED": ("Kinds of actions that are accepted whatever the version is.", list(UNVERSIONED)),
        "CLOCK_CHOICES": ("The clocks that are offered: seconds, and seconds a move.", list(map(list, CLOCK_CHOICES))),
        "EXPECTATION_SLOPE": ("A side that is one line of boards ahead expects tanh of this.", EXPECTATION_SLOPE),
        "ENGINE_LEVELS": (
            "The levels of the big games: nodes to search, moves to rank, and the largest error of a score.",
            {name: strength._asdict() for name, strength in LEVELS.items()},
        ),
        "ENGINE_NETWORKS": ("Rule sets with a network.", sorted(file.stem for file in NETWORKS.glob("*.net"))),
        "ENGINE_LEVEL_MEMORY": ("Bytes of the transposition table of a level.", MEMORY),
    }
    return CONSTANTS_HEAD + "".join(
        f"\n/** {comment} */\nexport const {name} = {json.dumps(value)};\n"
        for name, (comment, value) in constants.items()
    )


def declaration(name: str, schema: Schema) -> str:
    return f"{_comment(schema, '')}export type {identifier(name)} = {type_of(schema)};\n"


def identifier(name: str) -> str:
    """The name of a schema as a name in TypeScript: FastAPI writes Name-Input where it differs from Name-Output."""
    return re.sub(r"\W", "", name)


def type_of(schema: Schema, indent: str = "") -> str:
    """A JSON schema as a TypeScript type. Raises ValueError for a schema it does not know."""
    if "$ref" in schema:
        return identifier(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if alternatives := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(type_of(part, indent) for part in alternatives))
    if "allOf" in schema:
        return " & ".join(_operand(part, indent) for part in schema["allOf"])
    return _of_kind(schema, indent)


def _of_kind(schema: Schema, indent: str) -> str:
    kind = schema.get("type")
    if kind == "array":
        return _array(schema, indent)
    if kind == "object":
        return _object(schema, indent)
    if isinstance(kind, str) and kind in PRIMITIVES:
        return PRIMITIVES[kind]
    if not schema.keys() - ANNOTATIONS:
        return "unknown"
    raise ValueError(f"no TypeScript type is known for the schema {json.dumps(schema)}")


def _operand(schema: Schema, indent: str) -> str:
    """A type that may stand before [] or beside &."""
    type = type_of(schema, indent)
    return f"({type})" if " | " in type or " & " in type else type


def _array(schema: Schema, indent: str) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(type_of(item, indent) for item in schema['prefixItems'])}]"
    return f"{_operand(schema.get('items', {}), indent)}[]"


def _object(schema: Schema, indent: str) -> str:
    if "properties" not in schema:
        values = schema.get("additionalProperties", {})
        return f"Record<string, {type_of(values if isinstance(values, dict) else {}, indent)}>"
    return "{\n" + "".join(_fields(schema, f"{indent}  ")) + f"{indent}}}"


def _fields(schema: Schema, indent: str) -> Iterator[str]:
    required = schema.get("required", ())
    for name, field in schema["properties"].items():
        key = name if name.isidentifier() else json.dumps(name)
        optional = "" if name in required else "?"
        yield f"{_comment(field, indent)}{indent}{key}{optional}: {type_of(field, indent)};\n"


def _comment(schema: Schema, indent: str) -> str:
    words = " ".join(str(schema.get("description", "")).split()).replace("*/", "* /")
    return f"{indent}/** {words} */\n" if words else ""


def main() -> None:
    for file, text in ((FILE, module()), (CONSTANTS_FILE, constants_module())):
        file.write_text(text, encoding="utf-8", newline="\n")
        print(f"wrote {file}")


if __name__ == "__main__":
    main()
