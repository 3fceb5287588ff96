"""Encrypted archives of the official apps whose pages are authentic and made to harm: values of any type in any place, damaged pages, false
headers and salts, and every passphrase. A look at each ends with a code in a short time and little memory, for TACIT_SECONDS."""

# limit: 400

import os
import random
import resource
import sqlite3
import time
from pathlib import Path

from support.official import AGENT, CHAT, PAGE, Store, packed, sealed, with_reserve
from support.stage import Stage

SECONDS = int(os.environ.get("TACIT_SECONDS", 20))
SEED = int(os.environ.get("TACIT_SEED", "0")) or random.randrange(1 << 32)
print(f"TACIT_SEED={SEED}", flush=True)
chance = random.Random(SEED)
TIMEOUT, MEMORY, SECRET = 30, 1 << 30, "secret"

stage = Stage()
stage.place("alice").mkdir(mode=0o700)
sample = Store()
bob = sample.contact("bob")
sample.connection(bob)
sample.item("hello", contact_id=bob)
sample.item("hi", contact_id=bob, sent=True)
team = sample.group("team")
sample.item("hello all", group_id=team, group_member_id=sample.member(team, "dave"))
PLAIN = {CHAT: with_reserve(sample.chat.content()), AGENT: with_reserve(sample.agent.content())}
archive, words = Path("hostile.zip"), Path("words")


def limited():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def look(files, what, passphrase=SECRET.encode(), codes=(0, 65)):
    """Looks at an archive with a passphrase."""
    archive.write_bytes(packed(files))
    words.write_bytes(passphrase + b"\n")
    words.chmod(0o600)
    start = time.monotonic()
    line = ["import", "--dry-run", str(archive), "--passphrase-file", str(words), "--json"]
    ended = stage.start("alice", *line, preexec_fn=limited).ended()
    seconds = time.monotonic() - start
    assert ended.code in codes, (SEED, what, ended.code, ended.err[-2000:])
    assert seconds < TIMEOUT, (SEED, what, seconds)
    assert os.listdir(stage.place("alice")) == [], (SEED, what)
    return ended.code


def both(chat=None, agent=None, salt=None):
    chat, agent = chat or PLAIN[CHAT], agent or PLAIN[AGENT]
    return {CHAT: sealed(bytes(chat), SECRET, salt), AGENT: sealed(bytes(agent), SECRET, salt)}


def patched(content, *changes):
    content = bytearray(content)
    for place, new in changes:
        content[place : place + len(new)] = new
    return content


assert look(both(), "honest") == 0
count, refused = 1, 0
# Headers behind a right authentication. SQLCipher does not keep the first 16 bytes.
for place, values in {
    16: [b"\x02\x00", b"\x00\x01", b"\x00\x00", b"\xff\xff", b"\x10\x01"], 18: [b"\x09\x09", b"\x00\x00", b"\x02\x02"], 20: [b"\x00", b"\xff", b"\x4f"], 21: [b"\x00\x00\x00"],
    28: [b"\x00\x00\x00\x00", b"\xff\xff\xff\xff", b"\x00\x00\x00\x01"], 32: [b"\x00\x00\x00\x05\xff\xff\xff\xff", b"\xff\xff\xff\xff\x00\x00\x00\x01"], 44: [b"\x00\x00\x00\x00", b"\xff\xff\xff\xff"],
    52: [b"\x00\x00\x00\x01\x00\x00\x00\x01", b"\xff\xff\xff\xff\x00\x00\x00\x00"], 56: [b"\x00\x00\x00\x02", b"\xff\xff\xff\xff"], 100: [b"\x00", b"\xff", b"\x05", b"\x0a"], 103: [b"\xff\xff", b"\x00\x00"],
    105: [b"\x00\x00", b"\xff\xff"],
}.items():  # fmt: skip
    for value in values:
        # One of both by turns.
        name = (CHAT, AGENT)[count % 2]
        harmful = patched(PLAIN[name], (place, value))
        refused += look(both(**{"chat" if name == CHAT else "agent": harmful}), ("header", name, place, value)) == 65
        count += 1
# Salts that look like something else.
for salt in (b"SQLite format 3\0", b"tacit " + bytes(10), bytes(16), b"\xff" * 16, b"PK\x03\x04" + bytes(12)):
    look(both(salt=salt), ("salt", salt), codes=(0, 65, 77))
    count += 1
# Sizes: no page, one, a part of one, one too many, and one database for both.
honest = both()
for what, files in {
    "empty": {**honest, CHAT: b""}, "one-byte": {**honest, CHAT: b"x"}, "one-page": {**honest, CHAT: honest[CHAT][:PAGE]}, "part": {**honest, CHAT: honest[CHAT][:-1]},
    "extra": {**honest, AGENT: honest[AGENT] + os.urandom(PAGE)}, "twice": {**honest, AGENT: honest[CHAT]}, "exchanged": {CHAT: honest[AGENT], AGENT: honest[CHAT]},
    "plain-and-sealed": {CHAT: sample.chat.content(), AGENT: honest[AGENT]}, "noise": {CHAT: os.urandom(64 * PAGE), AGENT: os.urandom(64 * PAGE)},
}.items():  # fmt: skip
    look(files, what, codes=(0, 65, 77))
    count += 1
# Passphrases.
for passphrase in (b"", b"x", b"secret ", b"\0", b"\xff\xfe", "\u202esecret".encode(), b"x" * 100_000, b"\x1b]0;x\x07"):
    look(honest, ("passphrase", passphrase[:20]), passphrase, codes=(64, 65, 66, 74, 77))
    count += 1


def columns(content):
    connection = sqlite3.connect(":memory:")
    connection.deserialize(content)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migrations'")]
    filled = [table for table in tables if connection.execute(f"SELECT 1 FROM {table}").fetchone()]
    return [(table, row[1]) for table in filled for row in connection.execute(f"PRAGMA table_info({table})")]


PLACES = {name: columns(content) for name, content in PLAIN.items()}
VALUES = [None, 0, -1, 2**63 - 1, -(2**63), 1.5, float("inf"), "", "x", "A" * 3000, "\0", "\u202e\x1b]0;x\x07", "{}", "[" * 20_000, b"", b"\xff" * 300, bytes(32), "../../x"]


def changed(name):
    """Values in places, or bytes of pages."""
    if chance.random() < 0.4:
        content = bytearray(PLAIN[name])
        for _ in range(chance.randrange(1, 40)):
            content[chance.randrange(16, len(content))] = chance.randrange(256)
        return content, "bytes"
    connection = sqlite3.connect(":memory:")
    connection.deserialize(PLAIN[name])
    connection.execute("PRAGMA ignore_check_constraints=ON")
    done = []
    for _ in range(chance.choice([1, 1, 2, 5])):
        (table, column), value = chance.choice(PLACES[name]), chance.choice(VALUES)
        try:
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", [value])
            done.append((table, column, repr(value)[:40]))
        except sqlite3.Error:
            pass
    connection.commit()
    return connection.serialize(), done


end = time.monotonic() + SECONDS
while time.monotonic() < end:
    (chat, what), (agent, other) = changed(CHAT), changed(AGENT)
    refused += look(both(chat, agent), (what, other)) == 65
    count += 1
print(f"{count} archives, {refused} refused")
