"""Transcripts: the conversation with an agent, one JSON object a line. Keys are never in them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from ninefold.agents.evaluation.keys import ApiKeys


def repaired_answers(file: Path) -> int:
    """The number of answers in a transcript that were understood although they were in words."""
    if not file.exists():
        return 0
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    return sum(json.loads(line)["repaired"] for line in lines if '"repaired": true' in line)


class Transcript:
    """It is written line by line, so that an interrupted match has one too."""

    def __init__(self, file: Path, keys: ApiKeys) -> None:
        self._file, self._keys = file, keys
        file.unlink(missing_ok=True)  # from an interrupted attempt

    def hide(self, text: str) -> str:
        return self._keys.hide(text)

    def add(self, **entry: Any) -> None:
        line = json.dumps(self._keys.hide_in({"at": time.time_ns() // 1_000_000, **entry}), ensure_ascii=False)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8", errors="replace") as file:
            file.write(self._keys.hide(line) + "\n")
