"""The room of one match: the table in it, and who sits there."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ninefold.agents.evaluation.agents import make_agent
from ninefold.agents.evaluation.keys import Keys, without_keys
from ninefold.agents.evaluation.local_match import LocalMatch
from ninefold.agents.evaluation.loop import Agent, Crashed, Forfeit, Rules, play
from ninefold.agents.evaluation.plan import Plan, Spec
from ninefold.agents.evaluation.programs import LOOK, Program, waits_for
from ninefold.agents.evaluation.served_match import Host, ServedMatch
from ninefold.agents.evaluation.transcript import Transcript
from ninefold.analysis.report.metrics import FORFEITED
from ninefold.server.hosting.commands import Create, MatchRequest, SeatRequest
from ninefold.server.hosting.handlers import with_audit_entry
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.storage.pubsub import SteadyClock

_CLOCK = SteadyClock()
PYTHON = "python", sys.executable
Ended = tuple[HostedMatch, list[Forfeit]]


class Room(NamedTuple):
    """``specs`` are the agents of seats 1 and 2; ``transcript`` is the file of a seat's."""

    plan: Plan
    specs: tuple[Spec, Spec]
    seed: int
    keys: Keys
    host: Host
    transcript: Callable[[int], Transcript]

    def play(self) -> Ended:
        """Where a program sits, at a server; else right here."""
        if any(spec.kind == "command" for spec in self.specs):
            return self._play_served()
        table = LocalMatch(self._create(), _CLOCK.now)
        forfeits = play(table, {seat: self._agent(seat) for seat in (1, 2)}, self._rules)
        return _with_forfeits(table.hosted, forfeits), forfeits

    @property
    def _rules(self) -> Rules:
        return Rules(self.plan.retries, self.plan.forfeit, self.seed)

    def _agent(self, seat: int) -> Agent:
        transcript = partial(self.transcript, seat)
        return make_agent(self.plan, self.specs[seat - 1], 2 * self.seed + seat, self.keys, transcript)

    def _create(self) -> Create:
        """A claim waits for all attempts of whoever has to answer it."""
        plan = self.plan
        one, two = (SeatRequest(name=spec.name) for spec in self.specs)
        request = MatchRequest(
            plan.game.id,
            plan.options,
            (one, two),
            claim_seconds=plan.seconds * (plan.retries + 1) + 60,
            absent_seconds=plan.seconds,
            show_moves=plan.show_moves,
            seed=self.seed,
        )
        return Create("", request)

    def _play_served(self) -> Ended:
        ours = {seat for seat in (1, 2) if self.specs[seat - 1].kind != "command"}
        one, two = self.specs
        with contextlib.ExitStack() as stack:
            table = ServedMatch(self.host, self.plan, (one.name, two.name), ours, _CLOCK.now)
            stack.callback(table.close)
            programs = {}
            for seat in {1, 2} - ours:
                programs[seat] = stack.enter_context(self._start(table, seat))
            forfeits = self._seated(table, programs)
            agents = {seat: self._agent(seat) for seat in ours}
            for seat, program in programs.items():
                agents[seat] = waits_for(program, table.version, self.plan.seconds)
            forfeits += play(table, agents, self._rules)
            return _with_forfeits(table.hosted(), forfeits), forfeits

    def _start(self, table: ServedMatch, seat: int) -> Program:
        """Its environment says where the match is; so do these words in its command."""
        spec, plan = self.specs[seat - 1], self.plan
        told = {
            "NINEFOLD_MCP": f"{self.host.address()}/mcp",
            "NINEFOLD_INVITATION": str(table.created.invitations[seat]),
            "NINEFOLD_GAME": plan.game.id,
            "NINEFOLD_SIDE": "XO"[seat - 1],
            "NINEFOLD_SECONDS": str(plan.seconds),
        }
        words = list(spec.what)
        for name, value in (("mcp", told["NINEFOLD_MCP"]), ("invitation", told["NINEFOLD_INVITATION"]), PYTHON):
            words = [word.replace(f"{{{name}}}", value) for word in words]
        program = Program(words, without_keys(plan.agents, os.environ, spec.env) | told, self.transcript(seat))
        self.host.guests.add(program)
        return program

    def _seated(self, table: ServedMatch, programs: dict[int, Program]) -> list[Forfeit]:
        """Wait until every program has sat down. Who does not come forfeits."""
        until = time.monotonic() + self.plan.seconds
        while True:
            codes = {seat: program.code for seat, program in programs.items()}
            missing = table.missing()
            if not missing:
                return []
            for seat in missing:
                if code := codes[seat]:
                    ended = f"Its program ended with code {code} before it sat down."
                    crash = Crashed("crashed", ended + programs[seat].last_words())
                    crash.seat = seat
                    raise crash
                if codes[seat] == 0 or time.monotonic() > until:
                    table.rule(seat)
                    return [Forfeit(seat, "It never sat down.", 0)]
            time.sleep(LOOK)


def _with_forfeits(hosted: HostedMatch, forfeits: list[Forfeit]) -> HostedMatch:
    """The audit tells them too: a move that was made for a seat is not the seat's own."""
    for seat, _, version in forfeits:
        hosted = with_audit_entry(hosted, seat, "move", FORFEITED, _CLOCK.now(), version=version)
    return hosted
