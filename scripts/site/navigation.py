"""What the site shows, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Section(NamedTuple):
    """A tab of the site: its title, and its pages. A page is its title and its file below the staged pages."""

    title: str
    pages: tuple[tuple[str, str], ...]


BEFORE_REFERENCE = (
    Section(
        "Tutorials",
        (
            ("Which tutorial?", "tutorials/index.md"),
            ("For players", "tutorials/players.md"),
            ("For agent builders", "tutorials/agent-builders.md"),
            ("For researchers", "tutorials/researchers.md"),
            ("For operators", "tutorials/operators.md"),
        ),
    ),
    Section(
        "Play",
        (
            ("The rules", "rules.md"),
            ("In a terminal", "play.md"),
            ("The full screen", "screen.md"),
            ("In the browser", "browser-pages.md"),
            ("Offline, and on any web space", "offline.md"),
            ("Languages", "languages.md"),
            ("Notation, logs, records", "notation.md"),
            ("What the rule documents ask", "coverage.md"),
        ),
    ),
    Section(
        "Agents",
        (
            ("Over MCP", "agents.md"),
            ("Evaluate agents", "evaluate.md"),
            ("Leaderboard", "leaderboard.md"),
        ),
    ),
    Section(
        "Research",
        (
            ("From Python", "library.md"),
            ("Environments", "environments.md"),
            ("On a GPU", "gpu.md"),
            ("Engine, UGI, arena", "engine.md"),
            ("The engine's network", "network.md"),
            ("AlphaZero", "alphazero.md"),
            ("Data sets", "data.md"),
        ),
    ),
    Section(
        "Operate",
        (
            ("Operate a server", "operate.md"),
            ("Privacy", "privacy.md"),
            ("Protocol of the server", "protocol.md"),
            ("What a site carries", "scale.md"),
            ("Security", "security.md"),
        ),
    ),
)
AFTER_REFERENCE = (
    Section(
        "Benchmarks",
        (
            ("Speed", "benchmarks.md"),
            ("Strength", "strength.md"),
            ("The server under load", "serving.md"),
            ("The server in a simulated world", "simulation.md"),
            ("The full screen", "screen-speed.md"),
            ("The browser client", "browser.md"),
            ("The engine in the page", "engine-in-page.md"),
            ("Trainers", "trainers.md"),
        ),
    ),
    Section(
        "How it works",
        (
            ("Architecture", "architecture.md"),
            ("Glossary", "glossary.md"),
            ("Design language", "design-language.md"),
            ("Add a game", "add-a-game.md"),
            ("Contributing", "contributing.md"),
            ("Releases", "release.md"),
            ("Changelog", "changelog.md"),
        ),
    ),
)


def sections(course: Sequence[tuple[str, str]], reference: Sequence[tuple[str, str]]) -> list[Section]:
    """All tabs. ``course`` are the pages of the notebooks."""
    lessons = Section("Course", (("About the course", "course.md"), *course))
    return [*BEFORE_REFERENCE, lessons, Section("Reference", tuple(reference)), *AFTER_REFERENCE]


def as_toml(tabs: Sequence[Section]) -> str:
    """The navigation as Zensical reads it.

    >>> as_toml([Section("Play", (("The rules", "rules.md"),))])
    'nav = [\\n  { "Home" = "index.md" },\\n  { "Play" = [{ "The rules" = "rules.md" }] },\\n]'
    """
    lines = []
    for tab in tabs:
        pages = ", ".join(f'{{ "{title}" = "{file}" }}' for title, file in tab.pages)
        lines.append(f'  {{ "{tab.title}" = [{pages}] }},\n')
    return f'nav = [\n  {{ "Home" = "index.md" }},\n{"".join(lines)}]'
