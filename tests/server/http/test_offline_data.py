"""What the browser client knows offline is what the Python rules say now."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from scripts import icons, offline_data


def test_the_exported_files_are_those_of_the_rules() -> None:
    """In a process of its own: other tests add games, with their messages."""
    command = [sys.executable, "-c", "from scripts import offline_data; print(*offline_data.changed())"]
    found = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    assert found == [], "a rule, a message or a puzzle has changed: run make offline-data"


def test_a_changed_rule_is_noticed(tmp_path: Path) -> None:
    for name, content in offline_data.documents().items():
        (tmp_path / name).write_bytes(content)
    assert offline_data.changed(tmp_path) == []
    rules = json.loads((tmp_path / "rules.json").read_text("utf-8"))
    rules["verdicts"]["012"][13] = "gap"
    (tmp_path / "rules.json").write_text(json.dumps(rules), "utf-8")
    (tmp_path / "another.table").write_bytes(b"")
    assert offline_data.changed(tmp_path) == ["another.table", "rules.json"]


def test_the_icons_are_drawn_from_the_sign_of_the_site() -> None:
    drawn = {file.name: file.read_bytes() for file in icons.FOLDER.iterdir()}
    assert drawn == icons.pictures()
