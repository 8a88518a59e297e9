"""The types of the browser client: generated from the OpenAPI document, and checked by TypeScript."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import typescript, web_types

ALIASES = web_types.FILE.with_name("types.js").read_text(encoding="utf-8")


def test_the_generated_types_are_up_to_date() -> None:
    assert web_types.FILE.read_text(encoding="utf-8") == web_types.module(), "Run `make web-types` and review the diff."
    constants = web_types.CONSTANTS_FILE.read_text(encoding="utf-8")
    assert constants == web_types.constants_module(), "Run `make web-types` and review the diff."


def test_every_alias_names_a_type_that_is_generated() -> None:
    generated = set(re.findall(r"^export type (\w+)", web_types.module(), re.MULTILINE))
    named = set(re.findall(r'import\("\./api-types\.d\.ts"\)\.(\w+)', ALIASES))
    assert named
    assert named <= generated


@pytest.mark.parametrize(
    ("schema", "type"),
    [
        ({"type": "integer", "minimum": 0}, "number"),
        ({"type": "string", "maxLength": 3}, "string"),
        ({"enum": ["X", "O"]}, '"X" | "O"'),
        ({"const": "ok", "type": "string"}, '"ok"'),
        ({"$ref": "#/components/schemas/Board"}, "Board"),
        ({"$ref": "#/components/schemas/Board-Output"}, "BoardOutput"),
        ({"anyOf": [{"enum": ["X", "O"]}, {"type": "null"}]}, '"X" | "O" | null'),
        ({"type": "array", "items": {"enum": ["X", "O"]}}, '("X" | "O")[]'),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "null"}]}, "[number, null]"),
        ({"allOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}]}, "A & B"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "Record<string, string>"),
        ({"type": "object", "additionalProperties": True}, "Record<string, unknown>"),
        ({"title": "Anything"}, "unknown"),
    ],
)
def test_a_json_schema_becomes_a_type(schema: web_types.Schema, type: str) -> None:
    assert web_types.type_of(schema) == type


def test_a_field_is_optional_unless_it_is_required_and_keeps_its_description() -> None:
    schema = {
        "type": "object",
        "description": "A seat.",
        "required": ["name"],
        "properties": {"name": {"type": "string", "description": "of the\nplayer"}, "retry-after": {"type": "null"}},
    }
    assert web_types.declaration("Seat", schema) == (
        '/** A seat. */\nexport type Seat = {\n  /** of the player */\n  name: string;\n  "retry-after"?: null;\n};\n'
    )


def test_a_schema_that_is_not_understood_is_an_error() -> None:
    with pytest.raises(ValueError, match="no TypeScript type is known"):
        web_types.type_of({"not": {"type": "null"}})


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_without_npm_the_type_check_is_skipped_loudly_and_fails_in_ci(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], ci: str, code: int
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    assert typescript.main(tmp_path / "typescript") == code
    assert "The JavaScript was NOT type-checked" in capfd.readouterr().err
