"""Who is there, and who has gone: nobody is claimed out who may be sitting at the board."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import text

from desk import MINUTE
from kept_matches import Hands, match_of, move, on_a_loop, opened, refused, serving
from ninefold.service import store
from ninefold.service.kept import Settings
from postgres import Postgres

WAIT = Settings(absent_ms=MINUTE)


@on_a_loop
async def test_after_a_restart_everybody_has_time_to_come_back(url: str | None, tmp_path: Path) -> None:
    hands = Hands()
    async with serving(tmp_path, url, now=hands) as service:
        created = await service.create(match_of(settings=WAIT))
        match, token = created["match"], created["seats"][1]
        await move(service, created, 0, "5")
        hands.at += 10 * MINUTE
        await service._submit(lambda connection: store.set_meta(connection, "alive_at", str(hands.at)))
    async with serving(tmp_path, url, now=hands) as service:
        assert (await service.view(match)).document["absent_due"] == hands.at + MINUTE
        assert (await refused(service.claim_absent(match, token, "r"))).reason == "not_absent"
        hands.at += MINUTE
        await service.claim_absent(match, token, "r")


@on_a_loop
async def test_nobody_is_claimed_out_while_it_cannot_be_known_who_is_there(postgres: Postgres, tmp_path: Path) -> None:
    hands, url = Hands(), postgres.new_database()
    async with serving(tmp_path, url, now=hands) as service:
        created = await service.create(match_of(settings=WAIT))
        match, token = created["match"], created["seats"][1]
        await move(service, created, 0, "5")
        hands.at += 10 * MINUTE
        with opened(tmp_path, url) as database:
            for before, after in (("presence", "elsewhere"), ("elsewhere", "presence")):
                with database.writer.begin() as connection:
                    connection.execute(text(f"ALTER TABLE {before} RENAME TO {after}"))
                if after == "elsewhere":
                    assert (await refused(service.claim_absent(match, token, "r"))).reason == "come_back"
        await service.claim_absent(match, token, "r")
