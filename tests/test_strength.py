"""The programme of matches: journals that survive anything, opponents from outside, and a page made from them alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.strength import __main__ as programme
from benchmarks.strength import journals, play
from benchmarks.strength import page as pages
from benchmarks.strength.check import check_journal, fault
from benchmarks.strength.journals import FOLDER, games_of, match_facts, path_of
from benchmarks.strength.opponents import cpu_clock, participant
from benchmarks.strength.page import page, read_games
from benchmarks.strength.play import Deadline, OutOfTime, measure_speed, play_match, prove_endgames
from benchmarks.strength.programme import BOARDS, GROUPS, MATCHES, MatchGroup, MatchPlan
from ninefold.arena import journal
from ninefold.arena.program_process import has_cpu_clocks
from ninefold.arena.schedule import GameResult

PLAN = MatchPlan("tiny", "ultimate", {}, "engine:nodes=500", "random", 2, "at least 75%")
BOT = MatchPlan("bot", "ultimate", BOARDS, "engine:nodes=500", "tomalard", 1)
NEVER = Deadline(None)
FIRST_VALID = """\
import sys
while sys.stdin.readline():
    print([sys.stdin.readline().strip() for _ in range(int(sys.stdin.readline()))][0], flush=True)
"""
ON_LINUX = pytest.mark.skipif(not has_cpu_clocks(), reason="Clocks by CPU time are there on Linux alone.")


def test_a_match_goes_on_after_any_interruption(tmp_path: Path) -> None:
    play_match(tmp_path, PLAN, "aaaa", NEVER)
    path = path_of(tmp_path, "tiny")
    whole = path.read_bytes()
    assert whole.count(b"\n") == 1 + PLAN.games
    for kept in (whole[:100], whole[: whole.index(b"\n") + 40], whole[:-1], whole):
        path.write_bytes(kept)  # as a process that was killed leaves it
        play_match(tmp_path, PLAN, "aaaa", NEVER)
        assert path.read_bytes() == whole


def test_the_page_loses_no_game_that_is_written_while_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_journal(tmp_path, PLAN, "11")
    path = path_of(tmp_path, PLAN.name)
    late = json.dumps(GameResult(2, PLAN.ours, PLAN.theirs, "X", 9, "line")._asdict()) + "\n"

    def open_and_append(*given: Any, **how: Any) -> Any:
        file = open(*given, **how)  # noqa: SIM115 - the journal closes it

        def read_and_append() -> Any:
            found = type(file).read(file)
            with path.open("a") as other:
                other.write(late)
            return found

        file.read = read_and_append
        return file

    monkeypatch.setattr(journal, "open", open_and_append, raising=False)
    assert len(read_games(tmp_path, PLAN)) == 2
    assert path.read_text().endswith(late)


def test_two_processes_play_the_same_games(tmp_path: Path) -> None:
    for name, workers in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        play_match(tmp_path / name, PLAN, "aaaa", NEVER, workers)
    one, two = (path_of(tmp_path / name, "tiny").read_text().splitlines() for name in ("one", "two"))
    assert sorted(two) == sorted(one)


def test_games_of_another_engine_are_set_aside_and_never_mixed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = path_of(tmp_path, "tiny")
    for engine in ("aaaa", "bbbb", "aaaa", "bbbb"):
        play_match(tmp_path, PLAN, engine, NEVER)
        assert json.loads(path.read_text().splitlines()[0])["arena"]["engine"] == engine
        assert len(path.read_text().splitlines()) == 1 + PLAN.games
    assert sorted(file.name for file in (tmp_path / "earlier").iterdir()) == [
        "tiny-aaaa-2.jsonl", "tiny-aaaa.jsonl", "tiny-bbbb.jsonl"
    ]  # fmt: skip
    assert "tiny.jsonl was made with another engine or another plan" in capsys.readouterr().err


def test_the_signature_is_computed_once_for_the_same_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    networks = tmp_path / "networks"
    networks.mkdir()
    monkeypatch.setattr(journals, "NETWORKS", networks)
    found = iter(["aaaa", "bbbb"])
    monkeypatch.setattr(journals, "bench", lambda _: [])
    monkeypatch.setattr(journals, "signature", lambda _: next(found))
    assert [journals.engine_signature(tmp_path / "cache") for _ in range(2)] == ["aaaa", "aaaa"]
    (networks / "ultimate.net").write_bytes(b"other weights")
    assert [journals.engine_signature(tmp_path / "cache") for _ in range(2)] == ["bbbb", "bbbb"]


def test_no_game_is_begun_when_the_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([0.0, 30.0, 30.0, 59.0, 60.0])
    monkeypatch.setattr(play, "monotonic", lambda: next(now))
    with pytest.raises(OutOfTime):
        play_match(tmp_path, PLAN, "aaaa", Deadline(1))
    assert len(path_of(tmp_path, "tiny").read_text().splitlines()) == 1 + 2


def test_a_match_without_its_opponent_is_not_played_and_the_others_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("NINEFOLD_TOMALARD", raising=False)
    play_match(tmp_path, BOT, "aaaa", NEVER)
    assert "bot is not played. Set NINEFOLD_TOMALARD to the command" in capsys.readouterr().err
    assert len(path_of(tmp_path, "bot").read_text().splitlines()) == 1


@ON_LINUX
def test_a_bot_from_outside_plays_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bot.py").write_text(FIRST_VALID)
    monkeypatch.setenv("NINEFOLD_TOMALARD", f"{sys.executable} {tmp_path / 'bot.py'}")
    play_match(tmp_path, BOT, "aaaa", NEVER)
    games = read_games(tmp_path, BOT)
    assert [(game.x, game.o) for game in games] == [(BOT.ours, "tomalard"), ("tomalard", BOT.ours)]
    assert "forfeit" not in {game.reason for game in games}
    assert str(tmp_path) not in path_of(tmp_path, "bot").read_text()


@ON_LINUX
def test_the_clocks_of_a_program_show_its_cpu_time() -> None:
    clocks = "time.monotonic(), time.process_time(), time.time(), time.process_time(), time.perf_counter()"
    command = ["env", f"LD_PRELOAD={cpu_clock()}", sys.executable, "-c", f"import time; print([{clocks}])"]
    shown = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert shown == sorted(shown)


@ON_LINUX
def test_waiting_for_a_search_uses_nothing_of_a_programs_clock() -> None:
    program = """\
import time
from ninefold.analysis.engine import Engine
from ninefold.games import find_game
engine, start = Engine(1 << 24, 1), find_game("ultimate").begin({})
engine.search(start, nodes=1)
begun = time.monotonic()
print([engine.search(start, nodes=2_000_000).cpu_seconds, time.monotonic() - begun])"""
    command = ["env", f"LD_PRELOAD={cpu_clock()}", sys.executable, "-c", program]
    of_the_search, shown = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert shown < 1.4 * of_the_search


@pytest.mark.parametrize("name", ["engine:cpu=0.1", "hard", "mcts:10000000"])
def test_our_own_players_have_their_names_of_the_arena(name: str) -> None:
    assert participant(name) == name


def write_journal(folder: Path, plan: MatchPlan, points: str, *, engine: str = "aaaa", reason: str = "line") -> None:
    """A journal with these points of ours: 1, 0 or = for a draw; ours is X in the games with even numbers."""
    lines: list[object] = [{"arena": match_facts(plan, engine)}]
    for number, point in enumerate(points):
        x, o = (plan.ours, plan.theirs) if number % 2 == 0 else (plan.theirs, plan.ours)
        winner = "" if point == "=" else "XO"[(point == "1") == (number % 2)]
        lines.append(GameResult(number, x, o, winner, 9, reason)._asdict())
    path_of(folder, plan.name).write_text("".join(json.dumps(line) + "\n" for line in lines))


def row_of(text: str, plan: MatchPlan) -> list[str]:
    """The cells after the name of a match in the page."""
    name = f"| `{plan.ours}` - `{plan.theirs}` | {plan.rules} | "
    rows = [line for line in text.splitlines() if line.startswith(name)]
    assert len(rows) == 1
    return [cell.strip() for cell in rows[0].removeprefix(name).strip("|").split("|")]


def test_the_page_has_the_figures_of_the_complete_pairs_and_the_engine_that_made_them(tmp_path: Path) -> None:
    plan = MATCHES["tomalard"]
    write_journal(tmp_path, plan, "111=100", engine="cafe")
    games, record, points, elo, goal, early, forfeits, engine = row_of(page(tmp_path), plan)
    assert (games, record, engine) == ("6 of 200", "4-1-1", "cafe")
    assert points.startswith("75.0% (")
    assert elo.startswith("+")
    assert (goal, early, forfeits) == ("at least 75%", "0", "0")


def test_the_page_names_games_that_ended_early_and_who_forfeited(tmp_path: Path) -> None:
    write_journal(tmp_path, MATCHES["tomalard"], "11", reason="proven")
    write_journal(tmp_path, MATCHES["crossfish"], "1101", reason="forfeit")
    text = page(tmp_path)
    assert row_of(text, MATCHES["tomalard"])[5:7] == ["2", "0"]
    assert row_of(text, MATCHES["crossfish"])[5:7] == ["0", "4, 3 by `crossfish`, 1 by `engine:cpu=0.1`"]


def test_a_match_that_was_not_played_has_no_figures(tmp_path: Path) -> None:
    assert row_of(page(tmp_path), MATCHES["mcts-squared"])[:4] == ["0 of 100", "-", "-", "-"]


def test_levels_are_rated_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [MatchPlan(f"step-{low}", "ultimate", {}, high, low, 2) for low, high in (("a", "b"), ("b", "c"))]
    monkeypatch.setattr(pages, "GROUPS", (MatchGroup("Steps", "Up.", tuple(steps), is_rated=True),))
    for plan in steps:
        write_journal(tmp_path, plan, "11=1")
    rated = page(tmp_path).partition("Rated together")[2].splitlines()
    assert [line[:6] for line in rated if line.startswith("| `")] == ["| `c` ", "| `b` ", "| `a` "]


def test_the_page_ends_with_the_figures_of_an_earlier_programme_if_they_are_kept(tmp_path: Path) -> None:
    assert "Earlier figures" not in page(tmp_path)
    (tmp_path / "earlier").mkdir()
    (tmp_path / pages.EARLIER).write_text("## Earlier figures\n\nOld.\n")
    assert page(tmp_path).endswith("\n\n## Earlier figures\n\nOld.\n")


def test_the_journal_of_another_match_is_refused_by_the_page(tmp_path: Path) -> None:
    write_journal(tmp_path, MATCHES["crossfish"], "11")
    path_of(tmp_path, "crossfish").rename(path_of(tmp_path, "tomalard"))
    with pytest.raises(Exception, match="not the log of this tournament"):
        page(tmp_path)


class Prover:
    """Proves positions with at most 21 free cells; counts its searches."""

    searches = 0

    def __init__(self, _: int) -> None: ...

    def clear(self) -> None: ...

    def search(self, position: tuple[str, int, int], **_: float) -> SimpleNamespace:
        Prover.searches += 1
        return SimpleNamespace(nodes=7, lines=[SimpleNamespace(proven=position[1] <= 21)])


def test_endgames_are_searched_once_and_go_on_from_their_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "Engine", Prover)
    monkeypatch.setattr(play, "late_position", lambda *position: position)
    monkeypatch.setattr(Prover, "searches", 0)
    prove_endgames(tmp_path, "aaaa", NEVER)
    lines = path_of(tmp_path, "endgames").read_text().splitlines(keepends=True)
    assert Prover.searches == len(lines) - 1
    assert "| ultimate | 21 free cells | 31 | 212 | aaaa |" in page(tmp_path)
    path_of(tmp_path, "endgames").write_text("".join(lines[:150]))
    assert "| ultimate | not finished | 31 | 149 | aaaa |" in page(tmp_path)
    prove_endgames(tmp_path, "aaaa", NEVER)
    assert path_of(tmp_path, "endgames").read_text() == "".join(lines)
    assert Prover.searches == len(lines) - 1 + len(lines) - 150


def test_speed_is_measured_in_five_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searches = [(9_000_000, 0.75), (1_000_000, 0.25)]
    timed = [SimpleNamespace(info=SimpleNamespace(nodes=nodes), cpu_seconds=seconds) for nodes, seconds in searches]
    monkeypatch.setattr(play, "bench", lambda _: iter(timed))
    for _ in range(2):
        measure_speed(tmp_path, "aaaa", NEVER)
    assert "| 10.0 | 10.0 | 10 | 5 of 5 | aaaa |" in page(tmp_path)


def test_a_game_that_is_not_as_its_journal_says_is_found(tmp_path: Path) -> None:
    plan = PLAN._replace(ours="engine:nodes=20000", theirs="easy", pairs=1)
    play_match(tmp_path, plan, "aaaa", NEVER)
    checked = list(check_journal(tmp_path, plan, proves=True))
    assert [why for _, why in checked] == [""] * plan.games
    game = next(game for game, _ in checked if game.reason == "proven")
    assert "not legal" in fault(PLAN, game._replace(moves="11 11", plies=2))
    assert "it has not 3 moves" in fault(PLAN, game._replace(plies=3))
    assert "it has not ended" in fault(PLAN, game._replace(reason="line"))
    other = "O" if game.winner == "X" else "X"
    assert "no proof" in fault(PLAN, game._replace(winner=other), proves=True)


def test_a_game_that_was_played_to_its_end_has_the_result_of_the_rules() -> None:
    plan = MatchPlan("whole", "ultimate", {}, "random", "easy", 1)
    game = next(play._results(games_of(plan), NEVER, 1))
    assert fault(plan, game) == ""
    other = "" if game.winner else "X"
    assert "it ended otherwise" in fault(plan, game._replace(winner=other))
    assert "it had ended before" in fault(plan, game._replace(reason="proven"))


def test_the_games_of_the_repository_can_be_replayed() -> None:
    for plan in MATCHES.values():
        for game in read_games(FOLDER, plan)[:6]:
            assert fault(plan, game) == "", (plan.name, game.number)


def test_the_command_writes_the_page_without_playing(tmp_path: Path) -> None:
    write_journal(tmp_path, MATCHES["tomalard"], "11")
    assert programme.main(["--page", "--results", str(tmp_path)], tmp_path) == 0
    assert row_of((tmp_path / "strength.md").read_text(), MATCHES["tomalard"])[0] == "2 of 200"


def test_the_command_plays_in_the_order_of_the_programme_and_writes_the_page_when_it_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played: list[str] = []

    def play_one(_: Path, plan: MatchPlan, *__: object) -> None:
        played.append(plan.name)
        if plan.name == "threads":
            raise KeyboardInterrupt

    monkeypatch.setattr(programme, "play_match", play_one)
    monkeypatch.setattr(programme, "engine_signature", lambda: "aaaa")
    monkeypatch.setattr("os.nice", lambda _: 19)
    only = ["--only", "openspiel", "threads", "tomalard"]
    assert programme.main([*only, "--results", str(tmp_path)], tmp_path) == 130
    assert played == ["tomalard", "threads"]
    assert "The same command goes on" in capsys.readouterr().err
    assert (tmp_path / "strength.md").is_file()


@pytest.mark.parametrize("wrong", [["--minutes", "0"], ["--minutes", "x"], ["--workers", "0"], ["--only", "nobody"]])
def test_arguments_that_make_no_sense_are_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        programme.main(wrong)
    assert wrong[1] in capsys.readouterr().err


def test_every_match_has_a_name_of_its_own_and_a_suite_of_openings() -> None:
    assert len(MATCHES) == sum(len(group.matches) for group in GROUPS)
    assert all(len(games) == plan.games for plan in MATCHES.values() for games in [games_of(plan)])
