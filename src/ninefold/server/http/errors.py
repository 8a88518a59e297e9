"""Refusals as problem documents (application/problem+json), and their HTTP statuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, Response

from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.core.language import NAMES, language_of_header
from ninefold.server.hosting.errors import field_message, no_such_match
from ninefold.server.hosting.view import text_parts

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from ninefold.server.http.models import FieldErrorDoc

MEDIA_TYPE = "application/problem+json"
MOST_ERRORS = 10  # fields that a refusal names
KEPT = ("retry-after", "connection", "www-authenticate")  # headers of a problem that its page has too
_CLOSING = (408, 413, 414, 431)  # the rest of the request is not waited for

# The status of a refusal by its code or its reason. Else: 422 for what cannot be read, 409 for what is not allowed.
STATUS = {
    "bad_request": 400,
    "not_json": 400,
    "bad_key": 401,
    "bad_token": 401,
    "no_profile_key": 401,
    "no_token": 401,
    "bad_invitation": 403,
    "banned": 403,
    "blocked": 403,
    "foreign_host": 403,
    "foreign_origin": 403,
    "not_your_match": 403,
    "spectator": 403,
    "no_such_match": 404,
    "no_such_profile": 404,
    "no_such_puzzle": 404,
    "not_found": 404,
    "method_not_allowed": 405,
    "no_hello.late": 408,
    "too_slow": 408,
    "left": 410,
    "too_large": 413,
    "url_too_long": 414,
    "not_json.type": 415,
    "too_many": 429,
    "too_many_connections": 429,
    "too_many_frames": 429,
    "too_many_sockets": 429,
    "head_too_large": 431,
    "unexpected": 500,
    "unreadable_match": 500,
    "busy": 503,
    "come_back": 503,
    "full": 503,
    "stopping": 503,
}


def status_of(refusal: Refusal) -> int:
    """The HTTP status of a refusal. The framework's own refusals bring theirs along."""
    own: int | None = refusal.details.get("status")
    listed = STATUS.get(refusal.code) or STATUS.get(refusal.reason)
    return own or listed or (422 if isinstance(refusal, Unreadable) else 409)


def problem_document(refusal: Refusal) -> dict[str, object]:
    return {
        "type": "about:blank",
        "title": refusal.sentence,
        "status": status_of(refusal),
        "reason": refusal.reason,
        "code": refusal.code,
        "params": _json_params(refusal.params),
        "detail": refusal.sentence,
        "instead": refusal.instead,
        **_parts(refusal),
        **{name: value for name, value in refusal.details.items() if value is not None},
    }


def _parts(refusal: Refusal) -> dict[str, object]:
    """What is a text of its own in a refusal."""
    other = {"instead": refusal.other_instead} if refusal.other_instead else {}
    parts = text_parts({**refusal.params, **other})
    return {"parts": parts} if parts else {}


def _json_params(params: Mapping[str, object]) -> dict[str, str | int]:
    # A side is an int for programs, but X or O in a sentence.
    return {name: value if type(value) is int else str(value) for name, value in params.items()}


def problem_response(refusal: Refusal) -> Response:
    headers, status = {}, status_of(refusal)
    if status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        headers["Retry-After"] = str(refusal.details.get("retry_after", 1))
    if status in _CLOSING:
        headers["Connection"] = "close"
    return Response(json.dumps(problem_document(refusal)), status, headers, MEDIA_TYPE)


async def respond(refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a request, or a socket before it is accepted."""
    scope["reason"] = refusal.reason  # for the log
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.reason})
        return
    await _response_to(scope, refusal)(scope, receive, send)


def invalid(errors: Sequence[Mapping[str, Any]]) -> Refusal:
    """The refusal of missing, unknown or wrong fields. It does not repeat their values, which may be secrets."""
    if any(error["loc"][:2] == ("path", "profile") for error in errors):
        return NotAllowed("no_such_profile")
    if any(error["loc"][:1] == ("path",) for error in errors):
        return no_such_match()
    if not errors:
        return Unreadable("wrong_field.unknown").with_details(errors=[])
    locations = [[part for part in error["loc"] if part not in ("body", "query")] for error in errors[:MOST_ERRORS]]
    messages = [field_message(error, location) for error, location in zip(errors, locations, strict=False)]
    fields: list[FieldErrorDoc] = [
        {
            "field": ".".join(str(part)[:40] for part in location),
            "sentence": str(found),
            "code": found.code,
            "params": _json_params(dict(found.params)),
        }
        for location, found in zip(locations, messages, strict=True)
    ]
    return Unreadable("wrong_field", error=messages[0]).with_details(errors=fields)


def _respond(request: Request, refusal: Refusal) -> Response:
    request.scope["reason"] = refusal.reason
    return _response_to(request.scope, refusal)


def _response_to(scope: Scope, refusal: Refusal) -> Response:
    """A page for people, a problem document for programs."""
    response = problem_response(refusal)
    if not _is_for_people(scope):
        return response
    html = scope["app"].state.error_page(refusal, language_of(scope))
    page = HTMLResponse(html, response.status_code, {"Vary": "Accept, Accept-Language, Cookie"})
    page.headers.update({name: value for name, value in response.headers.items() if name in KEPT})
    return page


def language_of(scope: Scope) -> str:
    """The language of a reader: the one that was chosen in the settings, or the browser's."""
    headers = Headers(scope=scope)
    chosen = cookie_parser(headers.get("cookie", "")).get("language", "")
    return chosen if chosen in NAMES else language_of_header(headers.get("accept-language", ""))


def _is_for_people(scope: Scope) -> bool:
    """True if a browser asks for a page. Programs, and all paths of the API, are answered with problem documents."""
    is_page = scope["type"] == "http" and not scope["path"].startswith(("/api/", "/static/"))
    return is_page and any(b"text/html" in value for name, value in scope["headers"] if name == b"accept")


async def _on_refusal(request: Request, refusal: Refusal) -> Response:
    return _respond(request, refusal)


async def _on_invalid(request: Request, error: RequestValidationError) -> Response:
    return _respond(request, invalid(error.errors()))


async def _on_http(request: Request, error: HTTPException) -> Response:
    """What the framework refuses: no such page, no such method."""
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        methods = ", ".join(sorted(_methods(request)))
        responded = _respond(request, NotAllowed("method_not_allowed", methods=methods))
        responded.headers.update({**(error.headers or {}), "Allow": methods})
        return responded
    refusal = NotAllowed("not_found" if error.status_code == HTTPStatus.NOT_FOUND else "bad_request")
    responded = _respond(request, refusal.with_details(status=error.status_code))
    responded.headers.update(error.headers or {})
    return responded


def _methods(request: Request) -> set[str]:
    """All methods of a path; the framework names only those of the first route that matches."""
    path, routes = request.scope["path"], request.app.state.http_routes
    return {method for route in routes if route.path_regex.match(path) for method in route.methods}


HANDLERS: dict[int | type[Exception], Callable[[Request, Any], Coroutine[Any, Any, Response]]] = {
    Refusal: _on_refusal,
    RequestValidationError: _on_invalid,
    HTTPException: _on_http,
}
