"""A run: its matches played, so many at once, each of them in the journal when it is over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue

from ninefold.agents.evaluation.plan import Plan
from ninefold.agents.evaluation.schedule import Folder, Job, Played
from ninefold.arena import journal
from ninefold.core.errors import NotAllowed, Unreadable, quoted

PlayJob = Callable[[Job], Played]


def resume(plan: Plan, folder: Folder, jobs: Sequence[Job]) -> dict[int, Played]:
    """The matches that were played before. What crashed is played again."""
    lines = _journal(plan, folder)
    done = {}
    for number, line in enumerate(lines, 2):
        played = _played(line, jobs)
        if played is None:
            where = quoted(folder.journal, 100)
            raise Unreadable("broken_file", f"{where}, line {number}: this is no match of this evaluation.")
        done[played.number] = played
    return {number: played for number, played in done.items() if not played.crash and folder.log(number).is_file()}


def _journal(plan: Plan, folder: Folder) -> list[journal.Line]:
    """The lines of the journal, which is begun in a new folder or an empty one."""
    where = quoted(str(folder.path), 100)
    other = "Name another folder with --out."
    try:
        folder.path.mkdir(parents=True, exist_ok=True)
        if not folder.is_begun and any(folder.path.iterdir()):
            raise NotAllowed("not_a_run", f"{where} holds other things, and no run.", other)
    except OSError as error:
        raise NotAllowed("cannot_write", f"Cannot keep a run in {where}: {error.strerror}.", other) from None
    try:
        return journal.resume(folder.journal, {"evaluation": plan.about}, "evaluation")
    except NotAllowed as refusal:
        if refusal.reason != "another_game":
            raise
        changed = f"The plan has changed since the run in {where} was begun."
        raise NotAllowed("another_plan", changed, f"Change it back, or let it run elsewhere: {other}") from None


def _played(line: journal.Line, jobs: Sequence[Job]) -> Played | None:
    try:
        played = Played(**line)
        job = jobs[played.number]
        fine = (job.number, job.x, job.o) == played[:3] and isinstance(played.forfeits, list)
        return played._replace(forfeits=tuple((str(by), str(why)) for by, why in played.forfeits)) if fine else None
    except (TypeError, ValueError, IndexError):
        return None


def play_all(jobs: Sequence[Job], play: PlayJob, at_once: int) -> Iterator[Played]:
    """Matches as they are finished. Closing the iterator begins no more; those that are being played are let go."""
    waiting: SimpleQueue[Job] = SimpleQueue()
    finished: SimpleQueue[Played | BaseException] = SimpleQueue()
    stopped = threading.Event()
    for job in jobs:
        waiting.put(job)

    def work() -> None:
        while not stopped.is_set():
            try:
                finished.put(play(waiting.get_nowait()))
            except Empty:
                return
            except BaseException as error:  # for who waits, in the other thread
                finished.put(error)
                return

    if at_once == 1:
        yield from map(play, jobs)
        return
    # Nobody waits for them at the end: an endpoint may take its time, and Ctrl-C should not.
    for _ in range(min(at_once, len(jobs))):
        threading.Thread(target=work, name="ninefold-match", daemon=True).start()
    try:
        for _ in jobs:
            played = finished.get()
            if isinstance(played, BaseException):
                raise played
            yield played
    finally:
        stopped.set()
