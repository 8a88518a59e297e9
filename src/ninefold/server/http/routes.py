"""The routes of the REST API. Each parses, calls the service, and renders."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute

from ninefold.analysis.puzzles.puzzle import find_puzzle
from ninefold.core.errors import Refusal, Unreadable
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.games import all_games
from ninefold.players.player import DEFAULT_LEVEL, levels
from ninefold.server.hosting.errors import UNREADABLE, WRONG_FIELD
from ninefold.server.hosting.model import ROLE, Viewer
from ninefold.server.hosting.view import InvitationDoc, MatchView, board, legal_moves
from ninefold.server.http import learning, lessons, models, requests, review
from ninefold.server.http.metrics import Metrics
from ninefold.server.http.openapi import CONFLICT, NO_SUCH_PUZZLE, NOT_MODIFIED, describe
from ninefold.server.http.static_files import StaticPage, etag_matches
from ninefold.server.http.websocket import act
from ninefold.server.storage.config import MOST_IN_PAGE, PAGE_SIZE
from ninefold.server.storage.service import Service

JSON = "application/json"


class StrictRoute(APIRoute):
    """A route whose body, if it has one, is strict JSON. An unreadable action goes into the audit of its match."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            try:
                parsed = await _parse(request) if self.body_field else request
            except Unreadable as refusal:
                if self.path.endswith("/actions"):
                    await _note(request, refusal.reason)
                raise
            try:
                return await handler(parsed)
            except RequestValidationError:
                if self.path.endswith("/actions"):
                    await _note(request, WRONG_FIELD)
                raise

        return strict


class _ParsedRequest(Request):
    """A request whose JSON has been parsed already."""

    value: object

    async def json(self) -> Any:
        return self.value


async def _parse(request: Request) -> Request:
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != JSON:
        raise Unreadable("not_json.type", type=JSON)
    parsed = _ParsedRequest(request.scope, request.receive)
    parsed.value = requests.read_json(await parsed.body())
    return parsed


async def _note(request: Request, reason: str) -> None:
    with contextlib.suppress(Refusal):  # not from a seat of the match
        service, token = await _service(request), await _token(request)
        await service.note(request.path_params["match"], token, UNREADABLE, reason)


class NdjsonResponse(Response):
    media_type = "application/x-ndjson"


class TextResponse(Response):
    media_type = "text/plain"


class SvgResponse(Response):
    media_type = "image/svg+xml"


def _cacheable(request: Request, body: bytes, media: str, etag: str = "", *, public: bool = False) -> Response:
    """A response with an ETag, by default of its content; 304 for a client that has it."""
    headers = {"ETag": etag or f'W/"{hashlib.sha256(body).hexdigest()[:20]}"', "Cache-Control": "no-cache"}
    if not public:
        headers |= {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
    if etag_matches(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=media)


def _json_bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def json_response(value: object, status: int = 200) -> Response:
    return Response(_json_bytes(value), status, media_type=JSON)


# These are coroutines because FastAPI runs other functions in a thread.


async def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


async def _review_threads(request: Request) -> review.ReviewThreads:
    threads: review.ReviewThreads = request.app.state.review_threads
    return threads


async def _metrics(request: Request) -> Metrics:
    metrics: Metrics = request.app.state.metrics
    return metrics


async def _token(request: Request) -> str | None:
    header = request.headers.get("authorization")
    return requests.read_token(None if header is None else header.encode("latin-1"))


ServiceDep = Annotated[Service, Depends(_service)]
ThreadsDep = Annotated[review.ReviewThreads, Depends(_review_threads)]
MetricsDep = Annotated[Metrics, Depends(_metrics)]
Token = Annotated[str | None, Depends(_token)]
Id = Annotated[str, Path(pattern=requests.ID, description="of the match")]


async def _viewer(service: ServiceDep, match: Id, token: Token) -> Viewer:
    viewer = await service.viewer(match, token)
    service.presence.record_request(match, viewer)
    return viewer


ViewerDep = Annotated[Viewer, Depends(_viewer)]

router: APIRouter = APIRouter(prefix="/api/v1", route_class=StrictRoute)


@router.get("/games", **describe(models.GameDoc, many=True, more=NOT_MODIFIED))
async def games(request: Request) -> Response:
    """The games, with their options, levels and texts."""
    return await _games_document(tuple(all_games().values())).respond(request)


@router.post("/matches", status_code=201, **describe(models.CreatedDoc, body=True, key="optional", more=CONFLICT))
async def create(service: ServiceDep, key: Token, body: requests.MatchBody) -> Response:
    """A new match. Keep the tokens: they are sent once. With the key of a profile your seat is that profile's."""
    identity = await service.profiles.identity(key, game=body.game)
    created = await service.create(body.match_request(), body.request or "", identity=identity)
    return json_response({**created, "links": _links(created)}, 201)


@router.post("/pairings", **describe(models.PairedDoc, body=True, key="optional", more=CONFLICT))
async def pairings(service: ServiceDep, key: Token, body: requests.PairingBody) -> Response:
    """Find an opponent who asks for the same game and clock. The first of the two waits in a public match; one who has
    disconnected is skipped."""
    identity = await service.profiles.identity(key, game=body.game)
    return json_response(await service.pair(body.game, body.clock_request, body.name, body.request or "", identity))


@router.get("/matches", **describe(models.MatchPageDoc))
async def matches(
    service: ServiceDep,
    state: Literal["open", "live"] = "open",
    before: Annotated[str | None, Query(pattern=requests.PAGE_KEY, description="``next`` of the page before")] = None,
    limit: Annotated[requests.QueryNumber, Query(ge=1, le=MOST_IN_PAGE)] = PAGE_SIZE,
) -> Response:
    """Public matches that somebody is at, the newest first."""
    return json_response(await service.public_matches(state, before, limit))


@router.get("/matches/{match}", **describe(MatchView, access="reader", more=NOT_MODIFIED))
async def view(service: ServiceDep, match: Id, viewer: ViewerDep, request: Request) -> Response:
    """The view of a match. The header Ninefold-Role tells the number of the seat that the token opens, or spectator."""
    seen = await service.view(match)
    response = _cacheable(request, seen.json, JSON, seen.etag)
    response.headers[ROLE] = viewer.role
    return response


@router.post(
    "/matches/{match}/join", **describe(models.JoinedDoc, body=True, access="all", key="optional", more=CONFLICT)
)
async def join(service: ServiceDep, key: Token, match: Id, body: requests.JoinBody) -> Response:
    """Take an open seat, or take over a seat from another device. With the key of a profile the seat is that
    profile's."""
    secret, identity = body.invitation or body.code, await service.profiles.identity(key, match=match)
    return json_response(await service.join(match, secret, body.name, body.request or "", identity=identity))


@router.post("/matches/{match}/invitation", **describe(InvitationDoc, body=True, access="all", more=CONFLICT))
async def invitation(service: ServiceDep, match: Id, body: requests.InvitationBody) -> Response:
    """The seat that an invitation opens: nobody takes it by asking."""
    return json_response(await service.invitation(match, body.invitation))


@router.post("/matches/{match}/actions", **describe(models.ActedDoc, body=True, access="seat"))
async def actions(
    service: ServiceDep, metrics: MetricsDep, match: Id, token: Token, body: requests.ActBody
) -> Response:
    """Move, claim, answer a claim, send a message, offer, resign or leave."""
    # Valid requests take the short way in actions.py; this is the reference, and responds to the others.
    acted = await act(service, metrics, match, token, body)
    return Response(acted.json, media_type=JSON)


@router.post("/matches/{match}/handover", **describe(models.HandoverDoc, body=True, access="seat"))
async def handover(service: ServiceDep, match: Id, token: Token, body: requests.RequestIdBody) -> Response:
    """A code that hands your seat over to another device, once. Your token is void when it is used."""
    return json_response(await service.handover(match, token, body.request))


@router.post("/matches/{match}/absent", **describe(models.ActedDoc, body=True, access="seat"))
async def absent(service: ServiceDep, match: Id, token: Token, body: requests.RequestIdBody) -> Response:
    """Win against an opponent who is absent for too long."""
    return json_response(await service.claim_absent(match, token, body.request))


@router.post("/matches/{match}/rematch", **describe(models.RematchDoc, body=True, access="seat"))
async def rematch(service: ServiceDep, match: Id, token: Token, _: requests.RequestIdBody) -> Response:
    """Offer a new match of the same players, in which the other one starts, or accept theirs; your token opens it."""
    return json_response(await service.rematch(match, token))


@router.post("/matches/{match}/arrive", **describe(models.ArrivedDoc, body=True, access="seat"))
async def arrive(service: ServiceDep, match: Id, token: Token, _: requests.RequestIdBody) -> Response:
    """Accept a rematch: take the seat in it that is reserved for you. To decline, leave."""
    return json_response(await service.arrive(match, token))


@router.get("/matches/{match}/events", **describe(models.EventsDoc, access="reader"))
async def events(
    service: ServiceDep,
    match: Id,
    _: ViewerDep,
    after: Annotated[requests.QueryNumber | None, Query(description="an index")] = None,
) -> Response:
    """The events in order: all of them, or those after an index."""
    return json_response({"events": await service.events(match, -1 if after is None else after)})


@router.get(
    "/matches/{match}/refused",
    **describe(models.RefusedAttemptsDoc, access="reader", more=CONFLICT),
)
async def refused(service: ServiceDep, match: Id, _: ViewerDep) -> Response:
    """Refused actions of the players, once the match has ended."""
    return json_response({"refused": await service.refused(match)})


@router.get("/matches/{match}/log", response_class=NdjsonResponse, **describe(access="reader", more=NOT_MODIFIED))
async def log(service: ServiceDep, match: Id, _: ViewerDep, request: Request) -> Response:
    """The log of the match, as JSON lines."""
    return _cacheable(request, (await service.log(match)).encode(), NdjsonResponse.media_type)


@router.get("/matches/{match}/record", response_class=TextResponse, **describe(access="reader", more=NOT_MODIFIED))
async def record(service: ServiceDep, match: Id, _: ViewerDep, request: Request) -> Response:
    """The record of the match."""
    return _cacheable(request, (await service.record(match)).encode(), TextResponse.media_type)


@router.get("/matches/{match}/board.svg", response_class=SvgResponse, **describe(access="reader", more=NOT_MODIFIED))
async def picture(service: ServiceDep, match: Id, _: ViewerDep, request: Request) -> Response:
    """A picture of the board."""
    return _cacheable(request, (await service.picture(match)).encode(), SvgResponse.media_type)


@router.get("/matches/{match}/share", **describe(models.ShareDoc, access="reader", more=CONFLICT))
async def share(service: ServiceDep, match: Id, _: ViewerDep) -> Response:
    """The page of a finished game. Everybody who has its address can see the game, also of a private match."""
    return json_response({"page": f"/g/{await service.share_key(match)}"})


@router.get("/matches/{match}/report", **describe(models.ReportDoc, access="reader", more=CONFLICT))
async def report_of(service: ServiceDep, threads: ThreadsDep, match: Id, _: ViewerDep) -> Response:
    """The referee's report on an ended match: how each seat played, and how honestly it refereed."""
    return json_response(await threads.run(review.report, *await service.ended(match)))


@router.post("/records", **describe(models.RecordDoc, body=True, more=CONFLICT))
async def records(threads: ThreadsDep, body: requests.RecordBody) -> Response:
    """A record or a log, position by position."""
    return json_response(await threads.run(review.record, body.text))


@router.post("/analysis", **describe(models.AnalysisDoc, body=True, more=CONFLICT))
async def analysis(threads: ThreadsDep, body: requests.AnalysisBody) -> Response:
    """The values of the moves of a position: for reviews of ended games."""
    return json_response(await threads.run(review.analysis, body.game, body.position, body.millis, body.claims))


@router.post("/positions", **describe(models.PositionDoc, body=True, more=CONFLICT))
async def positions(threads: ThreadsDep, body: requests.PositionBody) -> Response:
    """A position that can arise in play, after some moves: its board, and the legal moves with their effects."""
    asked = (body.game, body.position, body.moves, body.threats, body.claims)
    return json_response(await threads.run(learning.position, *asked))


@router.get("/puzzles", **describe(models.PuzzleSummaryDoc, many=True, more=NOT_MODIFIED))
async def puzzles(request: Request) -> Response:
    """All puzzles: the sets of the games, in each the shortest first."""
    return _cacheable(request, _json_bytes(learning.puzzle_list()), JSON, public=True)


@router.get("/puzzles/today", **describe(models.PuzzleDoc, more=NOT_MODIFIED))
async def puzzle_today(service: ServiceDep, request: Request) -> Response:
    """The puzzle of the day, the same for everybody. The day is that of UTC."""
    return _cacheable(request, _json_bytes(learning.puzzle_today(service.now())), JSON, public=True)


@router.get("/puzzles/{puzzle}", **describe(models.PuzzleDoc, more=NOT_MODIFIED | NO_SUCH_PUZZLE))
async def puzzle(request: Request, puzzle: Annotated[str, Path(description="its id, as in classic-7")]) -> Response:
    """A puzzle with its solution: every move of the solver, and the best replies."""
    return _cacheable(request, _json_bytes(learning.puzzle(find_puzzle(puzzle))), JSON, public=True)


@router.get("/lessons/{game}", **describe(models.LessonDoc, more=NOT_MODIFIED))
async def lesson(request: Request, game: Annotated[str, Path(description="the id of a game")]) -> Response:
    """The lesson of a game: its rules, and five steps on its board."""
    return _cacheable(request, _json_bytes(lessons.lesson(game)), JSON, public=True)


@router.get("/matches/{match}/hint", **describe(models.HintDoc, access="seat"))
async def hint(service: ServiceDep, threads: ThreadsDep, match: Id, token: Token) -> Response:
    """The best move, for somebody who plays against the computer and is to move."""
    return json_response(await threads.run(review.hint, await service.practice(match, token)))


@router.websocket("/matches/{match}/socket")
async def socket(websocket: WebSocket, match: str) -> None:
    await websocket.app.state.sockets.serve(websocket, match)


@cache
def _games_document(games: tuple[Game, ...]) -> StaticPage:
    return StaticPage(json.dumps([game_document(game) for game in games], ensure_ascii=False).encode(), JSON)


def game_document(game: Game) -> models.GameDoc:
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "rules": game.console_rules,
        "advice": list(game.advice),
        "options": [
            {"name": name, "values": list(values), "default": default, "help": help}
            for name, values, default, help, _ in game.options
        ],
        "levels": list(levels(game)),
        "default_level": levels(game)[DEFAULT_LEVEL],
        "layout": {
            "kind": "boards" if game.picture.boards else "grid",
            "naming": {"cells": [game.naming.name(cell) for cell in range(9)]},
        },
        "paths": [list(path) for path in game.paths],
        "steps": [step.question for step in game.steps],
        "press_steps": [step.press for step in game.steps],
        "joiner": game.joiner,
        "ask_first": game.ask_first,
        "start": _start(game, game.begin()),
    }


def _start(game: Game, position: Position) -> models.StartDoc:
    moves = legal_moves(game, position)
    return {"turn": position.turn.symbol, "board": board(game, position), "moves": moves}


def _links(created: dict[str, Any]) -> models.LinksDoc:
    page = f"/m/{created['match']}"
    watch = created["watch"]
    return {
        "play": page,
        "invite": {seat: f"{page}#invite={secret}" for seat, secret in created["invitations"].items()},
        "watch": f"{page}#watch={watch}" if watch else page,
    }
