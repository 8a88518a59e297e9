"""OpenTelemetry traces, on request: a span for each request and for each batch that is written to the database.

Spans hold what the log holds: no tokens, no ids of matches and no query strings.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ninefold.core.errors import NotAllowed
from ninefold.server.http.middleware import route_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SERVICE = "ninefold"


class Tracing:
    """The spans of one process. They are sent to ``endpoint`` by OTLP over HTTP, or given to ``exporter``."""

    def __init__(self, endpoint: str, exporter: Any = None) -> None:
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ModuleNotFoundError as missing:
            raise NotAllowed("not_installed.telemetry", package=(missing.name or "").partition(".")[0]) from None
        self._provider = TracerProvider(resource=Resource.create({"service.name": SERVICE}), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter or OTLPSpanExporter(endpoint)))
        self._tracer = self._provider.get_tracer(SERVICE)

    @contextlib.contextmanager
    def batch(self, size: int) -> Iterator[None]:
        """A span around one transaction of the writer."""
        with self._tracer.start_as_current_span("database batch", attributes={"ninefold.batch.size": size}):
            yield

    async def request(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """A span around one request."""
        from opentelemetry.trace import SpanKind, StatusCode

        async def send_and_note(message: Message) -> None:
            if message["type"] == "http.response.start":
                span.set_attribute("http.response.status_code", message["status"])
                if message["status"] >= 500:
                    span.set_status(StatusCode.ERROR)
            await send(message)

        with self._tracer.start_as_current_span(scope["method"], kind=SpanKind.SERVER) as span:
            await app(scope, receive, send_and_note)
            route = route_of(scope)
            span.update_name(f"{scope['method']} {route}")
            span.set_attributes({"http.request.method": scope["method"], "http.route": route})

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()


class TracedApp:
    """An ASGI app around another one, with a span for each request. A socket lasts too long for one."""

    app: ASGIApp
    tracing: Tracing

    def __init__(self, app: ASGIApp, tracing: Tracing) -> None:
        self.app, self.tracing = app, tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self.tracing.request(self.app, scope, receive, send)
        else:
            await self.app(scope, receive, send)
