"""Programs for evaluations that need Python's standard library alone: a thief, and the victim that it steals from.

They meet at a port of the test, so that the thief has stolen what it can before its victim takes its seat.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

PLAYER = '''
import glob, json, os, re, socket, sys, urllib.error, urllib.request

LINK = re.compile(rb"(http://127[.]0[.]0[.]1:[0-9]+)/m/([A-Za-z0-9]+)#invite=([A-Za-z0-9_-]+)")
MEETING = ("127.0.0.1", int(sys.argv[1]))


def call(server, path, body=None, token=None):
    """The response of the API; None if it is a refusal."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": "Bearer " + token} if token else {})
    data = None if body is None else json.dumps({"request": os.urandom(16).hex()} | body).encode()
    request = urllib.request.Request(server + "/api/v1/matches/" + path, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.loads(response.read())
    except (OSError, ValueError):
        return None


def join(server, match, secret):
    found = call(server, match + "/join", {"invitation": secret, "name": "me"})
    return found and found["token"]


def resign(server, match, token):
    view = call(server, match, token=token)
    action = {"kind": "resign"}
    return view and call(server, match + "/actions", {"version": view["version"], "action": action}, token)


def say(server, match, token, text):
    return call(server, match + "/actions", {"version": None, "action": {"kind": "say", "text": text}}, token)


def meet():
    """Wait until the other one is here too."""
    with socket.create_connection(MEETING) as meeting:
        meeting.recv(1)


def mine():
    server, match, secret = LINK.fullmatch(os.environ["NINEFOLD_INVITATION"].encode()).groups()
    return server.decode(), match.decode(), secret.decode()
'''

VICTIM = (
    PLAYER
    + """
meet()  # the thief is done
server, match, secret = mine()
token = join(server, match, secret)
if token is None:
    sys.exit("My seat was taken.")
meet()  # the thief has resigned
"""
)

THIEF = (
    PLAYER
    + '''
def readable(path):
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            return file.read(1_000_000) or b""
    except OSError:
        return b""


def parents():
    """The parent of every process that can be seen."""
    found = {}
    for path in glob.glob("/proc/[0-9]*"):
        stat = readable(path + "/stat").rpartition(b")")[2].split()
        if stat:
            found[int(path[6:])] = int(stat[1])
    return found


def processes(root):
    """The run and its processes, as far as they can be seen. Nobody else's are read."""
    parent = parents()

    def is_of_run(pid):
        return pid == root or (pid in parent and is_of_run(parent[pid]))

    return [pid for pid in parent if is_of_run(pid) and pid != os.getpid()]


def loot():
    """Everything that can be read of other processes and of the run."""
    for pid in processes(int(sys.argv[2])):
        for part in ("environ", "cmdline"):
            yield part, readable(f"/proc/{pid}/{part}")
        for file in glob.glob(f"/proc/{pid}/fd/*"):
            yield "fd", readable(file)
    for folder in sys.argv[3:]:
        for place, _, names in os.walk(folder):
            yield "file", b"".join(readable(os.path.join(place, name)) for name in names)


server, match, secret = mine()
found, links = set(), set()
for kind, content in loot():
    if b"secret" + b"-of-" in content:
        found.add(kind)
    links |= {link.groups() for link in LINK.finditer(content) if link[3].decode() != secret}
stolen = 0
for place in links:
    its_server, its_match, its_secret = (part.decode() for part in place)
    for at in (its_server, server):  # the gate of the victim first: at the own one the theft is seen
        token = join(at, its_match, its_secret)
        stolen += bool(token and resign(at, its_match, token))
print(json.dumps({"secrets": sorted(found), "links": len(links), "stolen": stolen}), flush=True)
meet()
token = join(server, match, secret)
token and resign(server, match, token)
meet()
'''
)

TALKATIVE_VICTIM = (
    PLAYER
    + """
server, match, secret = mine()
token = join(server, match, secret)
if not say(server, match, token, "My seat is " + token):
    sys.exit("Nobody hears me.")
meet()  # the thief may listen
meet()  # the thief has resigned
"""
)

LISTENING_THIEF = (
    PLAYER
    + """
server, match, secret = mine()
token = join(server, match, secret)
meet()  # the victim has said it
heard = re.findall("My seat is ([A-Za-z0-9_-]+)", json.dumps(call(server, match, token=token)))
stolen = [bool(resign(sys.argv[2], match, word)) for word in heard]
print(json.dumps(stolen), flush=True)
resign(server, match, token)
meet()
"""
)


@contextlib.contextmanager
def meetings() -> Iterator[int]:
    """A port at which thief and victim wait for each other: whoever comes waits there for a second one."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=_pair, args=(listening,))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            listening.shutdown(socket.SHUT_RDWR)  # which ends the thread
            thread.join()


def _pair(listening: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            with listening.accept()[0], listening.accept()[0]:
                pass
