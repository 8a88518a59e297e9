"""The app: routes, middleware and the browser client, with a service behind them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.requests import Request  # noqa: TC002 - FastAPI reads the annotations
from starlette.responses import Response
from starlette.routing import Route

from ninefold.core.errors import NotAllowed, Refusal, quoted
from ninefold.server.hosting.errors import unavailable
from ninefold.server.http import errors
from ninefold.server.http.actions import ActionsMiddleware
from ninefold.server.http.config import Config
from ninefold.server.http.logs import log_error
from ninefold.server.http.metrics import Metrics, serve_metrics
from ninefold.server.http.middleware import HEALTH, AccessLog, RateLimiter, RequestLimits
from ninefold.server.http.models import HealthDoc
from ninefold.server.http.openapi import describe, openapi
from ninefold.server.http.profiles import profile_router
from ninefold.server.http.review import ReviewThreads
from ninefold.server.http.routes import router
from ninefold.server.http.share import share_router
from ninefold.server.http.static_files import BUNDLE, MANIFEST_OF_APP, PREFIX, SERVICE_WORKER, BrowserClient, StaticPage
from ninefold.server.http.tracing import Tracing
from ninefold.server.http.websocket import Sockets
from ninefold.server.storage.service import Service
from ninefold.server.storage.writer import TraceBatch

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

METRICS_SECONDS = 1.0  # between two updates of what the service counts

PAGES = {
    "/": "index.html", "/m/{match}": "match.html", "/review": "review.html",
    "/puzzle": "puzzle.html", "/learn": "learn.html",
    "/profile": "profile.html", "/p/{profile}": "profile.html",
    "/favicon.svg": "favicon.svg", "/favicon.ico": "favicon.svg", f"/{MANIFEST_OF_APP}": MANIFEST_OF_APP,
}  # fmt: skip


def create_app(
    config: Config, clock: Callable[[], float] = time.monotonic, now: Callable[[], int] | None = None
) -> FastAPI:
    """The app. ``clock`` measures the rates, in seconds; ``now`` is the clock of the matches, in milliseconds."""
    metrics, rate_limiter = Metrics(), RateLimiter(config.limits, clock)
    app = FastAPI(
        title="Ninefold",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        redirect_slashes=False,
        lifespan=partial(_lifespan, now=now),
        telemetry={"tracing": False, "metrics": False, "logs": False},  # we have our own
        exception_handlers=errors.HANDLERS,
        middleware=[
            Middleware(AccessLog, metrics=metrics),
            Middleware(RequestLimits, config=config, rate_limiter=rate_limiter),
            Middleware(ActionsMiddleware),
        ],
    )
    app.state.tracing = Tracing(config.traces) if config.traces else None
    app.state.config, app.state.metrics, app.state.rate_limiter = config, metrics, rate_limiter
    app.openapi = lambda: openapi(app)  # type: ignore[method-assign]  # as FastAPI's documentation does
    app.router.routes.extend(router.routes)  # including the router would build each of them again at the first request
    app.router.routes.extend(profile_router.routes)
    app.add_api_route(HEALTH, _health, **describe(HealthDoc))
    app.add_api_route(HEALTH, _health, methods=["HEAD"], include_in_schema=False)
    app.router.routes.extend(share_router.routes)
    _add_browser_client(app, BrowserClient(bundle=None if config.plain_modules else BUNDLE))
    app.routes.extend(Route(path, _MountedRoute(app, path)) for path, _ in config.mounts)
    app.state.http_routes = [route for route in app.routes if isinstance(route, Route)]
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI, now: Callable[[], int] | None) -> AsyncIterator[None]:
    async with contextlib.AsyncExitStack() as stack:
        try:
            await _start(app, stack, now)
        except Exception as error:
            app.state.failure = error  # uvicorn only knows that there was one
            if not isinstance(error, Refusal):
                log_error("start failed", error)
            raise
        yield


async def _start(app: FastAPI, stack: contextlib.AsyncExitStack, now: Callable[[], int] | None) -> None:
    """Start everything in order; it is stopped in the opposite order."""
    config: Config = app.state.config
    limits = config.limits
    tracing: Tracing | None = app.state.tracing
    if tracing:
        stack.push_async_callback(asyncio.to_thread, tracing.close)  # the collector may be slow
    service = await _start_service(config, now, tracing.batch if tracing else contextlib.nullcontext)
    stack.push_async_callback(service.stop)
    app.state.service = service
    app.state.review_threads = ReviewThreads(limits.analyses, limits.analyses_waiting)
    stack.callback(app.state.review_threads.close)
    app.state.sockets = Sockets(service, app.state.rate_limiter, app.state.metrics, limits)
    stack.push_async_callback(app.state.sockets.stop)
    app.state.mounted = {path: mount(service, config) for path, mount in config.mounts}
    for mounted in app.state.mounted.values():
        stack.push_async_callback(mounted.stop)
    if config.metrics:
        stack.callback(asyncio.create_task(_update_metrics(app.state.metrics, service)).cancel)
        if config.workers == 1:  # else their supervisor serves the sums
            stack.enter_context(serve_metrics(*config.metrics, app.state.metrics.registry))


async def _start_service(config: Config, now: Callable[[], int] | None, trace: TraceBatch) -> Service:
    service = Service(config.data, config.database or None, config=config.service, now=now, trace=trace)
    try:
        await service.start()
    except ModuleNotFoundError as missing:
        raise NotAllowed("not_installed.postgresql", package=missing.name) from None
    except OSError as error:
        raise NotAllowed("no_folder", folder=quoted(str(config.data), 100), why=error.strerror) from None
    return service


async def _update_metrics(metrics: Metrics, service: Service) -> None:
    while True:
        metrics.update(service.health())
        await asyncio.sleep(METRICS_SECONDS)


class _MountedRoute:
    """Calls the app that is mounted at a path, once the server has started."""

    def __init__(self, app: FastAPI, path: str) -> None:
        self.app, self.path = app, path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self  # for the log
        await self.app.state.mounted[self.path](scope, receive, send)


async def _health(request: Request) -> Response:
    """OK if this server can serve."""
    health = request.app.state.service.health()
    status = health["status"]
    if status == "stopping":
        raise NotAllowed("stopping")
    if status != "ok":
        raise unavailable().with_details(last_commit_seconds=health["last_commit_seconds"])
    document: HealthDoc = {"status": "ok", "last_commit_seconds": health["last_commit_seconds"]}
    return Response(json.dumps(document), media_type="application/json")


def _add_browser_client(app: FastAPI, client: BrowserClient) -> None:
    app.state.error_page, app.state.share_page = client.error_page, client.template("share.html")
    endpoints = {path: client.page(name).respond for path, name in PAGES.items()}
    endpoints[f"/{SERVICE_WORKER}"] = StaticPage(client.service_worker().encode(), "text/javascript").respond
    for path, endpoint in {**endpoints, PREFIX + "{file:path}": client.file}.items():
        app.add_api_route(path, endpoint, methods=["GET", "HEAD"], include_in_schema=False)
