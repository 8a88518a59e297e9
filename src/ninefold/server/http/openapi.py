"""How the API describes itself: which statuses a route has, and problems as what they are."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from fastapi.openapi.utils import get_openapi

from ninefold import __version__
from ninefold.core.game import Game
from ninefold.players.player import levels
from ninefold.server.hosting.view import layout
from ninefold.server.http.errors import MEDIA_TYPE
from ninefold.server.http.models import ProblemOut

if TYPE_CHECKING:
    from fastapi import FastAPI

_ALWAYS = {
    400: "The request cannot be read.",
    403: "Not yours to do, or from a foreign page.",
    408: "The request took too long to arrive.",
    413: "Too large.",
    422: "A field, a move or a text is wrong.",
    429: "Too many; Retry-After says how long to wait.",
    503: "Come back later; Retry-After says when.",
}
_BODY = {415: "The body is not JSON."}
_MATCH = {401: "The token is missing or wrong.", 404: "There is no such match, or not for you."}
NOT_NOW = {409: "Not now, or not like this: a stale version, an illegal move, a seat that is taken."}
HAVE_IT = {304: "You have it."}
_SEAT = NOT_NOW | {410: "You have left this seat."}
_SECURITY: dict[str, list[dict[str, list[str]]]] = {"reader": [{}, {"token": []}], "seat": [{"token": []}]}


def describe(*, body: bool = False, who: str = "", more: dict[int, str] | None = None) -> dict[str, Any]:
    """What FastAPI is told about a route; who is "", "all" of a match, a "reader" of it, or a "seat"."""
    told = _ALWAYS | (_BODY if body else {}) | (_MATCH if who else {}) | (_SEAT if who == "seat" else {}) | (more or {})
    problem = {"model": ProblemOut}
    responses = {status: {"description": text} | (problem if status >= 400 else {}) for status, text in told.items()}
    extra = {"security": _SECURITY[who]} if who in _SECURITY else {}
    return {"responses": responses, "openapi_extra": extra}


def openapi(app: FastAPI) -> dict[str, Any]:
    """The document of the API."""
    if app.openapi_schema is None:
        document = get_openapi(
            title="Ninefold",
            version=__version__,
            description="Matches of the tic-tac-toe family: see, create, join and play them.",
            routes=app.routes,
        )
        for path in document["paths"].values():
            for operation in path.values():
                _mark_problems(operation["responses"])
        parts = document.setdefault("components", {})
        parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        for unused in ("HTTPValidationError", "ValidationError"):
            parts.get("schemas", {}).pop(unused, None)
        app.openapi_schema = document
    return app.openapi_schema


def _mark_problems(responses: dict[str, Any]) -> None:
    for status, response in responses.items():
        content = response.get("content", {})
        if status >= "400" and content:
            response["content"] = {MEDIA_TYPE: next(iter(content.values()))}


@cache
def games_document(games: tuple[Game, ...]) -> bytes:
    return json.dumps([_game(game) for game in games], ensure_ascii=False).encode()


def _game(game: Game) -> dict[str, object]:
    told = layout(game)
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "rules": game.console_rules,
        "options": [
            {"name": name, "values": values, "default": default, "help": help}
            for name, values, default, help, _ in game.options
        ],
        "levels": levels(game),
        "layout": {"kind": told["kind"], "naming": {"cells": told["names"]}},
        "paths": game.paths,
        "steps": told["steps"],
        "joiner": told["joiner"],
        "ask_first": game.ask_first,
    }


def links(created: dict[str, Any]) -> dict[str, object]:
    """Where the creator, the invited and spectators go. Secrets stand behind the #, which browsers never send."""
    page = f"/m/{created['match']}"
    watch = created["watch"]
    return {
        "play": page,
        "invite": {seat: f"{page}#invite={secret}" for seat, secret in created["invitations"].items()},
        "watch": f"{page}#watch={watch}" if watch else page,
    }
