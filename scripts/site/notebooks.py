"""Notebooks of the course as pages: their text, their code, and what it printed and drew when it was executed."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts.site.formulas import drawn
from scripts.site.pages import ROOT, linked, write_page

EXECUTED = ROOT / "build" / "course"  # where ``make course`` leaves the notebooks with their outputs
WRITTEN = ROOT / "course"
FOLDER = "course"


def stage(folder: Path, python: Path) -> list[tuple[str, str]]:
    """Write a page for each notebook below a folder; return their titles and names. There may be none.

    ``python`` is that of the environment of the site, which draws formulas.
    """
    pages = []
    for written in sorted(WRITTEN.glob("*.ipynb")):
        page = f"{FOLDER}/{written.stem}.md"
        notebook = _read(EXECUTED / written.name if is_executed(written) else written)
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = linked("".join(cell["source"]), written, page, folder)
        text = "\n\n".join(cell for cell in cells(notebook, folder / FOLDER, written.stem, python) if cell)
        write_page(folder / page, f"{text}\n")
        pages.append((title(text), page))
    return pages


def not_executed() -> list[str]:
    """The notebooks whose pages have no output, because ``make course`` has not executed them as they are now."""
    return [written.name for written in sorted(WRITTEN.glob("*.ipynb")) if not is_executed(written)]


def is_executed(written: Path) -> bool:
    """True if a notebook was executed, and has not been changed since."""
    executed = EXECUTED / written.name
    return executed.exists() and _sources(_read(executed)) == _sources(_read(written))


def _sources(notebook: dict[str, Any]) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook["cells"]]


def _read(file: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return notebook


def title(text: str) -> str:
    """The first heading of a page.

    >>> title("# Minimax\\n\\nText.")
    'Minimax'
    """
    return next((line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")), "A lesson")


def cells(notebook: dict[str, Any], folder: Path, name: str, python: Path) -> Iterator[str]:
    """The cells as Markdown. Pictures are files beside the page."""
    for number, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield drawn(source, python)
        elif cell["cell_type"] == "code" and source.strip():
            yield _code("python", source)
            for place, output in enumerate(cell.get("outputs", ())):
                yield from _output(output, folder, f"{name}-{number}-{place}")


def _output(output: dict[str, Any], folder: Path, picture: str) -> Iterator[str]:
    if output["output_type"] == "stream":
        yield _code("text", "".join(output["text"]))
    elif output["output_type"] == "error":
        yield _code("text", f"{output['ename']}: {output['evalue']}")
    elif "image/svg+xml" in output["data"]:
        write_page(folder / f"{picture}.svg", "".join(output["data"]["image/svg+xml"]))
        yield f"![What the code draws]({picture}.svg)"
    elif "image/png" in output["data"]:
        (folder / f"{picture}.png").parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{picture}.png").write_bytes(base64.b64decode("".join(output["data"]["image/png"])))
        yield f"![What the code draws]({picture}.png)"
    else:
        yield _code("text", "".join(output["data"].get("text/plain", "")))


def _code(language: str, text: str) -> str:
    """A block of code; its fence is longer than any in it."""
    text = text.strip("\n")
    fence = "```" if "```" not in text else "````"
    return f"{fence}{language}\n{text}\n{fence}" if text else ""
