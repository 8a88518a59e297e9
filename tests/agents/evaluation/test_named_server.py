"""Evaluations on a running server, where people may watch: the real ``ninefold serve``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ninefold.cli.commands.evaluate import run_plan
from ninefold.cli.main import main
from ninefold.client import watch
from ninefold.match.files import load
from tests.support.server_process import Serving, serving
from tests.support.thieves import PLAYER

RESIGNS = PLAYER.replace("MEETING =", "#") + (
    """
server, match, secret = mine()
token = join(server, match, secret)
seat = "XO".index(os.environ["NINEFOLD_SIDE"]) + 1
while (view := call(server, match, token=token))["asked"] != seat:
    pass
call(server, match + "/actions", {"version": view["version"], "action": {"kind": "dispute"}}, token)
resign(server, match, token)
"""
)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    monkeypatch.chdir(tmp_path)
    with serving(tmp_path / "data") as server:
        yield server


def test_matches_are_played_on_a_server_where_people_may_watch(
    server: Serving, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("program.py").write_text(RESIGNS)
    Path("plan.toml").write_text(
        'game = "agents"\nseconds = 600\nmatches = [["perfect", "liar"], ["program", "perfect"]]\n'
        '[agents.perfect]\nplayer = "perfect"\n[agents.liar]\nscript = "claims-falsely"\n'
        '[agents.program]\ncommand = ["{python}", "program.py"]\n'
    )
    assert run_plan("plan.toml", as_json=True, server=server.url) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    links = dict(re.findall(r"Match (\d), \w+ against \w+: (http\S+)", err))
    assert [one["link"] for one in told["results"]] == [links[number] for number in "0123"]
    for one in told["results"]:
        assert one["link"].startswith(f"{server.url}/m/")
        with watch(one["link"]) as seen:
            assert seen.view()["result"]["score"] == one["score"]
            assert seen.match().state.moves == load(f"plan-run/matches/{one['number']:05}.log").state.moves
    program, liar = ({row["agent"]: row for row in told["agents"]}[name] for name in ("program", "liar"))
    assert (program["lost"], program["refused_claims"], program["forfeits"]) == (2, 2, 0)  # from the server's audit
    assert liar["false_claims"] == 2
    assert json.loads(Path("plan-run/run.json").read_text())["starts"][0]["server"] == server.url


@pytest.mark.parametrize(
    ("url", "sentence"), [("http://127.0.0.1:9", "127.0.0.1:9"), ("nonsense", "is not the address of a server")]
)
def test_a_server_that_cannot_be_reached_is_refused_before_anything_is_written(
    url: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text('game = "agents"\n[agents.a]\nplayer = "easy"\n[agents.b]\nplayer = "easy"\n')
    assert main(["agents", "evaluate", "plan.toml", "--server", url]) != 0
    assert sentence in capsys.readouterr().err
    assert not Path("plan-run").exists()
