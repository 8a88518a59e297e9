"""Counts tokens as o200k_base has them, with npm's gpt-tokenizer: for the figures of benchmarks.tokens and their test.

`make test` runs it to install the tokenizer, into build/gpt-tokenizer, in the version that package.json names. Node
comes with the tests.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

from scripts import npm

PACKAGE = "gpt-tokenizer"
HOME = npm.PROJECT / "build" / PACKAGE
_COUNT = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { countTokens } = await import(pathToFileURL(process.argv[1]).href);
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((text) => countTokens(text))));
"""


def is_installed() -> bool:
    return npm.installed(PACKAGE, HOME) == npm.pinned(PACKAGE)


def count(texts: Sequence[str]) -> list[int]:
    """The number of tokens of each text. The tokenizer has to be installed."""
    module = HOME / "node_modules" / PACKAGE / "esm" / "encoding" / "o200k_base.js"
    done = subprocess.run(
        [npm.PROGRAM, "--input-type=module", "-e", _COUNT, str(module)],
        input=json.dumps(list(texts)), stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    counts: list[int] = json.loads(done.stdout)
    return counts


def main() -> int:
    try:
        npm.install(PACKAGE, HOME)
    except npm.NotInstalled as error:
        print(f"{error}\nThe tokens of the tools are NOT counted again: npm cannot install {PACKAGE}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
