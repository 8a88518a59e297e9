"""``python -m scripts.site``: stages, renders and checks the documentation site. It fails if anything is amiss.

It needs the environment of Zensical (``.venv-docs``), which ``make docs`` makes, and a Chromium to try the search.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.site import check, navigation, notebooks, pages, reference, search
from scripts.site.pages import DOCS, ROOT, copy

STAGED = ROOT / "build" / "docs"
SITE = ROOT / "build" / "site"
ASSETS = ("iframe-worker.js", "style.css")
LOGO = ROOT / "src" / "ninefold" / "server" / "http" / "static" / "favicon.svg"
ZENSICAL = ROOT / ".venv-docs" / "bin" / "zensical"


def stage(python: Path) -> None:
    """Write the pages and the configuration that Zensical reads."""
    shutil.rmtree(STAGED, ignore_errors=True)
    folder = STAGED / "pages"
    staged = pages.stage(folder)
    lessons, names = notebooks.stage(folder, python), reference.stage(folder)
    for asset in ASSETS:
        copy(DOCS / "site" / asset, folder / "site" / asset)
    copy(LOGO, folder / "site" / "logo.svg")
    tabs = navigation.sections(lessons, names)
    unlisted = set(staged) - {"index.md"} - {page for tab in tabs for _, page in tab.pages}
    if unlisted:
        sys.exit(f"Pages that the navigation leaves out: {', '.join(sorted(unlisted))}")
    config = (DOCS / "site" / "zensical.toml").read_text(encoding="utf-8")
    nav = navigation.as_toml(tabs)
    (STAGED / "zensical.toml").write_text(config.replace("\n[project]\n", f"\n[project]\n{nav}\n", 1), encoding="utf-8")


def render(zensical: Path) -> None:
    """Zensical's strict mode stops at every link, anchor or name that leads nowhere."""
    shutil.rmtree(SITE, ignore_errors=True)
    command: list[str | Path] = [zensical, "build", "--strict", "--clean", "--config-file", STAGED / "zensical.toml"]
    done = subprocess.run(command, cwd=STAGED, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    if done.returncode or "arning" in said:
        sys.exit(f"{said}\nThe site was not built: Zensical warns or fails.")
    (STAGED / "site").rename(SITE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zensical", type=Path, default=ZENSICAL)
    parser.add_argument("--no-browser", action="store_true", help="do not try the search in Chromium")
    arguments = parser.parse_args()
    os.environ["PYTHONUTF8"] = "1"
    zensical = arguments.zensical.absolute()
    stage(zensical.parent / "python")
    render(zensical)
    if missing := notebooks.not_executed():
        print(f"`make course` has not executed {', '.join(missing)}: the pages of them have no output.")
    problems = check.problems(SITE)
    if problems:
        sys.exit("\n".join(problems))
    counted = len(list(SITE.rglob("*.html")))
    print(
        f"{counted} pages in {SITE.relative_to(ROOT)}. Every link leads somewhere, and nothing is loaded from outside."
    )
    if not arguments.no_browser:
        search.main(SITE)


if __name__ == "__main__":
    main()
