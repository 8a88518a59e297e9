"""The doors for requests. Each parses, calls the service, and renders."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.games import all_games
from ninefold.server.hosting.errors import WRONG_FIELD
from ninefold.server.hosting.model import Viewer
from ninefold.server.http import models as out
from ninefold.server.http import requests, review, review_models
from ninefold.server.http.actions import act
from ninefold.server.http.metrics import Metrics
from ninefold.server.http.openapi import HAVE_IT, NOT_NOW, describe, games_document, links
from ninefold.server.http.report import ReportOut, report
from ninefold.server.http.static_files import is_known
from ninefold.server.storage.service import Service

JSON = "application/json"
UNREADABLE = "unreadable"  # the kind of an action that nobody can tell


class StrictRoute(APIRoute):
    """A route whose body, if it has one, is strict JSON. An action that cannot be read is in the audit of its match."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            try:
                return await handler(await _read(request) if self.body_field else request)
            except RequestValidationError:
                if self.path.endswith("/actions"):
                    await _note(request)
                raise

        return strict


class _Read(Request):
    """A request whose JSON has been read already."""

    value: object

    async def json(self) -> Any:
        return self.value


async def _read(request: Request) -> Request:
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != JSON:
        raise Unreadable("not_json.type", type=JSON)
    read = _Read(request.scope, request.receive)
    read.value = requests.read_json(await read.body())
    return read


async def _note(request: Request) -> None:
    with contextlib.suppress(Refusal):  # nobody who sits there
        service, token = await _service(request), await _token(request)
        await service.note(request.path_params["match"], token, UNREADABLE, WRONG_FIELD)


class Lines(Response):
    media_type = "application/x-ndjson"


class Plain(Response):
    media_type = "text/plain"


class Picture(Response):
    media_type = "image/svg+xml"


def _once(request: Request, body: bytes, media: str, etag: str = "", *, public: bool = False) -> Response:
    """An answer that is not sent again to who has it; known by its content, where nothing else is said."""
    headers = {"ETag": etag or f'W/"{hashlib.sha256(body).hexdigest()[:20]}"', "Cache-Control": "no-cache"}
    if not public:
        headers |= {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
    if is_known(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=media)


def _json(value: object, status: int = 200) -> Response:
    return Response(json.dumps(value, ensure_ascii=False), status, media_type=JSON)


# Not one of these waits; they are coroutines because FastAPI takes every other function to a thread.


async def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


async def _bench(request: Request) -> review.Bench:
    bench: review.Bench = request.app.state.bench
    return bench


async def _metrics(request: Request) -> Metrics:
    metrics: Metrics = request.app.state.metrics
    return metrics


async def _token(request: Request) -> str | None:
    """The secret that a request carries; never one from a query string."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not requests.is_secret(token.strip()):
        raise NotAllowed("bad_token.form")
    return token.strip()


Served = Annotated[Service, Depends(_service)]
Thinking = Annotated[review.Bench, Depends(_bench)]
Counting = Annotated[Metrics, Depends(_metrics)]
Token = Annotated[str | None, Depends(_token)]
Id = Annotated[str, Path(pattern=requests.ID, description="of the match")]


async def _reader(service: Served, match: Id, token: Token) -> Viewer:
    reader = await service.reader(match, token)
    service.presence.seen(match, reader)
    return reader


Reading = Annotated[Viewer, Depends(_reader)]

router = APIRouter(prefix="/api/v1", route_class=StrictRoute)


@router.get("/games", response_model=list[out.GameOut], **describe(more=HAVE_IT))
async def games(request: Request) -> Response:
    """The games there are, with their options, levels and words."""
    return _once(request, games_document(tuple(all_games().values())), JSON, public=True)


@router.post("/matches", status_code=201, response_model=out.CreatedOut, **describe(body=True, more=NOT_NOW))
async def create(service: Served, given: requests.CreateIn) -> Response:
    """A new match. Keep the tokens: they are told once."""
    created = await service.create(given.match_request(), given.request or "")
    return _json({**created, "links": links(created)}, 201)


@router.get("/matches", response_model=out.MatchesOut, **describe())
async def matches(
    service: Served,
    state: Literal["open", "live"] = "open",
    before: Annotated[str | None, Query(pattern=requests.PLACE, description="what an answer said is next")] = None,
    limit: Annotated[requests.Digits, Query(ge=1, le=100)] = 50,
) -> Response:
    """Public matches, the newest first."""
    return _json(await service.listed(state, before, limit))


@router.get("/matches/{match}", response_model=out.ViewOut, **describe(who="reader", more=HAVE_IT))
async def view(service: Served, match: Id, _: Reading, request: Request) -> Response:
    """The match as you may see it."""
    seen = await service.view(match)
    return _once(request, seen.json, JSON, seen.etag)


@router.post("/matches/{match}/join", response_model=out.JoinedOut, **describe(body=True, who="all", more=NOT_NOW))
async def join(service: Served, match: Id, given: requests.JoinIn) -> Response:
    """Take an open seat, or carry a seat here from another device."""
    return _json(await service.join(match, given.invitation or given.code, given.name, given.request or ""))


@router.post("/matches/{match}/actions", response_model=out.ActedOut, **describe(body=True, who="seat"))
async def actions(service: Served, metrics: Counting, match: Id, token: Token, given: requests.ActIn) -> Response:
    """Move, claim, answer, talk, offer, resign or leave."""
    return _json(await act(service, metrics, match, token, given))


@router.post("/matches/{match}/handover", response_model=out.CodeOut, **describe(body=True, who="seat"))
async def handover(service: Served, match: Id, token: Token, given: requests.RequestIn) -> Response:
    """A code that carries your seat to another device, once. Your token ends when it is used."""
    return _json(await service.handover(match, token, given.request))


@router.post("/matches/{match}/absent", response_model=out.ActedOut, **describe(body=True, who="seat"))
async def absent(service: Served, match: Id, token: Token, given: requests.RequestIn) -> Response:
    """Win against an opponent who has gone for too long."""
    return _json(await service.claim_absent(match, token, given.request))


@router.post("/matches/{match}/rematch", response_model=out.RematchOut, **describe(body=True, who="seat"))
async def rematch(service: Served, match: Id, token: Token, _: requests.RequestIn) -> Response:
    """The same people again, with sides swapped; your token opens the new match too."""
    return _json(await service.rematch(match, token))


@router.get("/matches/{match}/events", response_model=out.EventsOut, **describe(who="reader"))
async def events(
    service: Served,
    match: Id,
    _: Reading,
    after: Annotated[requests.Digits | None, Query(description="an index")] = None,
) -> Response:
    """What happened, in order; all of it, or what came after an index."""
    return _json({"events": await service.events(match, -1 if after is None else after)})


@router.get("/matches/{match}/refused", response_model=out.RefusalsOut, **describe(who="reader", more=NOT_NOW))
async def refused(service: Served, match: Id, _: Reading) -> Response:
    """What players tried and were refused, once the match has ended."""
    return _json({"refused": await service.refused(match)})


@router.get("/matches/{match}/log", response_class=Lines, **describe(who="reader", more=HAVE_IT))
async def log(service: Served, match: Id, _: Reading, request: Request) -> Response:
    """The whole match as JSON lines."""
    return _once(request, (await service.log(match)).encode(), Lines.media_type)


@router.get("/matches/{match}/record", response_class=Plain, **describe(who="reader", more=HAVE_IT))
async def record(service: Served, match: Id, _: Reading, request: Request) -> Response:
    """The match as people write it down."""
    return _once(request, (await service.record(match)).encode(), Plain.media_type)


@router.get("/matches/{match}/board.svg", response_class=Picture, **describe(who="reader", more=HAVE_IT))
async def picture(service: Served, match: Id, _: Reading, request: Request) -> Response:
    """The board, drawn."""
    return _once(request, (await service.picture(match)).encode(), Picture.media_type)


@router.get("/matches/{match}/report", response_model=ReportOut, **describe(who="reader", more=NOT_NOW))
async def report_of(service: Served, bench: Thinking, match: Id, _: Reading) -> Response:
    """The referee's report, when the match is over: how each seat played, and how honestly it refereed."""
    return _json(await bench.run(report, *await service.ended(match)))


@router.post("/records", response_model=review_models.RecordOut, **describe(body=True, more=NOT_NOW))
async def records(bench: Thinking, given: requests.RecordIn) -> Response:
    """A record or a log, position by position."""
    return _json(await bench.run(review.record, given.text))


@router.post("/analysis", response_model=review_models.AnalysisOut, **describe(body=True, more=NOT_NOW))
async def analysis(bench: Thinking, given: requests.AnalysisIn) -> Response:
    """What the moves of a position are worth: for games that are over."""
    return _json(await bench.run(review.analysis, given.game, given.position, given.millis))


@router.websocket("/matches/{match}/socket")
async def socket(websocket: WebSocket, match: str) -> None:
    await websocket.app.state.sockets.serve(websocket, match)
