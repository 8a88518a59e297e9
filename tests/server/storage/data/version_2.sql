-- A SQLite database of schema version 2, as Ninefold 0.1 stored it before the tables were made by frozen statements.
-- In PostgreSQL the column outages.began was a BIGSERIAL. test_migrations.py has the tokens.
CREATE TABLE answers (
    "match" TEXT NOT NULL,
    seat INTEGER NOT NULL,
    request TEXT NOT NULL,
    body TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY ("match", seat, request)
);
INSERT INTO "answers" VALUES('8bb921f0a5d7a04d',1,'r0','d453c63828562c0c969cf182a387ddb42e93fea76eff1e1335b001d75f8d0e98','{"version": 1, "index": 0, "events": [{"index": 0, "event": "moved", "seat": 1, "at": 1800000001000, "move": 4}]}');
INSERT INTO "answers" VALUES('8bb921f0a5d7a04d',2,'r1','8566553481b396359129317397de8f89487bd79c8ecdf00c53a448461697cbe4','{"version": 2, "index": 1, "events": [{"index": 1, "event": "moved", "seat": 2, "at": 1800000002000, "move": 0}]}');
INSERT INTO "answers" VALUES('8bb921f0a5d7a04d',1,'r2','0fab8ac0137065e32a348355a0c7daf37188c1cef123fd904360d31f6915e0ae','{"version": 2, "index": 2, "events": [{"index": 2, "event": "said", "seat": 1, "at": 1800000003000, "text": "good luck \u263a"}]}');
INSERT INTO "answers" VALUES('8bb921f0a5d7a04d',1,'r4','a55c842462761cd11e020280ed542f1b7d2cc9fc31854316d8e88fd0575aec88','{"version": 3, "index": 3, "events": [{"index": 3, "event": "claimed", "seat": 1, "at": 1800000005000, "cells": [0, 4, 8]}]}');
INSERT INTO "answers" VALUES('391cfde246fd629f',1,'m0','abfd87c1fa1768ab0c6246c2f99197ac23c9bd0bc623318a9ce19cfb10e49ab6','{"version": 1, "index": 0, "events": [{"index": 0, "event": "moved", "seat": 1, "at": 1800000006000, "move": 0}]}');
INSERT INTO "answers" VALUES('391cfde246fd629f',2,'m1','c284e62177948423dd1ef93654a40bd94e93eddbecd12bc5ac34ab9a31b18e8e','{"version": 2, "index": 1, "events": [{"index": 1, "event": "moved", "seat": 2, "at": 1800000007000, "move": 3}]}');
INSERT INTO "answers" VALUES('391cfde246fd629f',1,'m2','2b3aca7470f9ae03362a0b06f057afdba939d87bb17d5c74e1a2822f4a3bf561','{"version": 3, "index": 2, "events": [{"index": 2, "event": "moved", "seat": 1, "at": 1800000008000, "move": 1}]}');
INSERT INTO "answers" VALUES('391cfde246fd629f',2,'m3','90629e4dddcc75c60ee29ed3819eb20eaa27b761f56a4a28c04c79ee4404527f','{"version": 4, "index": 3, "events": [{"index": 3, "event": "moved", "seat": 2, "at": 1800000009000, "move": 4}]}');
INSERT INTO "answers" VALUES('391cfde246fd629f',1,'m4','05b5d5a7346fc8d91bd898bca297f92c1f88cc5d0a68bb3c3be8e1e61e360c80','{"version": 5, "index": 4, "events": [{"index": 4, "event": "moved", "seat": 1, "at": 1800000010000, "move": 2}]}');
CREATE TABLE chairs (
    "match" TEXT NOT NULL,
    seat INTEGER NOT NULL,
    holder TEXT NOT NULL,
    token TEXT NOT NULL,
    invitation TEXT NOT NULL,
    code TEXT NOT NULL,
    code_until BIGINT NOT NULL,
    PRIMARY KEY ("match", seat)
);
INSERT INTO "chairs" VALUES('8bb921f0a5d7a04d',1,'person','8d1f6f9410d9879bc0363fb2f78919e8d292bca92729f460db26179c5466244c','','',0);
INSERT INTO "chairs" VALUES('8bb921f0a5d7a04d',2,'person','eb8aa77509cc81a513cdd1bd6e059ded2296d43d7848c4532fc7b11c451c29d4','','4d8e29d095f584ff39814af9dc015bd5f17befdb7ed6c86a81aeb633e00bcc3b',1800000605000);
INSERT INTO "chairs" VALUES('391cfde246fd629f',1,'person','3f20374fb5a957422293f9b5105e5117c05541ac0493f797134b1df87495bab5','','',0);
INSERT INTO "chairs" VALUES('391cfde246fd629f',2,'person','4408208db61b08c1f7734cb926b3c010ce2e1389f1c4a574e15fe2db619dd43f','70336eb2a3aac46a10a7638226815dd1ddfe77c9500e195907e2637eafd1c4f3','',0);
INSERT INTO "chairs" VALUES('4f8b3fb5fbb913c5',1,'person','3f20374fb5a957422293f9b5105e5117c05541ac0493f797134b1df87495bab5','','',0);
INSERT INTO "chairs" VALUES('4f8b3fb5fbb913c5',2,'person','4408208db61b08c1f7734cb926b3c010ce2e1389f1c4a574e15fe2db619dd43f','','',0);
INSERT INTO "chairs" VALUES('716726c59fafbcc0',1,'person','dfca2a6914a94c33dcbf3d812d2ffea71bec3e9cc7357304961f7af22380fb9b','','',0);
INSERT INTO "chairs" VALUES('716726c59fafbcc0',2,'open','','05bb7029a29ffc17515a2c778a19ac3801dce1f60ff01619a604aa941a3df548','',0);
CREATE TABLE events (
    "match" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    at BIGINT NOT NULL,
    "left" TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY ("match", "index")
);
INSERT INTO "events" VALUES('8bb921f0a5d7a04d',0,1800000001000,'[600000, 600000]','{"event": "moved", "seat": 1, "at": 1800000001000, "move": 4}');
INSERT INTO "events" VALUES('8bb921f0a5d7a04d',1,1800000002000,'[600000, 601000]','{"event": "moved", "seat": 2, "at": 1800000002000, "move": 0}');
INSERT INTO "events" VALUES('8bb921f0a5d7a04d',2,1800000003000,'[600000, 601000]','{"event": "said", "seat": 1, "at": 1800000003000, "text": "good luck ☺"}');
INSERT INTO "events" VALUES('8bb921f0a5d7a04d',3,1800000005000,'[597000, 601000]','{"event": "claimed", "seat": 1, "at": 1800000005000, "cells": [0, 4, 8]}');
INSERT INTO "events" VALUES('391cfde246fd629f',0,1800000006000,NULL,'{"event": "moved", "seat": 1, "at": 1800000006000, "move": 0}');
INSERT INTO "events" VALUES('391cfde246fd629f',1,1800000007000,NULL,'{"event": "moved", "seat": 2, "at": 1800000007000, "move": 3}');
INSERT INTO "events" VALUES('391cfde246fd629f',2,1800000008000,NULL,'{"event": "moved", "seat": 1, "at": 1800000008000, "move": 1}');
INSERT INTO "events" VALUES('391cfde246fd629f',3,1800000009000,NULL,'{"event": "moved", "seat": 2, "at": 1800000009000, "move": 4}');
INSERT INTO "events" VALUES('391cfde246fd629f',4,1800000010000,NULL,'{"event": "moved", "seat": 1, "at": 1800000010000, "move": 2}');
CREATE TABLE matches (
    id TEXT NOT NULL,
    head TEXT NOT NULL,
    settings TEXT NOT NULL,
    status TEXT NOT NULL,
    private INTEGER NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    touched_at BIGINT NOT NULL,
    due_at BIGINT,
    computer INTEGER NOT NULL,
    lease_until BIGINT NOT NULL,
    clock TEXT,
    watch TEXT NOT NULL,
    rematch TEXT NOT NULL,
    PRIMARY KEY (id)
);
INSERT INTO "matches" VALUES('8bb921f0a5d7a04d','{"ninefold": 1, "game": "agents", "options": {"first": "X", "line_ends": "no", "claims": "yes", "early_draw": "no"}, "seats": [{"side": "X", "name": "Ann", "player": "human"}, {"side": "O", "name": "Bob", "player": "human"}], "at": 1800000000000, "seed": 7, "toss": false}','{"private": false, "clock": [600000, 2000], "claim_ms": 60000, "absent_ms": 300000, "show_moves": true}','live',0,7,3,1800000000000,1800000005000,1800000065000,0,0,'[597000, 601000, null]','','');
INSERT INTO "matches" VALUES('391cfde246fd629f','{"ninefold": 1, "game": "classic", "options": {"first": "X", "line_ends": "yes", "claims": "no", "early_draw": "yes"}, "seats": [{"side": "X", "name": "Ann", "player": "human"}, {"side": "O", "name": "Bob", "player": "human"}], "at": 1800000005000, "seed": 0, "toss": false}','{"private": true, "clock": null, "claim_ms": 60000, "absent_ms": 300000, "show_moves": true}','ended',1,8,5,1800000005000,1800000010000,NULL,0,0,NULL,'5922f1d91e9522dd2460aa599a468c60cea1652d2edd5dd493818f7c0d278ade','4f8b3fb5fbb913c5');
INSERT INTO "matches" VALUES('4f8b3fb5fbb913c5','{"ninefold": 1, "game": "classic", "options": {"first": "X", "line_ends": "yes", "claims": "no", "early_draw": "yes"}, "seats": [{"side": "O", "name": "Ann", "player": "human"}, {"side": "X", "name": "Bob", "player": "human"}], "at": 1800000010000, "seed": 1, "toss": false}','{"private": true, "clock": null, "claim_ms": 60000, "absent_ms": 300000, "show_moves": true}','live',1,1,0,1800000010000,1800000010000,1801209610000,0,0,NULL,'5922f1d91e9522dd2460aa599a468c60cea1652d2edd5dd493818f7c0d278ade','');
INSERT INTO "matches" VALUES('716726c59fafbcc0','{"ninefold": 1, "game": "squared", "options": {"first": "X", "drawn": "both", "tie_break": "none"}, "seats": [{"side": "X", "name": "", "player": "human"}, {"side": "O", "name": "", "player": "human"}], "at": 1800000010000, "seed": 0, "toss": false}','{"private": false, "clock": null, "claim_ms": 60000, "absent_ms": 300000, "show_moves": true}','open',0,1,0,1800000010000,1800000010000,1800086410000,0,0,NULL,'','');
CREATE TABLE meta (
    "key" TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY ("key")
);
INSERT INTO "meta" VALUES('secret','dab966db15c27e75f74bc5c5dd85be8eb58c449f4e36382fa7099d47c6238b2e');
INSERT INTO "meta" VALUES('version','2');
INSERT INTO "meta" VALUES('alive_at','1800000000000');
CREATE TABLE outages (
    began BIGINT NOT NULL,
    ended BIGINT NOT NULL,
    PRIMARY KEY (began)
);
CREATE TABLE presence (
    "match" TEXT NOT NULL,
    worker TEXT NOT NULL,
    role TEXT NOT NULL,
    sockets INTEGER NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY ("match", worker, role)
);
CREATE TABLE refused (
    "match" TEXT NOT NULL,
    number BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY ("match", number)
);
INSERT INTO "refused" VALUES('8bb921f0a5d7a04d',1,'{"at": 1800000004000, "seat": 1, "action": "move", "reason": "taken", "text": "[1,1]", "version": 2}');
CREATE INDEX matches_listed ON matches (status, private, created_at);
CREATE INDEX matches_due ON matches (due_at);
CREATE INDEX matches_computer ON matches (computer, lease_until);
