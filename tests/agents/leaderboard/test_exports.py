"""Leaderboards as CSV, Parquet, datasets and Inspect logs."""

from __future__ import annotations

import csv
import json
import shutil
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import jsonschema_rs
import pytest
import yaml

from ninefold.agents.leaderboard.dataset import card, write_dataset
from ninefold.agents.leaderboard.inspect_logs import inspect_log, write_inspect_logs
from ninefold.agents.leaderboard.rows import tables
from ninefold.agents.leaderboard.standings import Leaderboard
from ninefold.agents.leaderboard.tables import csv_text, write_csv, write_parquet
from ninefold.core.errors import NotAllowed
from tests.support.inspect_schema import SCHEMA
from tests.support.runs import boards_of


def test_csv_has_a_row_for_every_agent_pair_match_and_turn(board: Leaderboard, tmp_path: Path) -> None:
    write_csv(tmp_path, tables([board]))
    counts = {}
    for file in tmp_path.glob("*.csv"):
        with file.open(newline="", encoding="utf-8") as opened:
            counts[file.stem] = len(list(csv.DictReader(opened)))
    turns = sum(
        sum(event.action.kind not in ("say", "settle", "draw_early") for event in one.match.events)
        for one in board.matches
    )
    assert counts == {"agents": 3, "pairs": 3, "matches": 12, "turns": turns}


def test_csv_can_be_read_back(board: Leaderboard) -> None:
    rows = tables([board])["agents"]
    found = list(csv.DictReader(StringIO(csv_text(rows))))
    assert [row["agent"] for row in found] == [one.agent for one in board.standings]
    assert [float(row["elo"]) for row in found] == [round(one.rating.elo, 1) for one in board.standings]


def test_a_spreadsheet_takes_no_name_for_a_formula() -> None:
    rows = list(csv.reader(StringIO(csv_text([{"agent": "=HYPERLINK(1)", "elo": -5.0, "note": 'a,b\n"c'}]))))
    assert rows == [["agent", "elo", "note"], ["'=HYPERLINK(1)", "-5.0", 'a,b\n"c']]


def test_without_pyarrow_parquet_is_refused_with_its_extra(
    board: Leaderboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ninefold.agents.leaderboard.tables.find_spec", lambda _: None)
    with pytest.raises(NotAllowed, match=r"ninefold\[parquet\]"):
        write_parquet(tmp_path, tables([board]))
    assert not list(tmp_path.iterdir())


def test_a_dataset_has_a_card_whose_front_matter_names_its_files(board: Leaderboard, tmp_path: Path) -> None:
    write_dataset(tmp_path, [board], tables([board]))
    text = (tmp_path / "README.md").read_text()
    _, front, body = text.split("---\n", 2)
    facts = yaml.safe_load(front)
    assert [one["config_name"] for one in facts["configs"]] == ["agents", "pairs", "matches", "turns"]
    assert [one["config_name"] for one in facts["configs"] if one.get("default")] == ["matches"]
    for config in facts["configs"]:
        assert (tmp_path / config["data_files"][0]["path"]).is_file()
    assert all(one.agent in body for one in board.standings)


def test_json_lines_hold_what_each_side_was_told(board: Leaderboard, tmp_path: Path) -> None:
    write_dataset(tmp_path, [board], tables([board]))
    turns = [json.loads(line) for line in (tmp_path / "data" / "turns.jsonl").read_text().splitlines()]
    said = [turn["said"] for turn in turns if turn["agent"] == "misreporter" and turn["move"]]
    assert said
    assert all(text.startswith("I played") for text in said)
    assert all(json.loads(turn["told"]) == [] for turn in turns), "players and scripts are told nothing in words"


def test_the_card_names_the_files_that_there_are(board: Leaderboard) -> None:
    assert "path: data/turns.jsonl" in card([board], tables([board]), suffix="jsonl")


def test_an_inspect_log_has_the_fields_that_inspect_needs(board: Leaderboard, tmp_path: Path) -> None:
    """Inspect's own reader is asked by ``make test-export``: its packages are large."""
    validator = jsonschema_rs.validator_for(SCHEMA)
    assert write_inspect_logs(tmp_path, [board]) == 3
    for file in tmp_path.iterdir():
        validator.validate(json.loads(file.read_text()))


def test_an_inspect_log_has_a_sample_for_each_match_of_its_agent(board: Leaderboard) -> None:
    mine = [one for one in board.matches if "liar" in (one.x, one.o)]
    log = inspect_log(board, "liars", "liar", mine)
    assert len(log["samples"]) == log["results"]["total_samples"] == len(mine) == 8
    points = {score["name"]: score["metrics"]["mean"]["value"] for score in log["results"]["scores"]}["points"]
    standing = next(one for one in board.standings if one.agent == "liar")
    assert points == pytest.approx(standing.total.points / 8)
    roles = [message["role"] for message in log["samples"][0]["messages"]]
    assert roles[:2] == ["user", "assistant"]
    assert len({sample["id"] for sample in log["samples"]}) == 8


def test_an_inspect_log_has_the_usage_of_its_run_alone(run_folder: Path, tmp_path: Path) -> None:
    folders = []
    for tokens in (12, 30):
        folders.append(Path(shutil.copytree(run_folder, tmp_path / f"used-{tokens}")))
        line = {"request": str(tokens), "agent": "liar", "ended": True, "input_tokens": tokens}
        cut = {"request": "cut", "agent": "liar", "estimate": 7 * tokens}
        (folders[-1] / "usage.jsonl").write_text(json.dumps(line) + "\n" + json.dumps(cut) + "\n")
    (tmp_path / "logs").mkdir()
    write_inspect_logs(tmp_path / "logs", boards_of(run_folder, *folders))
    logs = [json.loads(file.read_text()) for file in (tmp_path / "logs").iterdir()]
    used = {
        log["eval"]["dataset"]["name"]: log["stats"]["model_usage"] for log in logs if log["eval"]["model"] == "liar"
    }
    assert {run: sum(one["input_tokens"] for one in usage.values()) for run, usage in used.items()} == {
        "liars": 0, "used-12": 12, "used-30": 30
    }  # fmt: skip
    estimated = {log["eval"]["metadata"].get("estimated_tokens") for log in logs if log["eval"]["model"] == "liar"}
    assert estimated == {None, 7 * 12, 7 * 30}


def test_the_same_run_gives_the_same_logs(board: Leaderboard, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "ab"]
    for folder in folders:
        folder.mkdir()
        write_inspect_logs(folder, [board])
    one, two = ({file.name: file.read_text() for file in folder.iterdir()} for folder in folders)
    assert one == two


@pytest.mark.export
def test_inspect_reads_every_log_of_the_export(board: Leaderboard, tmp_path: Path) -> None:
    from inspect_ai.log import list_eval_logs, read_eval_log

    write_inspect_logs(tmp_path, [board])
    infos = list_eval_logs(str(tmp_path))
    logs = {log.eval.model: log for log in (read_eval_log(info) for info in infos)}
    assert set(logs) == {one.agent for one in board.standings}
    for one in board.standings:
        log = logs[one.agent]
        assert (log.status, log.eval.task, len(log.samples or ())) == ("success", "ninefold-agents", 8)
        assert log.results is not None
        assert log.results.scores[0].metrics["mean"].value == pytest.approx(one.total.points / 8)
        assert all(sample.messages and sample.scores for sample in log.samples or ())
        header = read_eval_log(log.location, header_only=True)
        assert header.samples is None
        assert header.results == log.results


@pytest.mark.export
def test_the_schema_of_the_default_run_asks_for_nothing_that_inspect_does_not_know() -> None:
    from inspect_ai.log import EvalLog

    theirs = EvalLog.model_json_schema()
    ours = SCHEMA["properties"]
    assert set(ours) <= set(theirs["properties"])
    assert set(theirs["required"]) <= set(SCHEMA["required"])
    for field, name in (("eval", "EvalSpec"), ("results", "EvalResults"), ("stats", "EvalStats")):
        assert set(ours[field]["properties"]) <= set(theirs["$defs"][name]["properties"])
        assert set(theirs["$defs"][name].get("required", ())) <= set(ours[field].get("required", ()))
    sample = ours["samples"]["items"]
    assert set(sample["properties"]) <= set(theirs["$defs"]["EvalSample"]["properties"])
    assert set(theirs["$defs"]["EvalSample"]["required"]) <= set(sample["required"])


@pytest.mark.export
def test_parquet_holds_the_same_rows_as_the_tables(board: Leaderboard, tmp_path: Path) -> None:
    assert find_spec("pyarrow")
    import pyarrow.parquet as pq

    found = tables([board])
    write_parquet(tmp_path, found)
    for name, rows in found.items():
        assert pq.read_table(tmp_path / f"{name}.parquet").to_pylist() == rows
    write_dataset(tmp_path, [board], found)
    assert "path: data/turns.parquet" in (tmp_path / "README.md").read_text()
