"""Matches are played over HTTP while the server is killed at random times and started again.

No acknowledged event may be lost or duplicated, and the log has to be the log of the match. Clients do what clients
should: after a broken connection or a 503 they send the same request again. ``make torture`` takes long.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import itertools
import json
import os
import random
import signal
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ninefold.games import find_game
from ninefold.match.actions import Event, move
from ninefold.match.log import event_fields, read_log
from ninefold.match.match import Match, begin
from tests.support.server_process import launched
from tests.support.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    from tests.support.postgres import Postgres

GAMES = ("squared", "classic", "swap-nine", "agents")
RATED = 0.5  # of the matches: those of two profiles, with clocks
HOUR = 3_600
RESTART_SECONDS = 2.0  # in which a server has to serve again, in the long run
ADDRESSES = itertools.count()


class Server:
    """``ninefold serve`` with all its processes in one group, so that all of them can be killed at once."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options = folder, options
        self.port = unclaimed_port()
        self.start()

    def start(self) -> None:
        given = ("--quiet", "--port", str(self.port), "--data", str(self.folder), *self.options)
        file = self.folder / "server.log"
        try:
            with file.open("ab") as log:
                self.process, _ = launched(*given, log=log)
        except AssertionError as error:
            error.add_note(file.read_text(encoding="utf-8")[-2000:])  # the folder is removed
            raise

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()

    def kill_a_worker(self, rng: random.Random) -> None:
        """Kill one of several workers; the supervisor replaces it."""
        os.kill(rng.choice(workers_of(self.process.pid)), signal.SIGKILL)


def unclaimed_port() -> int:
    """A free port that the system gives to nobody who asks for any, so that nobody has it while the server is down."""
    while True:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", random.randrange(10_000, 30_000)))
            return int(probe.getsockname()[1])


def workers_of(supervisor: int) -> list[int]:
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


class Site(Protocol):
    """What players connect to: a server, or a proxy before several."""

    @property
    def port(self) -> int: ...


class Connection:
    """A connection from an address of its own each time, so that rate limits do not matter."""

    def __init__(self, server: Site) -> None:
        self._server = server
        self._http: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> tuple[int, Any]:
        """The status and the response; 0 if the connection broke and nobody knows what happened."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        try:
            if self._http is None:
                number = next(ADDRESSES)
                source = f"127.1.{number // 250 % 250}.{number % 250 + 1}"
                self._http = http.client.HTTPConnection(
                    "127.0.0.1", self._server.port, timeout=PATIENCE, source_address=(source, 0)
                )
            self._http.request(method, path, None if body is None else json.dumps(body), headers)
            answer = self._http.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            return 0, None
        is_json = "json" in answer.headers.get("Content-Type", "") and "ndjson" not in answer.headers["Content-Type"]
        return answer.status, json.loads(data) if is_json else data.decode()

    def close(self) -> None:
        if self._http:
            self._http.close()
            self._http = None

    def insist(self, method: str, path: str, body: object = None, token: str = "") -> tuple[Any, bool]:
        """The response, after as many repeats as necessary; and True if there were any."""
        until = time.monotonic() + PATIENCE
        again = False
        while True:
            status, answer = self.ask(method, path, body, token)
            if status in (200, 201):
                return answer, again
            assert status in (0, 429, 503), (method, path, body, status, answer)
            assert time.monotonic() < until, f"{method} {path}: no response ({status})"
            again = True
            time.sleep(0.02)


class Totals(NamedTuple):
    """Events of matches: those that were acknowledged, and how the server's differ from them."""

    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    invented: int = 0

    @property
    def is_faultless(self) -> bool:
        return not (self.lost or self.doubled or self.invented)

    def __str__(self) -> str:
        return f"acknowledged {self.acknowledged:,}, lost {self.lost}, doubled {self.doubled}, invented {self.invented}"


def compare(known: Sequence[Event], stored: Sequence[Event]) -> Totals:
    """The acknowledged events of a match beside those that the server has."""
    same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(known, stored, strict=False)))
    missing, more = list(known[same:]), list(stored[same:])
    doubled = [event for event in more if event in stored[:same] and event not in missing]
    lost = [event for event in missing if event not in more]
    invented = [event for event in more if event not in doubled and event not in missing]
    return Totals(len(known), len(lost), len(doubled), len(invented))


class Played(NamedTuple):
    """A match as its client knows it: every event was acknowledged."""

    id: str
    tokens: dict[int, str]
    match: Match
    repeated: int = 0  # requests that had to be sent again
    known: int = 0  # how many of those had been executed the first time
    is_rated: bool = False

    @property
    def next_move(self) -> str:
        rng = random.Random(f"{self.id}/{len(self.match.events)}")
        return self.match.game.name(rng.choice(self.match.position.moves()))


class Player(threading.Thread):
    """Plays both sides of several matches, one move after the other, and checks every response."""

    def __init__(self, number: int, server: Site, matches: int, torture: Torture) -> None:
        super().__init__(name=f"player-{number}", daemon=True)
        self.rng = random.Random(number)
        self.number, self.count, self.torture = number, matches, torture
        self.connection = Connection(server)
        self.requests = itertools.count()
        self.keys = [f"{side}-{number}-of-{time.time_ns():032}" for side in "XO"]
        self.live: list[Played] = []
        self.over: list[Played] = []
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            for key in self.keys:
                self.connection.insist("PUT", "/api/v1/profile", {"name": f"player {self.number}"}, key)
            self.live = [self.create() for _ in range(self.count)]
            while not self.torture.done.is_set():
                place = self.rng.randrange(self.count)
                self.live[place] = self.move(self.live[place])
                if self.live[place].match.result:
                    self.over.append(self.live[place])
                    self.live[place] = self.create()
        except BaseException as failure:
            self.failure = failure
        finally:
            self.connection.close()

    def request(self) -> str:
        return f"player-{self.number}-request-{next(self.requests)}"

    def create(self) -> Played:
        game = self.rng.choice(GAMES)
        if self.rng.random() < RATED:
            return self.create_rated(game)
        body = {"game": game, "seats": [{"player": "human"}, {"player": "human"}], "request": self.request()}
        created, _ = self.connection.insist("POST", "/api/v1/matches", body)
        self.torture.acknowledged()
        return Played(created["match"], {int(seat): token for seat, token in created["seats"].items()}, _begun(game))

    def create_rated(self, game: str) -> Played:
        """A match of the player's two profiles."""
        one, other = self.keys
        seats = [{"player": "human"}, {"player": "open"}]
        body = {"game": game, "seats": seats, "clock": {"initial_seconds": HOUR}, "request": self.request()}
        created, _ = self.connection.insist("POST", "/api/v1/matches", body, one)
        match = created["match"]
        body = {"invitation": created["invitations"]["2"], "request": self.request()}
        joined, _ = self.connection.insist("POST", f"/api/v1/matches/{match}/join", body, other)
        self.torture.acknowledged()
        return Played(match, {1: created["seats"]["1"], 2: joined["token"]}, _begun(game), is_rated=True)

    def check_standings(self) -> int:
        """Each of the profiles has counted every match that has ended, once. Returns their number."""
        ended = sum(played.is_rated for played in self.over)
        for key in self.keys:
            profile, _ = self.connection.insist("GET", "/api/v1/profile", None, key)
            counted = {
                name: sum(standing[name] for standing in profile["standings"])
                for name in ("wins", "draws", "losses", "rated")
            }
            rated = counted.pop("rated")
            assert sum(counted.values()) == rated == ended, f"{ended} rated matches have ended: {profile['standings']}"
        self.connection.close()
        return ended

    def move(self, played: Played) -> Played:
        """One move, with the same request until it is acknowledged."""
        match, seat = played.match, played.match.to_act or 0
        text = played.next_move
        body = {"request": self.request(), "version": match.version, "action": {"kind": "move", "move": text}}
        path = f"/api/v1/matches/{played.id}/actions"
        answer, again = self.connection.insist("POST", path, body, played.tokens[seat])
        assert again or not answer["replayed"], "a stored response to a new request"
        after = match.act(seat, move(match.game.parse_move(text)), answer["events"][0]["at"])
        assert (answer["version"], answer["index"]) == (after.version, len(match.events)), (played, answer)
        told = [{key: value for key, value in event.items() if key != "index"} for event in answer["events"]]
        assert told == [event_fields(event) for event in after.events[len(match.events) :]]
        self.torture.acknowledged()
        return played._replace(
            match=after, repeated=played.repeated + again, known=played.known + bool(answer["replayed"])
        )


def _begun(game: str) -> Match:
    return begin(find_game(game))


def _without_times(events: Sequence[Event]) -> list[Event]:
    return [event._replace(at=0) for event in events]


class Torture:
    """Players, and how much has been acknowledged to them."""

    def __init__(self, site: Site, matches: int, players: int) -> None:
        self._site = site
        self.done = threading.Event()
        self._count = 0
        self._changed = threading.Condition()
        self.connection = Connection(site)
        self.players = [Player(number, site, matches // players, self) for number in range(players)]

    @property
    def server(self) -> Server:
        """The server, where there is only one."""
        assert isinstance(self._site, Server)
        return self._site

    def acknowledged(self) -> None:
        with self._changed:
            self._count += 1
            self._changed.notify()

    def wait_for(self, more: int) -> None:
        """Wait until so much more has been acknowledged."""
        with self._changed:
            goal = self._count + more
            come = self._changed.wait_for(lambda: self._count >= goal or self._failed(), PATIENCE)
        assert come, "nothing is acknowledged any more"
        self.raise_failures()

    def _failed(self) -> bool:
        return any(player.failure for player in self.players)

    def raise_failures(self) -> None:
        for player in self.players:
            if player.failure:
                raise AssertionError(f"{player.name} saw something wrong") from player.failure

    def start(self) -> None:
        for player in self.players:
            player.start()

    def stop(self) -> None:
        self.done.set()
        for player in self.players:
            player.join(2 * PATIENCE)
            assert not player.is_alive(), "somebody waits for ever"
        self.raise_failures()

    def serving_again(self) -> None:
        """Wait until the server lists matches."""
        self.connection.close()
        wait_until(lambda: self.connection.ask("GET", "/api/v1/matches?state=live")[0] == 200)

    def check(self) -> Totals:
        """Compare every match on the server with the one that its player knows."""
        totals = Totals()
        for played in self.played():
            log, _ = self.connection.insist("GET", f"/api/v1/matches/{played.id}/log")
            told = read_log(log)
            found = compare(_without_times(played.match.events), _without_times(told.events))
            totals = Totals(*(one + more for one, more in zip(totals, found, strict=True)))
            view, _ = self.connection.insist("GET", f"/api/v1/matches/{played.id}")
            assert (view["position"], view["version"]) == (str(told.position), told.version)
        print(totals, flush=True)
        assert totals.is_faultless, totals
        print(f"{sum(player.check_standings() for player in self.players)} rated matches were counted once")
        return totals

    def played(self) -> list[Played]:
        return [played for player in self.players for played in (*player.live, *player.over)]


@contextlib.contextmanager
def tortured(folder: Path, *options: str, matches: int, players: int = 8) -> Iterator[Torture]:
    """A server with running matches; at the end every acknowledged event is looked for."""
    server = Server(folder, *options)
    torture = Torture(server, matches, players)
    try:
        torture.start()
        yield torture
        torture.stop()
        torture.check()
        played = torture.played()
        print(f"{len(played)} matches; {sum(one.repeated for one in played)} requests had to be sent again;", end=" ")
        print(f"{sum(one.known for one in played)} of them had been carried out before their answer was lost.")
    finally:
        torture.done.set()
        torture.connection.close()
        server.kill()


def kill_all(torture: Torture, rng: random.Random) -> float:
    """Kill all processes at a random time; returns the seconds until the server serves again."""
    torture.wait_for(rng.randrange(1, 60))
    time.sleep(rng.random() * 0.05)
    torture.server.kill()
    began = time.monotonic()
    torture.server.start()
    torture.serving_again()
    return time.monotonic() - began


def kill_worker(torture: Torture, rng: random.Random) -> float:
    torture.wait_for(rng.randrange(1, 60))
    torture.server.kill_a_worker(rng)
    began = time.monotonic()
    torture.serving_again()
    return time.monotonic() - began


def restart_database(torture: Torture, postgres: Postgres, rng: random.Random) -> float:
    """Restart PostgreSQL as after a crash; returns the seconds until the next move is acknowledged."""
    torture.wait_for(rng.randrange(1, 60))
    began = time.monotonic()
    postgres.restart()
    torture.wait_for(1)
    return time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="of the server with SQLite")
    parser.add_argument("--faults", type=int, default=200, help="of two workers, or of their PostgreSQL")
    parser.add_argument("--failovers", type=int, default=5, help="from PostgreSQL to its standby, with two servers")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 2**32)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    print(f"seed {given.seed}")
    late = torture_sqlite(given, rng) if given.kills else []
    late += torture_postgresql(given, rng) if given.faults else []
    if given.failovers:
        torture_two_servers(given, rng)
    assert not late, f"not within {RESTART_SECONDS:g} s: {late} (is the machine busy?)"


def torture_sqlite(given: argparse.Namespace, rng: random.Random) -> list[str]:
    print(f"SQLite, one process, {given.kills} kills", flush=True)
    with tempfile.TemporaryDirectory() as folder, tortured(Path(folder), matches=given.matches) as torture:
        return report([kill_all(torture, rng) for _ in range(given.kills)])


def torture_postgresql(given: argparse.Namespace, rng: random.Random) -> list[str]:
    from tests.support.postgres import running

    print(f"PostgreSQL, two workers, {given.faults} faults: of all processes, of one worker, of PostgreSQL", flush=True)
    with tempfile.TemporaryDirectory() as folder, running() as postgres:
        options = ("--workers", "2", "--database", postgres.new_database())
        faults = (kill_all, kill_worker, lambda torture, rng: restart_database(torture, postgres, rng))
        with tortured(Path(folder), *options, matches=given.matches) as torture:
            return report([rng.choice(faults)(torture, rng) for _ in range(given.faults)])


def torture_two_servers(given: argparse.Namespace, rng: random.Random) -> None:
    """Each failover has a PostgreSQL and a standby of its own: the old primary does not come back."""
    from tests.support.postgres import running
    from tests.support.two_servers import two_servers

    print(f"two servers, a proxy, PostgreSQL with a standby: {given.failovers} failovers", flush=True)
    waited, failed_over = [], []
    for _ in range(given.failovers):
        with (
            tempfile.TemporaryDirectory() as folder,
            running() as postgres,
            two_servers(Path(folder), postgres, given.matches) as site,
        ):
            site.torture.start()
            waited += [site.replace_a_server(rng) for _ in range(3)]
            failed_over.append(site.fail_over())
            waited += [site.replace_a_server(rng) for _ in range(3)]
    print("a server dies: ", end="")
    report(waited)
    print("PostgreSQL dies: ", end="")
    report(failed_over)


def report(seconds: list[float]) -> list[str]:
    """Print the times; returns those that were too long."""
    print(
        f"serving again after {statistics.median(seconds):.2f} s (median), {max(seconds):.2f} s (longest)", flush=True
    )
    return [f"{one:.2f} s" for one in seconds if one >= RESTART_SECONDS]


if __name__ == "__main__":
    main()
