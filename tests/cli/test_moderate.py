"""``ninefold moderate``: the operator's commands, also while the server runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.cli.main import main
from ninefold.server.hosting import tokens
from tests.support.http_server import API, bearer, running
from tests.support.waiting import wait_until

ANN = "A" * 32


def moderate(capsys: pytest.CaptureFixture[str], data: Path, *arguments: str) -> tuple[int, str]:
    """The exit code, and what is printed on both streams."""
    code = main(["moderate", *arguments, "--data", str(data)])
    printed = capsys.readouterr()
    return code, (printed.out + printed.err).strip()


def test_the_operator_acts_while_the_server_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running(tmp_path) as server:

        def name_is(status: int, name: str) -> bool:
            response = server.http.put(f"{API}/profile", json={"name": name}, headers=bearer(ANN))
            return response.status_code == status

        assert name_is(200, "Rude Word")
        profile = tokens.profile_id(ANN)
        seats = [{"player": "human", "name": ""}, {"player": "open"}]
        created = server.post("/matches", {"game": "classic", "seats": seats}, ANN).json()
        invitation = {"invitation": created["invitations"]["2"]}
        joined = server.post(f"/matches/{created['match']}/join", invitation).json()
        server.post(f"/matches/{created['match']}/reports", {"reason": "name", "text": "see"}, joined["token"])
        assert moderate(capsys, tmp_path, "bans") == (0, "No bans.")
        code, line = moderate(capsys, tmp_path, "reports")
        told = f'{created["match"]}  name: Rude Word ({profile}), reported by seat 2 (no profile): "see"'
        assert (code, line.partition("  ")[2]) == (0, told)
        assert moderate(capsys, tmp_path, "names", "--add", "rüde", "words") == (0, "Filtered: rude, words.")
        assert moderate(capsys, tmp_path, "names", "--remove", "words") == (0, "No longer filtered: words.")
        assert moderate(capsys, tmp_path, "names") == (0, "rude")
        wait_until(lambda: name_is(409, "ru-de"))
        code, line = moderate(capsys, tmp_path, "ban", f"http://x/p/{profile}", "--days", "7", "--reason", "name")
        assert (code, line.startswith(f"Banned: {profile}, until 20")) == (0, True)
        assert moderate(capsys, tmp_path, "bans")[1].endswith(": name")
        wait_until(lambda: name_is(403, "Ann"))
        assert moderate(capsys, tmp_path, "unban", profile) == (0, f"No longer banned: {profile}.")
        wait_until(lambda: name_is(200, "Ann"))
        assert moderate(capsys, tmp_path, "resolve", created["match"]) == (0, "Resolved: 1 report.")
    assert moderate(capsys, tmp_path, "reports") == (0, "No reports.")
    assert moderate(capsys, tmp_path, "reports", "--all")[1].endswith('"see" [resolved]')


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("ban", "Ann"), "'Ann' is not a profile or an address."),
        (("unban", "192.0.2.7"), "192.0.2.7 is not banned."),
        (("names", "--add", "x1"), "'x1' cannot be filtered."),
        (("names", "--remove", "kind"), "'kind' is not filtered."),
        (("resolve", "abc"), "No open report is about 'abc'."),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    with running(tmp_path):
        code, printed = moderate(capsys, tmp_path, *arguments)
        assert code == 2
        assert sentence in printed
