"""What ``make release`` checks before it builds: version, changelog, tags, and a clean tree."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scripts.release_checks import wrong


def git(root: Path, *arguments: str) -> None:
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *author, *arguments], cwd=root, check=True, capture_output=True)


def write(root: Path, *, version: str = "0.2.0", cited: str = "0.2.0", heading: str = "0.2.0 (2026-11-30)") -> None:
    package = root / "src" / "ninefold"
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_text(f'__version__ = "{version}"\n')
    (root / "CITATION.cff").write_text(f"title: Ninefold\nversion: {cited}\n")
    (root / "CHANGELOG.md").write_text(
        f"# Changelog\n\n## {heading}\n\n- Something.\n\n## 0.1.0 (2026-10-01)\n\n- First.\n"
    )
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "Change something")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    write(tmp_path, version="0.1.0")
    git(tmp_path, "tag", "v0.1.0")
    git(tmp_path, "tag", "nightly")
    write(tmp_path)
    return tmp_path


def test_a_project_that_is_ready_has_no_fault_before_and_after_its_tag(project: Path) -> None:
    assert list(wrong(project)) == []
    git(project, "tag", "v0.2.0")
    assert list(wrong(project)) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"version": "0.2"}, "The version '0.2' in src/ninefold/__init__.py is not three numbers, as in 0.2.0."),
        ({"cited": "0.1.0"}, "CITATION.cff names 0.1.0: write 0.2.0 there."),
        (
            {"heading": "Unreleased: 0.2.0"},
            "The changelog begins with 'Unreleased: 0.2.0': write version and day, as in `## 0.2.0 (2026-11-30)`.",
        ),
        (
            {"heading": "0.3.0 (2026-12-01)"},
            "The changelog begins with 0.3.0, and the version is 0.2.0: one of them is wrong.",
        ),
        (
            {"heading": "0.2.0 (2026-11-30)\n\n## 0.1.1 (2026-10-02)"},
            "The changelog says nothing about 0.2.0.",
        ),
    ],
)
def test_one_fault_is_told_in_one_sentence(project: Path, change: dict[str, str], told: str) -> None:
    write(project, **change)
    assert list(wrong(project)) == [told]


def test_a_version_that_is_not_above_the_newest_tag_is_told(project: Path) -> None:
    git(project, "tag", "v0.10.0")
    assert list(wrong(project)) == ["The version 0.2.0 is not above the newest tag, v0.10.0: raise the version."]


def test_a_tag_on_another_commit_is_told(project: Path) -> None:
    git(project, "tag", "v0.2.0")
    write(project)
    assert list(wrong(project)) == ["The tag v0.2.0 is on another commit: raise the version, or check out that commit."]


def test_files_that_are_not_committed_are_told(project: Path) -> None:
    (project / "note.txt").touch()
    assert list(wrong(project)) == ["1 files are not committed: commit them, or remove them."]
