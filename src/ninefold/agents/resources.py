"""Resources: the shared board of a match, its log, and the rules of the games."""

from __future__ import annotations

import json
import re
from typing import Any

from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from ninefold.agents.backend import Key, Table
from ninefold.agents.models import shared_board
from ninefold.agents.rules import rules
from ninefold.core.errors import Refusal
from ninefold.games import all_games, find_game

JSON, LINES, TEXT = "application/json", "application/x-ndjson", "text/plain"
_GAME = re.compile(r"game://([A-Za-z0-9]{1,32})(/log)?")
_RULES = re.compile(r"rules://([a-z0-9-]{1,40})")
_NO_MATCH = "There is no such match here. A private one has no address: read it with your seat, by the tool board."

Context = ServerRequestContext[Any, Any]
Page = PaginatedRequestParams | None


def match_of(uri: str) -> str | None:
    """The match that an address is about."""
    found = _GAME.fullmatch(uri)
    return found[1] if found else None


def addresses(match: str) -> tuple[str, str]:
    """Of its board and of its log."""
    return f"game://{match}", f"game://{match}/log"


class Resources:
    """Public matches alone: an address carries no secret. A private one is read with a seat, by the tool ``board``."""

    def __init__(self, table: Table) -> None:
        self.table = table

    async def listed(self, _: Context, __: Page) -> ListResourcesResult:
        return ListResourcesResult(
            resources=[
                Resource(
                    uri=f"rules://{game.id}", name=f"rules-{game.id}", title=f"The rules of {game.title}",
                    description=game.summary, mime_type=TEXT,
                )
                for game in all_games().values()
            ]
        )  # fmt: skip

    async def templates(self, _: Context, __: Page) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(
            resource_templates=[
                ResourceTemplate(
                    uri_template="game://{match}", name="board", title="The shared board of a match", mime_type=JSON,
                    description="The one document all players share. Subscribe to it to hear of every change.",
                ),
                ResourceTemplate(
                    uri_template="game://{match}/log", name="log", title="Everything that happened in a match",
                    description="What was settled before it, then one event a line, in order.", mime_type=LINES,
                ),
                ResourceTemplate(
                    uri_template="rules://{game}", name="rules", title="The rules of a game",
                    description="With its options, and how places are named here.", mime_type=TEXT,
                ),
            ]
        )  # fmt: skip

    async def read(self, _: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        try:
            text, kind = await self._found(str(params.uri))
        except Refusal as refusal:
            told = _NO_MATCH if refusal.reason == "no_such_match" else str(refusal)
            raise MCPError(INVALID_PARAMS, told, {"uri": str(params.uri)}) from None
        return ReadResourceResult(contents=[TextResourceContents(uri=params.uri, text=text, mime_type=kind)])

    async def _found(self, uri: str) -> tuple[str, str]:
        if found := _RULES.fullmatch(uri):
            return rules(find_game(found[1])), TEXT
        match = match_of(uri)
        if match is None:
            raise MCPError(INVALID_PARAMS, "There is no such resource. See the templates of this server.", {"uri": uri})
        if uri.endswith("/log"):
            return await self.table.log(match), LINES
        return json.dumps(shared_board(await self.table.view(Key(match))), ensure_ascii=False), JSON
