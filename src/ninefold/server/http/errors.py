"""Everything that goes wrong, as one kind of document: application/problem+json."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ninefold.core.errors import Refusal, quoted
from ninefold.server.hosting.errors import WRONG_FIELD, Problem, as_problem, no_such_match

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

MEDIA_TYPE = "application/problem+json"
_CLOSING = (408, 413)  # what is still on its way is not waited for


def document(problem: Problem) -> dict[str, object]:
    return {
        "type": "about:blank",
        "title": problem.sentence,
        "status": problem.status,
        "reason": problem.reason,
        "detail": problem.sentence,
        "instead": problem.instead,
        **{name: value for name, value in problem.extra.items() if value is not None},
    }


def response(problem: Problem) -> Response:
    headers = {}
    if problem.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if problem.status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        headers["Retry-After"] = str(problem.extra.get("retry_after", 1))
    if problem.status in _CLOSING:
        headers["Connection"] = "close"
    return Response(json.dumps(document(problem)), problem.status, headers, MEDIA_TYPE)


async def answer(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a request, or a socket before it is accepted."""
    scope["reason"] = problem.reason  # for the log
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": problem.reason})
        return
    await response(problem)(scope, receive, send)


def unreadable(sentence: str = "This is not JSON.") -> Problem:
    return Problem(400, "not_json", sentence, "Send one JSON object, in UTF-8.")


def invalid(errors: Sequence[Mapping[str, Any]]) -> Problem:
    """Fields that are missing, unknown or of the wrong kind. What was sent is not repeated: it may be a secret."""
    if any(error["loc"][:1] == ("path",) for error in errors):
        return no_such_match()
    told = [{"field": _field(error["loc"]), "sentence": f"{error['msg']}."} for error in errors[:10]]
    first = told[0] if told else {"field": "", "sentence": "Some field is wrong."}
    where = f"{quoted(first['field'], 60)}: " if first["field"] else ""
    return Problem(422, WRONG_FIELD, where + first["sentence"], "The API's description has every field.", errors=told)


def _field(place: Sequence[object]) -> str:
    return ".".join(str(part)[:40] for part in place if part not in ("body", "query"))


def _told(request: Request, problem: Problem) -> Response:
    request.scope["reason"] = problem.reason
    return response(problem)


async def _on_refusal(request: Request, refusal: Refusal) -> Response:
    return _told(request, as_problem(refusal))


async def _on_invalid(request: Request, error: RequestValidationError) -> Response:
    return _told(request, invalid(error.errors()))


async def _on_http(request: Request, error: HTTPException) -> Response:
    """What the framework refuses by itself: no such page, no such method."""
    phrase = HTTPStatus(error.status_code).phrase
    told = _told(request, Problem(error.status_code, phrase.lower().replace(" ", "_"), f"{phrase}."))
    told.headers.update(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        told.headers["Allow"] = ", ".join(sorted(_methods(request)))
    return told


def _methods(request: Request) -> set[str]:
    """What can be done at a path: the framework tells only of the first route that it finds there."""
    path, routes = request.scope["path"], request.app.state.doors
    return {method for route in routes if route.path_regex.match(path) for method in route.methods}


HANDLERS: dict[int | type[Exception], Callable[[Request, Any], Coroutine[Any, Any, Response]]] = {
    Refusal: _on_refusal,
    RequestValidationError: _on_invalid,
    HTTPException: _on_http,
}
