"""The manifest of a run: with it the folder describes itself, without the plan and the machine that it came from.

``run.json`` has every plan that the run was started with, as it was read, with its prompts, and for every time that it
was started the plan, the versions and the files of programs. ``schedule.jsonl`` has every match with its seed. Neither
holds a secret.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
import time
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ninefold import __version__
from ninefold.agents.evaluation.agent_specs import ChatSpec, CommandSpec
from ninefold.agents.evaluation.endpoint import ChatMessage
from ninefold.agents.evaluation.isolation import MODES
from ninefold.agents.evaluation.plan import Plan
from ninefold.agents.evaluation.plan_tables import PromptSpec
from ninefold.agents.evaluation.prompt import SYSTEM, TURN, system_message, turn_message
from ninefold.agents.evaluation.schedule import MatchJob, RunFolder
from ninefold.core.position import Side
from ninefold.core.strict_json import read_json
from ninefold.match.files import write_text
from ninefold.match.match import Match, begin
from ninefold.match.state import Seat

FORMAT = 1
MANIFEST, SCHEDULE = "run.json", "schedule.jsonl"
PACKAGES = ("httpx", "mcp", "numpy", "pydantic", "websockets")
LARGEST_FILE = 10_000_000  # bytes of a program's file that are hashed


def write_manifest(plan: Plan, folder: RunFolder, jobs: Sequence[MatchJob], isolation: str, server: str) -> None:
    """Write what the run is, and add that it is started now. What was written at earlier starts stays."""
    path, now = folder.path / MANIFEST, time.time_ns() // 1_000_000
    used = {"plan": plan_document(plan), "prompts": prompts(plan)}
    manifest = read_manifest(folder) or {"format": FORMAT, **used}
    plans = used_plans(manifest)
    number = next((number for number, one in enumerate(plans) if one["plan"] == used["plan"]), len(plans))
    manifest["plans"] = plans if number < len(plans) else [*plans, {"at": now, **used}]
    started = {
        "at": now,
        "plan": number,
        "versions": versions(),
        "isolation": isolation,
        "server": server,
        "programs": program_files(plan),
    }
    manifest["starts"] = [*manifest.get("starts", []), started]
    write_text(str(folder.path / SCHEDULE), "".join(json.dumps(job._asdict()) + "\n" for job in jobs))
    write_text(str(path), json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")


def read_manifest(folder: RunFolder) -> dict[str, Any]:
    """The manifest of a run; an empty one if there is none, as in runs of earlier releases."""
    try:
        found = read_json((folder.path / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def used_plans(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Every plan that a run was started with, with its prompts and the time of its first start. The manifest of an
    earlier release has only the first one."""
    plans = manifest.get("plans")
    if isinstance(plans, list) and all(isinstance(one, dict) and isinstance(one.get("plan"), dict) for one in plans):
        return plans
    starts = manifest.get("starts", [])
    first = {"at": starts[0].get("at") if starts else None, "prompts": manifest.get("prompts")}
    return [{**first, "plan": manifest["plan"]}] if isinstance(manifest.get("plan"), dict) and starts else []


def changed_settings(manifest: dict[str, Any]) -> list[str]:
    """The settings in which the plans of a run differ."""
    plans = [one["plan"] for one in used_plans(manifest)]
    names = {name: None for plan in plans for name in plan}
    return [name for name in names if any(plan.get(name) != plans[0].get(name) for plan in plans)]


def isolation_modes(manifest: dict[str, Any]) -> list[str]:
    """The modes in which the programs of a run were isolated, the weakest last; several if it was resumed elsewhere."""
    used = {start.get("isolation") for start in manifest.get("starts", [])}
    return [mode for mode in MODES if mode in used]


def plan_document(plan: Plan) -> dict[str, Any]:
    """The plan with all its settings, those that were left out too."""
    document: dict[str, Any] = plan.model_dump(mode="python", exclude={"game"})
    settled = plan.game.settle_options(plan.options)
    plain: dict[str, Any] = json.loads(
        json.dumps({"game": plan.game.id, **document, "options": dict(settled)}, default=str)
    )
    return plain


def versions() -> dict[str, str]:
    """The versions of Ninefold, of Python, of the system and of packages that a run uses."""
    found = {"ninefold": __version__, "python": platform.python_version(), "system": platform.platform()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def prompts(plan: Plan) -> dict[str, Any]:
    """What each model is sent at the first turn of either side. Pictures are left out."""
    match = begin(plan.game, dict(plan.options), (Seat(Side.X, "X"), Seat(Side.O, "O")), at=0, seed=plan.seed)
    return {
        name: {"XO"[seat - 1]: _first_messages(plan, spec, match, seat) for seat in (1, 2)}
        for name, spec in plan.agents.items()
        if isinstance(spec, ChatSpec)
    }


def _first_messages(plan: Plan, spec: ChatSpec, match: Match, seat: int) -> list[ChatMessage]:
    prompt = plan.prompts.get(spec.prompt, PromptSpec())
    return [
        system_message(match, seat, prompt.system or SYSTEM, has_tools=spec.answer == "tools"),
        turn_message(match, seat, prompt.turn or TURN, show_moves=plan.show_moves, show_lines=plan.show_lines),
    ]


def program_files(plan: Plan) -> dict[str, dict[str, str]]:
    """For each program, the SHA-256 of the files that its command names."""
    found: dict[str, dict[str, str]] = {}
    for agent, spec in plan.agents.items():
        if isinstance(spec, CommandSpec):
            files = {word: Path(spec.working_folder, word.replace("{python}", sys.executable)) for word in spec.command}
            found[agent] = {word: digest for word, file in files.items() if (digest := _digest(file))}
    return found


def _digest(file: Path) -> str:
    try:
        if not file.is_file() or file.stat().st_size > LARGEST_FILE:
            return ""
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except (OSError, ValueError):
        return ""
