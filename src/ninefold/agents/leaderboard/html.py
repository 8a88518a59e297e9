"""Pages in HTML: the frame of a page, tables, and the style in the colours of Ninefold. They stand on their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from ninefold import __version__
from ninefold.core.palette import CONTRAST, DARK, LIGHT, Theme

STATIC = Path(__file__).parent / "static"
STYLE, MATCH_SCRIPT, INDEX_SCRIPT = "style.css", "match.js", "index.js"
# A theme whose colours are the custom properties of the style, so that pictures are light and dark with the page.
PAGE_THEME = Theme(*(f"var(--{name.replace('_', '-')})" for name in Theme._fields))


class TableCell(NamedTuple):
    """A cell of a table: safe HTML, and the class that it is styled by."""

    html: str
    style: str = ""


def style_sheet() -> str:
    """The colours of all themes, then the style itself."""
    dark, contrast = _properties(DARK), _properties(CONTRAST)
    return (
        f":root {{ color-scheme: light dark; {_properties(LIGHT)} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        f"@media (prefers-contrast: more) {{ :root {{ color-scheme: dark; {contrast} }} }}\n"
        + (STATIC / STYLE).read_text(encoding="utf-8")
    )


def _properties(theme: Theme) -> str:
    return " ".join(f"--{name.replace('_', '-')}: {colour};" for name, colour in theme._asdict().items())


def page(title: str, body: str, *, root: str = "", script: str = "") -> str:
    """A whole page. ``root`` leads from its folder to that of the leaderboard."""
    scripts = f'<script src="{root}{script}" defer></script>\n' if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="ninefold {escape(__version__)}">\n'
        f"<title>{escape(title)}</title>\n"
        f'<link rel="icon" href="data:,">\n<link rel="stylesheet" href="{root}{STYLE}">\n{scripts}</head>\n<body>\n'
        f'<a class="skip" href="#main">Skip to the content</a>\n{body}</body>\n</html>\n'
    )


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[TableCell]], *, style: str = "") -> str:
    """A table whose first column names its rows. It scrolls by itself where it is wider than the page."""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join(f"<tr>{_row(row)}</tr>\n" for row in rows)
    return (
        f'<div class="scroll" role="region" aria-label="{escape(caption)}" tabindex="0">\n<table class="{style}">'
        f"<caption>{escape(caption)}</caption>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n"
    )


def _row(row: Sequence[TableCell]) -> str:
    first, *others = row
    return f'<th scope="row"{_class(first)}>{first.html}</th>' + "".join(
        f"<td{_class(cell)}>{cell.html}</td>" for cell in others
    )


def _class(cell: TableCell) -> str:
    return f' class="{cell.style}"' if cell.style else ""


def cells(*values: object) -> list[TableCell]:
    """Cells with these values as text."""
    return [value if isinstance(value, TableCell) else TableCell(escape(str(value))) for value in values]


def small_print(sentence: str) -> str:
    """A paragraph in small print, below a table."""
    return f'<p class="small">{escape(sentence)}</p>\n'
