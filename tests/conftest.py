"""What holds for every test: one that is skipped is named at the end, and where CI is set it has failed.

And the databases that tests share.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.postgres import Postgres


def pytest_configure() -> None:
    """A shell ignores SIGINT for commands in the background, and so would every program that a test starts. Tests read
    English, whatever the language of the terminal."""
    os.environ["NINEFOLD_LANGUAGE"] = "en"
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _fail_if_skipped(report)
    return report


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"Skipped, and where CI is set every test has to run: {report.longrepr}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was skipped, and why: after thousands of dots nobody would notice."""
    skipped: dict[str, list[str]] = {}
    for report in terminalreporter.getreports("skipped"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        skipped.setdefault(str(why).removeprefix("Skipped: "), []).append(report.nodeid)
    for why, names in skipped.items():
        terminalreporter.section(f"{len(names)} NOT TESTED", red=True, bold=True)
        terminalreporter.line("\n".join([*names, why]))


@pytest.fixture(scope="session", autouse=True)
def _a_home_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a test keeps, it does not keep among the games of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL, one for each process that runs tests."""
    try:
        from tests.support.postgres import running
    except ImportError as missing:
        pytest.skip(f"PostgreSQL cannot be tested: {missing}")
    with running() as server:
        yield server


@pytest.fixture(scope="session")
def bundle() -> Path:
    """The bundle of the browser client, which ``make test`` makes before the tests."""
    from ninefold.server.http.static_files import BUNDLE
    from scripts import web_bundle

    if not web_bundle.is_current():
        pytest.skip("The bundle of the browser client is missing, or older than its modules: make web")
    return BUNDLE


@pytest.fixture(scope="session")
def engine_in_page() -> Path:
    """The engine as WebAssembly, which ``make test`` makes before the tests. A checkout may be without it; but one that
    is there is served to browsers, so it has to be made of this native core."""
    from ninefold.server.http.static_files import WASM
    from scripts import web_engine

    if not (web_engine.ENGINE / WASM).exists():
        pytest.skip("The engine as WebAssembly is missing: make web")
    if not web_engine.is_current():
        pytest.fail("The engine as WebAssembly is not made of this native core and these networks: make web")
    return web_engine.ENGINE


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str | None:
    """Where matches are kept: the address of an empty PostgreSQL database, or none for SQLite."""
    if request.param == "sqlite":
        return None
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()
