"""The profiles of a service: by their keys for their owners, by their ids for others if they are shared."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from ninefold.core.errors import NotAllowed, Refusal, Unreadable
from ninefold.core.text import clean, clean_name
from ninefold.games import all_games
from ninefold.match import actions
from ninefold.match.log import write_log
from ninefold.server.hosting import tokens
from ninefold.server.hosting.commands import Act, Command, Forget, Identity
from ninefold.server.hosting.model import HostedMatch
from ninefold.server.hosting.profiles import (
    LEAST_MOVES,
    PlayedDoc,
    Profile,
    ProfileDoc,
    ProfileKind,
    ProfileStanding,
    StandingDoc,
    StandingKey,
)
from ninefold.server.hosting.seats import seat_of
from ninefold.server.storage import moderation, profiles
from ninefold.server.storage.config import REQUESTER
from ninefold.server.storage.moderation import Moderation, PlayerReport, ReportReason
from ninefold.server.storage.profiles import MILLION, PlayedRow, PlayedSetup
from ninefold.server.storage.reader import MatchReader, without_seed
from ninefold.server.storage.writer import DatabaseTask

SHORTEST_KEY = 32  # characters of a key
MOST_BLOCKS = 500  # of one profile
BATCH = 50  # matches that are forgotten, or profiles that are deleted, at a time
EXPORTED = 10  # matches that an export reads at a time
MOST_UNUSED = 500  # profiles that are looked for at a time
LONGEST_TEXT = 280  # of a report


async def _nothing(_: int) -> None: ...


class PlayedPage(NamedTuple):
    matches: list[PlayedDoc]
    next: str | None


class ProfileService:
    """``write`` submits a write and waits for its response."""

    def __init__(
        self,
        reader: MatchReader,
        now: Callable[[], int],
        write: Callable[[Command | DatabaseTask], Awaitable[Any]],
        moderation: Moderation,
    ) -> None:
        self._reader, self._now, self._write, self._moderation = reader, now, write, moderation

    # Taking seats

    async def identity(
        self, key: str | None, *, game: str = "", match: str = "", kind: ProfileKind | None = None
    ) -> Identity | None:
        """The profile with which the bearer of a key takes a seat in a new match of a game, or in a match.

        A banned player takes no seat in a new match. In a match the handler decides: the seat may be theirs already.
        """
        if game:
            self.check_requester()
        if key is None:
            return None
        profile = await self._owned(key)
        if kind and profile.kind != kind:
            raise NotAllowed("bad_key.kind")
        if game:
            self._moderation.check(profile.id, self._now())
        else:
            game = (await self._reader.hosted(match)).match.game.id
        rating = (await self._standing(profile, game)).shown(self._now()) if profile.shared else ""
        return Identity(profile.id, profile.name, rating)

    def check_requester(self) -> None:
        """Refuse an address that the operator has banned."""
        self._moderation.check(REQUESTER.get(), self._now())

    def check_name(self, name: str) -> None:
        """Refuse a name that the operator filters."""
        self._moderation.check_name(clean_name(name))

    async def _standing(self, profile: Profile, game: str) -> ProfileStanding:
        standings = await self._standings(profile.id)
        return standings.get((profile.id, game, "agents" if profile.kind == "agent" else "people"), ProfileStanding())

    # One's own profile

    async def save(
        self, key: str | None, name: str, kind: ProfileKind = "person", *, shared: bool = False
    ) -> ProfileDoc:
        """Create the profile of a key, or change it. The kind of a profile stays what it was."""
        self.check_requester()
        if key is None:
            raise NotAllowed("no_profile_key")
        if len(key) < SHORTEST_KEY:
            raise Unreadable("guessable_key", least=SHORTEST_KEY, most=tokens.LONGEST)
        id, name = tokens.profile_id(key), clean_name(name)
        self._moderation.check(id, self._now())
        if not name:
            raise NotAllowed("bad_name.empty")
        self._moderation.check_name(name)
        profile = Profile(id, name, kind, shared, self._now())
        await self._write(lambda connection: profiles.save(connection, profile))
        return await self.own(key)

    async def own(self, key: str | None) -> ProfileDoc:
        return await self._document(await self._owned(key))

    async def shared(self, id: str) -> ProfileDoc:
        """A profile that its owner shares."""
        return await self._document(await self._shared(id))

    async def _owned(self, key: str | None) -> Profile:
        if key is None:
            raise NotAllowed("no_profile_key")
        found = await self._find(tokens.profile_id(key))
        if found is None:
            raise NotAllowed("bad_key")
        return found

    async def _shared(self, id: str) -> Profile:
        found = await self._find(id)
        if found is None or not found.shared:
            raise NotAllowed("no_such_profile")
        return found

    async def _find(self, id: str) -> Profile | None:
        return (await self._reader.query(lambda connection: profiles.find(connection, [id]))).get(id)

    async def _standings(self, id: str) -> dict[StandingKey, ProfileStanding]:
        return await self._reader.query(lambda connection: profiles.standings_of(connection, [id]))

    async def _document(self, profile: Profile) -> ProfileDoc:
        standings, now = await self._standings(profile.id), self._now()
        return {
            "id": profile.id,
            "name": profile.name,
            "kind": profile.kind,
            "shared": profile.shared,
            "created_at": profile.created_at,
            "standings": [_standing_doc(key, standing, now) for key, standing in standings.items()],
        }

    # Matches

    async def matches(self, key: str | None, before: str | None, most: int, *, running: bool = False) -> PlayedPage:
        """One's own matches, the newest first. ``next`` of a page is the ``before`` of the next one."""
        return await self._page((await self._owned(key)).id, before, most, running=running)

    async def match(self, key: str | None, match: str) -> PlayedDoc:
        """One's own match, with what it has done to the rating."""
        profile = (await self._owned(key)).id
        await self._reader.hosted(match)  # it may not be there
        row = await self._reader.query(lambda connection: profiles.played_match(connection, profile, match))
        if row is None:
            raise NotAllowed("not_your_match")
        (document,) = await self._documents([row])
        return document

    async def shared_matches(self, id: str, before: str | None, most: int) -> PlayedPage:
        """The public matches of a shared profile that have ended."""
        page = await self._page((await self._shared(id)).id, before, most)
        public = [one for one in page.matches if one["status"] == "ended" and not one["private"]]
        return PlayedPage(public, page.next)

    async def _page(self, profile: str, before: str | None, most: int, *, running: bool = False) -> PlayedPage:
        time, _, match = (before or "").partition("-")
        start = (int(time), match) if before else None
        rows = await self._reader.query(
            lambda connection: profiles.played(connection, profile, start, most + 1, running=running)
        )
        last = rows[most - 1] if len(rows) > most else None
        return PlayedPage(await self._documents(rows[:most]), f"{last.began_at}-{last.match}" if last else None)

    async def _documents(self, rows: Sequence[PlayedRow]) -> list[PlayedDoc]:
        """What a list shows of matches. It reads no events: the price of a page does not depend on the matches."""
        matches = [row.match for row in rows]
        found = await self._reader.query(lambda connection: profiles.setups(connection, matches))
        return [_played_doc(row, found[row.match]) for row in rows if row.match in found]

    async def _hosted(self, matches: list[str]) -> dict[str, HostedMatch]:
        """Those of these matches that can be read."""
        found = await asyncio.gather(*map(self._reader.hosted, matches), return_exceptions=True)
        return {one.id: one for one in found if isinstance(one, HostedMatch)}

    async def export(self, key: str | None, pay: Callable[[int], Awaitable[object]] = _nothing) -> AsyncIterator[str]:
        """All that is stored about the owner of a key, as JSON lines: the profile, then each match with its log.

        ``pay`` is waited for before so many more matches are read: nobody knows how many there are.
        """
        profile = await self._owned(key)
        reported = await self._reader.query(lambda connection: moderation.reports_by(connection, profile.id))
        head = {
            "profile": await self._document(profile),
            "blocks": await self.blocks(key),
            "reports": [report._asdict() for report in reported],
        }
        return self._export(profile.id, head, pay)

    async def _export(
        self, profile: str, head: dict[str, Any], pay: Callable[[int], Awaitable[object]]
    ) -> AsyncIterator[str]:
        yield json.dumps(head, ensure_ascii=False) + "\n"
        before: str | None = None
        while True:
            page = await self._page(profile, before, EXPORTED)
            await pay(len(page.matches))
            found = await self._hosted([one["match"] for one in page.matches])
            for played in page.matches:
                if hosted := found.get(played["match"]):
                    line = {"match": played, "log": write_log(without_seed(hosted.match), checksum=False)}
                    yield json.dumps(line, ensure_ascii=False) + "\n"
            before = page.next
            if before is None:
                return

    # Deletion

    async def delete(self, key: str | None) -> None:
        """Delete a profile with its ratings, and its name in all matches. Rated matches that are being played are
        resigned first: the opponent is not to lose a win by it."""
        profile = (await self._owned(key)).id
        await self._resign_rated(key, profile)
        await self._write(lambda connection: profiles.delete(connection, profile))
        await self.forget(profile)

    async def _resign_rated(self, key: str | None, profile: str) -> None:
        running = await self._reader.query(
            lambda connection: profiles.played(connection, profile, None, moderation.MOST_LISTED, running=True)
        )
        for hosted in (await self._hosted([row.match for row in running])).values():
            if hosted.is_rated and hosted.status == "live" and len(hosted.match.state.moves) >= LEAST_MOVES:
                await self._write_unless_refused(Act(hosted.id, key, f"delete-{hosted.id}", None, actions.RESIGN))

    async def forget(self, profile: str) -> None:
        """Replace the name of a profile that was deleted in its matches."""
        while matches := await self._reader.query(partial(profiles.orphans, profile=profile, most=BATCH)):
            await asyncio.gather(*(self._write_unless_refused(Forget(match, profile)) for match in matches))
            await self._write(partial(profiles.forget_orphans, matches=matches, profile=profile))
        await self._write(partial(profiles.unmark_forgotten, profile=profile))

    async def _write_unless_refused(self, command: Command) -> None:
        try:
            await self._write(command)
        except Refusal as refusal:
            if refusal.reason not in ("no_such_match", "unreadable_match", "ended"):
                raise

    async def housekeeping(self) -> None:
        """Delete what nobody has used for long, and finish deletions that were interrupted."""
        await self._write(lambda connection: moderation.delete_old_reports(connection, self._now()))
        await self._delete_unused()
        for profile in await self._reader.query(profiles.marked_deleted):
            await self.forget(profile)

    async def _delete_unused(self) -> None:
        """Delete profiles that have never played. Looking for them takes long, and must not keep the writer."""
        while True:
            now = self._now()
            found = await self._reader.query(partial(profiles.unused, now=now, most=MOST_UNUSED))
            for first in range(0, len(found), BATCH):
                await self._write(partial(profiles.delete_unused, now=now, ids=found[first : first + BATCH]))
            if len(found) < MOST_UNUSED:
                return

    # Other players

    async def blocks(self, key: str | None) -> list[dict[str, Any]]:
        profile = (await self._owned(key)).id
        rows = await self._reader.query(lambda connection: profiles.blocks_of(connection, profile))
        return [{"profile": row.blocked, "name": row.name, "at": row.at} for row in rows]

    async def block(self, key: str | None, match: str) -> list[dict[str, Any]]:
        """Block the opponent of a match: the two do not meet again."""
        profile = (await self._owned(key)).id
        hosted = await self._reader.hosted(match)
        seat = hosted.seat_of_profile(profile)
        if not seat:
            raise NotAllowed("not_your_match")
        other = hosted.seat_holder(3 - seat).profile
        if not other or other == profile:
            raise NotAllowed("nobody.to_block")
        if await self._reader.query(lambda connection: profiles.count_blocks(connection, profile)) >= MOST_BLOCKS:
            raise NotAllowed("too_many.blocks", most=MOST_BLOCKS)
        await self._write(lambda connection: profiles.block(connection, profile, other, self._now()))
        return await self.blocks(key)

    async def unblock(self, key: str | None, blocked: str) -> list[dict[str, Any]]:
        profile = (await self._owned(key)).id
        await self._write(lambda connection: profiles.unblock(connection, profile, blocked))
        return await self.blocks(key)

    async def report(self, match: str, token: str | None, reason: ReportReason, text: str) -> None:
        """PlayerReport the opponent of a match to the operator."""
        hosted = await self._reader.hosted(match)
        seat = seat_of(hosted, token)
        other = hosted.seat_holder(3 - seat)
        if other.holder in ("open", "computer"):
            raise NotAllowed("nobody.to_report")
        report = PlayerReport(
            match,
            seat,
            self._now(),
            hosted.seat_holder(seat).profile,
            other.profile,
            hosted.match.setup.seats[2 - seat].name,
            reason,
            clean(text)[:LONGEST_TEXT],
        )
        await self._write(lambda connection: moderation.store_report(connection, report))


def _standing_doc(key: StandingKey, standing: ProfileStanding, now: int) -> StandingDoc:
    _, game, opponents = key
    known, rating = all_games().get(game), standing.rating_at(now)
    return {
        "game": game,
        "title": known.title if known else game,
        "opponents": opponents,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "rated": standing.rated,
        "rating": round(rating.rating) if standing.rated else None,
        "deviation": round(rating.deviation) if standing.rated else None,
        "provisional": rating.is_provisional,
    }


def _played_doc(row: PlayedRow, played: PlayedSetup) -> PlayedDoc:
    setup, seats = played.setup, [seat for seat, (_, own) in enumerate(played.holders, 1) if own == row.profile]
    seat = seats[0] if seats else 1
    other, (holder, _) = setup.seats[2 - seat], played.holders[2 - seat]
    before, after = (
        None if value is None else round(value / MILLION) for value in (row.rating_before, row.rating_after)
    )
    return {
        "match": row.match,
        "game": setup.game.id,
        "title": setup.game.title,
        "seat": seat,
        "opponent": other.name,
        "level": other.player if holder == "computer" else None,
        "status": played.status,
        "private": played.private,
        "began_at": row.began_at,
        "score": row.score or None,
        "rating_before": before,
        "rating_after": after,
    }
