"""What must be true before a version is published: one version everywhere, a dated changelog, a tag that fits, and
nothing that is not committed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

Version = tuple[int, ...]
NAMED = 5  # files that are not committed


def wrong(root: Path) -> Iterator[str]:
    """A sentence for each thing that is wrong, with what to do."""
    version = version_of(root)
    if _parse(version) is None:
        yield f"The version {version!r} in src/ninefold/__init__.py is not three numbers, as in 0.2.0."
        return
    yield from _citation_faults(root, version)
    yield from _changelog_faults(root, version)
    if not (root / ".git").exists():
        yield "This is not a checkout of git: tags, and what is committed, cannot be checked."
        return
    yield from _tag_faults(root, version)
    if changed := [line[3:] for line in _git(root, "status", "--porcelain").split("\n") if line]:
        more = f" and {len(changed) - NAMED} more" if len(changed) > NAMED else ""
        yield f"Not committed: {', '.join(changed[:NAMED])}{more}. Commit, or remove."


def version_of(root: Path) -> str:
    text = (root / "src" / "ninefold" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]*)"$', text, re.MULTILINE)
    return found[1] if found else ""


def _citation_faults(root: Path, version: str) -> Iterator[str]:
    found = re.search(r"^version: (.*)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    if found is None or found[1] != version:
        yield f"CITATION.cff names {found[1] if found else 'no version'}: write {version} there."


def _changelog_faults(root: Path, version: str) -> Iterator[str]:
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    first = re.search(r"^## (.*)$", text, re.MULTILINE)
    heading = first[1] if first else ""
    found = re.fullmatch(r"(\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)", heading)
    if found is None:
        yield f"The changelog begins with {heading!r}: write version and day, as in `## {version} (2026-11-30)`."
    elif found[1] != version:
        yield f"The changelog begins with {found[1]}, and the version is {version}: one of them is wrong."
    elif not text.partition(heading)[2].partition("\n## ")[0].strip():
        yield f"The changelog says nothing about {version}."


def _tag_faults(root: Path, version: str) -> Iterator[str]:
    tags = {tag: parsed for tag in _git(root, "tag").split() if (parsed := _parse(tag.removeprefix("v")))}
    tag = f"v{version}"
    if tag in tags:
        if _git(root, "rev-parse", f"{tag}^{{commit}}") != _git(root, "rev-parse", "HEAD"):
            yield f"The tag {tag} is on another commit: raise the version, or check out that commit."
        return
    newest = max(tags.values(), default=())
    if newest >= (_parse(version) or ()):
        yield f"The version {version} is not above the newest tag, v{'.'.join(map(str, newest))}: raise the version."


def _parse(version: str) -> Version | None:
    return tuple(map(int, version.split("."))) if re.fullmatch(r"\d+\.\d+\.\d+", version, re.ASCII) else None


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.rstrip("\n")
