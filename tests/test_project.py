"""The repository: class names, completions, and what people who pick it up expect."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from ninefold import __version__
from ninefold.games import all_games
from scripts.class_names import repeated
from scripts.completions import completions
from scripts.man_page import FILE as MAN_PAGE
from scripts.man_page import man_page
from scripts.smoke import main as smoke

ROOT = Path(__file__).parents[1]


def test_no_class_name_stands_for_two_things() -> None:
    assert repeated() == {}


def test_a_class_name_that_is_defined_twice_is_listed(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("class Seat: ...\n", encoding="utf-8")
    (tmp_path / "two.py").write_text("class _Seat: ...\n", encoding="utf-8")
    assert repeated(tmp_path) == {"Seat": ["one.py:1", "two.py:1"]}


@pytest.mark.parametrize(("file", "text"), completions().items(), ids=lambda part: getattr(part, "name", ""))
def test_the_completions_are_those_of_the_parser(file: Path, text: str) -> None:
    assert file.read_text(encoding="utf-8") == text.rstrip() + "\n", "run `make completions`"


def test_the_manual_page_is_that_of_the_parser() -> None:
    assert MAN_PAGE.read_text(encoding="utf-8") == man_page(), "run `make man-page`"


def test_the_manual_page_explains_every_command_with_its_exit_codes() -> None:
    page = man_page().replace("\\-", "-")
    for command in ("play", "watch", "replay", "agents evaluate", "agents report", "help"):
        assert f".SS ninefold {command}" in page
    assert "\\fB--rescue\\fR" in page
    assert all(f".TP\n\\fB{code}\\fR\n" in page for code in (0, 2, 3, 4, 130, 141))


def test_no_line_of_the_manual_page_is_taken_for_a_request() -> None:
    requests = {"TH", "SH", "SS", "TP", "PP", "nf", "fi"}
    starts = [line.split()[0] for line in man_page().splitlines() if line.startswith((".", "'"))]
    assert {start[1:] for start in starts} == requests


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("so", ["solve"]),
        ("play sq", ["squared"]),
        ("solve ", [*all_games()]),
        ("play classic --o p", ["perfect"]),
        ("arena squared easy e", ["easy", "expert"]),
        ("play classic --option early_draw=n", ["early_draw=no"]),
        ("help wa", ["watch"]),
    ],
)
def test_the_completion_of_bash_offers_commands_games_levels_and_options(typed: str, offered: list[str]) -> None:
    words = ["ninefold", *typed.split(" ")]
    listed = " ".join(f"'{word}'" for word in words)
    script = (
        f"source {ROOT}/src/ninefold/cli/completions/ninefold.bash; COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1};"
    )
    script += '_shtab_ninefold 2>/dev/null; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert [word for word in done.stdout.split() if not word.startswith("-")] == offered


@pytest.mark.parametrize(
    ("shell", "place"),
    [
        ("bash", "~/.local/share/bash-completion/completions/ninefold"),
        ("zsh", "~/.zfunc/_ninefold"),
        ("fish", "~/.config/fish/completions/ninefold.fish"),
    ],
)
def test_a_completion_names_the_place_where_its_shell_looks(shell: str, place: str) -> None:
    script = (ROOT / "src" / "ninefold" / "cli" / "completions" / f"ninefold.{shell}").read_text(encoding="utf-8")
    assert f"ninefold completion {shell} > {place}\n" in script
    assert all(game in script for game in all_games())


def test_everything_is_in_the_extra_all_but_what_is_large_and_for_developers() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = extras["all"][0].removeprefix("ninefold[").removesuffix("]").split(",")
    assert sorted(named) == sorted(set(extras) - {"all", "alphazero", "cluster", "dev", "pandas", "parquet", "train"})


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_console_the_full_screen_and_the_server_start() -> None:
    smoke()
