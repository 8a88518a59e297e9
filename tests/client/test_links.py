"""Links to matches, and the identity of this device."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.client import Link, read_link, watch
from ninefold.client.device import request_for
from ninefold.core.errors import Unreadable
from tests.support.server_process import SECRET, refusal, serving

# Links


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("http://localhost:8090/m/00ff", Link("http://localhost:8090", "00ff")),
        (f" https://Play.Example/m/00ff#invite={SECRET}\n", Link("https://play.example", "00ff", "invite", SECRET)),
        (f"http://[::1]:8090/m/00ff#code={SECRET}", Link("http://[::1]:8090", "00ff", "code", SECRET)),
        (f"http://10.0.0.7/m/00ff/#watch={SECRET}", Link("http://10.0.0.7", "00ff", "watch", SECRET)),
        (f"http://host/m/00ff#invite={SECRET}&game=classic", Link("http://host", "00ff", "invite", SECRET)),
        (f"http://host/m/00ff#watch=x&code={SECRET}", Link("http://host", "00ff", "code", SECRET)),
    ],
)
def test_a_link_is_read_and_written(text: str, link: Link) -> None:
    assert read_link(text) == link
    assert read_link(str(link)) == link


@pytest.mark.parametrize(
    "text",
    [
        "", "00ff", "localhost:8090/m/00ff", "ftp://host/m/00ff", "http:///m/00ff", "http://host/", "http://host/m/",
        "http://host/m/../api", "http://host/m/a?b=c", "http://host:x/m/a", "http://me:word@host/m/a", "http://[/m/a",
        f"http://host/m/a#key={SECRET}", "http://host/m/a#invite=short", "http://host/m/a#invite", "http://höst/m/a",
    ],
)  # fmt: skip
def test_a_text_that_is_not_a_link_is_refused(text: str) -> None:
    assert refusal(lambda: read_link(text)).reason in ("not_a_link", "not_a_server")


@given(st.text() | st.text().map(lambda text: f"http://{text}") | st.text().map(lambda text: f"http://host/m/{text}"))
def test_any_text_is_a_link_or_refused(text: str) -> None:
    with contextlib.suppress(Unreadable):
        assert read_link(str(read_link(text))) == read_link(text)


@pytest.mark.parametrize("text", [f"http://host/game#invite={SECRET}", f"http://host/m/a#key={SECRET}"])
def test_a_refused_link_is_repeated_without_its_secret(text: str) -> None:
    told = str(refusal(lambda: read_link(text)))
    assert SECRET not in told
    assert f"'{text.partition('#')[0]}#...'" in told


def test_a_link_with_a_wrong_secret_is_not_called_no_link() -> None:
    assert "the part behind the # cannot be read" in str(refusal(lambda: read_link("http://host/m/a#invite=short")))
    assert "is not a link to a match" in str(refusal(lambda: read_link("http://host/")))


def test_spectators_are_shown_what_a_link_for_watching_looks_like() -> None:
    assert "#invite=" in str(refusal(lambda: read_link("http://host/")))
    told = str(refusal(lambda: watch("http://host/")))
    assert "#invite=" not in told
    assert "http://host/m/ID#watch=SECRET" in told


# This device


def test_the_same_link_opens_the_same_seat_again_on_this_device_alone(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        link = server.client().create("classic").invitations[2]
        here, elsewhere = (request_for(link, tmp_path / name) for name in ("here", "elsewhere"))
        first = server.client().join(link, "Bob", request=here)
        again = server.client().join(link, request=request_for(link, tmp_path / "here"))
        assert again.token == first.token
        assert refusal(lambda: server.client().join(link, request=elsewhere)).reason == "invitation_used"


def test_the_secret_of_this_device_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    request_for(Link("http://host", "00ff"), tmp_path / "state")
    (file,) = (tmp_path / "state").iterdir()
    assert file.stat().st_mode & 0o077 == 0


def test_where_nothing_can_be_stored_a_temporary_secret_is_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    link = Link("http://host", "00ff")
    assert request_for(link, tmp_path / "file") != request_for(link, tmp_path / "file")
