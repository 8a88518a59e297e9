"""The pages that benchmarks write, from figures that were not measured."""

from __future__ import annotations

import socket
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import __main__, attack, attacks, browser, day, moves, report, screen, wasm
from benchmarks.endgames import late_position, most_cells
from benchmarks.report import Row, Section
from ninefold.games.squared import Squared
from tests.support.first_board import FirstBoard

SECTIONS = {
    name: Section(name, f"About {name}.", lambda: iter([Row("games", "8 a second", "2 a second", "4.0 times as many")]))
    for name in ("one", "two")
}


def test_all_sections_become_a_page_that_names_the_machine(tmp_path: Path) -> None:
    __main__.main([], SECTIONS, tmp_path)
    page = (tmp_path / "benchmarks.md").read_text(encoding="utf-8")
    assert "| processor | " in page
    for name in SECTIONS:
        assert (
            f"## {name}\n\nAbout {name}.\n\n"
            "| what | ours | theirs | ratio | target |\n"
            "|---|---|---|---|---|\n"
            "| games | 8 a second | 2 a second | 4.0 times as many | - |\n"
        ) in page


def test_a_section_can_have_columns_of_its_own(tmp_path: Path) -> None:
    curve = Section("curve", "Over games.", lambda: iter([Row("1", "5 a second")]), ("games", "classic"))
    __main__.main([], {"curve": curve}, tmp_path)
    page = (tmp_path / "benchmarks.md").read_text(encoding="utf-8")
    assert "| games | classic |\n|---|---|\n| 1 | 5 a second |\n" in page


def test_what_is_installed_is_named_with_its_version() -> None:
    assert ("pytest", pytest.__version__) in report.machine("pytest", "a-package-that-nobody-has")


def test_some_sections_are_printed_and_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    __main__.main(["--only", "two"], SECTIONS, tmp_path)
    shown = capsys.readouterr()
    assert "4.0 times as many" in shown.out
    assert "is not written" in shown.err
    assert not (tmp_path / "benchmarks.md").exists()


def test_some_sections_can_be_written_into_the_page_that_is_there(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text("# Benchmarks\n\nAbout.\n\n## one\n\nkept\n\n## two\n\nold\n", encoding="utf-8")
    more = SECTIONS | {"three": SECTIONS["one"]._replace(title="three")}
    __main__.main(["--only", "two", "three", "--update"], more, tmp_path)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Benchmarks\n\nAbout.\n\n## one\n\nkept\n\n## two\n\nAbout two.\n\n| what |")
    assert "old" not in text
    assert text.count("4.0 times as many") == 2
    assert text.count("at a load average of") == 2
    assert text.index("## two") < text.index("## three\n\nAbout one.")


def test_the_page_of_the_full_screen_has_its_figures_beside_what_was_promised() -> None:
    page = screen.page([Row("first frame", "2 ms", "1 ms", "2.0 times as long", "at most 1.3")], rounds=3, count=7)
    assert "| first frame | 2 ms | 1 ms | 2.0 times as long | at most 1.3 |" in page
    assert "the median of 3." in page
    assert "; 7 keys are pressed" in page


def test_the_figures_of_the_full_screen_that_are_beyond_what_was_promised_are_named() -> None:
    slow = Row("first frame", "280 ms", "200 ms", "1.40 times as long", "at most 1.3")
    late = Row("key to screen", "30.0 / 51.0 ms", target="p95 under 50 ms")
    figures = [
        screen.Figure(slow, 1.4, 1.3),
        screen.Figure(slow, 1.29, 1.3),
        screen.Figure(late, 51.0, 50),
        screen.Figure(late, 49.9, 50),
        screen.Figure(Row("key to screen, the engine rests", "30.0 / 51.0 ms"), 51.0),
    ]
    assert screen.broken(figures) == [
        "Not as promised: first frame: 1.40 times as long, and not at most 1.3.",
        "Not as promised: key to screen: 30.0 / 51.0 ms, and not p95 under 50 ms.",
    ]


@pytest.mark.parametrize(("times", "late", "ends_with"), [(1.31, 50.0, 1), (1.3, 50.1, 1), (1.3, 50.0, 0)])
def test_the_benchmark_of_the_full_screen_writes_its_page_and_fails_when_a_promise_is_broken(
    tmp_path: Path, times: float, late: float, ends_with: int
) -> None:
    seconds = {tuple(screen.NINEFOLD): times, tuple(screen.EMPTY): 1.0}
    measured = screen.Measurements(
        lambda command: seconds[tuple(command)], lambda _, count, thinking: [late if thinking else 60.0] * count
    )
    assert screen.main(["--rounds", "3"], tmp_path, measured) == ends_with
    assert f"{times:.2f} times as long" in (tmp_path / "screen-speed.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("requests", "kb", "ends_with"), [(12, 10, 0), (13, 9, 1), (12, 11, 1)])
def test_the_benchmark_of_the_browser_client_writes_its_page_and_fails_when_a_promise_is_broken(
    tmp_path: Path, requests: int, kb: int, ends_with: int
) -> None:
    cold = FirstBoard(321.0, [("/static/file.js", kb * 1000)] * requests)
    warm = FirstBoard(45.0, [("/static/file.js", 0)] * requests)
    many = FirstBoard(654.0, [("/static/file.js", 1000)] * 500)
    visits = {
        ("bundle", "first page"): [browser.Visit(cold, warm, many)],
        ("plain modules", "first page"): [browser.Visit(many, warm, many)],
    }
    clicks = {("bundle", "first move"): [browser.Click(16.0, 30.0), browser.Click(18.0, 32.0)]}
    found = browser.Found("150.0", visits, clicks)
    assert browser.main(["--rounds", "3"], tmp_path, lambda _: found) == ends_with
    page = (tmp_path / "browser.md").read_text(encoding="utf-8")
    assert f"| first page | {requests} | {requests * kb}.0 KB | 0 | 0.0 KB | 321 ms | 45 ms | 654 ms |" in page
    assert "| bundle, first move | 17 ms | 31 ms |" in page
    assert "| Chromium | 150.0 |" in page


@pytest.mark.parametrize(
    ("seconds", "nodes", "kb", "ends_with"),
    [(4.0, 100, 300, 0), (4.1, 100, 300, 1), (4.0, 99, 300, 1), (4.0, 100, 301, 1)],
)
def test_the_benchmark_of_the_engine_in_the_page_writes_its_page_and_fails_when_a_promise_is_broken(
    tmp_path: Path, seconds: float, nodes: int, kb: int, ends_with: int
) -> None:
    fast, slow = [wasm.Search(100, 1.0)], [wasm.Search(nodes, seconds)]
    rounds = {
        (name, place): [slow if place == "Chromium" else fast, slow]
        for name in wasm.EVALUATIONS
        for place in wasm.PLACES
    }
    rounds["network", "Chromium"] = [slow, slow]
    sizes = {"engine": 100_000, "network of squared": 10, "network of ultimate": kb * 1000}
    found = wasm.Found("150.0", rounds, [(500.0, 300.0), (600.0, 320.0), (700.0, 340.0)], [90.0], sizes)
    assert wasm.main(["--rounds", "2"], tmp_path, lambda *_: found) == ends_with
    page = (tmp_path / "engine-in-page.md").read_text(encoding="utf-8")
    assert "| the first time | 600 ms |\n| again | 320 ms |\n| after a stop | 90 ms |" in page
    assert f"| network | 100 | 100 | {nodes / seconds:.0f} | 1.00 | {nodes / seconds / 100:.2f} |" in page


@pytest.mark.parametrize("game", ["ultimate", "squared"])
def test_a_late_position_has_so_many_free_cells_on_live_boards(game: str) -> None:
    position = late_position(game, 30, 1)
    assert isinstance(position, Squared)
    live = [board for board in range(9) if not position.owners[board]]
    assert sum(position.cells[9 * board : 9 * board + 9].count(None) for board in live) == 30


@pytest.mark.parametrize("most", [20, 27, 28, 31])
def test_the_most_cells_are_found_where_six_of_a_hundred_positions_are_not_proven(most: int) -> None:
    assert most_cells("squared", lambda _, cells, number: cells <= most or number >= 6) == most
    assert most_cells("squared", lambda _, cells, number: number >= (5 if cells <= most else 6)) == most


@pytest.mark.parametrize(("ratio", "said"), [(2.84, "2.8 times as long"), (1234.5, "1,234 times as long")])
def test_a_ratio_has_no_more_digits_than_it_deserves(ratio: float, said: str) -> None:
    assert report.times(ratio, "long") == said


def test_the_page_of_a_compressed_day_has_its_figures_once_and_pictures_of_all_parts() -> None:
    parts = [day.Part(1000 * n, 2.0, 9.0 + n, 100.0 + n, 5.0, 3) for n in range(1, 9)]
    text = day.section(parts, 8000, 16, 2000.0, 10.0)
    assert "8,000 moves through one server with SQLite in 10 s,\n800 a second" in text
    assert "ended matches are deleted after 302.4 s" in text
    assert "memory +4 %, the median latency +0 %" in text
    assert "| 8,000 | 2.0 ms | 17.0 ms | 108 MB | 5 MB | 3 |" in text
    page = report.with_section("# Page\n", "old")
    twice = report.with_section(report.with_section("# Page\n", text), text)
    assert (page, twice.count("## A day compressed")) == ("# Page\n\nold\n", 1)
    drawn = day.pictures(parts)
    assert set(drawn) == set(day.PICTURES)
    assert all(picture.startswith("<svg") and picture.count("L") >= 7 for picture in drawn.values())


def test_the_page_of_the_server_keeps_the_day_that_was_measured_before() -> None:
    measured = "\n\n".join([report.DAY_MARKS[0], "a day", report.DAY_MARKS[1]])
    assert report.with_section_of(f"# Page\n\n{measured}\n", "# New\n") == f"# New\n\n{measured}\n"
    assert report.with_section_of("# Page\n", "# New\n") == "# New\n"


def test_the_rates_of_the_server_are_compared_with_those_before() -> None:
    lines = [
        ("this", "HTTP", "SQLite", "3,000", "300", "100%", "1.0 / 2.0 ms"),
        ("this", "sockets", "SQLite", "5,000 (1 failed)", "150", "90%", "1.0 / 2.0 ms"),
        ("be10cff", "HTTP", "SQLite", "1,000", "900", "100%", "1.0 / 2.0 ms"),
    ]
    about_sockets, about_http = moves.compared(lines).splitlines()
    assert about_sockets.startswith("Over sockets this server makes 5.0 times as many moves a second")
    assert about_sockets.endswith("a move takes 0.17 of its processor time.")
    assert about_http.startswith("Over HTTP this server makes 3.0 times")
    assert moves.compared(lines[:2]) == ""


def test_a_line_is_that_of_the_round_with_the_median_rate() -> None:
    rounds = [
        [("this", "HTTP", "SQLite", ours, "300"), ("be10cff", "HTTP", "SQLite", theirs, "900")]
        for ours, theirs in (("900 (1 failed)", "300"), ("3,000", "100"), ("2,000", "200"))
    ]
    assert [moves.rate(line) for line in moves.medians(rounds)] == [2000, 200]


def test_an_attack_is_held_if_neither_time_nor_memory_is_beyond_what_was_promised() -> None:
    held = attack.Result("pongs", "1 + 0 connections, 3,000 + 0 KB", [1.0], [3.0], (0.1, 0.2), 300.0)
    latency = "1.0 / 1.0 ms", "3.0 / 3.0 ms"
    assert held.row() == ("pongs", held.sent, *latency, "3.0", "10% / 20%", "300 MB", "held")
    assert held._replace(during=[3.1]).row()[-1] == held._replace(megabytes=301.0).row()[-1] == "NOT HELD"


def test_what_an_attacker_sent_is_shown_and_nothing_at_all_fails_the_run() -> None:
    first = Counter(connections=10, bytes=3_000_000)
    assert attack.sent("lists", first, first + Counter(bytes=7_000)) == "10 + 0 connections, 3,000 + 7 KB"
    assert attack.sent("idle", first, first + Counter(connections=4_990)) == "10 + 4,990 connections, 3,000 + 0 KB"
    assert attack.sent("pongs", first, first + Counter(waiting=1)) == "10 + 0 connections, 3,000 + 0 KB"
    with pytest.raises(SystemExit, match="attacker of pongs sent nothing while"):
        attack.sent("pongs", first, first)


def test_an_attacker_counts_what_was_taken_of_a_message_that_nobody_reads() -> None:
    ours, theirs = socket.socketpair()
    before = attacks.SENT["bytes"]
    with theirs, attacks.CountedSocket(fileno=ours.detach()) as counted:
        counted.sendall(b"x" * 1000)
        assert attacks.SENT["bytes"] == before + 1000
        counted.settimeout(0.01)
        with pytest.raises(TimeoutError):
            counted.sendall(bytes(100 * attacks.MEGABYTE))
    assert 1000 < attacks.SENT["bytes"] - before < 100 * attacks.MEGABYTE
    assert attacks.SENT["waiting"] == 0
