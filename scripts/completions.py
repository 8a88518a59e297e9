"""Writes the shell completions of the command, from its parser: src/ninefold/cli/completions.

python -m scripts.completions    writes them anew
"""

from __future__ import annotations

from pathlib import Path

import shtab

from ninefold.cli.parser import parser

FOLDER = Path(__file__).parents[1] / "src" / "ninefold" / "cli" / "completions"
SHELLS = ("bash", "zsh", "fish")


def completions() -> dict[Path, str]:
    """The files and what they hold."""
    return {FOLDER / f"ninefold.{shell}": shtab.complete(parser(), shell) for shell in SHELLS}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for file, text in completions().items():
        file.write_text(text.rstrip() + "\n", encoding="utf-8", newline="\n")
        print(f"wrote {file}")


if __name__ == "__main__":
    main()
