"""Flags of ``ninefold serve`` from environment variables: which wins, and how a bad value is refused."""

from __future__ import annotations

import argparse

import pytest

from ninefold.cli.main import main
from ninefold.cli.parser import parser, subcommands

VALUES = {
    "NINEFOLD_HOST": ("0.0.0.0", "0.0.0.0"),  # noqa: S104 - parsed, not listened at
    "NINEFOLD_PORT": ("8091", 8091),
    "NINEFOLD_LAN": ("1", True),
    "NINEFOLD_PUBLIC_URL": ("https://play.example", "https://play.example"),
    "NINEFOLD_DATA": ("/data", "/data"),
    "NINEFOLD_DATABASE": ("postgresql://db/ninefold", "postgresql://db/ninefold"),
    "NINEFOLD_WORKERS": ("4", 4),
    "NINEFOLD_METRICS": ("127.0.0.1:9100", "127.0.0.1:9100"),
    "NINEFOLD_PROXY": ("10.0.0.0/8", "10.0.0.0/8"),
    "NINEFOLD_KEEP_DAYS": ("365", 365),
    "NINEFOLD_MATCHES": ("7", 7),
    "NINEFOLD_CACHED": ("8", 8),
    "NINEFOLD_ENGINES": ("9", 9),
    "NINEFOLD_RATE": ("10", 10),
    "NINEFOLD_TRACES": ("http://127.0.0.1:4318/v1/traces", "http://127.0.0.1:4318/v1/traces"),
    "NINEFOLD_QUIET": ("yes", True),
    "NINEFOLD_UNTIL_EOF": ("true", True),
}


def given(*arguments: str) -> argparse.Namespace:
    return parser().parse_args(["serve", *arguments])


def test_every_flag_has_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = {
        option.removeprefix("--").replace("-", "_")
        for action in subcommands(parser())["serve"]._actions
        for option in action.option_strings
        if option.startswith("--") and option != "--help"
    }
    assert {f"NINEFOLD_{flag.upper()}" for flag in flags} == set(VALUES)
    for variable, (text, _) in VALUES.items():
        monkeypatch.setenv(variable, text)
    found = vars(given())
    for variable, (_, value) in VALUES.items():
        assert found[variable.removeprefix("NINEFOLD_").lower()] == value


def test_a_flag_wins_over_its_variable_and_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NINEFOLD_PORT", "8091")
    monkeypatch.setenv("NINEFOLD_WORKERS", "")
    monkeypatch.setenv("NINEFOLD_LAN", "0")
    found = given("--port", "8092")
    assert (found.port, found.workers, found.lan) == (8092, 1, False)


@pytest.mark.parametrize(
    ("variable", "text", "sentence"),
    [
        ("NINEFOLD_PORT", "x", "variable NINEFOLD_PORT: 'x' is not a whole number from 0 to 65535"),
        ("NINEFOLD_LAN", "maybe", "variable NINEFOLD_LAN: 'maybe' is not 1 or 0"),
    ],
)
def test_a_bad_value_is_refused_with_its_variable(
    variable: str, text: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(variable, text)
    with pytest.raises(SystemExit) as ended:
        main(["serve"])
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err
    assert main(["games"]) == 0  # other commands do not read it


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("NINEFOLD_METRICS", "here"),
        ("NINEFOLD_PROXY", "nginx"),
        ("NINEFOLD_PUBLIC_URL", "example.org"),
        ("NINEFOLD_TRACES", "jaeger"),
    ],
)
def test_a_bad_address_is_refused_with_its_variable_unless_a_flag_gave_it(
    variable: str, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(variable, text)
    assert main(["serve", "--port", "0"]) == 2
    assert capsys.readouterr().err.startswith(f"ninefold: {variable}: '{text}' ")
    flag = "--" + variable.removeprefix("NINEFOLD_").lower().replace("_", "-")
    assert main(["serve", "--port", "0", flag, f"{text}-2"]) == 2
    assert capsys.readouterr().err.startswith(f"ninefold: '{text}-2' ")
