"""Remembered settings: whatever is in the file, there are preferences; and what is changed is written whole."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.terminal.preferences import Preferences, PreferencesFile, from_json, read, settings_file
from ninefold.terminal.tui.themes import ANSI, DARK, LIGHT, theme_of_terminal

FULL = Preferences("ninefold-light", "squared", "friend", "hard", "easy", "O", ("Ann", "Bob"), True, True, "http://a")


def written(folder: Path, **changes: object) -> Path:
    file = folder / "config" / "settings.json"
    preferences = PreferencesFile(file)
    preferences.remember(**changes)
    preferences.close()
    return file


def test_preferences_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = written(tmp_path, **FULL._asdict())
    assert read(file) == FULL
    assert json.loads(file.read_text())["names"] == ["Ann", "Bob"]
    assert [one.name for one in file.parent.iterdir()] == ["settings.json"]  # and no draft


def test_only_what_was_changed_here_is_changed_in_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, theme="ninefold-light")
    one, other = PreferencesFile(file), PreferencesFile(file)
    one.remember(game="squared")
    one.close()
    other.remember(level="hard")
    other.close()
    assert read(file) == Preferences(theme="ninefold-light", game="squared", level="hard")


def test_changes_that_come_together_are_all_written(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    preferences = PreferencesFile(file)
    for name, value in FULL._asdict().items():
        preferences.remember(**{name: value})
    preferences.close()
    assert read(file) == FULL


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"names": "Ann"}', b'{"names": ["Ann"]}', b'{"names": [1, 2]}',
     b'{"theme": 3, "numpad": "yes", "threats": 1}', b"[" * 100_000, b'{"theme": "a' + b" " * 200_000 + b'"}'],
)  # fmt: skip
def test_a_broken_file_is_as_no_file(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "settings.json"
    file.write_bytes(content)
    assert read(file) == Preferences()
    preferences = PreferencesFile(file)
    preferences.remember(game="squared")
    preferences.close()
    assert read(file) == Preferences(game="squared")


def test_one_bad_value_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"theme": 3, "game": "squared", "names": ["A\x1b[31mnn", ""], "later": True}))
    found = read(file)
    assert (found.theme, found.game) == ("", "squared")
    assert "\x1b" not in found.names[0]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda more: st.lists(more)))
def test_any_json_gives_preferences(value: object) -> None:
    for found in (from_json(value), from_json(dict.fromkeys(Preferences._fields, value))):
        assert all(type(one) is type(default) for one, default in zip(found, Preferences(), strict=True))


def test_a_folder_that_cannot_be_written_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file, and no folder")
    assert not written(tmp_path, theme="x").exists()


def test_without_a_file_nothing_is_written() -> None:
    preferences = PreferencesFile()
    preferences.remember(game="squared")
    assert preferences.current.game == "squared"
    assert threading.active_count() >= 1


def test_they_are_in_the_folder_for_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_file() == tmp_path / "ninefold" / "settings.json"


def test_the_preferred_colours_are_taken_where_the_terminal_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert theme_of_terminal("ninefold-light") is LIGHT
    assert theme_of_terminal("ninefold-ansi") is ANSI
    assert theme_of_terminal("gone") is DARK
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COLORTERM", raising=False)
    assert theme_of_terminal("ninefold-light") is ANSI


def test_every_setting_that_is_remembered_is_documented() -> None:
    words = {
        "theme": "colours",
        "level": "levels",
        "other_level": "levels",
        "numpad": "labels of cells",
    }
    page = (Path(__file__).parents[2] / "docs" / "screen.md").read_text(encoding="utf-8")
    told = page.partition("Ninefold remembers")[2].partition("They are in the file")[0]
    assert [name for name in Preferences._fields if words.get(name, name) not in told] == []
