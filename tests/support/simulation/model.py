"""The model: what the server may have done. Every commit, every answer and every read is compared with it.

It knows what was asked of the server and what was committed, and keeps the clocks by arithmetic of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ninefold.core.errors import Refusal
from ninefold.match.actions import REFEREE, Action, Event
from ninefold.match.log import event_fields, parse_event, read_log
from ninefold.match.match import Match
from ninefold.match.state import State
from tests.support.simulation.disk import SimulatedConnection
from tests.support.simulation.ratings import RatingModel
from tests.support.simulation.world import Violation, World

ROUNDING_MS = 2.0  # of two readings of a clock in whole milliseconds
OPEN_MS = 24 * 3_600_000
AGAIN = ("come_back", "stopping")  # refusals after which a client repeats its request
NOT_SEATED = ("bad_token", "no_such_match", "no_token")


_EVENTS = 'SELECT "match", "index", at, "left", body, request FROM events ORDER BY "match", "index"'


class Intent:
    """An action that somebody asks for, under one request id."""

    def __init__(self, match: str, seat: int, key: str, version: int | None, action: Action) -> None:
        self.match, self.seat, self.key, self.version, self.action = match, seat, key, version, action
        self.outcome: dict[str, Any] | None = None  # what was committed, as an answer says it
        self.other_outcome: dict[str, Any] | None = None  # with a settled claim before it, where the model cannot tell
        self.was_new = False  # True once an answer has said that it is not a repeat

    def __str__(self) -> str:
        return f"{self.match[:4]} {self.seat} {self.key} v{self.version} {self.action.kind} {self.action.move}"


class ModelClock:
    """Both remaining times as they were stored last, and since when one of them runs, in real milliseconds."""

    def __init__(self, initial: int, increment: int) -> None:
        self.left, self.increment = [float(initial), float(initial)], increment
        self.since: float | None = None


class MatchModel:
    """A match as it was committed."""

    def __init__(self, match: Match, settings: dict[str, Any], created_at: float) -> None:
        self.match = match
        self.rows: list[tuple[Any, ...]] = []
        self.versions = [0]  # after so many events
        self.positions = [str(match.position)]
        self.intents: list[Intent] = []  # that were not carried out yet
        self.acknowledged = 0  # events that somebody was told of
        self.touched_at = created_at
        self.claim_ms: int = settings["claim_ms"]
        self.clock = ModelClock(*settings["clock"]) if settings["clock"] else None
        self.revision = 0
        self.status = "open"
        self.rematch = ""
        self.is_known = False  # True once its creator knows of it: its creation is not repeated
        self.has_moved_seat = False  # True once a seat was handed over to another device


def is_running(state: State) -> bool:
    return bool(state.moves) and state.pending is None and state.result is None


class Model:
    def __init__(self, world: World) -> None:
        self.world = world
        self.matches: dict[str, MatchModel] = {}
        self.unwanted: set[str] = set()  # matches that the operator wants to be deleted
        self.deleted: set[str] = set()
        self.wanted: dict[str, str] = {}  # names of players who asked for a match, and the match
        self.downtime: list[tuple[float, float]] = []  # when no server could answer, in real milliseconds
        self.down_since: float | None = None
        self.is_exact = True  # False once the server believes that it was away, or the wall clock was set
        self.commits = 0
        self.ratings = RatingModel()

    # What was asked

    def ask_for_match(self, name: str) -> None:
        self.wanted[name] = ""

    def ask(self, match: str, seat: int, key: str, version: int | None, action: Action) -> Intent:
        intent = Intent(match, seat, key, version, action)
        self.matches[match].intents.append(intent)
        return intent

    # When nobody could answer

    def went_down(self) -> None:
        if self.down_since is None:
            self.down_since = self.now

    def came_up(self, at: float) -> None:
        if self.down_since is not None:
            self.downtime.append((self.down_since, max(self.down_since, at)))
            self.down_since = None

    @property
    def now(self) -> float:
        """Real milliseconds since the beginning."""
        return self.world.time * 1000

    def most_charged(self, since: float, until: float) -> float:
        """The most that a fair clock takes off between two moments: all the time in which somebody could answer."""
        down = [*self.downtime, *([(self.down_since, self.now)] if self.down_since is not None else [])]
        lost = sum(max(0.0, min(until, ended) - max(since, began)) for began, ended in down)
        return max(0.0, until - since - lost)

    # What was committed

    def committed(self, connection: SimulatedConnection) -> None:
        """Compare the whole database with the model, and the model goes on with it."""
        self.commits += 1
        if self.down_since is not None:
            self.came_up(connection.began_at * 1000)
        self.is_exact &= not connection.rows("SELECT 1 FROM outages LIMIT 1")
        late = connection.clock_late
        matches = connection.rows("SELECT id, head, settings, status, revision, version, rematch FROM matches")
        events: dict[str, list[tuple[Any, ...]]] = {}
        for row in connection.rows(_EVENTS):
            events.setdefault(row[0], []).append(row)
        rematches = {row[6] for row in matches}
        for id, head, settings, status, revision, version, rematch in matches:
            if id in self.deleted:
                raise Violation(f"match {id} was deleted, and is there again")
            if id not in self.matches:
                self._created(id, head, settings, late, id in rematches)
            model = self.matches[id]
            rows = events.pop(id, [])
            if revision < model.revision:
                raise Violation(f"match {id} went back from revision {model.revision} to {revision}")
            if rows != model.rows:
                if revision == model.revision:
                    raise Violation(f"match {id} has changed without a new revision")
                self._extend(id, model, rows, late)
            if version != model.versions[-1]:
                raise Violation(f"match {id}: version {version} after {len(rows)} events is not {model.versions[-1]}")
            if model.match.result and status != "ended":
                raise Violation(f"match {id} has ended and is {status}")
            if model.rematch and rematch != model.rematch and model.rematch not in self.deleted:
                raise Violation(f"match {id}: the rematch {model.rematch} became {rematch!r}")
            model.revision, model.status, model.rematch = revision, status, rematch
        if events:
            raise Violation(f"there are events of no match: {list(events)}")
        self._check_deleted(self.matches.keys() - {row[0] for row in matches})
        self.ratings.committed(connection)

    def _check_deleted(self, missing: set[str]) -> None:
        if missing - self.unwanted:
            raise Violation("a match is lost")
        if missing - self.deleted:
            self.world.log("deleted:", *(id[:4] for id in missing - self.deleted))
        self.deleted |= missing

    def may_be_gone(self, match: str, refusal: Refusal) -> bool:
        """True if a refusal says that a match is gone which the operator wants to be deleted."""
        return refusal.reason == "no_such_match" and match in self.unwanted

    def _created(self, id: str, head: str, settings: str, late: float, is_rematch: bool) -> None:
        match = read_log(head)
        name = match.setup.seats[0].name
        if not is_rematch:
            if self.wanted.get(name) != "":
                raise Violation(f"match {id} of {name!r} was created twice, or nobody asked for it")
            self.wanted[name] = id
        self.matches[id] = MatchModel(match, json.loads(settings), match.setup.at - late)
        self.world.log("committed: match", id[:4], "of", name, "as a rematch" if is_rematch else "")

    def _extend(self, id: str, model: MatchModel, rows: list[tuple[Any, ...]], late: float) -> None:
        known = len(model.rows)
        if rows[:known] != model.rows:
            raise Violation(f"match {id}: events that were committed are lost or have changed")
        if [row[1] for row in rows] != list(range(len(rows))):
            raise Violation(f"match {id}: its events are not numbered one by one")
        new = [parse_event(json.loads(row[4])) for row in rows[known:]]
        if [event.at for event in new] != [row[2] for row in rows[known:]]:
            raise Violation(f"match {id}: the times in its rows and in its log differ")
        while new:
            at = new[0].at - late
            group, intent = self._explain(id, model, new, {row[5] for row in rows[known:]}, at)
            stored = rows[len(model.match.events) + len(group) - 1][3]
            self._charge(id, model, group, json.loads(stored) if stored else None, at)
            self._apply(model, group, intent, at)
            del new[: len(group)]
        model.rows = rows

    def _explain(
        self, id: str, model: MatchModel, new: list[Event], keys: set[str | None], at: float
    ) -> tuple[list[Event], Intent | None]:
        """The first of these events, with what the rules add to it, and the intent that led to it. Intents with a
        stored request id come first: an earlier one for the same action may have been refused."""
        version = model.versions[-1]
        for intent in sorted(model.intents, key=lambda intent: intent.key not in keys):
            if intent.version not in (None, version) or not self._may_be(intent, new[0], model, at):
                continue
            try:
                decided = _decided(model.match, intent.seat, intent.action, new[0].at)
            except Refusal:
                continue
            if decided == new[: len(decided)]:
                return decided, intent
        event = new[0]
        if event.seat != REFEREE:
            raise Violation(f"match {id}: nobody asked for {event}, or it was done twice")
        decided = _decided(model.match, event.seat, event.action, event.at)
        if decided != new[: len(decided)]:
            raise Violation(f"match {id}: {new} is not what the rules decide")
        self._check_referee(id, model, event, at)
        return decided, None

    def _may_be(self, intent: Intent, event: Event, model: MatchModel, at: float) -> bool:
        """True if an event could be the first one of what somebody has asked for."""
        if event.seat == REFEREE:  # who resigns ends a claim before it
            return intent.action.kind in ("resign", "leave") and not self._is_settled_late(model, at)
        return (intent.seat, intent.action.kind, intent.action.text) == (
            event.seat,
            event.action.kind,
            event.action.text,
        )

    def _is_settled_late(self, model: MatchModel, at: float) -> bool:
        return self.most_charged(model.touched_at, at) >= model.claim_ms - ROUNDING_MS

    def _check_referee(self, id: str, model: MatchModel, event: Event, at: float) -> None:
        """What the referee did, he was to do."""
        kind = event.action.kind
        if kind == "settle" and not self._is_settled_late(model, at):
            raise Violation(f"match {id}: a claim was settled before its time")
        if kind == "expire" and self.most_charged(model.touched_at, at) < OPEN_MS:
            raise Violation(f"match {id} has expired before its time")
        if kind == "flag":
            clock, turn = model.clock, model.match.position.turn
            if clock is None or clock.since is None or model.match.setup.seat(turn) != event.action.number:
                raise Violation(f"match {id}: a flag fell and no such clock was running")
            left = clock.left[turn] - self.most_charged(clock.since, at)
            if left > ROUNDING_MS:
                raise Violation(f"match {id}: {turn} was flagged and had {left:.0f} ms")
        if kind not in ("settle", "expire", "flag"):
            raise Violation(f"match {id}: the referee had no reason for {event}")

    def _charge(self, id: str, model: MatchModel, group: list[Event], stored: list[int] | None, at: float) -> None:
        """Compare the remaining times after an action with those of the model."""
        clock, kind = model.clock, group[0].action.kind
        if clock is None or kind == "say":
            return
        assert stored is not None
        turn = model.match.position.turn
        least, most = list(clock.left), list(clock.left)
        if clock.since is not None:
            gain = clock.increment if kind == "move" else 0
            least[turn] = max(0.0, least[turn] - self.most_charged(clock.since, at)) + gain
            most[turn] = least[turn] if self.is_exact else most[turn] + gain
        for side in (0, 1):
            if not least[side] - ROUNDING_MS <= stored[side] <= most[side] + ROUNDING_MS:
                raise Violation(
                    f"match {id}: side {side} has {stored[side]} ms left, and not {least[side]:.0f} to {most[side]:.0f}"
                )
        clock.left, clock.since = [float(one) for one in stored], at

    def _apply(self, model: MatchModel, group: list[Event], intent: Intent | None, at: float) -> None:
        first = len(model.match.events)
        model.match = model.match.extend(group)
        if model.clock and not is_running(model.match.state):
            model.clock.since = None
        for event in group:
            model.versions.append(model.versions[-1] + (event.action.kind != "say"))
            model.positions.append(model.positions[-1])
        model.positions[-1] = str(model.match.position)
        if group[0].action.kind != "say":
            model.touched_at = at
        if intent:
            model.intents.remove(intent)
            intent.outcome = _answer(model, first)
            intent.other_outcome = _answer(model, first - 1) if _ends_claim(model, intent, first) else None
        self.world.log(
            "committed:", intent or "referee", [event.action.kind for event in group], "->", first + len(group)
        )

    # What the server said

    def answered(self, intent: Intent, answer: dict[str, Any]) -> None:
        """The server acknowledges an action."""
        if intent.outcome is None:
            raise Violation(f"{intent} was acknowledged and is not committed")
        said = _plain(answer)
        is_repeat = said.pop("replayed")
        if said not in (intent.outcome, intent.other_outcome):
            raise Violation(f"{intent} was acknowledged as {said}, and committed as {intent.outcome}")
        if not is_repeat and intent.was_new:
            raise Violation(f"{intent} was done twice, by the answers")
        intent.was_new |= not is_repeat
        model = self.matches[intent.match]
        model.acknowledged = max(model.acknowledged, intent.outcome["index"] + len(intent.outcome["events"]))

    def refused(self, intent: Intent, refusal: Refusal, was_done: bool) -> None:
        """The server refuses an action. ``was_done``: it was committed before it was asked for this time."""
        if refusal.reason == "unexpected":
            raise Violation(f"{intent}: {refusal}")
        if was_done and refusal.reason not in AGAIN and not self.may_be_gone(intent.match, refusal):
            if refusal.reason in NOT_SEATED and self.matches[intent.match].has_moved_seat:
                return
            raise Violation(f"{intent} was done, and its repeat was refused: {refusal.code}")

    def read(self, match: str, size: int, version: int, position: str, floor: int) -> None:
        """Somebody has read a match, of which so many events were acknowledged before they asked."""
        model = self.matches.get(match)
        if model is None or size > len(model.rows):
            raise Violation(f"match {match} was read with {size} events, which are not committed")
        if size < floor:
            raise Violation(f"match {match} was read with {size} events, after {floor} were acknowledged")
        if version != model.versions[size]:
            raise Violation(
                f"match {match} was read as version {version}, and {size} events are {model.versions[size]}"
            )
        if position not in ("", model.positions[size]):
            raise Violation(f"match {match} was read as {position}, and was {model.positions[size]}")

    def followed(self, match: str, events: Iterable[Mapping[str, Any]], size: int) -> int:
        """A socket has delivered events, after so many others. Returns how many there are now."""
        model = self.matches[match]
        for event in events:
            if event["index"] != size:
                raise Violation(f"match {match}: a socket has delivered event {event['index']} after {size} events")
            if size >= len(model.rows) or _plain(event) != {"index": size, **json.loads(model.rows[size][4])}:
                raise Violation(f"match {match}: a socket has delivered {event}, which is not committed")
            size += 1
        return size


def _answer(model: MatchModel, first: int) -> Any:
    """The answer to the action whose events begin at an index and are the last of a match."""
    docs = [{"index": place, **event_fields(event)} for place, event in enumerate(model.match.events[first:], first)]
    return _plain({"version": model.versions[-1], "index": first, "events": docs})


def _ends_claim(model: MatchModel, intent: Intent, first: int) -> bool:
    """True if the settlement of a claim before this action may be part of it. The model cannot tell: it does not know
    to the millisecond what the server charged over an outage, and so whether the claim was due."""
    before, own = model.match.events[first - 1], model.match.events[first]
    is_settled = (before.seat, before.action.kind, before.at) == (REFEREE, "settle", own.at)
    return first > 0 and is_settled and intent.action.kind in ("resign", "leave")


def _decided(match: Match, seat: int, action: Action, at: int) -> list[Event]:
    """The events that an action becomes by the rules."""
    return list(match.act(seat, action, at).events[len(match.events) :])


def _plain(document: Any) -> Any:
    """A document as it is after its way through JSON."""
    return json.loads(json.dumps(document))
