"""The examples in the docstrings of the client: they run against a real server."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from typing import Any

import pytest

from ninefold.client import api, socket
from tests.support.server_process import Serving, serving

ADDRESS = "http://127.0.0.1:8090"  # what the docstrings call the server
EXAMPLES = {
    test.name: test for module in (api, socket) for test in doctest.DocTestFinder().find(module) if test.examples
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Closes every connection that an example opens: examples show what they are about, and no more."""
    made: list[api.Server] = []
    begin = api.Server.__init__

    def recorded(self: api.Server, *arguments: Any, **options: Any) -> None:
        begin(self, *arguments, **options)
        made.append(self)

    monkeypatch.setattr(api.Server, "__init__", recorded)
    yield
    for server in made:
        server.close()


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_of_the_client_is_true(name: str, server: Serving) -> None:
    test = EXAMPLES[name]
    for example in test.examples:
        example.source = example.source.replace(ADDRESS, server.url)
    assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0


def test_the_examples_are_found() -> None:
    assert {"ninefold.client.api.Server.create", "ninefold.client.socket.ChangeStream.close"} <= set(EXAMPLES)
