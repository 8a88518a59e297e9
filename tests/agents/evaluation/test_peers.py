"""Whose connection it is: the process at the other end of a loopback socket, on a system that lists them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from ninefold.agents.evaluation.peers import has_socket, owner_of

CONNECTS = """
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))):
    sys.stdin.read()
"""
STARTS_ANOTHER = """
import subprocess, sys
subprocess.run([sys.executable, "-c", sys.argv[1], sys.argv[2]])
"""


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


@pytest.mark.parametrize("is_grandchild", [False, True])
def test_a_connection_belongs_to_the_process_that_made_it_or_its_parents(
    *, is_grandchild: bool, listening: socket.socket
) -> None:
    port = str(listening.getsockname()[1])
    command = ["-c", STARTS_ANOTHER, CONNECTS, port] if is_grandchild else ["-c", CONNECTS, port]
    with (
        subprocess.Popen([sys.executable, *command], stdin=subprocess.PIPE) as child,
        subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE) as sibling,
    ):
        connection, its_end = listening.accept()
        with connection:
            owner = owner_of(its_end, connection.getsockname())
            assert owner
            assert owner.user == os.getuid()
            assert has_socket(child.pid, owner.inode)
            assert has_socket(os.getpid(), owner.inode)  # which has started it
            assert not has_socket(sibling.pid, owner.inode)
            for process in (child, sibling):
                process.communicate()


def test_a_connection_that_was_closed_belongs_to_nobody(listening: socket.socket) -> None:
    client = socket.create_connection(listening.getsockname())
    its_end = client.getsockname()
    client.close()
    connection, _ = listening.accept()
    with connection:
        assert owner_of(its_end, connection.getsockname()) is None


def test_an_ipv6_socket_with_an_ipv4_address_is_found(listening: socket.socket) -> None:
    with socket.socket(socket.AF_INET6) as client:
        client.connect(("::ffff:127.0.0.1", listening.getsockname()[1]))
        connection, its_end = listening.accept()
        with connection:
            owner = owner_of(its_end, connection.getsockname())
            assert owner
            assert has_socket(os.getpid(), owner.inode)
