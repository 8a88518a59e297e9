"""The results of a run, one line of its journal for each match that was played, as runs and leaderboards read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class JobResult(NamedTuple):
    """One match that was played: how it ended and which turns were forfeited, or which agent crashed and why."""

    number: int
    x: str
    o: str
    score: str = ""
    by: str = ""
    forfeits: tuple[tuple[str, str], ...] = ()  # agent, and why
    crash: str = ""  # the agent that crashed
    seat: int = 0  # of the agent that crashed
    why: str = ""
    void: bool = False  # True if ``crash`` tried to take a seat of another one; it is empty if nobody knows who did
    link: str = ""  # where it can be watched, on a server that was named

    @property
    def counts(self) -> bool:
        """True if the match was played to its end."""
        return not self.crash and not self.void

    @property
    def is_to_be_replayed(self) -> bool:
        """True if an agent crashed. A thief would only steal again."""
        return bool(self.crash) and not self.void


def parse_result(line: Mapping[str, Any]) -> JobResult | None:
    """The result in a line of a journal; None if it is none. Fields that are not known here are left out."""
    try:
        result = JobResult(**{name: line[name] for name in JobResult._fields if name in line})
        result = result._replace(forfeits=tuple((str(agent), str(why)) for agent, why in result.forfeits))
    except (TypeError, ValueError):
        return None
    plain = JobResult(0, "", "")
    is_typed = all(type(given) is type(example) for given, example in zip(result, plain, strict=True))
    return result if is_typed and result.number >= 0 else None


def crashes_by_agent(results: Iterable[JobResult]) -> dict[str, int]:
    """How often each agent has crashed, also in matches that were played again since."""
    return dict(sorted(Counter(result.crash for result in results if result.is_to_be_replayed).items()))
