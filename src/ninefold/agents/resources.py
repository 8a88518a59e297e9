"""Resources: the shared board of a match, its log, and the rules of the games."""

from __future__ import annotations

import json
import re

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

from ninefold.agents.backend import Backend, SeatKey
from ninefold.agents.models import shared_board
from ninefold.agents.prompts import Context, rules_page
from ninefold.core.errors import Refusal
from ninefold.core.messages import text
from ninefold.games import all_games, find_game
from ninefold.server.hosting import tokens

JSON, JSON_LINES, TEXT = "application/json", "application/x-ndjson", "text/plain"
_GAME = re.compile(f"game://({tokens.MATCH_ID})(/log)?")
_RULES = re.compile(r"rules://([a-z0-9-]{1,40})")

Page = PaginatedRequestParams | None


def match_of(uri: str) -> str | None:
    """The match of an address; None if it is not the address of a match."""
    found = _GAME.fullmatch(uri)
    return found[1] if found else None


def addresses(match: str) -> tuple[str, str]:
    """The addresses of a match: its board and its log."""
    return f"game://{match}", f"game://{match}/log"


class Resources:
    """Only public matches: an address carries no secret. A private match is read with a seat, by the tool ``board``."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend

    async def list_resources(self, _: Context, __: Page) -> ListResourcesResult:
        return ListResourcesResult(
            resources=[
                Resource(
                    uri=f"rules://{game.id}", name=f"rules-{game.id}", title=f"The rules of {game.title}",
                    description=game.summary, mime_type=TEXT,
                )
                for game in all_games().values()
            ]
        )  # fmt: skip

    async def list_templates(self, _: Context, __: Page) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(
            resource_templates=[
                ResourceTemplate(
                    uri_template="game://{match}", name="board", title="The shared board of a match", mime_type=JSON,
                    description="The one document that all players share. Subscribe to it to hear of every change.",
                ),
                ResourceTemplate(
                    uri_template="game://{match}/log", name="log", title="The log of a match",
                    description="The set-up of the match, then one event a line, in order.", mime_type=JSON_LINES,
                ),
                ResourceTemplate(
                    uri_template="rules://{game}", name="rules", title="The rules of a game",
                    description="With its options, and how cells are named here.", mime_type=TEXT,
                ),
            ]
        )  # fmt: skip

    async def read(self, _: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        try:
            content, kind = await self._read(str(params.uri))
        except Refusal as refusal:
            why = text("no_such_resource.match") if refusal.reason == "no_such_match" else str(refusal)
            raise MCPError(INVALID_PARAMS, why, {"uri": str(params.uri)}) from None
        return ReadResourceResult(contents=[TextResourceContents(uri=params.uri, text=content, mime_type=kind)])

    async def _read(self, uri: str) -> tuple[str, str]:
        """The text of a resource, and its type."""
        if found := _RULES.fullmatch(uri):
            return rules_page(find_game(found[1])), TEXT
        match = match_of(uri)
        if match is None:
            raise MCPError(INVALID_PARAMS, text("no_such_resource"), {"uri": uri})
        if uri.endswith("/log"):
            return await self.backend.log(match), JSON_LINES
        return json.dumps(shared_board(await self.backend.view(SeatKey(match))), ensure_ascii=False), JSON
