"""Tournaments: fair schedules, the same results for the same seeds, ratings that say how sure they are."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ninefold.arena.executors import in_processes, on_ray
from ninefold.arena.openings import openings
from ninefold.arena.participants import UgiParticipant, make_participant
from ninefold.arena.plot import plot
from ninefold.arena.ratings import cross_table, elo, ratings
from ninefold.arena.schedule import GameResult, ScheduledGame, play_game, schedule
from ninefold.arena.ugi_process import UgiProcess
from ninefold.cli.main import main
from ninefold.core.errors import Refusal
from ninefold.games import find_game
from ninefold.match.match import begin
from tests.support.waiting import PATIENCE, wait_until

CLASSIC = find_game("classic")


def test_everybody_meets_everybody_with_both_sides_from_every_opening() -> None:
    games = schedule(CLASSIC, {}, ["easy", "medium", "hard"], 2, 0)
    assert len(games) == 3 * 2 * 2
    assert {(game.x, game.o) for game in games if game.opening == games[0].opening} == {
        (one, two) for one in ("easy", "medium", "hard") for two in ("easy", "medium", "hard") if one != two
    }


def test_openings_differ_and_are_repeatable() -> None:
    assert len(set(openings(CLASSIC, {}, 9, 1))) == 9
    assert openings(find_game("squared"), {}, 4, 1) == openings(find_game("squared"), {}, 4, 1)


def test_a_game_with_few_openings_repeats_them() -> None:
    many = openings(CLASSIC, {}, 8000, 1)
    assert len(set(many)) == 9
    assert many[:9] * 3 == many[:27]


def test_the_same_seed_gives_the_same_results_in_any_number_of_processes() -> None:
    games = schedule(CLASSIC, {}, ["easy", "hard"], 3, 7)
    alone = [play_game(game) for game in games]
    assert sorted(in_processes(play_game, games, 2)) == alone


@contextmanager
def folder_for_ray() -> Iterator[Path]:
    """A folder for everything that Ray writes. The processes of Ray have it in their environment."""
    # The paths of sockets are limited to about 100 bytes, and a folder of pytest would take too many of them.
    with TemporaryDirectory(prefix="nf", dir="/tmp") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", folder)
        patch.setenv("RAY_ADDRESS", "local")  # and no cluster that happens to be near
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("HOME", folder)  # where the token is kept
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        yield Path(folder)


def processes_of(folder: Path) -> list[str]:
    """The commands of the processes that have a folder in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended, or is somebody else's
            if bytes(folder) in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text())
    return found


@pytest.mark.skipif(not find_spec("ray"), reason="Without Ray there is no cluster; run make test, which installs it.")
def test_ray_gives_the_results_that_processes_give_and_leaves_nothing_running() -> None:
    games = schedule(find_game("squared"), {}, ["engine:nodes=2000", "easy"], 1, 3)
    games += schedule(CLASSIC, {}, ["easy", "hard"], 2, 3)
    here = sorted(in_processes(play_game, games, 2))
    with folder_for_ray() as folder:
        assert sorted(on_ray(partial(play_game), games, 2)) == here
        wait_until(lambda: processes_of(folder) == [])


@pytest.mark.parametrize(
    "spec",
    [
        "nobody",
        "engine:",
        "engine:time=x",
        "engine:memory=3",
        "ugi:/no/such/program",
        "engine:colour=1",
        "engine:time=0",
        "engine:nodes=1.5",
        "engine:depth=500",
        "engine:threads=9999,nodes=1",
        "engine:clock=0+1",
        "engine:clock=5+",
        "engine:clock=5+x",
        "engine:clock=5+1+1",
        "engine:clock=5+2000000",
        "engine:nodes=5+1",
        f"ugi,clock=5:{sys.executable} -m ninefold engine",
    ],
)
def test_a_participant_that_cannot_play_is_refused(spec: str) -> None:
    game = find_game("squared")
    with pytest.raises(Refusal), make_participant(game, spec, game.begin(), 0):
        pass


def results(points: str) -> list[GameResult]:
    """Games of A (X) against B: 1 and 0 are wins of A and of B, = is a draw."""
    winners = {"1": "X", "0": "O", "=": ""}
    return [GameResult(number, "A", "B", winners[point], 9) for number, point in enumerate(points)]


def test_equal_points_are_equal_ratings() -> None:
    rated = elo(results("10" * 50), ["A", "B"])
    assert rated["A"] == pytest.approx(rated["B"], abs=1)


def test_three_quarters_of_the_points_are_191_elo() -> None:
    rated = elo(results("1110" * 100), ["A", "B"])
    assert rated["A"] - rated["B"] == pytest.approx(190.8, abs=5)  # 400 * log10(3)


def test_more_games_make_the_interval_of_a_rating_smaller() -> None:
    few, many = (ratings(results("110" * count), ["A", "B"])[0] for count in (10, 200))
    assert few.low < few.elo < few.high
    assert many.high - many.low < few.high - few.low


def test_a_cross_table_counts_points_both_ways() -> None:
    assert cross_table(results("11=0"), ["A", "B"]) == [["A", "-", "2.5/4"], ["B", "1.5/4", "-"]]


def test_the_plot_is_an_svg_with_every_player() -> None:
    drawn = plot(ratings(results("1110"), ["A", "B"]), "A & B <3")
    texts = ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314 - our own
    assert [text.text for text in texts][:2] == ["A & B <3", "A"]


def test_a_tournament_is_resumed_from_its_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "arena.jsonl"
    command = ["arena", "classic", "easy", "perfect", "--pairs", "3", "--workers", "1", "--log", str(log), "--json"]
    assert main(command) == 0
    whole = json.loads(capsys.readouterr().out)
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:2]))
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out) == whole
    assert sorted(log.read_text().splitlines(keepends=True)) == sorted(lines)


def test_the_log_of_another_tournament_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "arena.jsonl"
    command = ["arena", "classic", "easy", "perfect", "--pairs", "1", "--workers", "1", "--log", str(log)]
    assert main(command) == 0
    kept = log.read_text()
    for other in (["--seed", "9"], ["--option", "first=O"]):
        assert main([*command, *other]) == 2
        assert "not the log of this tournament" in capsys.readouterr().err
    assert main(["arena", "swap-nine", *command[2:]]) == 2
    assert log.read_text() == kept


@pytest.mark.parametrize("line", ["nonsense", '{"number": 0, "x": "easy", "o": "perfect", "winner": "Q", "plies": 9}'])
def test_a_line_of_the_log_that_is_not_a_game_is_refused(line: str, tmp_path: Path) -> None:
    log = tmp_path / "arena.jsonl"
    command = ["arena", "classic", "easy", "perfect", "--pairs", "1", "--workers", "1", "--log", str(log)]
    assert main(command) == 0
    log.write_text(log.read_text().splitlines(keepends=True)[0] + line + "\n")
    assert main(command) == 2


def test_a_line_that_a_crash_cut_short_is_played_again(tmp_path: Path) -> None:
    log = tmp_path / "arena.jsonl"
    command = ["arena", "classic", "easy", "perfect", "--pairs", "1", "--workers", "1", "--log", str(log)]
    assert main(command) == 0
    whole = log.read_text()
    log.write_text(whole[:-20])
    assert main(command) == 0
    assert log.read_text() == whole


def test_a_program_that_speaks_ugi_can_play(capsys: pytest.CaptureFixture[str]) -> None:
    program = f"ugi,time=0.02:{sys.executable} -m ninefold engine"
    assert main(["arena", "ultimate", "random", program, "--pairs", "1", "--workers", "1", "--json"]) == 0
    written = capsys.readouterr()
    assert {row["player"] for row in json.loads(written.out)["ratings"]} == {"random", program}
    assert "forfeits" not in written.err


SPRT = ["arena", "classic", "perfect", "easy", "--sprt", "0,200", "--pairs", "60", "--json"]


def test_a_sequential_test_stops_when_it_is_decided_and_goes_on_from_its_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "sprt.jsonl"
    command = [*SPRT, "--workers", "1", "--log", str(log)]
    assert main(command) == 0
    written = capsys.readouterr()
    whole = json.loads(written.out)
    assert whole["sprt"]["accepted"] == "H1"
    assert whole["games"] == 2 * whole["sprt"]["pairs"] == 2 * sum(whole["pairs"][0]["counts"]) < 120
    assert f"{whole['sprt']['pairs']} pairs (" in written.err
    assert "LLR" in written.err
    lines = log.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + whole["games"]  # none was played after the decision
    log.write_text("".join(lines[:4]))
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out) == whole
    assert log.read_text() == "".join(lines)
    assert main(command) == 0  # decided: nothing is played
    assert json.loads(capsys.readouterr().out) == whole
    assert log.read_text() == "".join(lines)
    assert main([*SPRT, "--workers", "2"]) == 0
    assert json.loads(capsys.readouterr().out) == whole
    assert main([*command, "--alpha", "0.01"]) == 2  # another test


@pytest.mark.parametrize(
    ("players", "sprt", "sentence"),
    [
        (["easy", "random"], "0,300", "Accepted H1 after "),
        (["random", "easy"], "0,300", "Accepted H0 after "),
        (["random", "easy"], "0,1", "Undecided after 12 pairs between +0 and +1 Elo of random against easy."),
    ],
)
def test_a_sequential_test_ends_with_a_sentence(
    players: list[str], sprt: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", "classic", *players, "--sprt", sprt, "--pairs", "12", "--workers", "1"]) == 0
    *_, pairs, last = capsys.readouterr().out.splitlines()
    assert last.startswith(sentence)
    assert pairs.startswith(f"{players[0]} against {players[1]}: ")


def test_an_interrupted_test_leaves_a_log_that_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "sprt.jsonl"
    command = [*SPRT, "--workers", "1", "--log", str(log)]

    def interrupt(game: ScheduledGame) -> GameResult:
        if game.number == 3:
            raise KeyboardInterrupt
        return play_game(game)

    with monkeypatch.context() as patch:
        patch.setattr("ninefold.cli.commands.arena.play_game", interrupt)
        assert main(command) == 130
    written = capsys.readouterr()
    assert json.loads(written.out)["sprt"] | {"llr": 0} == {
        "elo0": 0, "elo1": 200, "alpha": 0.05, "beta": 0.05, "lower": pytest.approx(-2.944, abs=0.001),
        "upper": pytest.approx(2.944, abs=0.001), "llr": 0, "pairs": 1, "accepted": None
    }  # fmt: skip
    assert "Continue with the same command" in written.err
    assert len(log.read_text().splitlines()) == 4
    assert main(command) == 0


def test_a_sequential_test_is_between_two_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "classic", "easy", "hard", "random", "--sprt", "0,10"]) == 2
    assert "between two players" in capsys.readouterr().err


@pytest.mark.parametrize("given", [["--sprt=10,0"], ["--sprt=0"], ["--sprt=a,b"], ["--sprt=0,10", "--alpha=0.7"]])
def test_hypotheses_that_are_none_are_refused(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["arena", "classic", "easy", "hard", *given])
    assert "is not" in capsys.readouterr().err


@pytest.mark.parametrize("limit", ["nodes=500", "cpu=0.01", "nodes=500,memory=1,threads=1"])
def test_a_program_that_speaks_ugi_is_limited_by_nodes_or_by_its_cpu_time(
    limit: str, capfd: pytest.CaptureFixture[str]
) -> None:
    program = f"ugi,{limit}:{sys.executable} -m ninefold engine"
    assert main(["arena", "ultimate", "random", program, "--pairs", "1", "--workers", "1", "--json"]) == 0
    written = capfd.readouterr()
    assert json.loads(written.out)["ratings"][0]["player"] == program
    assert "forfeits" not in written.err


def test_a_program_is_told_to_stop_when_its_cpu_time_is_over(tmp_path: Path) -> None:
    command = script(
        tmp_path,
        "import sys, threading",
        "def work():",
        "    while True: pass",
        "for line in sys.stdin:",
        "    if line == 'go\\n': threading.Thread(target=work, daemon=True).start()",
        "    if line == 'stop\\n': print('bestmove 5', flush=True)",
        "    if line == 'quit\\n': break",
    )
    process = UgiProcess(command)
    try:
        assert process.ask("go", "bestmove", PATIENCE, cpu=0.05) == ["5"]
        assert process.cpu_seconds() >= 0.05
    finally:
        process.close()


def test_the_engine_is_limited_by_its_cpu_time() -> None:
    game = find_game("ultimate")
    with make_participant(game, "engine:cpu=0.02", game.begin(), 0) as engine:
        assert engine.choose_move(begin(game, {})) in range(81)


@pytest.mark.parametrize("answer", ["bestmove 99", "bestmove", "quit"])
def test_a_program_without_a_move_forfeits_its_game_and_the_tournament_goes_on(
    answer: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = script(
        tmp_path,
        "import sys",
        "replies = {'ugi': 'ugiok', 'isready': 'readyok', 'go': sys.argv[1]}",
        "for line in sys.stdin:",
        "    word = line.split()[0]",
        "    if replies.get(word) == 'quit' or word == 'quit': break",
        "    if word in replies: print(replies[word], flush=True)",
    )
    program = f"ugi,time=0.02:{command} '{answer}'"
    assert main(["arena", "classic", "random", program, "--pairs", "2", "--workers", "1", "--json"]) == 0
    written = capfd.readouterr()
    assert json.loads(written.out)["ratings"][0]["player"] == "random"
    assert written.err.count("forfeits") == 4


def script(folder: Path, *lines: str) -> str:
    """The command of a Python program."""
    file = folder / "program.py"
    file.write_text("\n".join(lines) + "\n")
    return f"{sys.executable} {file}"


def test_a_program_without_a_reply_in_time_is_refused(tmp_path: Path) -> None:
    command = script(tmp_path, "import sys", "for line in sys.stdin:", "    if line == 'quit\\n': break")
    with pytest.raises(Refusal, match=r"gave no ugiok within 0 s"):
        UgiParticipant(CLASSIC, command, begin(CLASSIC, {}).position, {"time": 1.0}, patience=0.0)


def test_a_program_that_does_not_quit_is_killed(tmp_path: Path) -> None:
    command = script(tmp_path, "import sys", "print('ready', flush=True)", "while True: sys.stdin.readline()")
    process = UgiProcess(command, quit_timeout=0.0)
    process.ask("", "ready", PATIENCE)
    process.close()
    assert process.has_ended
