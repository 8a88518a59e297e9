"""The files for deployment: what they name exists in the project. ``make container`` builds and runs the image."""

from __future__ import annotations

import json
import re
import shlex
import signal
import tomllib
from typing import Any

from ninefold.cli.environment import CommandParser
from ninefold.cli.parser import parser, subcommands
from ninefold.server.http.config import PORT, RESTART_SIGNAL
from ninefold.server.http.metrics import Metrics
from ninefold.server.http.middleware import HEALTH
from scripts.container import ROOT

EXAMPLES = ROOT / "docs" / "examples"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def lines_of(name: str, keyword: str) -> list[str]:
    """What stands behind a keyword of the container file; continued lines are joined."""
    text = (EXAMPLES / name).read_text(encoding="utf-8").replace("\\\n", " ")
    return [line.removeprefix(keyword).strip() for line in text.splitlines() if line.startswith(keyword)]


def extras_in(text: str) -> set[str]:
    return {extra for named in re.findall(r"\[([a-z,]+)\]", text) for extra in named.split(",")}


def serve_parser() -> CommandParser:
    serve = subcommands(parser())["serve"]
    assert isinstance(serve, CommandParser)
    return serve


def test_the_image_runs_the_server_at_its_port_with_extras_that_exist() -> None:
    (entry,) = lines_of("Containerfile", "ENTRYPOINT ")
    command, *arguments = json.loads(entry)
    assert command in PROJECT["scripts"]
    parser().parse_args(arguments)
    assert lines_of("Containerfile", "EXPOSE ") == [str(PORT)]
    (install,) = (line for line in lines_of("Containerfile", "RUN ") if "pip install" in line)
    assert {"postgresql"} <= extras_in(install) <= set(PROJECT["optional-dependencies"])
    (health,) = lines_of("Containerfile", "HEALTHCHECK ")
    assert f"http://127.0.0.1:{PORT}{HEALTH}" in health


def test_the_image_is_configured_by_variables_of_the_server_and_copies_files_that_exist() -> None:
    given = dict(pair.split("=", 1) for line in lines_of("Containerfile", "ENV ") for pair in line.split())
    assert set(given) <= set(serve_parser().variables())
    assert lines_of("Containerfile", "VOLUME ") == [given["NINEFOLD_DATA"]]
    for copied in lines_of("Containerfile", "COPY "):
        source = copied.split()[0]
        assert source.startswith("--from=") or (ROOT / source).exists()


def test_the_unit_of_systemd_starts_the_server_and_reloads_it_with_its_signal() -> None:
    (start,) = lines_of("ninefold.service", "ExecStart=")
    command, *arguments = shlex.split(start)
    assert command.rpartition("/")[2] in PROJECT["scripts"]
    parser().parse_args(arguments)
    (reload,) = lines_of("ninefold.service", "ExecReload=")
    assert signal.SIGUSR1 == RESTART_SIGNAL
    assert reload == "/bin/kill -USR1 $MAINPID"
    assert lines_of("ninefold.service", "Type=") == ["notify"]
    assert int(lines_of("ninefold.service", "WatchdogSec=")[0]) >= 10
    assert extras_in("".join(lines_of("ninefold.service", "# Installed"))) <= set(PROJECT["optional-dependencies"])


def test_every_query_of_the_dashboard_names_metrics_and_labels_that_exist() -> None:
    metrics = Metrics()
    metrics.count_request("GET", "/", 200)
    metrics.count_refusal("stale_version")
    metrics.update({"matches": {}, "moves": 0, "writes_waiting": 0, "bots_busy": 0, "last_commit_seconds": 0.0})
    samples = [sample for family in metrics.registry.collect() for sample in family.samples]
    names = {sample.name for sample in samples}
    labels = {label for sample in samples for label in sample.labels} | {"instance"}
    dashboard: dict[str, Any] = json.loads((EXAMPLES / "grafana.json").read_text(encoding="utf-8"))
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    used = {name for query in queries for name in re.findall(r"ninefold_\w+", query)}
    assert used <= names
    assert {re.sub("_(bucket|count|sum)$", "", name) for name in names} == {
        name.removesuffix("_bucket") for name in used
    }, "every metric has a panel"
    grouped = {label for query in queries for group in re.findall(r"by \((\w+)\)", query) for label in group.split(",")}
    assert grouped <= labels
