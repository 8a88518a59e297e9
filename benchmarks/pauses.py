"""The longest pauses of garbage collection in a server with many matches, while moves are made.

python -m benchmarks.pauses [--matches 10000] [--rate 300] [--seconds 20]

The server runs in a thread of this process, so the objects of the load generator are collected too.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import socket
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path

from benchmarks.serving import Load, Server
from ninefold.server.http.config import Config, Limits, rates
from ninefold.server.http.serve import server_names
from ninefold.server.http.uvicorn_server import GC_THRESHOLD, HttpServer


class Pauses:
    """How long each collection took, in milliseconds of processor time, by generation."""

    def __init__(self) -> None:
        self.found: defaultdict[int, list[float]] = defaultdict(list)
        self._began = 0.0
        gc.callbacks.append(self._note)

    def _note(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.thread_time()
        else:
            self.found[info["generation"]].append((time.thread_time() - self._began) * 1000)

    def __str__(self) -> str:
        lines = [
            f"generation {number}: {len(found)} collections, longest {max(found):.1f} ms"
            for number, found in sorted(self.found.items())
        ]
        return "\n".join(lines or ["no collections"])


async def measure(server: Server, given: argparse.Namespace) -> None:
    load = Load(server)
    await load.create(given.matches)
    pauses = Pauses()
    print(await load.run(given.rate, given.seconds))
    print(pauses)
    pauses.found.clear()
    gc.collect()
    print(f"What a full collection would take: {max(pauses.found[2]):.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--rate", type=float, default=300)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    started = threading.Event()
    with tempfile.TemporaryDirectory() as data, socket.create_server(("127.0.0.1", 0)) as listener:
        host, port = listener.getsockname()
        writes, reads = rates(1e6)
        names = server_names("", port)
        config = Config(Path(data), hosts=names.hosts, origins=names.origins, limits=Limits(writes=writes, reads=reads))
        server = HttpServer(config, started.set)
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLD)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        started.wait()
        asyncio.run(measure(Server(host, port), given))
        server.stop()
        thread.join()


if __name__ == "__main__":
    main()
