"""What the tools cost a model: the tokens of the tool list, and of all answers in one game of ultimate.

python -m benchmarks.tokens

The game has 25 moves of the agent that is counted: it starts the match, and then waits and moves, again and again. A
token is one of o200k_base. The figures go into docs/agents.md, and with a digest of what was counted into
tests/golden/tokens.json, by which a test holds them without the tokenizer.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from mcp import Client
from mcp_types import TextContent

from benchmarks.report import DOCS, Row, table
from ninefold.agents.backend import LocalBackend
from ninefold.agents.server import make_server
from ninefold.server.storage.service import Service
from scripts import tokenizer

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "tokens.json"
MARKS = ("<!-- make tokens -->", "<!-- end of tokens -->")
LIMITS = {"tool_list": 6_000, "answers": 12_000, "answers_with_structured_content": 12_000}
NAMES = {
    "tool_list": "the tool list",
    "answers": "the answers in a game of ultimate with 25 own moves",
    "answers_with_structured_content": "the same with the structured content, which repeats each answer",
}
OWN_MOVES = 25
SEED = 4  # of a game that is long enough
ADDRESS = "http://127.0.0.1:8090"
# In place of what is random: ids and secrets of the same form.
MATCH, SECRET = "9b5ce985544f5b73", "q3vJm0fX8sTzKc1LrYd7WnHbUe2AgPoI"


class Answers(NamedTuple):
    """The answers that an agent gets in a game: the text of each, and its structured content as JSON."""

    texts: list[str]
    structured: list[str]

    @property
    def measured(self) -> dict[str, list[str]]:
        return {"answers": self.texts, "answers_with_structured_content": self.texts + self.structured}


async def list_tools() -> str:
    """The tool list, as a client gets it."""
    async with Client(make_server(LocalBackend(None))) as client:  # type: ignore[arg-type]  # no tool is called
        tools = (await client.list_tools()).tools
    listed = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
    return json.dumps({"tools": listed}, ensure_ascii=False, separators=(",", ":"))


class Player:
    """An agent that plays random moves and records the answers."""

    def __init__(self, client: Client, rng: Random) -> None:
        self.client, self.rng, self.answers = client, rng, Answers([], [])
        self.seat, self.moves = "", 0

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.client.call_tool(tool, arguments)
        (content,) = result.content
        assert not result.is_error, result
        assert isinstance(content, TextContent)
        self.answers.texts.append(content.text)
        self.answers.structured.append(json.dumps(result.structured_content, ensure_ascii=False))
        return result.structured_content or {}

    async def take_seat(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.call(tool, **arguments)
        self.seat = result["seat"]
        return result

    async def move(self) -> bool:
        """Wait, and move; False if the game is over."""
        now = await self.call("wait", seat=self.seat)
        if now["asked"] != "move":
            return False
        move, self.moves = self.rng.choice(now["legal_moves"]), self.moves + 1
        await self.call("move", seat=self.seat, move=move, version=now["version"], request=f"m{self.moves}")
        return True


async def play(data: Path) -> Answers:
    """The answers to an agent that starts a game and makes 25 moves in it."""
    service, rng = Service(data), Random(SEED)
    await service.start()
    try:
        async with Client(make_server(LocalBackend(service, ADDRESS))) as client:
            ann, ben = Player(client, rng), Player(client, rng)
            begun = await ann.take_seat("create_match", game="ultimate")
            await ben.take_seat("join", link=begun["invitation"])
            while await ann.move() and ann.moves < OWN_MOVES:
                assert await ben.move(), "the game is too short: take another seed"
    finally:
        await service.stop()
    texts, structured = ([_fixed(one, begun) for one in told] for told in ann.answers)
    return Answers(texts, structured)


def _fixed(text: str, begun: dict[str, Any]) -> str:
    """A text with other ids and secrets, which are random."""
    secrets = (begun["seat"].rpartition(".")[2], begun["invitation"].rpartition("=")[2])
    for secret in secrets:
        text = text.replace(secret, SECRET)
    return text.replace(begun["match"], MATCH)


def texts() -> dict[str, list[str]]:
    """Everything that is counted, by name."""
    with tempfile.TemporaryDirectory() as data:
        answers = asyncio.run(play(Path(data)))
    return {"tool_list": [asyncio.run(list_tools())], **answers.measured}


def digest(parts: list[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def main() -> int:
    if tokenizer.main():
        return 1
    found = texts()
    counts = {name: sum(tokenizer.count(parts)) for name, parts in found.items()}
    rows = [Row(NAMES[name], f"{tokens:,}", f"at most {LIMITS[name]:,}") for name, tokens in counts.items()]
    for row in rows:
        print(row)
    golden = {name: {"tokens": counts[name], "sha256": digest(parts)} for name, parts in found.items()}
    GOLDEN.write_text(json.dumps(golden, indent=2) + "\n", encoding="utf-8")
    _write(rows)
    return 0 if all(counts[name] <= most for name, most in LIMITS.items()) else 1


def _write(rows: list[Row]) -> None:
    """Write the figures into docs/agents.md."""
    page = DOCS / "agents.md"
    begin, end = (re.escape(mark) for mark in MARKS)
    figures = "\n\n".join([MARKS[0], table(("what", "tokens", "limit"), [row[:3] for row in rows]), MARKS[1]])
    text, count = re.subn(f"{begin}.*{end}", lambda _: figures, page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert count == 1, "docs/agents.md has no place for them"
    page.write_text(text, encoding="utf-8")
    print("Written to docs/agents.md and tests/golden/tokens.json.", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
