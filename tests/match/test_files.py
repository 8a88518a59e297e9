"""Matches on disk: every form is read, and half a file is never seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.core.errors import NotAllowed, Unreadable
from ninefold.games import find_game
from ninefold.match.actions import move
from ninefold.match.files import LARGEST, check_new, load, read_match, save, write_text
from ninefold.match.match import begin

MATCH = begin(find_game("classic")).act(1, move(4))


@pytest.mark.parametrize("name", ["game.log", "game.record", "game"])
def test_a_saved_match_is_loaded_again_whatever_its_form(tmp_path: Path, name: str) -> None:
    save(str(tmp_path / name), MATCH)
    assert load(str(tmp_path / name)) == MATCH
    assert (tmp_path / name).read_text().startswith("[Game" if name.endswith(".record") else '{"ninefold"')
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_file_keeps_the_form_it_has(tmp_path: Path) -> None:
    save(str(tmp_path / "game.record"), MATCH)
    (tmp_path / "game.record").rename(tmp_path / "game.log")
    save(str(tmp_path / "game.log"), MATCH.act(2, move(0)))
    assert (tmp_path / "game.log").read_text().startswith("[Game")


def test_a_file_that_is_linked_to_is_written_where_it_is(tmp_path: Path) -> None:
    save(str(tmp_path / "game.log"), MATCH)
    (tmp_path / "link").symlink_to(tmp_path / "game.log")
    save(str(tmp_path / "link"), MATCH.act(2, move(0)))
    assert (tmp_path / "link").is_symlink()
    assert len(load(str(tmp_path / "game.log")).events) == 2


@pytest.mark.parametrize("path", ["", "a\0b", "/nowhere/game.log"])
def test_what_cannot_be_written_is_refused_beforehand(path: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        check_new(path)
    assert refused.value.reason == "cannot_write"


def test_a_file_that_is_there_is_not_new_even_if_it_is_a_link_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    with pytest.raises(NotAllowed) as refused:
        check_new(str(tmp_path / "link"))
    assert refused.value.reason == "file_exists"


def test_a_folder_is_not_written_over(tmp_path: Path) -> None:
    with pytest.raises(NotAllowed) as refused:
        write_text(str(tmp_path), "text")
    assert refused.value.reason == "cannot_write"


def test_a_file_that_is_too_big_is_not_read_on() -> None:
    with pytest.raises(Unreadable) as refused:
        read_match(b"{" * (LARGEST + 1))
    assert refused.value.reason == "too_long"
