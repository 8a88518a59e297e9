"""The demo games of the browser client's first page."""

from __future__ import annotations

from scripts import demos


def test_the_demo_games_are_what_the_rules_make() -> None:
    assert demos.FILE.read_text(encoding="utf-8") == demos.module(), "Run `make demos` and review the diff."
