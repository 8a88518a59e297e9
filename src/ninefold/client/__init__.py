"""A running server, from Python: create, join, watch and play the matches it keeps. Blocking, and without HTTP in it.

server = Server("http://127.0.0.1:8090")
created = server.create("classic", ("human", "perfect"))
seat = created.seats[1]
seat.play("5")
view = seat.wait()  # until the computer has answered
"""

from ninefold.client.api import Created, Seat, Server, Watch, join, watch
from ninefold.client.links import Link, read_link
from ninefold.client.socket import Change, Changes

__all__ = ["Change", "Changes", "Created", "Link", "Seat", "Server", "Watch", "join", "read_link", "watch"]
