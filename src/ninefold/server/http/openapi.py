"""The OpenAPI document: the statuses of each route, with problems under their own media type."""

from __future__ import annotations

from types import GenericAlias
from typing import TYPE_CHECKING, Any

from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from fastapi.utils import create_model_field
from pydantic import TypeAdapter

from ninefold import __version__
from ninefold.server.http.errors import MEDIA_TYPE
from ninefold.server.http.models import ProblemDoc, model_of, server_message

if TYPE_CHECKING:
    from fastapi import FastAPI

_DOCUMENT = "document"  # what a route responds with, until the OpenAPI document is made
_SCHEMAS = "#/components/schemas"
_COMMON = {
    400: "The request cannot be read.",
    403: "Not allowed for you, or from a page of another site.",
    408: "The request took too long to arrive.",
    413: "Too large.",
    422: "A field, a move or a text is wrong.",
    429: "Too many requests; Retry-After says how long to wait.",
    503: "Unavailable; Retry-After says how long to wait.",
}
_BODY = {415: "The body is not JSON."}
_MATCH = {401: "The token is missing or wrong.", 404: "There is no such match, or it is private."}
CONFLICT = {409: "Not allowed now: a stale version, an illegal move, a seat that is taken."}
NO_SUCH_PUZZLE = {404: "There is no such puzzle."}
NO_SUCH_PROFILE = {404: "There is no such profile, or its owner does not share it."}
NOT_MODIFIED = {304: "You have the current version."}
_SEAT = CONFLICT | {410: "You have left this seat."}
_KEY = {401: "The key is missing, or opens no profile."}
_SECURITY: dict[str, list[dict[str, list[str]]]] = {
    "reader": [{}, {"token": []}],
    "seat": [{"token": []}],
    "optional": [{}, {"key": []}],
    "needed": [{"key": []}],
}


def describe(
    document: type | None = None,
    *,
    many: bool = False,
    body: bool = False,
    access: str = "",
    key: str = "",
    more: dict[int, str] | None = None,
) -> dict[str, Any]:
    """Keyword arguments for a FastAPI route, by the document, or list of documents, that it responds with.

    ``access`` says who may use it: "", "all" of a match, a "reader" of it, or a "seat". ``key`` says whether the key of
    a profile is "needed" or "optional".
    """
    access_texts = (_MATCH if access else {}) | (_SEAT if access == "seat" else {})
    texts = _COMMON | (_BODY if body else {}) | access_texts | (_KEY if key else {}) | (more or {})
    security = _SECURITY.get(key or access)
    extra: dict[str, Any] = {"security": security} if security else {}
    if document is not None:
        extra[_DOCUMENT] = document, many
    return {"responses": {status: {"description": text} for status, text in texts.items()}, "openapi_extra": extra}


def openapi(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, made once."""
    if app.openapi_schema is None:
        routes = [route for route in app.state.http_routes if isinstance(route, APIRoute)]
        for route in routes:
            _add_response_model(route)
        document = get_openapi(
            title="Ninefold",
            version=__version__,
            description="Matches of the tic-tac-toe family: see, create, join and play them.",
            routes=routes,
        )
        for path in document["paths"].values():
            for operation in path.values():
                _add_problems(operation["responses"])
        document["components"] = {
            "schemas": _schemas(document),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "of a seat"},
                "key": {"type": "http", "scheme": "bearer", "description": "of a profile"},
            },
        }
        app.openapi_schema = document
    return app.openapi_schema


def _add_response_model(route: APIRoute) -> None:
    """Here and not in the routes: its texts are read from the source of its classes, which takes half of a start."""
    if route.openapi_extra and _DOCUMENT in route.openapi_extra:
        document, many = route.openapi_extra.pop(_DOCUMENT)
        model = GenericAlias(list, model_of(document)) if many else model_of(document)
        route.response_field = create_model_field(f"Response_{route.unique_id}", model, mode="serialization")


def _add_problems(responses: dict[str, Any]) -> None:
    """Here and not in the routes: FastAPI would build a validator for each of them at every start."""
    for status, response in responses.items():
        if status >= "400":
            response["content"] = {MEDIA_TYPE: {"schema": {"$ref": f"{_SCHEMAS}/ProblemDoc"}}}


def _schemas(document: dict[str, Any]) -> dict[str, Any]:
    """The schemas of the routes without those of FastAPI's own errors, of problems, and of messages of the socket."""
    others: dict[str, Any] = {}
    for name, model in (("ProblemDoc", model_of(ProblemDoc)), ("ServerMessage", server_message())):
        schema = TypeAdapter(model).json_schema(ref_template=f"{_SCHEMAS}/{{model}}")
        others |= {**schema.pop("$defs"), name: schema}
    schemas = {**others, **document["components"]["schemas"]}
    return {name: schemas[name] for name in sorted(schemas) if name not in ("HTTPValidationError", "ValidationError")}
