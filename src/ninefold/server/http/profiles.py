"""The routes of profiles: one's own by its key, those of others if they are shared; blocks and reports."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.responses import StreamingResponse

from ninefold.server.hosting.profiles import PlayedDoc, ProfileDoc
from ninefold.server.http import models, requests
from ninefold.server.http.middleware import RateLimiter, address_of
from ninefold.server.http.openapi import CONFLICT, NO_SUCH_PROFILE, describe
from ninefold.server.http.prices import EXPORTED_MATCH_PRICE
from ninefold.server.http.routes import Id, NdjsonResponse, ServiceDep, StrictRoute, Token, json_response
from ninefold.server.storage.config import MOST_IN_PAGE, PAGE_SIZE

ProfileId = Annotated[str, Path(pattern=requests.PROFILE_ID, description="of the profile")]
Before = Annotated[str | None, Query(pattern=requests.PAGE_KEY, description="``next`` of the page before")]
Most = Annotated[requests.QueryNumber, Query(ge=1, le=MOST_IN_PAGE)]

profile_router = APIRouter(prefix="/api/v1", route_class=StrictRoute)


@profile_router.put("/profile", **describe(ProfileDoc, body=True, key="needed", more=CONFLICT))
async def save(service: ServiceDep, key: Token, body: requests.ProfileBody) -> Response:
    """Create the profile of a key, or change its name and whether it is shared. Make the key yourself, of 32 to 64
    random letters and digits; whoever has it is you."""
    return json_response(await service.profiles.save(key, body.name, body.kind, shared=body.shared))


@profile_router.get("/profile", **describe(ProfileDoc, key="needed"))
async def own(service: ServiceDep, key: Token) -> Response:
    """Your profile, with your results and ratings."""
    return json_response(await service.profiles.own(key))


@profile_router.delete("/profile", **describe(models.DeletedDoc, key="needed"))
async def delete(service: ServiceDep, key: Token) -> Response:
    """Delete your profile and your ratings. In the matches that you have played, your name becomes "deleted"."""
    await service.profiles.delete(key)
    return json_response({"deleted": True})


@profile_router.get("/profile/matches", **describe(models.PlayedPageDoc, key="needed"))
async def matches(
    service: ServiceDep,
    key: Token,
    before: Before = None,
    limit: Most = PAGE_SIZE,
    running: Annotated[bool, Query(description="true for those that have not ended")] = False,
) -> Response:
    """Your matches, the newest first. Your key is a token of your seat in each of them."""
    return json_response((await service.profiles.matches(key, before, limit, running=running))._asdict())


@profile_router.get("/profile/matches/{match}", **describe(PlayedDoc, access="all", key="needed"))
async def match(service: ServiceDep, key: Token, match: Id) -> Response:
    """One of your matches, with your rating before and after it."""
    return json_response(await service.profiles.match(key, match))


@profile_router.get("/profile/export", response_class=NdjsonResponse, **describe(key="needed"))
async def export(request: Request, service: ServiceDep, key: Token) -> Response:
    """All that is stored about you, as JSON lines: the profile, blocks and reports, then each match with its log."""
    headers = {"Content-Disposition": 'attachment; filename="ninefold-profile.jsonl"'}
    limiter: RateLimiter = request.app.state.rate_limiter
    lines = await service.profiles.export(
        key, lambda matches: limiter.pay(address_of(request.scope), matches * EXPORTED_MATCH_PRICE)
    )
    return StreamingResponse(lines, headers=headers, media_type=NdjsonResponse.media_type)


@profile_router.get("/profile/blocks", **describe(models.BlocksDoc, key="needed"))
async def blocks(service: ServiceDep, key: Token) -> Response:
    """The players whom you block."""
    return json_response({"blocks": await service.profiles.blocks(key)})


@profile_router.post(
    "/profile/blocks", **describe(models.BlocksDoc, body=True, access="all", key="needed", more=CONFLICT)
)
async def block(service: ServiceDep, key: Token, body: requests.BlockBody) -> Response:
    """Block your opponent in a match: the two of you are not paired, and cannot join each other's matches."""
    return json_response({"blocks": await service.profiles.block(key, body.match)})


@profile_router.delete("/profile/blocks/{profile}", **describe(models.BlocksDoc, key="needed", more=NO_SUCH_PROFILE))
async def unblock(service: ServiceDep, key: Token, profile: ProfileId) -> Response:
    """Block a player no longer."""
    return json_response({"blocks": await service.profiles.unblock(key, profile)})


@profile_router.get("/profiles/{profile}", **describe(ProfileDoc, more=NO_SUCH_PROFILE))
async def shared(service: ServiceDep, profile: ProfileId) -> Response:
    """The profile of somebody who shares it."""
    return json_response(await service.profiles.shared(profile))


@profile_router.get("/profiles/{profile}/matches", **describe(models.PlayedPageDoc, more=NO_SUCH_PROFILE))
async def shared_matches(
    service: ServiceDep, profile: ProfileId, before: Before = None, limit: Most = PAGE_SIZE
) -> Response:
    """The public matches that have ended of somebody who shares their profile."""
    return json_response((await service.profiles.shared_matches(profile, before, limit))._asdict())


@profile_router.post("/matches/{match}/reports", **describe(models.ReportedDoc, body=True, access="seat"))
async def report(service: ServiceDep, match: Id, token: Token, body: requests.ReportBody) -> Response:
    """Report your opponent to the operator of this server. Another report about the same match replaces it."""
    await service.profiles.report(match, token, body.reason, body.text)
    return json_response({"reported": True})
