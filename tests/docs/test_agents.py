"""docs/agents.md: its settings lead to a server, its example runs, and its tables leave nothing out."""

from __future__ import annotations

import asyncio
import doctest
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from ninefold.agents.models import ToolResult
from ninefold.agents.resources import Resources
from ninefold.agents.tools import TOOLS
from scripts.conformance import NOT_APPLYING, NOT_REQUIRED, CheckResult, judge
from scripts.inspector import MOST_TRIES, run_patiently
from tests.support import http_server
from tests.support.agents_at_play import stdio
from tests.support.doc_pages import blocks

PAGE = Path(__file__).parents[2] / "docs" / "agents.md"
ADDRESS = "http://127.0.0.1:8090"


def settings() -> list[dict[str, Any]]:
    """What each host is told about the server."""
    told = [json.loads(block.text) for block in blocks("json host", PAGE)]
    told += [tomllib.loads(block.text) for block in blocks("toml host", PAGE)]
    return [next(iter(one.values()))["ninefold"] for one in told]


def targets(home: Path, address: str) -> list[Any]:
    found: list[Any] = []
    for setting in settings():
        if "command" in setting:
            assert setting["command"] == "ninefold"
            program, *arguments = (word.replace(ADDRESS, address) for word in setting["args"])
            assert program == "mcp"
            found.append(stdio(home, *arguments))
        else:
            found.append((setting.get("url") or setting["httpUrl"]).replace(ADDRESS, address))
    return found


def test_every_setting_leads_to_the_tools(tmp_path: Path) -> None:
    async def listed(target: Any) -> set[str]:
        async with Client(target) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    async def run(address: str) -> list[set[str]]:
        return await asyncio.gather(*map(listed, targets(tmp_path / "home", address)))

    with http_server.running(tmp_path / "data") as server:
        found = asyncio.run(run(f"http://127.0.0.1:{server.port}"))
    assert len(found) == 6
    assert all(names == set(TOOLS) for names in found)


def test_the_example_runs(tmp_path: Path) -> None:
    (block,) = blocks("python agents", PAGE)
    with http_server.running(tmp_path) as server:
        text = block.text.replace(ADDRESS, f"http://127.0.0.1:{server.port}")
        test = doctest.DocTestParser().get_doctest(text, {}, str(block), str(PAGE), block.line)
        assert doctest.DocTestRunner().run(test).failed == 0


def first_cells(heading: str, number: int = 0) -> list[str]:
    """What stands in code in the first cells of a table below a heading, the first one by default."""
    part = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    table = re.findall(r"(?:^\|.*\n)+", part, re.MULTILINE)[number]
    return re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)


@pytest.mark.parametrize(
    ("heading", "number", "known"),
    [("Tools", 0, set(TOOLS)), ("Conformance", 0, set(NOT_APPLYING)), ("Conformance", 1, set(NOT_REQUIRED))],
)
def test_a_table_lists_all_there_is(heading: str, number: int, known: set[str]) -> None:
    listed = first_cells(heading, number)
    assert set(listed) == known
    assert len(listed) == len(known)


def test_the_table_of_resources_has_every_template() -> None:
    templates = asyncio.run(Resources(None).list_templates(None, None)).resource_templates  # type: ignore[arg-type]
    assert set(first_cells("Resources and prompts")) == {template.uri_template for template in templates}


def test_the_reasons_why_scenarios_do_not_apply_are_told() -> None:
    text = PAGE.read_text(encoding="utf-8")
    listed = [*NOT_APPLYING.items(), *NOT_REQUIRED.items()]
    assert [name for name, why in listed if f"| `{name}` | {why} |" not in text] == []


def test_the_table_of_results_has_every_field_that_a_tool_may_return() -> None:
    part = PAGE.read_text(encoding="utf-8").partition("\n| field | |\n")[2].partition("\n\n")[0]
    named = {name for row in part.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named == set(ToolResult.model_fields)


def test_a_check_that_fails_unexplained_and_an_explanation_without_a_failure_are_both_found() -> None:
    results = [
        CheckResult("one", "a", "SUCCESS", ""),
        CheckResult("two", "b", "FAILURE", ""),
        CheckResult("three", "c", "FAILURE", ""),
        CheckResult("three", "d", "FAILURE", ""),
    ]
    found = judge(results, {"one": "why", "two": "why", "three/c": "why"})
    assert ([one.name for one in found.failures], found.outdated) == (["three/d"], ["one"])


@pytest.mark.parametrize(
    ("printed", "expected", "runs"),
    [
        (["Error: Request timed out after 60s", "fine"], "fine", 2),
        (["Error: no such tool", "fine"], "Error: no such tool", 1),
        (["Connection TIMED OUT"] * 9, "Connection TIMED OUT", MOST_TRIES),
    ],
)
def test_a_check_of_the_inspector_is_repeated_only_if_it_timed_out(
    printed: list[str], expected: str, runs: int
) -> None:
    seen: list[tuple[str, ...]] = []

    def run(*words: str) -> str:
        seen.append(words)
        return printed[len(seen) - 1]

    assert run_patiently(run, "http", "--method", "tools/list") == expected
    assert seen == [seen[0]] * runs
