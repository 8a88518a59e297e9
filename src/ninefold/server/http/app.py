"""The app: everything put together."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ninefold.core.errors import NotAllowed, Refusal, quoted
from ninefold.server.hosting.errors import unavailable
from ninefold.server.http import errors, metrics, static_files
from ninefold.server.http.access_log import Watch
from ninefold.server.http.config import Config
from ninefold.server.http.logs import say, say_error
from ninefold.server.http.middleware import Gate, Guard
from ninefold.server.http.models import HealthOut
from ninefold.server.http.openapi import describe, openapi
from ninefold.server.http.review import Bench
from ninefold.server.http.routes import router
from ninefold.server.http.websocket import Sockets
from ninefold.server.storage.service import Limits, Service

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

Answer = Callable[[Request], Awaitable[Response]]

PAGES = {
    "/": "index.html", "/m/{match}": "match.html", "/review": "review.html",
    "/favicon.svg": "favicon.svg", "/favicon.ico": "favicon.svg",
}  # fmt: skip


def create_app(config: Config) -> FastAPI:
    counted, gate = metrics.Metrics(), Gate(config.bounds)
    app = FastAPI(
        title="Ninefold",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        redirect_slashes=False,
        lifespan=_lifespan,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # we have our own
        exception_handlers=errors.HANDLERS,
        middleware=[Middleware(Watch, metrics=counted), Middleware(Guard, config=config, gate=gate)],
    )
    app.state.config, app.state.metrics, app.state.gate = config, counted, gate
    app.openapi = lambda: openapi(app)  # type: ignore[method-assign]
    app.include_router(router)
    app.add_api_route("/healthz", _health, response_model=HealthOut, **describe())
    app.add_api_route("/healthz", _health, methods=["HEAD"], include_in_schema=False)
    _add_pages(app)
    app.routes.extend(Route(path, _Door(app, path)) for path, _ in config.mounts)
    app.state.doors = [route for route in (*router.routes, *app.routes) if isinstance(route, Route)]
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with contextlib.AsyncExitStack() as stack:
        try:
            await _start(app, stack)
        except Exception as error:
            app.state.failure = error  # uvicorn says only that there was one
            if not isinstance(error, Refusal):
                say_error("cannot start", error)
            raise
        yield


async def _start(app: FastAPI, stack: contextlib.AsyncExitStack) -> None:
    """What is started first is stopped last."""
    config: Config = app.state.config
    bounds = config.bounds
    service = await _start_service(config)
    stack.push_async_callback(service.stop)
    app.state.service = service
    app.state.bench = Bench(bounds.thinkers, bounds.waiting)
    stack.callback(app.state.bench.close)
    app.state.sockets = Sockets(service, app.state.gate, app.state.metrics, bounds)
    stack.push_async_callback(app.state.sockets.stop)
    app.state.mounted = {path: mount(service, config) for path, mount in config.mounts}
    for mounted in app.state.mounted.values():
        stack.push_async_callback(mounted.stop)
    if config.metrics:
        stack.callback((await _serve_metrics(app, *config.metrics)).close)


async def _start_service(config: Config) -> Service:
    limits = Limits(config.matches, config.bounds.spectators, config.cached)
    service = Service(
        config.data, config.database or None, limits=limits, engines=config.engines, keep_days=config.keep_days
    )
    try:
        await service.start()
    except ModuleNotFoundError as missing:
        raise NotAllowed("not_installed.postgresql", package=missing.name) from None
    except OSError as error:
        raise NotAllowed("no_folder", folder=quoted(str(config.data), 100), why=error.strerror) from None
    return service


async def _serve_metrics(app: FastAPI, host: str, port: int) -> asyncio.Server:
    try:
        server = await metrics.serve(host, port, lambda: app.state.metrics.text(app.state.service.health()))
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise NotAllowed("address_in_use.metrics", host=host, port=port, why=why) from None
    say("metrics", address="{}:{}".format(*server.sockets[0].getsockname()[:2]))
    return server


class _Door:
    """Leads to what is mounted at a path, once it is there."""

    def __init__(self, app: FastAPI, path: str) -> None:
        self.app, self.path = app, path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self  # for the log
        await self.app.state.mounted[self.path](scope, receive, send)


async def _health(request: Request) -> Response:
    """Whether this server is there for you."""
    status = request.app.state.service.health()["status"]
    if status == "stopping":
        raise NotAllowed("stopping")
    if status != "ok":
        raise unavailable()
    return Response('{"status": "ok"}', media_type="application/json")


def _add_pages(app: FastAPI) -> None:
    """The browser client."""
    found = static_files.read_pages()

    async def static(request: Request) -> Response:
        page = found.get(request.path_params["file"])
        if page is None:
            raise static_files.no_such_page()
        return page.response(request)

    for path, name in PAGES.items():
        _add_page(app, path, _always(found[name]))
    _add_page(app, "/static/{file:path}", static)


def _add_page(app: FastAPI, path: str, answer: Answer) -> None:
    app.add_api_route(path, answer, methods=["GET", "HEAD"], include_in_schema=False)


def _always(page: static_files.Page) -> Answer:
    async def answer(request: Request) -> Response:
        return page.response(request)

    return answer
