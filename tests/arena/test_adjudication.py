"""Games that end when the engine has proven that it wins, and moves for which nobody has to think."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ninefold import _native
from ninefold.analysis import engine as engines
from ninefold.analysis.engine import PvLine, SearchInfo
from ninefold.arena.participants import EngineParticipant, make_participant
from ninefold.arena.schedule import play_game, schedule
from ninefold.cli.main import main
from ninefold.core.position import Position
from ninefold.games import find_game
from ninefold.match.match import begin
from tests.players.test_player import match_at

ULTIMATE = find_game("ultimate")
FORCED: Position = ULTIMATE.parse("XOXXOXO.O" + "/........." * 8 + " X 7")  # cell 8 of the first board alone is free


@pytest.mark.parametrize("opponent", ["easy", "engine:nodes=300"])
def test_an_adjudicated_game_is_the_beginning_of_the_whole_game_and_has_its_winner(opponent: str) -> None:
    players = ["engine:nodes=5000", opponent]
    whole = [play_game(game) for game in schedule(ULTIMATE, {}, players, 2, 3, "suite")]
    early = [play_game(game) for game in schedule(ULTIMATE, {}, players, 2, 3, "suite", adjudicates=True)]
    assert [game.winner for game in early] == [game.winner for game in whole]
    assert all(full.moves.startswith(cut.moves) for full, cut in zip(whole, early, strict=True))
    shorter = [cut for full, cut in zip(whole, early, strict=True) if cut.plies < full.plies]
    assert shorter
    assert {game.reason for game in shorter} == {"proven"}
    assert "proven" not in {game.reason for game in whole}


class Searcher:
    """Proves what it is told, one search after the other: a win in so many plies, a loss, or nothing (0)."""

    def __init__(self, proofs: list[int]) -> None:
        self._proofs = iter(proofs)

    def search(self, position: Position, **_: object) -> SearchInfo:
        plies = next(self._proofs)
        score = 0 if not plies else _native.WIN - plies if plies > 0 else -_native.WIN - plies
        return SearchInfo(1, 1, 0.0, (PvLine(position.moves()[0], score, plies != 0, ()),))


@pytest.mark.parametrize(
    ("proofs", "is_won"),
    [
        ([5, 3], True),
        ([9, 3], True),  # the opponent did not defend well
        ([0, 7, 5], True),
        ([5], False),
        ([5, 5], False),  # it comes no nearer
        ([5, 4], False),
        ([5, 0, 3], False),
        ([5, 3, 0], False),
        ([-6, -4], False),
        ([0, 0], False),
    ],
)
def test_a_win_is_proven_when_two_searches_in_a_row_agree(
    proofs: list[int], is_won: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "Engine", lambda *_: Searcher(proofs))
    player = EngineParticipant({"nodes": 1})
    for _ in proofs:
        player.choose_move(begin(ULTIMATE))
    assert player.has_proven_win is is_won


def test_the_engine_plays_a_forced_move_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "Engine", lambda *_: Searcher([]))
    assert EngineParticipant({"nodes": 1}).choose_move(match_at(ULTIMATE, FORCED)) == 7


def test_another_program_is_not_asked_for_a_forced_move(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line == 'go movetime 1000\\n' or line == 'quit\\n': break\n"
        "    print({'ugi\\n': 'ugiok', 'isready\\n': 'readyok'}.get(line, ''), flush=True)\n"
    )
    with make_participant(ULTIMATE, f"ugi:{sys.executable} {tmp_path / 'program.py'}", FORCED, 0) as program:
        assert program.choose_move(match_at(ULTIMATE, FORCED)) == 7


COMMAND = ["arena", "ultimate", "engine:nodes=20000", "easy", "--pairs", "1", "--workers", "1", "--json"]


def test_a_log_has_the_moves_and_the_reason_of_every_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "arena.jsonl"
    assert main([*COMMAND, "--adjudicate", "--log", str(log)]) == 0
    head, *games = map(json.loads, log.read_text().splitlines())
    assert head["arena"]["adjudicate"] is True
    assert {game["reason"] for game in games} == {"proven"}
    assert all(len(game["moves"].split()) == game["plies"] for game in games)
    capsys.readouterr()
    assert main([*COMMAND, "--log", str(log)]) == 2  # to the end would be another tournament
    assert "not the log of this tournament" in capsys.readouterr().err


def test_a_log_of_an_earlier_release_is_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "arena.jsonl"
    assert main([*COMMAND, "--log", str(log)]) == 0
    whole = json.loads(capsys.readouterr().out)
    head, *games = log.read_text().splitlines()
    older = [{name: game[name] for name in ("number", "x", "o", "winner", "plies")} for game in map(json.loads, games)]
    log.write_text("\n".join([head, *map(json.dumps, older)]) + "\n")
    assert main([*COMMAND, "--log", str(log)]) == 0
    assert json.loads(capsys.readouterr().out) == whole
