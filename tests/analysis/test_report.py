"""The referee's report: every figure from the log and the audit, in a match and over a set of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from ninefold.analysis.report.audit import audit_of, read_audit, write_audit
from ninefold.analysis.report.endings import FORFEITED, RefusedAttempt
from ninefold.analysis.report.format import document, read_document, table
from ninefold.analysis.report.metrics import AgentMetrics, Report, combine, report
from ninefold.cli.main import main
from ninefold.core.errors import Unreadable
from ninefold.core.position import O, X
from ninefold.games import all_games, find_game
from ninefold.match import actions
from ninefold.match.actions import REFEREE, Action
from ninefold.match.files import save
from ninefold.match.match import Match, begin
from ninefold.match.state import Seat
from ninefold.players.player import make_player
from ninefold.server.hosting.handlers import MOST_REFUSED, execute
from tests.support.handlers import MatchHost

AGENTS = find_game("agents")
ANN, BEN = Seat(X, "Ann"), Seat(O, "Ben")
Actions = Sequence[tuple[int, Action]]


def played(*acts: tuple[int, Action], game: str = "agents", every: int = 1000) -> Match:
    """A match of Ann (seat 1, X) and Ben (seat 2, O), an action every second."""
    match = begin(find_game(game), seats=(ANN, BEN))
    for number, (seat, action) in enumerate(acts, 1):
        match = match.act(seat, action, at=number * every)
    return match


def metrics(match: Match, refused: Sequence[RefusedAttempt] = ()) -> tuple[AgentMetrics, AgentMetrics]:
    """Ann's and Ben's."""
    ann, ben = report(match, refused).rows
    return ann.metrics, ben.metrics


def moves(*cells: int, first: int = 2) -> Actions:
    """Moves of the seats in turn; in the agents' game seat 2 (O) begins."""
    return [((first + number) % 2 or 2, actions.move(cell)) for number, cell in enumerate(cells)]


def test_a_win_is_a_point_and_a_draw_is_half_of_one() -> None:
    ann, ben = metrics(played(*moves(4, 0, 2, 1), (2, actions.move(6, claim=(2, 4, 6))), (1, actions.CONFIRM)))
    assert (ann.points, ann.lost, ben.points, ben.won) == (0, 1, 1, 1)
    ann, ben = metrics(played(*moves(4, 0, 8, 2, 1, 7, 3, 5, 6), game="agents"))
    assert (ann.points, ann.drawn, ben.points, ben.drawn) == (0.5, 1, 0.5, 1)


def test_a_game_that_somebody_left_brings_no_points() -> None:
    ann, ben = metrics(played((2, actions.move(4)), (1, actions.LEAVE)))
    assert (ann.points, ben.points, ann.matches, ben.matches) == (0, 0, 1, 1)


@pytest.mark.parametrize(
    ("answer", "wrong", "withdrawn"),
    [
        ((1, actions.CONFIRM), 1, 0),
        ((1, actions.dispute("only two")), 0, 0),
        ((2, actions.WITHDRAW), 0, 1),
        ((REFEREE, actions.SETTLE), 0, 0),
    ],
)
def test_a_false_claim_counts_whatever_the_answer(answer: tuple[int, Action], wrong: int, withdrawn: int) -> None:
    ann, ben = metrics(played((2, actions.move(4, claim=(0, 4, 8))), answer))
    assert (ben.false_claims, ben.withdrawn, ann.wrong_confirmations) == (1, withdrawn, wrong)
    assert ann.unanswered_claims == (answer[0] == REFEREE)
    assert (ann.false_claims, ann.wrong_disputes) == (0, 0)


def test_to_dispute_a_true_claim_is_wrong() -> None:
    ann, ben = metrics(played(*moves(4, 0, 2, 1), (2, actions.move(6, claim=(2, 4, 6))), (1, actions.dispute("no"))))
    assert (ann.wrong_disputes, ann.wrong_confirmations, ben.false_claims) == (1, 0, 0)


def test_a_claim_is_wrong_once_and_right_later() -> None:
    false, true = (2, actions.claim((2, 4, 6))), (2, actions.move(6, claim=(2, 4, 6)))
    match = played(
        *moves(4, 0, 2), false, (1, actions.dispute("gap")), (1, actions.move(1)), true, (1, actions.CONFIRM)
    )
    ann, ben = metrics(match)
    assert (ben.false_claims, ben.points, ann.wrong_confirmations, ann.wrong_disputes) == (1, 1, 0, 0)


def test_a_line_that_is_not_claimed_before_the_next_move_is_a_missed_win() -> None:
    unclaimed = moves(4, 0, 2, 1, 6)
    _, ben = metrics(played(*unclaimed))
    assert (ben.missed_wins, ben.unclaimed_lines) == (0, 0)  # it may still be claimed
    _, ben = metrics(played(*unclaimed, (2, actions.claim((2, 4, 6))), (1, actions.CONFIRM)))
    assert ben.missed_wins == 0
    ann, ben = metrics(played(*unclaimed, (1, actions.move(8))))
    assert (ben.missed_wins, ben.unclaimed_lines, ann.missed_wins) == (1, 1, 0)


def test_a_winning_move_that_is_not_made_is_a_missed_win() -> None:
    match = played(*moves(0, 3, 1, 4, 8, 5, first=1), game="classic")
    ann, ben = metrics(match)
    assert match.result
    assert (ann.missed_wins, ann.unclaimed_lines, ann.mistakes, ben.missed_wins) == (1, 0, 1, 0)


def test_a_full_board_that_the_referee_settles_is_no_missed_win() -> None:
    match = played(*moves(0, 4, 5, 3, 7, 6, 2, 8, 1))
    assert match.result
    assert (match.result.by, match.result.outcome.winner) == ("rules", O)
    assert metrics(match)[1].missed_wins == 0


def test_a_mistake_gives_away_a_win_or_a_draw() -> None:
    ann, ben = metrics(played(*moves(4, 1, 0, 8), game="agents"))  # an edge beside the centre loses
    assert (ann.judged, ann.mistakes, ben.judged, ben.mistakes) == (2, 1, 2, 0)


@pytest.mark.parametrize("game", [game.id for game in all_games().values() if game.small])
def test_perfect_players_make_no_mistakes_and_miss_nothing(game: str) -> None:
    found = find_game(game)
    player = make_player(found, "perfect", 1)
    match = begin(found)
    while match.to_act:
        match = match.act(match.to_act, player(match))
    for one in metrics(match):
        assert (one.mistakes, one.missed_wins, one.false_claims) == (0, 0, 0)
        assert one.judged == one.moves > 0


@pytest.mark.parametrize("game", ["squared", "ultimate"])
def test_in_the_big_games_the_engine_finds_the_mistakes(game: str) -> None:
    found = find_game(game)
    weak, strong = make_player(found, "random", 5), make_player(found, "hard", 5)
    match = begin(found, seats=(ANN, BEN))
    while match.to_act:
        match = match.act(match.to_act, (weak if match.to_act == 1 else strong)(match))
    judged = report(match, nodes=20_000)
    ann, ben = (row.metrics for row in judged.rows)
    assert judged.judges == ("the engine at 20,000 positions a move",)
    assert ann.judged == ann.moves
    assert ann.mistakes > ben.mistakes
    assert report(match, nodes=20_000) == judged


def test_refusals_are_counted_by_kind() -> None:
    refused = [
        RefusedAttempt(1, "move", "taken"),
        RefusedAttempt(1, "move", "not_your_turn"),
        RefusedAttempt(1, "move", "not_a_move"),
        RefusedAttempt(1, "claim", "not_a_claim"),
        RefusedAttempt(1, "claim", "barred"),
        RefusedAttempt(1, "move", "stale_version"),
        RefusedAttempt(2, "move", "ended"),
        RefusedAttempt(2, "move", "no_answer"),
        RefusedAttempt(2, "move", "no_claims"),
        RefusedAttempt(2, "confirm", "no_claim"),
    ]
    match = played((2, actions.move(4)))
    ann, ben = metrics(match, refused)
    assert (ann.illegal_moves, ann.unreadable, ann.refused_claims) == (2, 2, 1)
    assert (ben.illegal_moves, ben.unreadable, ben.refused_claims) == (
        0,
        0,
        2,
    )  # a game that has just ended is nobody's mistake
    assert report(match, refused).rows[0].refused["barred"] == 1


def test_time_counts_for_the_seat_to_act_from_the_first_move_on() -> None:
    claim = (2, actions.move(2, claim=(0, 1, 2)))
    match = played((2, actions.move(4)), (1, actions.move(0)), claim, (2, actions.say("well?")), (1, actions.CONFIRM))
    ann, ben = metrics(match)
    assert (ann.milliseconds, ben.milliseconds) == (1000 + 2000, 1000)


def test_moves_that_were_taken_back_do_not_count() -> None:
    match = played(*moves(4, 1), (1, actions.OFFER_TAKE_BACK), (2, actions.ACCEPT), (1, actions.move(0)))
    ann, _ = metrics(match)
    assert (ann.moves, ann.mistakes) == (1, 0)


def test_a_set_of_matches_is_reported_agent_by_agent_with_the_best_first() -> None:
    won = played(*moves(4, 0, 2, 1), (2, actions.move(6, claim=(2, 4, 6))), (1, actions.CONFIRM))
    swapped = begin(AGENTS, seats=(ANN._replace(side=O), BEN._replace(side=X))).act(1, actions.RESIGN)
    whole = combine(
        [report(won, [RefusedAttempt(1, "move", "taken")]), report(swapped, [RefusedAttempt(1, "move", "taken")])]
    )
    assert [(row.label, row.metrics.matches, row.metrics.points) for row in whole.rows] == [
        ("Ben", 2, 2),
        ("Ann", 2, 0),
    ]
    assert whole.rows[1].refused == {"taken": 2}


def test_a_report_survives_the_way_over_the_wire() -> None:
    match = played(*moves(4, 0, 2, 1), (2, actions.move(6, claim=(2, 4, 6))), (1, actions.CONFIRM))
    made = report(match, [RefusedAttempt(1, "move", "taken")], forgotten=3)
    assert read_document(json.loads(json.dumps(document(made)))) == made


@pytest.mark.parametrize("wrong", [{}, {"agents": [{}]}, {"agents": 5}, {"agents": [], "judged_by": 1}])
def test_a_document_that_is_not_a_report_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(Unreadable, match="not a report"):
        read_document(wrong)


def test_the_table_has_a_line_for_every_figure_of_the_referee() -> None:
    match = played((2, actions.move(4, claim=(0, 4, 8))), (1, actions.CONFIRM), (1, actions.RESIGN))
    refused = [
        RefusedAttempt(1, "move", "taken"),
        RefusedAttempt(2, "claim", "barred"),
        RefusedAttempt(1, "move", FORFEITED, 3),
    ]
    head, *lines = table(report(match, refused, forgotten=2))
    assert head.split() == ["Ann", "(X)", "Ben", "(O)"]
    found = {line[:14].strip(): line[14:].split() for line in lines[:14]}
    assert found == {
        "matches": ["1", "1"],
        "points": ["0", "1"],
        "illegal moves": ["1", "0"],
        "unreadable": ["0", "0"],
        "refused claims": ["0", "1"],
        "false claims": ["0", "1"],
        "missed wins": ["0", "0"],
        "wrong confirms": ["1", "0"],
        "wrong disputes": ["0", "0"],
        "mistakes": ["-", "0/1"],
        "misreports": ["-", "-"],
        "resignations": ["0", "0"],
        "forfeits": ["1", "0"],
        "time used": ["2.0", "s", "0.0", "s"],
    }
    assert "2 older refusals" in lines[-1]


def test_the_table_fits_a_terminal_however_many_agents_there_are() -> None:
    match = played((2, actions.move(4)), (1, actions.RESIGN))
    one, two = report(match).rows
    rows = tuple(one._replace(agent=f"{number} {'a' * 20}") for number in range(5))
    lines = list(table(Report((*rows, two))))
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("points") for line in lines) == 3
    shown = "\n".join(lines)
    assert all(row.label in shown for row in (*rows, two))


def test_a_move_that_was_made_for_an_agent_is_not_judged() -> None:
    match = played(*moves(4, 1, 0, 8), game="agents")  # an edge beside the centre loses
    forfeited = RefusedAttempt(1, "move", FORFEITED, version=1)
    ann, ben = metrics(match, [forfeited])
    assert (ann.moves, ann.judged, ann.mistakes, ann.forfeits, ann.illegal_moves) == (2, 1, 0, 1, 0)
    assert (ben.judged, ben.forfeits) == (2, 0)
    missed = played(*moves(0, 3, 1, 4, 8, 5, first=1), game="classic")
    assert metrics(missed, [RefusedAttempt(1, "move", FORFEITED, version=4)])[0].missed_wins == 0
    assert report(match, [forfeited]).rows[0].refused == {}


def test_the_audit_of_the_server_is_read_with_the_number_of_forgotten_refusals() -> None:
    host = MatchHost("agents")
    for _ in range(MOST_REFUSED + 5):
        tried = host.attempt(2, Action("move"), text="[9,9]")
        (host.hosted,) = execute(host.hosted, tried, host.context).matches
    refused, forgotten = audit_of(host.hosted.refused)
    assert (len(refused), forgotten) == (MOST_REFUSED, 5)
    assert refused[0] == RefusedAttempt(2, "move", "outside", version=0, at=host.context.now)
    assert read_audit(write_audit(host.hosted.refused)) == audit_of(host.hosted.refused)
    assert read_audit(write_audit(())) == audit_of(())


@pytest.mark.parametrize(
    "text",
    ["", "{}", "nonsense", '{"forgotten": -1}', '{"forgotten": 0}\n{"seat": 3, "action": "move", "reason": "x"}'],
)
def test_a_file_that_is_not_an_audit_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="not an audit"):
        read_audit(text)


def test_the_command_reports_on_a_file_with_the_audit_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.log"
    save(str(file), played(*moves(4, 0, 2, 1), (2, actions.move(6, claim=(2, 4, 6))), (1, actions.dispute("no"))))
    file.with_suffix(".refused").write_text(write_audit([(1, '{"seat": 1, "action": "move", "reason": "taken"}')]))
    assert main(["agents", "report", str(file), "--json"]) == 0
    ann, ben = json.loads(capsys.readouterr().out)["agents"]
    assert (ann["agent"], ann["illegal_moves"], ann["wrong_disputes"]) == ("Ann", 1, 1)
    assert (ben["agent"], ben["points"]) == ("Ben", 1)


def test_the_command_reports_on_a_folder_as_one_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        save(str(tmp_path / f"{number}.log"), played((2, actions.move(4)), (1, actions.RESIGN)))
    assert main(["agents", "report", str(tmp_path)]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()[:3]] == [
        ["Ben", "Ann"], ["matches", "3", "3"], ["points", "3", "0"],
    ]  # fmt: skip


def test_the_command_reports_on_the_folder_of_a_run_that_had_a_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "matches").mkdir()
    save(str(tmp_path / "matches" / "00000.log"), played((2, actions.move(4)), (1, actions.RESIGN)))
    (tmp_path / "server.log").touch()
    assert main(["agents", "report", str(tmp_path)]) == 0
    assert "Ben" in capsys.readouterr().out


@pytest.mark.parametrize("broken", ["foreign", "cut", "audit"])
def test_a_file_of_a_folder_that_cannot_be_read_is_left_out_with_a_note(
    broken: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(2):
        save(str(tmp_path / f"{number}.log"), played((2, actions.move(4)), (1, actions.RESIGN)))
    bad = tmp_path / "1.log"
    if broken == "foreign":
        bad.write_text("Nov 18 05:24:42 kernel: something else\n")
    elif broken == "cut":
        bad.write_bytes(bad.read_bytes()[:-20])
    else:
        bad.with_suffix(".refused").write_text("nonsense")
    assert main(["agents", "report", str(tmp_path), "--json"]) == 0
    told = capsys.readouterr()
    assert [row["matches"] for row in json.loads(told.out)["agents"]] == [1, 1]
    assert json.loads(told.out)["skipped"] == [str(bad)]
    assert told.err.startswith(f"Note: '{bad}' is left out of the report. ")


def test_a_folder_without_a_log_that_can_be_read_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "0.log").write_text("something else\n")
    assert main(["agents", "report", str(tmp_path)]) == 2
    assert "None of the logs in" in capsys.readouterr().err


@pytest.mark.parametrize("broken", ["nothing.log", "empty", "audit"])
def test_the_command_names_the_file_that_it_cannot_read(
    broken: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    save("audit", played((2, actions.move(4))))
    Path("audit.refused").write_text("nonsense")
    assert main(["agents", "report", broken]) == 2
    assert capsys.readouterr().err.startswith("ninefold: ")


def test_a_table_has_no_lines_about_claims_where_there_are_none() -> None:
    for game, has_claims in (("classic", False), ("agents", True)):
        found = combine([report(begin(find_game(game)))])
        for shown in ("\n".join(table(found)), "\n".join(table(read_document(document(found))))):
            assert ("false claims" in shown) is has_claims
            assert "illegal moves" in shown
