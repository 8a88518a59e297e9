"""Writes the colours of the browser client from those of the package. `make colours` runs it."""

from __future__ import annotations

from pathlib import Path

from ninefold.core.palette import CONTRAST, DARK, LIGHT, Theme

FILE = Path(__file__).parents[1] / "src" / "ninefold" / "server" / "http" / "static" / "css" / "colours.css"
HEAD = "/* The colours by role, generated from ninefold/core/palette.py by `make colours`. Do not edit. */\n"


def stylesheet() -> str:
    """The custom properties of each theme: chosen by the device, or by a setting."""
    auto = ':root:not([data-theme="light"], [data-theme="dark"])'
    return HEAD + "".join(
        (
            _rule(":root", LIGHT, "light"),
            f"\n@media (prefers-color-scheme: dark) {{\n{_rule(auto, DARK, 'dark')}}}\n",
            f"\n@media (prefers-contrast: more) {{\n{_rule(auto, CONTRAST, 'dark')}}}\n",
            _rule(':root[data-theme="dark"]', DARK, "dark"),
            _rule(':root[data-theme="contrast"]', CONTRAST, "dark"),
        )
    )


def _rule(selector: str, theme: Theme, scheme: str) -> str:
    lines = [f"  --{role.replace('_', '-')}: {colour};\n" for role, colour in theme._asdict().items()]
    return f"{selector} {{\n  color-scheme: {scheme};\n{''.join(lines)}}}\n"


if __name__ == "__main__":
    FILE.write_text(stylesheet(), "utf-8")
    print(f"wrote {FILE}")
