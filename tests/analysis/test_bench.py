"""The benchmark of the search: its signature says whether the search still does the same."""

from __future__ import annotations

import os

import pytest

from ninefold.analysis import engine
from ninefold.analysis.bench import bench, bench_positions, signature
from ninefold.cli.main import main

if not engine.is_native():
    if os.environ.get("CI"):
        pytest.fail("The native core was not built.", pytrace=False)
    pytest.skip("Without a C++ compiler there is no engine; install one and run make test.", allow_module_level=True)

# A commit that changes the search changes this, and quotes the new one in its message.
SIGNATURE = "ea1bd1e7"


def test_the_command_prints_the_signature_of_the_search(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "bench"]) == 0
    head, *rows, speed, last = capsys.readouterr().out.splitlines()
    assert head.split() == ["position", "plies", "nodes", "depth", "best", "score"]
    assert len(rows) == len(bench_positions())
    nodes, a_second, of_the_processor = speed.split(", ")
    assert nodes.endswith(" nodes")
    assert a_second.endswith(" a second")
    assert of_the_processor.endswith(" a second of the processor")
    assert last == f"signature {SIGNATURE}"


def test_the_positions_are_of_all_rule_sets_and_go_on() -> None:
    positions = bench_positions()
    assert {str(position) for position in positions} == {"squared", "ultimate", "ultimate tie_break=boards"}
    assert all(position.position().moves() for position in positions)


def test_the_signature_depends_on_the_results_alone() -> None:
    positions = bench_positions()[:2]
    short, again, longer = ([timed.info for timed in bench(positions, nodes)] for nodes in (2000, 2000, 3000))
    assert signature(short) == signature(again) != signature(longer)
    assert signature(short) == signature([info._replace(seconds=9.0) for info in short])
    assert signature(short) != signature(short[:1])


def test_another_word_than_bench_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["engine", "brunch"])
    assert "bench" in capsys.readouterr().err
