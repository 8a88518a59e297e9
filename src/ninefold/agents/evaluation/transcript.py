"""Transcripts: what was said between us and an agent, a JSON object a line. Keys are never in them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from ninefold.agents.evaluation.keys import Keys


class Transcript:
    """Written as it happens, so that an interrupted match has one too."""

    def __init__(self, file: Path, keys: Keys) -> None:
        self._file, self._keys = file, keys
        file.unlink(missing_ok=True)  # of an attempt that was interrupted

    def hidden(self, text: str) -> str:
        return self._keys.hide(text)

    def add(self, **said: Any) -> None:
        line = json.dumps(self._keys.hide_in({"at": time.time_ns() // 1_000_000, **said}), ensure_ascii=False)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8", errors="replace") as file:
            file.write(self._keys.hide(line) + "\n")
