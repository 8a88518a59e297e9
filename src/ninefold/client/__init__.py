"""Clients: matches on a running server from Python, and sessions, which are matches wherever they are played.

server = Server("http://127.0.0.1:8090")
created = server.create("classic", ("human", "perfect"))
seat = created.seats[1]
seat.play("5")
view = seat.wait()  # until the computer has replied
"""

from ninefold.client.api import CreatedMatch, RemoteMatch, RemoteSeat, Server, join, watch
from ninefold.client.links import Link, read_link
from ninefold.client.messages import ENGLISH
from ninefold.client.socket import ChangeStream, MatchChange
from ninefold.core.messages import register

register(ENGLISH)

__all__ = [
    "ChangeStream", "CreatedMatch", "Link", "MatchChange", "RemoteMatch", "RemoteSeat", "Server", "join", "read_link",
    "watch",
]  # fmt: skip
