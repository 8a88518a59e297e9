"""Writes the shell completions of the command, from its parser: src/ninefold/cli/completions.

python -m scripts.completions    writes them anew
"""

from __future__ import annotations

import argparse
from pathlib import Path

import shtab

from ninefold.cli.parser import parser, subcommands
from ninefold.games import all_games
from ninefold.match.state import HUMAN
from ninefold.players.player import player_names

FOLDER = Path(__file__).parents[1] / "src" / "ninefold" / "cli" / "completions"
HEADERS = {
    "bash": """\
# Completion of ninefold for bash. Install it where bash-completion looks:
#   mkdir -p ~/.local/share/bash-completion/completions
#   ninefold completion bash > ~/.local/share/bash-completion/completions/ninefold
""",
    "zsh": """\
# Completion of ninefold for zsh. Install it in a folder of $fpath:
#   mkdir -p ~/.zfunc
#   ninefold completion zsh > ~/.zfunc/_ninefold
# and have these lines in ~/.zshrc:
#   fpath=(~/.zfunc $fpath)
#   autoload -Uz compinit && compinit
""",
    "fish": """\
# Completion of ninefold for fish. Install it where fish looks:
#   mkdir -p ~/.config/fish/completions
#   ninefold completion fish > ~/.config/fish/completions/ninefold.fish
""",
}
FILES = ("file", "save", "load", "log", "svg", "matches")
FOLDERS = ("data", "out")


def completions() -> dict[Path, str]:
    """The files and what they hold."""
    return {FOLDER / f"ninefold.{shell}": _script(shell) for shell in HEADERS}


def _script(shell: str) -> str:
    ninefold = parser()
    _add_values(ninefold, list(subcommands(ninefold)))
    generated = shtab.complete(ninefold, shell)
    # The generator's own header names folders that no shell looks into.
    before, mark, after = generated.partition("# AUTOMATICALLY GENERATED")
    if not mark:
        raise ValueError("shtab writes another header now")
    return f"{before}{HEADERS[shell]}\n{after.partition(chr(10) * 2)[2]}"


def _add_values(command: argparse.ArgumentParser, commands: list[str]) -> None:
    """Tell the generator what can stand in each place. The parser itself does not check it: its refusals say more."""
    games = all_games().values()
    levels = list(dict.fromkeys(name for game in games for name in player_names(game) if name != HUMAN))
    options = {f"{one.name}={value}": None for game in games for one in game.options for value in one.values}
    values = {
        "game": [game.id for game in games],
        "x": [HUMAN, *levels],
        "o": [HUMAN, *levels],
        "players": levels,
        "option": list(options),
        "words": commands,
    }
    for action in command._actions:
        if action.dest in values:
            action.choices = values[action.dest]
        elif action.dest in FILES and action.type is None:  # else it is a number
            action.complete = shtab.FILE  # type: ignore[attr-defined] # shtab reads it from the action
        elif action.dest in FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined] # as above
    for below in subcommands(command).values():
        _add_values(below, commands)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for file, text in completions().items():
        file.write_text(text.rstrip() + "\n", encoding="utf-8", newline="\n")
        print(f"wrote {file}")


if __name__ == "__main__":
    main()
