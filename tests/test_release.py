"""What ``make release`` checks before it builds: version, changelog, tags, and a clean tree."""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path

import pytest

from scripts import release
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


def test_files_that_are_not_committed_are_named(project: Path) -> None:
    (project / "note.txt").touch()
    (project / "CHANGELOG.md").write_text((project / "CHANGELOG.md").read_text() + "\nMore.\n")
    assert list(wrong(project)) == ["Not committed: CHANGELOG.md, note.txt. Commit, or remove."]
    for number in range(9):
        (project / f"part-{number}").touch()
    (fault,) = wrong(project)
    assert fault.endswith("note.txt, part-0, part-1, part-2 and 6 more. Commit, or remove.")


def test_a_folder_without_git_is_told(project: Path) -> None:
    (project / ".git").rename(project / "git")
    assert list(wrong(project)) == ["This is not a checkout of git: tags, and what is committed, cannot be checked."]


def released(monkeypatch: pytest.MonkeyPatch, place: Path, *arguments: str) -> tuple[int, list[str]]:
    """The exit code of ``make release`` with parts that do nothing, and the parts in their order."""
    done: list[str] = []

    def build(part: str) -> str:
        done.append(part)
        return part

    monkeypatch.setattr(release, "PARTS", {part: partial(build, part) for part in release.PARTS})
    monkeypatch.setattr(release, "ROOT", place)
    monkeypatch.setattr(release, "DIST", place / "dist")
    monkeypatch.setattr("sys.argv", ["release", *arguments])
    return release.main(), done


def test_nothing_is_built_where_something_is_wrong(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "note.txt").touch()
    assert released(monkeypatch, project) == (1, [])
    assert capsys.readouterr().err == "Not ready: Not committed: note.txt. Commit, or remove.\n"
    assert not (project / "dist").exists()


def test_a_rehearsal_builds_and_fails_at_the_end(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "note.txt").touch()
    code, done = released(monkeypatch, project, "--rehearse")
    assert (code, done) == (1, ["packages", "site", "documentation", "container"])


def test_parts_are_built_in_their_order(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The packages remove what an earlier version left in ``dist``."""
    assert released(monkeypatch, project, "--only", "documentation", "packages") == (0, ["packages", "documentation"])
