"""What a client is told when the middleware of the server has refused its request: in the words of the protocol.

An SDK only tells its model what it finds in a result of a tool. So a call of a tool that came too fast, or is too
large, gets such a result; every other request gets an error of JSON-RPC with the HTTP status of the refusal.
"""

from __future__ import annotations

import contextlib
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ninefold.core.errors import Refusal
from ninefold.server.storage.config import RefusedRequest

if TYPE_CHECKING:
    from ninefold.server.storage.service import Service

OK = 200
INTERNAL_ERROR = -32603  # of JSON-RPC


class RefusedCall(NamedTuple):
    """A call of a tool in a request that was refused."""

    id: str | int
    tool: str
    seat: str  # or nothing


class RefusalResponse(NamedTuple):
    status: int
    document: dict[str, Any]


def response_to(refused: RefusedRequest, message: object) -> RefusalResponse:
    """The response to a refused message; the message is None if it was not read."""
    refusal = refused.refusal
    told = {"reason": refusal.reason, "sentence": refusal.sentence, "instead": refusal.instead}
    if call := call_in(message):
        content = [{"type": "text", "text": json.dumps(told, ensure_ascii=False)}]
        result = {"content": content, "isError": True, "resultType": "complete"}
        return RefusalResponse(OK, {"jsonrpc": "2.0", "id": call.id, "result": result})
    error = {"code": INTERNAL_ERROR, "message": str(refusal), "data": told}
    return RefusalResponse(refused.status, {"jsonrpc": "2.0", "id": _id(message), "error": error})


def call_in(message: object) -> RefusedCall | None:
    """The call of a tool in a message of the protocol; None if it is something else."""
    id = _id(message)
    if id is None or not isinstance(message, dict) or message.get("method") != "tools/call":
        return None
    params = message.get("params")
    arguments = params.get("arguments") if isinstance(params, dict) else None
    tool = params.get("name") if isinstance(params, dict) else None
    seat = arguments.get("seat") if isinstance(arguments, dict) else None
    return RefusedCall(id, tool if isinstance(tool, str) else "", seat if isinstance(seat, str) else "")


def _id(message: object) -> str | int | None:
    found = message.get("id") if isinstance(message, dict) else None
    return found if isinstance(found, str) or type(found) is int else None


def parse_message(body: bytes) -> object:
    """The message in a body; None if it is not JSON."""
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(body)
    return None


async def note_refused(service: Service, refused: RefusedRequest, call: RefusedCall | None) -> None:
    """Record in the audit of its match that a seat has called a tool with a message that is too large."""
    if call is None or refused.refusal.reason != "too_large" or not re.fullmatch(r"[a-z_]{1,40}", call.tool):
        return
    match, _, rest = call.seat.partition(".")
    with contextlib.suppress(Refusal):
        await service.note(match, rest.partition(".")[2] or None, call.tool, refused.refusal.reason)
