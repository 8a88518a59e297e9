"""Formulas of the course as MathML, which browsers draw by themselves: no script, and nothing loaded from outside.

The converter is installed beside Zensical, so it runs there.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\w$`])\$([^$\n`]+)\$(?![\w$`])", re.DOTALL)
CONVERT = """
import json, sys
from latex2mathml.converter import convert
print(json.dumps([convert(latex, display=display) for latex, display in json.load(sys.stdin)]))
"""


def drawn(text: str, python: Path) -> str:
    """A text whose formulas are MathML; ``python`` is that of the environment of the site."""
    found = [(block or line, "block" if block else "inline") for block, line in FORMULA.findall(text)]
    if not found:
        return text
    done = subprocess.run([python, "-c", CONVERT], input=json.dumps(found), capture_output=True, text=True, check=True)
    shapes = iter(json.loads(done.stdout))
    return FORMULA.sub(lambda _: next(shapes), text)
