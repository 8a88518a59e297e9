"""The schedule of an evaluation: its matches, what became of each, and the folder that a run is resumed from."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

from ninefold.agents.evaluation.ledger import BudgetUsedUp
from ninefold.agents.evaluation.loop import AgentRejected
from ninefold.agents.evaluation.plan import Plan
from ninefold.agents.evaluation.results import JobResult, parse_result
from ninefold.analysis.report.audit import AUDIT_SUFFIX, write_audit
from ninefold.arena import journal
from ninefold.arena.openings import openings
from ninefold.core.errors import NotAllowed, Unreadable, quoted
from ninefold.core.file_lock import try_lock
from ninefold.match.files import write_text
from ninefold.match.log import write_log
from ninefold.server.hosting.model import HostedMatch

LOCK_FILE = "lock"  # of the process that plays


class MatchJob(NamedTuple):
    """One match to be played."""

    number: int
    x: str
    o: str
    seed: int
    opening: tuple[int, ...] = ()  # moves that are made before the agents are asked

    def agent(self, seat: int) -> str:
        return self.x if seat == 1 else self.o


class RunFolder(NamedTuple):
    """The files of a run."""

    path: Path

    @property
    def journal(self) -> str:
        return str(self.path / "journal.jsonl")

    @property
    def usage(self) -> Path:
        """The accounts of the requests to endpoints."""
        return self.path / "usage.jsonl"

    @property
    def has_begun(self) -> bool:
        return os.path.exists(self.journal)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out of the folder, which is made if it does not exist. The system releases the lock of a run
        that was killed."""
        shown = quoted(str(self.path), 100)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not self.has_begun and any(file.name != LOCK_FILE for file in self.path.iterdir()):
                raise NotAllowed("not_a_run", folder=shown)
            handle = os.open(self.path / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise NotAllowed("cannot_write.run", folder=shown, why=error.strerror) from None
        try:
            _take_lock(handle, shown)
            yield
        finally:
            os.close(handle)

    def log(self, number: int) -> Path:
        return self.path / "matches" / f"{number:05}.log"

    def transcript(self, number: int, seat: int) -> Path:
        return self.path / "transcripts" / f"{number:05}-{'XO'[seat - 1]}.jsonl"

    def save(self, number: int, hosted: HostedMatch) -> None:
        """Write the log and, beside it, the audit."""
        file = self.log(number)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_text(str(file.with_suffix(AUDIT_SUFFIX)), write_audit(hosted.refused))
        write_text(str(file), write_log(hosted.match))

    def append(self, result: JobResult) -> None:
        """Write a result into the journal."""
        journal.append(self.journal, result._asdict())


def _take_lock(handle: int, folder: str) -> None:
    """Lock the file of a folder, and write into it who has it. NotAllowed if that is not possible."""
    try:
        if not try_lock(handle):
            holder = os.read(handle, 20).decode(errors="replace").strip()
            raise NotAllowed("run_in_use", folder=folder, process=holder or "?")
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
    except OSError as error:  # such as a file system without locks
        raise NotAllowed("cannot_write.run", folder=folder, why=error.strerror) from None


def schedule(plan: Plan) -> list[MatchJob]:
    """Every pair in every round, with both sides. A round has one opening."""
    book = openings(plan.game, plan.options, plan.rounds, plan.seed, plan.openings)
    games = [(*sides, opening) for opening in book for one, two in plan.pairs for sides in ((one, two), (two, one))]
    return [MatchJob(number, x, o, plan.seed + number, opening) for number, (x, o, opening) in enumerate(games)]


def resume(plan: Plan, folder: RunFolder, jobs: Sequence[MatchJob]) -> dict[int, JobResult]:
    """The results of the matches that were played before, by number. Matches that crashed are played again; those that
    are void are not."""
    done = {result.number: result for result in read_results(plan, folder, jobs)}
    return {
        number: result
        for number, result in done.items()
        if result.void or (result.counts and folder.log(number).is_file())
    }


def read_results(plan: Plan, folder: RunFolder, jobs: Sequence[MatchJob]) -> list[JobResult]:
    """Every line of the journal. A match that was played again has several."""
    results = []
    for number, line in enumerate(_journal(plan, folder), 2):
        result = _result_of_job(line, jobs)
        if result is None:
            raise Unreadable("broken_file.journal", file=quoted(folder.journal, 100), line=number)
        results.append(result)
    return results


def read_journal(folder: RunFolder) -> tuple[journal.Line, list[JobResult]]:
    """What a run is, and every result in its journal, without its plan; nothing is changed. A last line that a crash
    has cut short is left out."""
    shown = quoted(str(folder.path), 100)
    try:
        head, *lines = journal.read(folder.journal)
    except FileNotFoundError:
        raise Unreadable("no_such_run.journal", folder=shown) from None
    except OSError as error:
        raise Unreadable("no_such_file", file=quoted(folder.journal, 100), why=error.strerror) from None
    about = head.get("evaluation")
    if not isinstance(about, dict) or not isinstance(about.get("agents"), list):
        raise Unreadable("no_such_run.journal", folder=shown)
    results = [parse_result(line) for line in lines]
    if None in results:
        line = results.index(None) + 2
        raise Unreadable("broken_file.run", file=quoted(folder.journal, 100), line=line)
    return about, [result for result in results if result]


def _journal(plan: Plan, folder: RunFolder) -> list[journal.Line]:
    """The lines of the journal, which is begun in a new folder."""
    try:
        return journal.resume(folder.journal, {"evaluation": plan.about}, "evaluation")
    except NotAllowed as refusal:
        if refusal.reason != "another_game":
            raise
        raise NotAllowed("another_plan", folder=quoted(str(folder.path), 100)) from None


def _result_of_job(line: journal.Line, jobs: Sequence[MatchJob]) -> JobResult | None:
    """The result in a line; None if it is not that of one of these matches."""
    result = parse_result(line)
    is_known = result and result.number < len(jobs) and jobs[result.number][:3] == result[:3]
    return result if is_known else None


STOPS = (BudgetUsedUp, AgentRejected)  # what ends a run, and not the matches of others that are under way


def play_all(
    jobs: Sequence[MatchJob],
    play: Callable[[MatchJob], JobResult],
    at_once: int,
    on_stop: Callable[[NotAllowed], object] = lambda _: None,
) -> Iterator[JobResult]:
    """The results as matches end. Closing the iterator starts no more matches, and does not wait for those that run.
    When a budget is used up, or an endpoint refuses an agent, those that run end first: by their result, or at their
    next request. ``on_stop`` is called if they are waited for."""
    if at_once == 1:
        yield from map(play, jobs)
        return
    waiting: SimpleQueue[MatchJob] = SimpleQueue()
    results: SimpleQueue[JobResult | BaseException | None] = SimpleQueue()  # None: a thread has ended
    stopped = threading.Event()
    for job in jobs:
        waiting.put(job)

    def work() -> None:
        while not stopped.is_set():
            try:
                results.put(play(waiting.get_nowait()))
            except Empty:
                return
            except BaseException as error:  # raised again in the thread that waits
                if isinstance(error, STOPS):
                    stopped.set()
                results.put(error)
                return

    def work_and_end() -> None:
        work()
        results.put(None)

    # Daemon threads: an endpoint may take its time, and Ctrl-C should not.
    running, stop = min(at_once, len(jobs)), None
    for _ in range(running):
        threading.Thread(target=work_and_end, name="ninefold-match", daemon=True).start()
    try:
        while running:
            result = results.get()
            if result is None:
                running -= 1
            elif isinstance(result, STOPS):
                if stop is None and running > 1:
                    on_stop(result)
                stop = stop or result
            elif isinstance(result, BaseException):
                raise result
            else:
                yield result
    finally:
        stopped.set()
    if stop:
        raise stop
