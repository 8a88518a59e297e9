"""Games on a clock: the engine never exceeds it, and one that did would lose."""

from __future__ import annotations

import json

import pytest

from ninefold.analysis import engine as engines
from ninefold.analysis.engine import EngineClock, PvLine, SearchInfo
from ninefold.arena.participants import EngineParticipant, GameForfeited
from ninefold.arena.schedule import play_game, schedule
from ninefold.cli.main import main
from ninefold.core.position import Position
from ninefold.games import find_game
from ninefold.match.match import begin
from tests.arena.test_adjudication import FORCED
from tests.players.test_player import match_at

ULTIMATE = find_game("ultimate")


class SlowSearcher:
    """Takes so many seconds for a move, one search after the other, and writes down the clocks that it is given."""

    def __init__(self, seconds: list[float]) -> None:
        self._seconds = iter(seconds)
        self.clocks: list[EngineClock] = []

    def search(self, position: Position, *, clock: EngineClock, **_: object) -> SearchInfo:
        self.clocks.append(clock)
        return SearchInfo(1, 1, 0.0, (PvLine(position.moves()[0], 0, False, ()),), next(self._seconds))


def test_a_clock_runs_through_the_game_and_gets_its_increment_after_every_move(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = SlowSearcher([4.0, 0.5, 2.0])
    monkeypatch.setattr(engines, "Engine", lambda *_: searcher)
    player = EngineParticipant({"clock": 5.0, "increment": 0.25})
    player.choose_move(begin(ULTIMATE))
    player.choose_move(match_at(ULTIMATE, FORCED))
    player.choose_move(begin(ULTIMATE))
    with pytest.raises(GameForfeited, match=r"ran out, by 0\.7500 s"):
        player.choose_move(begin(ULTIMATE))
    assert searcher.clocks == [EngineClock(left, 0.25, by_cpu=True) for left in (5.0, 1.5, 1.25)]


def test_a_fallen_flag_loses_the_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(engines, "Engine", lambda *_: SlowSearcher([1.1]))
    results = [play_game(game) for game in schedule(ULTIMATE, {}, ["engine:clock=1", "random"], 1, 3, "start")]
    assert [(result.winner, result.reason) for result in results] == [("O", "forfeit"), ("X", "forfeit")]
    assert capsys.readouterr().err.count("The clock of the engine ran out") == 2


@pytest.mark.parametrize("game", ["ultimate", "squared"])
def test_the_engine_never_exceeds_a_tiny_clock(game: str) -> None:
    players = ["engine:clock=0.02+0.0002,memory=1", "engine:clock=0.01,memory=1", "random"]
    results = [play_game(scheduled) for scheduled in schedule(find_game(game), {}, players, 2, 5)]
    assert len(results) == 12
    assert "forfeit" not in {result.reason for result in results}


def test_the_command_plays_games_on_a_clock(capfd: pytest.CaptureFixture[str]) -> None:
    players = ["engine:clock=0.05+0.001,memory=1", "random"]
    assert main(["arena", "ultimate", *players, "--pairs", "1", "--workers", "1", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["ratings"][0]["player"] == players[0]
