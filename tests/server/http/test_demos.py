"""The games on the first page of the browser client: made from the rules, and true to them."""

from __future__ import annotations

from scripts import demos


def test_the_file_of_the_browser_client_is_what_the_rules_make() -> None:
    assert demos.FILE.read_text(encoding="utf-8") == demos.module(), "Run `make demos` and review the diff."
