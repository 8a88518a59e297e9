"""The repository: class names, completions, and what people who pick it up expect."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from ninefold import __version__
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


def test_the_completion_of_bash_offers_the_commands() -> None:
    script = f"source {ROOT}/src/ninefold/cli/completions/ninefold.bash; COMP_WORDS=(ninefold so); COMP_CWORD=1;"
    script += '_shtab_ninefold 2>/dev/null; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["solve"]


def test_everything_is_in_the_extra_all_but_what_is_large_and_for_developers() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = extras["all"][0].removeprefix("ninefold[").removesuffix("]").split(",")
    assert sorted(named) == sorted(set(extras) - {"all", "cluster", "dev", "train"})


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_console_the_full_screen_and_the_server_start() -> None:
    smoke()
