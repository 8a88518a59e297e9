"""``ninefold site``."""

from __future__ import annotations

import argparse
from pathlib import Path

from ninefold.core.messages import text
from ninefold.server.http.static_site import write_site


def site(given: argparse.Namespace) -> int:
    written = write_site(Path(given.folder))
    print(text("site.written", folder=given.folder, files=written.files, kilobytes=written.size // 1000))
    return 0
