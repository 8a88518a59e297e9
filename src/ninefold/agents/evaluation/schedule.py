"""The matches of an evaluation: who meets whom, and one of them played and kept."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from ninefold.agents.evaluation.keys import Keys
from ninefold.agents.evaluation.loop import Crashed, Forfeit, Rejected
from ninefold.agents.evaluation.match_runner import Room
from ninefold.agents.evaluation.plan import Plan
from ninefold.agents.evaluation.served_match import Host
from ninefold.agents.evaluation.transcript import Transcript
from ninefold.analysis.report.audit import AUDIT_SUFFIX, write_audit
from ninefold.core.errors import quoted
from ninefold.match.files import write_text
from ninefold.match.log import write_log
from ninefold.server.hosting.model import HostedMatch


class Job(NamedTuple):
    """One match to be played."""

    number: int
    x: str
    o: str
    seed: int

    def agent(self, seat: int) -> str:
        return self.x if seat == 1 else self.o


class Played(NamedTuple):
    """One match that was played: how it ended, who forfeited on the way, or who crashed, and why."""

    number: int
    x: str
    o: str
    score: str = ""
    by: str = ""
    forfeits: tuple[tuple[str, str], ...] = ()  # by whom, and why
    crash: str = ""
    seat: int = 0  # of who crashed
    why: str = ""


class Folder(NamedTuple):
    """Where a run keeps everything."""

    path: Path

    @property
    def journal(self) -> str:
        return str(self.path / "journal.jsonl")

    @property
    def is_begun(self) -> bool:
        return os.path.exists(self.journal)

    def log(self, number: int) -> Path:
        return self.path / "matches" / f"{number:05}.log"

    def transcript(self, number: int, seat: int) -> Path:
        return self.path / "transcripts" / f"{number:05}-{'XO'[seat - 1]}.jsonl"

    def keep(self, number: int, hosted: HostedMatch) -> None:
        """The log and, beside it, the audit."""
        file = self.log(number)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_text(str(file.with_suffix(AUDIT_SUFFIX)), write_audit(hosted.refused))
        write_text(str(file), write_log(hosted.match))


def schedule(plan: Plan) -> list[Job]:
    """Every pair in every round, with both sides."""
    pairs = [pair for _ in range(plan.rounds) for one, two in plan.pairs for pair in ((one, two), (two, one))]
    return [Job(number, x, o, plan.seed + number) for number, (x, o) in enumerate(pairs)]


def play_job(plan: Plan, keys: Keys, folder: Folder, host: Host, job: Job) -> Played:
    """Play a match and keep it. The crash of an agent makes it void: only its transcripts are kept."""
    specs = plan.agent(job.x), plan.agent(job.o)
    room = Room(plan, specs, job.seed, keys, host, lambda seat: Transcript(folder.transcript(job.number, seat), keys))
    try:
        hosted, forfeits = room.play()
    except Crashed as crash:
        return Played(job.number, job.x, job.o, crash=job.agent(crash.seat), seat=crash.seat, why=crash.sentence)
    except Rejected as refusal:
        agent = quoted(job.agent(refusal.seat))
        raise Rejected(refusal.reason, f"Agent {agent} cannot play. {refusal.sentence}", refusal.instead) from None
    folder.keep(job.number, hosted)
    return _played(job, hosted, forfeits)


def _played(job: Job, hosted: HostedMatch, forfeits: list[Forfeit]) -> Played:
    result = hosted.match.result
    ended = (result.score, result.by) if result else ("*", "")
    return Played(job.number, job.x, job.o, *ended, tuple((job.agent(lost.seat), lost.why) for lost in forfeits))
