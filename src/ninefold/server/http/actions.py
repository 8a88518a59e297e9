"""Acting in a match: the same for requests and for sockets."""

from __future__ import annotations

import time
from typing import Any

from ninefold.server.http.metrics import Metrics
from ninefold.server.http.requests import ActIn
from ninefold.server.storage.service import Service


async def act(service: Service, metrics: Metrics, match: str, token: str | None, given: ActIn) -> dict[str, Any]:
    began = time.monotonic()
    try:
        action = given.action
        return await service.act(match, token, given.request, given.version, action.action(), action.typed)
    finally:
        metrics.acted(time.monotonic() - began)
