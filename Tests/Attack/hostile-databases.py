"""Databases of the official apps with random values in random places, and with random damage, for TACIT_SECONDS: a look at each
ends with 0 or 65 in a short time, and never with a bug."""

# limit: 400

import os
import random
import sqlite3
import time
from pathlib import Path

from support.official import AGENT, CHAT, NOW, Store, packed, ratchet
from support.stage import Stage

SECONDS = int(os.environ.get("TACIT_SECONDS", 10))
seed = int(os.environ.get("TACIT_SEED", random.randrange(1 << 32)))
print(f"TACIT_SEED={seed}")
chance = random.Random(seed)
stage = Stage()
stage.place("alice").mkdir(mode=0o700)

sample = Store()
bob = sample.contact("bob")
connection = sample.connection(bob)
first = sample.item("hello", contact_id=bob)
sample.item("hi", contact_id=bob, sent=True, quoted_sent=0, quoted_sent_at=NOW, quoted_content='{"type":"text","text":"hello"}')
sample.item({"sndCall": {"status": "ended", "duration": 5}}, sent=True, contact_id=bob)
team = sample.group("team")
dave = sample.member(team, "dave")
sample.item("hello all", group_id=team, group_member_id=dave)
sample.chat.add(
    "files", contact_id=bob, file_name="a.bin", file_path="a.bin", file_size=5, chunk_size=15780, user_id=1, chat_item_id=first,
    ci_file_status="rcv_complete", protocol="xftp", file_crypto_key=bytes(32), file_crypto_nonce=bytes(24),
)
ids = {"conn_id": connection, "internal_id": 1}
sample.agent.run("PRAGMA foreign_keys=OFF")
sample.agent.add("messages", **ids, internal_ts=NOW, internal_rcv_id=1, msg_type=b"M", msg_body=b"M" + bytes(7) + b"\1\0M{}")
sample.agent.add(
    "rcv_messages", **ids, internal_rcv_id=1, external_snd_id=1, broker_id=b"1", broker_ts=NOW, internal_hash=bytes(32),
    external_prev_snd_hash=bytes(32), integrity=b"OK", rcv_queue_id=1,
)
databases = {CHAT: sample.chat.content(), AGENT: sample.agent.content()}


def columns(content):
    """All columns of tables with rows."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(content)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return [
        (table, row[1])
        for table in tables
        if not table.startswith("sqlite_") and connection.execute(f"SELECT 1 FROM {table}").fetchone()
        for row in connection.execute(f"PRAGMA table_info({table})")
    ]


Path("hostile.zip").write_bytes(packed(databases))
stage.tacit("alice", "import", "--dry-run", "hostile.zip")
PLACES = {name: columns(content) for name, content in databases.items()}


def value():
    """Something that is not expected, or nearly."""
    return chance.choice([
        None, 0, -1, 1, 2, 255, 256, 65_536, 2**31, 2**63 - 1, -(2**63), 1.5, float("inf"), "", "x", "1", "-1", "active", "deleted",
        "A" * 300, "\0", "é" * 200, "{}", "[]", '{"a":{}}', '{"type":"text"}', b"", b"\0", b"\xff" * 300, b"{}", b"M", bytes(32),
        bytes(48), chance.randbytes(chance.randrange(64)), "2026-01-01", NOW, "simplex:/contact#/?v=2-7", "../x",
    ])


def changed(name):
    connection = sqlite3.connect(":memory:")
    connection.deserialize(databases[name])
    connection.execute("PRAGMA ignore_check_constraints=ON")
    done = []
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        table, column = chance.choice(PLACES[name])
        new = value()
        if table == "migrations":
            continue
        if column == "ratchet_state" and chance.random() < 0.8:
            state = ratchet()
            state[chance.choice(list(state))] = chance.choice([None, 0, -1, 2**40, "", "AAAA", [], [3], {}, [3, 3], "é", True])
            new = repr(state).replace("'", '"').replace("None", "null").replace("True", "true").replace("False", "false").encode()
        try:
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", [new])
        except sqlite3.Error:
            continue
        done.append((table, column, new))
    connection.commit()
    content = connection.serialize()
    if chance.random() < 0.1:
        content = bytearray(content)
        for _ in range(chance.randrange(1, 30)):
            content[chance.randrange(len(content))] = chance.randrange(256)
        done.append("bytes")
    return bytes(content), done


end, count, refused, path = time.monotonic() + SECONDS, 0, 0, Path("hostile.zip")
while time.monotonic() < end:
    made = {name: changed(name) for name in databases}
    path.write_bytes(packed({name: content for name, (content, _) in made.items()}))
    begin = time.monotonic()
    ended = stage.shell("alice", "tacit import --dry-run hostile.zip --json")
    what = [done for _, done in made.values()]
    assert ended.code in (0, 65), (what, ended.code, ended.err[:2000])
    assert time.monotonic() - begin < 20, what
    assert os.listdir(stage.place("alice")) == [], what
    count += 1
    refused += ended.code == 65
print(f"{count} archives, {refused} refused")
