"""What the command line of MCP Inspector sees of our servers: the lists, and a match that is played with every tool."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ninefold.agents.tools import TOOLS

PROGRAM = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
PATIENCE = ("--connect-timeout", "120000")  # milliseconds, for a busy machine
TIMED_OUT = "timed out"  # in what the Inspector prints; the minute that it gives a request cannot be set
MOST_TRIES = 3
Run = Callable[..., str]  # runs Node with some words, and returns what it prints


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
    Check("--method tools/call --tool-name create_match --tool-arg game=squared opponent=easy", '"asked": "move"'),
    Check("--method tools/call --tool-name board --tool-arg seat=nobody", '\\"reason\\": \\"no_such_match\\"'),
)


class Step(NamedTuple):
    """A call of a tool in a match. ``{ann}``, ``{ben}``, ``{invitation}`` and ``{version}`` are what is known by then.
    ``expected`` is the task of the caller afterwards, or the reason of a refusal."""

    tool: str
    arguments: str
    expected: str = ""
    seat: str = ""  # whose seat it returns


FALSE = 'cells=["[0,0]","[0,1]","[0,2]"] version={version} request=r{number}'
WRITE = "version={version} request=r{number}"
STEPS = (
    Step("rules", "game=agents"),
    Step("create_match", "game=agents side=O name=Ann", "wait", "ann"),
    Step("lobby", "state=open"),
    Step("join", "link={invitation} name=Ben", "wait", "ben"),
    Step("board", "seat={ann} full=true", "move"),
    Step("wait", "seat={ann} seconds=0", "move"),
    Step("move", f"seat={{ann}} move=[0,0] {WRITE}", "wait"),
    Step("say", "seat={ben} text=hello request=r{number}", "move"),
    Step("claim", f"seat={{ben}} {FALSE}", "wait"),
    Step("withdraw", f"seat={{ben}} {WRITE}", "move"),
    Step("move", f"seat={{ben}} move=[1,1] {WRITE}", "wait"),
    Step("claim", f"seat={{ann}} {FALSE}", "wait"),
    Step("dispute", f"seat={{ben}} reason=[0,1]-is-empty {WRITE}", "wait"),
    Step("offer", f"seat={{ann}} what=draw {WRITE}", "move"),
    Step("answer_offer", f"seat={{ben}} accept=false {WRITE}", "wait"),
    Step("move", f"seat={{ann}} move=[0,1] {WRITE}", "wait"),
    Step("claim", f"seat={{ann}} {FALSE}", "wait"),
    Step("confirm", f"seat={{ben}} {WRITE}", "move"),
    Step("move", "seat={ben} move=[2,2] claim=[] version={version} request=r{number}", "wrong_field"),
    Step("claim_absent", "seat={ann} request=r{number}", "not_absent"),
    Step("resign", "seat={ben} request=r{number}", "nothing"),
    Step("rematch", "seat={ben}", "wait", "ben"),
)


def inspect(run: Run, name: str, *target: str) -> bool:
    """True if the Inspector sees what it should."""
    found = []
    for check in CHECKS:
        output = run_patiently(run, *target, *check.arguments.split())
        found.append(_tell(check.expected in output, f"{name}: {check.arguments}", output))
    return all(found)


def exercise_tools(run: Run, name: str, *target: str) -> bool:
    """True if a match can be played with every tool, each call made by an Inspector of its own."""
    known: dict[str, Any] = {"version": 0}
    found = [_tell({step.tool for step in STEPS} == set(TOOLS), f"{name}: every tool is called", "")]
    for number, step in enumerate(STEPS):
        known["number"] = number
        arguments = re.sub(r"\{(\w+)\}", lambda field: str(known[field[1]]), step.arguments)
        call = ("--method", "tools/call", "--tool-name", step.tool, "--tool-arg", *arguments.split())
        output = run_patiently(run, *target, *call)
        document = answer_in(output)
        known["version"] = document.get("version", known["version"])
        known["invitation"] = document.get("invitation", known.get("invitation"))
        if step.seat and "seat" in document:
            known[step.seat] = document["seat"]
        seen = document.get("asked") or document.get("reason") or ""
        is_right = bool(document) and seen == step.expected
        found.append(_tell(is_right, f"{name}: {step.tool} {step.arguments}", output))
        if not is_right:
            break
    return all(found)


def run_patiently(run: Run, *words: str) -> str:
    """What the Inspector prints. It is run again where a busy machine let it time out: writes have the id of a request,
    so a repeat does nothing twice."""
    output = ""
    for left in reversed(range(MOST_TRIES)):
        output = run(PROGRAM, "--cli", *PATIENCE, *words)
        if TIMED_OUT not in output.lower() or not left:
            break
        print("  the Inspector timed out, and is run again", flush=True)
    return output


def answer_in(output: str) -> dict[str, Any]:
    """The answer of a tool in what the Inspector prints; empty if there is none."""
    try:
        result, _ = json.JSONDecoder().raw_decode(output, output.find("{"))  # more follows behind an error
        document: dict[str, Any] = json.loads(result["content"][0]["text"])
    except (ValueError, LookupError, TypeError):
        return {}
    return document


def _tell(is_right: bool, what: str, output: str) -> bool:
    print(f"{'✓' if is_right else '✗'} inspector, {what}", flush=True)
    if not is_right:
        print(output)
    return is_right
