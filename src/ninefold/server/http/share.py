"""The page of a finished game, which anybody with its link can open: a board to step through, pictures and files."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from starlette.responses import HTMLResponse

from ninefold.core.messages import text
from ninefold.core.svg import svg
from ninefold.match.log import write_log
from ninefold.match.match import Match
from ninefold.match.record import write_record
from ninefold.match.state import HUMAN, Seat
from ninefold.server.hosting import tokens
from ninefold.server.http import requests, review, share_pictures
from ninefold.server.http.config import Config
from ninefold.server.http.middleware import HEADERS
from ninefold.server.http.static_files import fill
from ninefold.server.storage.service import Service, SharedGame

KEY = rf"^{tokens.MATCH_ID}(-{tokens.SECRET})?$"
PAGE, FRAME = "page", "embed"  # how a game is shown
_POLICY = b"content-security-policy"
# Only this page may be shown in a frame of another site.
_FRAMED = {_POLICY.decode(): HEADERS[_POLICY].decode().replace("frame-ancestors 'none'", "frame-ancestors *")}
_FOREIGN = {"Cross-Origin-Resource-Policy": "cross-origin"}  # pictures may be shown by other sites
_SECONDS = 86_400  # for which a finished game is cached

share_router: APIRouter = APIRouter(prefix="/g", include_in_schema=False)


async def _shared(request: Request, key: Annotated[str, Path(pattern=KEY)]) -> SharedGame:
    service: Service = request.app.state.service
    return await service.shared(key)


SharedDep = Annotated[SharedGame, Depends(_shared)]
Ply = Annotated[requests.QueryNumber | None, Query(alias="move")]


@share_router.get("/{key}")
async def page(request: Request, key: str, shared: SharedDep, move: Ply = None) -> Response:
    """The page of a game, with a preview for those to whom the link is sent."""
    return HTMLResponse(_page(request, key, shared.match, move, PAGE))


@share_router.get("/{key}/embed")
async def embed(request: Request, key: str, shared: SharedDep, move: Ply = None) -> Response:
    """The board alone, for a frame in a page of another site."""
    return HTMLResponse(_page(request, key, shared.match, move, FRAME), headers=_FRAMED)


@share_router.get("/{key}/positions")
async def positions(request: Request, shared: SharedDep) -> Response:
    """The game position by position, as its page needs it."""
    document = await request.app.state.review_threads.run(review.record_document, shared.match)
    return Response(json.dumps(document, ensure_ascii=False), headers=_cached(shared), media_type="application/json")


@share_router.get("/{key}/board.png")
async def board_png(request: Request, shared: SharedDep, move: Ply = None) -> Response:
    """A picture of a position for the preview of a link, 1200 by 630 pixels."""
    drawn = await request.app.state.review_threads.run(_card, shared.match, _ply(shared.match, move))
    return Response(drawn, headers=_cached(shared) | _FOREIGN, media_type="image/png")


@share_router.get("/{key}/game.gif")
async def game_gif(request: Request, shared: SharedDep) -> Response:
    """The game as an animation."""
    drawn = await request.app.state.review_threads.run(_animation, shared.match)
    return Response(drawn, headers=_cached(shared) | _FOREIGN, media_type="image/gif")


@share_router.get("/{key}/record")
async def record_file(shared: SharedDep) -> Response:
    return _file(shared, write_record(shared.match), "record", "text/plain")


@share_router.get("/{key}/log")
async def log_file(shared: SharedDep) -> Response:
    return _file(shared, write_log(shared.match, checksum=False), "log", "application/x-ndjson")


def _file(shared: SharedGame, content: str, ending: str, media: str) -> Response:
    name = f"{shared.match.game.id}-{shared.id}.{ending}"
    headers = _cached(shared) | {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content.encode(), headers=headers, media_type=media)


def _cached(shared: SharedGame) -> dict[str, str]:
    return {"Cache-Control": f"{'private' if shared.private else 'public'}, max-age={_SECONDS}"}


def _ply(match: Match, move: int | None) -> int:
    """The number of moves after which the game is shown: by default all."""
    last = len(match.state.moves)
    return last if move is None else min(move, last)


def _page(request: Request, key: str, match: Match, move: int | None, mode: str) -> str:
    address, ply = f"{_origin(request)}/g/{key}", _ply(match, move)
    at_move = f"?move={ply}" if move is not None else ""
    texts = {
        "mode": mode,
        "title": match.game.title,
        "description": ". ".join([" - ".join(_players(match)), *_result(match)]),
        "address": f"{address}{at_move}",
        "image": f"{address}/board.png{at_move}",
        "picture": text("share.picture", game=match.game.title, ply=ply),
    }
    return fill(request.app.state.share_page, texts)


def _origin(request: Request) -> str:
    """The address of this site as the reader knows it; links in previews have to be whole."""
    config: Config = request.app.state.config
    host = request.headers["host"].lower()
    known = sorted((origin for origin in config.origins if origin.partition("//")[2] == host), reverse=True)
    return known[0] if known else f"http://{host}"


def _players(match: Match) -> list[str]:
    return [f"{seat.side.symbol}: {_name(number, seat)}" for number, seat in _seats(match)]


def _name(number: int, seat: Seat) -> str:
    if seat.player == HUMAN:
        return seat.name or text("share.player", seat=number)
    return seat.name or text("share.computer", level=seat.player)


def _seats(match: Match) -> list[tuple[int, Seat]]:
    return sorted(enumerate(match.setup.seats, 1), key=lambda seat: seat[1].side)


def _result(match: Match) -> list[str]:
    """The result as a sentence that names no cells: the picture shows them."""
    if match.result is None:
        return []
    return [match.result._replace(outcome=match.result.outcome._replace(lines=())).sentence(match.game)]


def _pictures(match: Match) -> list[str]:
    """All positions of a game, drawn."""
    game, position = match.game, match.setup.start
    drawn = [svg(game, position)]
    for move in match.state.moves:
        changed = tuple(game.effects(position, move).cells)
        position = position.play(move)
        drawn.append(svg(game, position, last=changed))
    return drawn


@lru_cache(maxsize=64)
def _card(match: Match, ply: int) -> bytes:
    last = len(match.state.moves)
    rest = _result(match) if ply == last else [text("share.move", ply=ply, last=last)]
    lines = [line for line in (*_players(match), *rest) if _is_drawable(line)]
    return share_pictures.card(_pictures(match)[ply], match.game.title, lines)


def _is_drawable(line: str) -> bool:
    """True if the font of the pictures has the letters of a line."""
    return all(ord(letter) < 0x180 for letter in line)


@lru_cache(maxsize=16)
def _animation(match: Match) -> bytes:
    return share_pictures.animation(_pictures(match))
