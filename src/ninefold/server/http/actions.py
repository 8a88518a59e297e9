"""The short way of actions: what a valid request needs and no more. All other requests take the route of FastAPI.

It stands behind the same middleware as every route, and uses the same models, so that both ways answer alike. Routing
and dependency injection take longer than everything else that a move needs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from ninefold.core.errors import Refusal
from ninefold.server.hosting import tokens
from ninefold.server.http import requests
from ninefold.server.http.errors import respond
from ninefold.server.http.middleware import replay
from ninefold.server.http.websocket import act

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

JSON = "application/json"
PATH = re.compile(rf"/api/v1/matches/({tokens.MATCH_ID})/actions")


class _Route(NamedTuple):
    path: str


ROUTE = _Route("/api/v1/matches/{match}/actions")  # for the log, as FastAPI's


class ActionRequest(NamedTuple):
    match: str
    token: str | None
    body: requests.ActBody


class ActionsMiddleware:
    """Responds to valid requests for actions, and passes everything else on to the app."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = scope["type"] == "http" and scope["method"] == "POST" and PATH.fullmatch(scope["path"])
        if not found:
            await self.app(scope, receive, send)
            return
        message = await receive()
        data = message.get("body", b"")
        asked = None if message.get("more_body") else read_request(found[1], scope["headers"], data)
        if asked is None:
            await self.app(scope, replay(message, receive), send)
            return
        scope["route"] = ROUTE
        state = scope["app"].state
        try:
            acted = await act(state.service, state.metrics, asked.match, asked.token, asked.body)
        except Refusal as refusal:
            await respond(refusal, scope, receive, send)
            return
        body = acted.json.encode()
        headers = [(b"content-length", b"%d" % len(body)), (b"content-type", JSON.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def read_request(match: str, headers: list[tuple[bytes, bytes]], data: bytes) -> ActionRequest | None:
    """The request for an action; None if it is not valid."""
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        found.setdefault(name, value)
    if found.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower() != JSON:
        return None
    try:
        token = requests.read_token(found.get(b"authorization"))
        body: Any = requests.read_json(data)
        return ActionRequest(match, token, requests.ActBody.model_validate(body))
    except (Refusal, ValidationError):
        return None
