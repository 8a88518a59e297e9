"""The pages of the reference: one for each public module, with every name that it exports."""

from __future__ import annotations

from pathlib import Path

from scripts.site.pages import write_page
from scripts.site.public import PUBLIC, described_in

FOLDER = "reference"
INTRODUCTION = """# Reference

These are the public names: those that `import ninefold` exports, and those in the `__all__` of the modules below. Each
has an example that runs as a test. They change only with a line in the [changelog](../changelog.md). Every other module
may change at any time.
"""
MEMBER = """
::: {module}.{name}
"""


def stage(folder: Path) -> list[tuple[str, str]]:
    """Write the pages below a folder; return their titles and names."""
    pages = [("All names", f"{FOLDER}/index.md")]
    write_page(folder / FOLDER / "index.md", _index())
    for module, what in PUBLIC.items():
        page = f"{FOLDER}/{module.removeprefix('ninefold.')}.md"
        members = "".join(_described(module, name) for name in described_in(module))
        write_page(folder / page, f"# {module}\n\n{what}\n{members}")
        pages.append((module.removeprefix("ninefold."), page))
    return pages


def _described(module: str, name: str) -> str:
    """A name of a module; a module that it exports has a page of its own."""
    for other in PUBLIC:
        if other.endswith(f".{name}"):
            return f"\n## {name}\n\nThe module [{other}]({other.removeprefix('ninefold.')}.md).\n"
    return MEMBER.format(module=module, name=name)


def _place(module: str, name: str, page: str) -> str:
    is_module = any(other.endswith(f".{name}") for other in PUBLIC)
    return f"{page}#{name}" if is_module else f"{page}#{module}.{name}"


def _index() -> str:
    rows = []
    for module, what in PUBLIC.items():
        page = f"{module.removeprefix('ninefold.')}.md"
        names = " ".join(f"[`{name}`]({_place(module, name, page)})" for name in described_in(module))
        rows.append(f"## {module}\n\n[{what}]({page})\n\n{names}\n")
    return "\n".join([INTRODUCTION, *rows])
