"""What the models of a run have used, for its report: as a document, and as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ninefold.agents.evaluation.results import JobResult
from ninefold.agents.evaluation.schedule import RunFolder
from ninefold.agents.evaluation.transcript import repaired_answers
from ninefold.agents.evaluation.usage import read_usage, usage_by_agent
from ninefold.core.messages import text


def usage_document(folder: RunFolder, completed: Sequence[JobResult]) -> dict[str, dict[str, Any]]:
    """By agent: what it has used in all requests, and how many of its answers in completed matches were repaired."""
    repaired = _repaired(folder, completed)
    used = usage_by_agent(read_usage(folder.usage))
    return {agent: {**usage._asdict(), "repaired": repaired[agent]} for agent, usage in used.items()}


def usage_lines(folder: RunFolder, completed: Sequence[JobResult]) -> Iterator[str]:
    for agent, used in usage_document(folder, completed).items():
        code = "evaluate.usage.price.estimated" if used["estimated_price"] else "evaluate.usage.price"
        price = "" if used["price"] is None else text(code, **used)
        yield text("evaluate.usage", agent=agent, **{**used, "price": price})
        if count := used["unreported"]:
            yield text("evaluate.unreported", agent=agent, count=count, estimated_tokens=used["estimated_tokens"])
        if count := used["repaired"]:
            yield text("evaluate.repaired", agent=agent, count=count)


def _repaired(folder: RunFolder, completed: Sequence[JobResult]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for one in completed:
        counts[one.x] += repaired_answers(folder.transcript(one.number, 1))
        counts[one.o] += repaired_answers(folder.transcript(one.number, 2))
    return counts
