"""Backups: made while the server runs, complete or refused, and restored into either kind of database."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import func, select

from ninefold.client import RemoteSeat
from ninefold.core.errors import Refusal
from ninefold.server.storage.backup import back_up, restore_from
from ninefold.server.storage.database import snapshot
from ninefold.server.storage.migrations import VERSION, version_of
from ninefold.server.storage.schema import EVENTS, MATCHES, REFUSED
from tests.support.console import ninefold, refused
from tests.support.handlers import match_request
from tests.support.hosted_matches import on_a_loop
from tests.support.hosted_matches import refused as why_refused
from tests.support.hosted_matches import serving as serving_service
from tests.support.postgres import Postgres
from tests.support.server_process import Serving, serving

REQUEST_COLUMNS = ("requested_by", "request", "request_digest", "response")


class Place(NamedTuple):
    """Where matches are stored, as options of the commands."""

    folder: Path
    url: str | None

    @property
    def options(self) -> tuple[str, ...]:
        return "--data", str(self.folder), *(("--database", self.url) if self.url else ())


@pytest.fixture
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Place]:
    """A new empty place of a kind."""
    made: list[Place] = []

    def make(kind: str) -> Place:
        server: Postgres | None = request.getfixturevalue("postgres") if kind == "postgresql" else None
        made.append(Place(tmp_path / f"place{len(made)}", server.new_database() if server else None))
        return made[-1]

    return make


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server that has had a match, and is not running any more."""
    folder = tmp_path_factory.mktemp("kept") / "data"
    with serving(folder) as server:
        two_moves(server)
        server.stop()
    return folder


@pytest.fixture
def backup(data: Path, tmp_path: Path) -> Path:
    file = tmp_path / "matches.backup"
    back_up(str(file), data)
    return file


def two_moves(server: Serving) -> tuple[RemoteSeat, RemoteSeat]:
    """A match between two people, with a move of each."""
    seats = server.client().create("classic", ("human", "human"), names=("Ann", "Bob")).seats
    seats[1].play("5")
    seats[2].play("1")
    seats[1].view()
    return seats[1], seats[2]


def why_not(file: Path, place: Place) -> str:
    """Why a backup is not restored."""
    with pytest.raises(Refusal) as caught:
        restore_from(str(file), *place)
    return str(caught.value)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def with_end(file: Path, rows: list[dict[str, Any]]) -> Path:
    """A backup of these lines with the end that belongs to them."""
    text = "".join(json.dumps(line) + "\n" for line in rows)
    counts: dict[str, int] = {}
    for line in rows[1:]:
        counts[line["table"]] = counts.get(line["table"], 0) + 1
    end = {"end": counts, "sha256": hashlib.sha256(text.encode()).hexdigest()}
    file.write_text(text + json.dumps(end) + "\n")
    return file


@pytest.mark.parametrize(("source", "target"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
def test_a_backup_of_a_running_server_can_be_restored_into_the_other_kind_of_database(
    new_place: Callable[[str], Place], tmp_path: Path, source: str, target: str
) -> None:
    old, new = new_place(source), new_place(target)
    with serving(old.folder, *old.options[2:]) as server:
        ann, _ = two_moves(server)
        file = tmp_path / "matches.backup.gz"
        done = ninefold("backup", str(file), *old.options)
        assert done.stdout == f"In {file}: 1 match with 2 events.\n", done.stderr
        ann.play("2")  # too late for the backup
        server.stop()
    done = ninefold("restore", str(file), *new.options)
    assert done.stdout == "Restored: 1 match with 2 events.\n", done.stderr
    with serving(new.folder, *new.options[2:]) as server:
        again = RemoteSeat(server.client(), ann.id, ann.token or "", 1)
        assert again.view()["position"].startswith("O../.X./... X")
        again.play("3")
        assert again.match().events[2].action.move == 2


def test_a_backup_is_consistent_while_the_matches_go_on(tmp_path: Path, url: str | None) -> None:
    place = Place(tmp_path / "data", url)
    with serving(place.folder, *place.options[2:]) as server:
        ann, _ = two_moves(server)
        with snapshot(*place) as connection:
            assert connection.execute(select(func.count()).select_from(MATCHES)).scalar_one() == 1
            ann.play("2")
            two_moves(server)
            assert connection.execute(select(func.count()).select_from(EVENTS)).scalar_one() == 2
            assert connection.execute(select(func.count()).select_from(MATCHES)).scalar_one() == 1


@on_a_loop
async def test_a_backup_brings_back_a_match_that_was_deleted_after_it_and_no_other(
    new_place: Callable[[str], Place], tmp_path: Path, url: str | None
) -> None:
    place, key = Place(tmp_path / "data", url), "a-request-that-comes-twice"
    async with serving_service(*place) as service:
        match = (await service.create(match_request(), key))["match"]
        back_up(str(tmp_path / "before"), *place)
        await service.scheduler.delete([match])
        back_up(str(tmp_path / "after"), *place)
    before, after = (new_place("postgresql" if url else "sqlite") for _ in range(2))
    restore_from(str(tmp_path / "before"), *before)
    async with serving_service(*before) as service:
        assert (await service.view(match)).document["status"] == "live"
        assert (await service.create(match_request(), key))["match"] == match
    restore_from(str(tmp_path / "after"), *after)
    async with serving_service(*after) as service:
        assert (await why_refused(service.create(match_request(), key))).reason == "no_such_match"


def test_only_the_owner_can_read_a_backup_and_no_file_is_overwritten(backup: Path, data: Path) -> None:
    assert backup.stat().st_mode & 0o077 == 0
    assert "exists already" in refused("backup", str(backup), "--data", str(data))
    assert [file.name for file in backup.parent.iterdir()] == [backup.name]


def test_a_backup_is_json_lines_and_compressed_if_its_name_ends_in_gz(backup: Path, data: Path, tmp_path: Path) -> None:
    head, *rows, end = lines(backup)
    assert head["ninefold_backup"] == 1
    assert {row["table"] for row in rows} == set(end["end"])
    assert end["end"]["matches"] == 1
    packed = tmp_path / "matches.gz"
    back_up(str(packed), data)
    unpacked = [json.loads(line) for line in gzip.decompress(packed.read_bytes()).splitlines()]
    assert unpacked[1:-1] == rows


def test_a_backup_holds_no_token_that_opens_a_seat(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        ann, bob = two_moves(server)
        back_up(str(tmp_path / "matches.backup"), tmp_path / "data")
    text = (tmp_path / "matches.backup").read_text()
    assert ann.token
    assert bob.token
    assert ann.token not in text
    assert bob.token not in text


def test_a_folder_without_a_database_cannot_be_backed_up(tmp_path: Path) -> None:
    assert "There are no matches in" in refused("backup", str(tmp_path / "b"), "--data", str(tmp_path / "nowhere"))
    assert list(tmp_path.iterdir()) == []


def test_a_backup_is_restored_only_into_an_empty_database(backup: Path, new_place: Callable[[str], Place]) -> None:
    place = new_place("sqlite")
    restore_from(str(backup), *place)
    assert "There is a database of Ninefold already." in why_not(backup, place)


def test_nothing_is_restored_while_a_server_runs(backup: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "data"):
        said = refused("restore", str(backup), "--data", str(tmp_path / "data"))
    assert "Another server uses the matches" in said
    assert said.strip().endswith("Stop it, or choose a new folder with --data.")


def test_a_folder_that_cannot_be_used_is_named(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refused("restore", str(backup), "--data", str(tmp_path / "file"))
    assert f"Matches cannot be stored in '{tmp_path / 'file'}': it is a file, not a folder. Choose another" in said
    said = refused("restore", str(backup), "--data", str(tmp_path / "file" / "folder"))
    assert "Not a directory. Choose another folder with --data." in said
    (tmp_path / "matches.db").write_bytes(b"this is not a database" * 100)
    for command in (("restore", str(backup)), ("backup", str(tmp_path / "new"))):
        said = refused(*command, "--data", str(tmp_path))
        assert f"The database '{tmp_path / 'matches.db'}' cannot be used. It says: file is not a database. " in said


def test_an_incomplete_backup_is_refused_wherever_it_was_cut(backup: Path, new_place: Callable[[str], Place]) -> None:
    data = backup.read_bytes()
    ends = [at for at, byte in enumerate(data) if byte == ord("\n")][:-1]
    place, half = new_place("sqlite"), backup.with_name("half")
    for end in (0, 10, *(end + 1 for end in ends[:: len(ends) // 3]), len(data) - 1):
        half.write_bytes(data[:end])
        assert "its end is missing" in why_not(half, place)
    assert restore_from(str(backup), *place)["events"] == 2


def test_a_restore_that_fails_changes_nothing(backup: Path, tmp_path: Path) -> None:
    half, folder = tmp_path / "half", tmp_path / "data"
    half.write_bytes(backup.read_bytes()[:-10])
    why_not(half, Place(folder, None))
    assert not folder.exists()
    folder.mkdir()
    (folder / "mine").touch()
    why_not(half, Place(folder, None))
    assert {file.name for file in folder.iterdir()} == {"mine", "server.lock"}
    restore_from(str(backup), folder)
    why_not(backup, Place(folder, None))
    with snapshot(folder) as connection:
        assert connection.execute(select(func.count()).select_from(MATCHES)).scalar_one() == 1


def test_an_incomplete_compressed_backup_is_refused(backup: Path, new_place: Callable[[str], Place]) -> None:
    packed = gzip.compress(backup.read_bytes())
    half = backup.with_name("half.gz")
    for end in (20, len(packed) // 2, len(packed) - 4):
        half.write_bytes(packed[:end])
        assert "its end is missing" in why_not(half, new_place("sqlite"))


def test_a_backup_that_was_changed_is_refused(backup: Path, new_place: Callable[[str], Place]) -> None:
    changed = backup.with_name("changed")
    changed.write_text(backup.read_text().replace('"Ann', '"Eve').replace('\\"Ann', '\\"Eve'))
    assert changed.read_text() != backup.read_text()
    assert "has been changed" in why_not(changed, new_place("sqlite"))
    changed.write_text(backup.read_text() + "{}\n")
    assert "something after the end" in why_not(changed, new_place("sqlite"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"table": "letters", "row": {}}, "not a row of a table"),
        ({"table": "meta", "row": {"key": "a", "value": "b", "more": "c"}}, "not a row of a table"),
        ({"table": "meta", "row": {"key": "a", "value": 1}}, "'value' is not text"),
        ({"table": "outages", "row": {"began": "1", "ended": 2}}, "'began' is not a whole number"),
        ({"table": "outages", "row": {"began": True, "ended": 2}}, "'began' is not a whole number"),
        ({"table": "meta", "row": []}, "not a row of a table"),
    ],
)
def test_a_row_that_fits_no_table_is_refused_with_its_line(
    backup: Path, new_place: Callable[[str], Place], line: dict[str, Any], why: str
) -> None:
    wrong = with_end(backup.with_name("wrong"), [lines(backup)[0], line])
    sentence = why_not(wrong, new_place("sqlite"))
    assert "Line 2: " in sentence
    assert why in sentence


@pytest.mark.parametrize("text", ["my letters\n", "[]\n", "{}\n", '{"ninefold": 1}\n', "\x00\x01\n"])
def test_a_file_that_is_not_a_backup_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "letters"
    file.write_text(text)
    assert "Line 1: this is not a" in why_not(file, Place(tmp_path / "data", None))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert "Cannot read" in refused("restore", str(tmp_path / "nothing"), "--data", str(tmp_path / "data"))
    assert not (tmp_path / "data").exists()


def test_a_backup_of_a_newer_ninefold_is_refused(backup: Path, new_place: Callable[[str], Place]) -> None:
    head, *rest = lines(backup)
    newer = with_end(backup.with_name("newer"), [{**head, "schema": head["schema"] + 1}, *rest[:-1]])
    assert "a newer Ninefold" in why_not(newer, new_place("sqlite"))


def as_version_1(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Rows of a backup as an older version wrote them: responses had a table of their own, and refusals none."""
    for table, row in ((line["table"], line["row"]) for line in rows if line["table"] != "refused"):
        if row.get("key") == "version":
            row["value"] = "1"
        if table == "events":
            seat, request, digest, response = (row.pop(name) for name in REQUEST_COLUMNS)
            answer = {"match": row["match"], "seat": seat, "request": request, "body": digest, "text": response}
            yield {"table": "answers", "row": answer}
        if table == "chairs":
            row = {name: value for name, value in row.items() if name not in ("profile", "rating")}
        yield {"table": table, "row": row}


def test_a_backup_of_version_1_is_migrated(backup: Path, new_place: Callable[[str], Place]) -> None:
    head, *rows = lines(backup)[:-1]
    requests = [[line["row"][name] for name in REQUEST_COLUMNS] for line in rows if line["table"] == "events"]
    assert requests
    assert all(map(all, requests))
    place = new_place("sqlite")
    restore_from(str(with_end(backup.with_name("older"), [{**head, "schema": 1}, *as_version_1(rows)])), *place)
    with snapshot(*place) as connection:
        assert version_of(connection) == VERSION
        assert connection.execute(select(func.count()).select_from(REFUSED)).scalar_one() == 0
        columns = [EVENTS.c[name] for name in REQUEST_COLUMNS]
        restored = connection.execute(select(*columns).order_by(EVENTS.c.match, EVENTS.c.index)).all()
    assert [list(row) for row in restored] == requests
