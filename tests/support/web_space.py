"""A plain web server of files, with the static site under a path: what any web space does."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from ninefold.server.http.static_site import write_site

PATH = "/some/where"


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextlib.contextmanager
def web_space_in(folder: Path) -> Iterator[str]:
    """The address of the web server; the site is below it, at ``PATH``, and in the same folder of ``folder``."""
    write_site(folder / PATH.strip("/"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=folder))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
