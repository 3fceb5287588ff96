"""Databases of this program with values of any type in any place: an import refuses them or takes them, and every command on them ends
with a code in a short time, in little memory, and never with a bug."""

# limit: 400

import os
import random
import resource
import shlex
import shutil
import sqlite3
import time
import zipfile

from support.stage import Stage

SECONDS = int(os.environ.get("TACIT_SECONDS", 20))
SEED = int(os.environ.get("TACIT_SEED", "0")) or random.randrange(1 << 32)
print(f"TACIT_SEED={SEED}", flush=True)
chance = random.Random(SEED)
CHAT, AGENT = "simplex_v1_chat.db", "simplex_v1_agent.db"
MEMORY, TIMEOUT = 1 << 30, 30

stage = Stage()
relay = stage.relay().start()
for name in ("alice", "bob"):
    stage.person(name, relay, "--no-encryption")
stage.connect("alice", "bob")
stage.tacit("alice", "group", "create", "team")
stage.tacit("alice", "group", "invite", "+team", "@bob")
stage.tacit("bob", "fetch", "-q")
stage.tacit("bob", "group", "join", "+team")
for _ in range(2):
    for name in ("alice", "bob"):
        stage.tacit(name, "fetch", "-q")
stage.tacit("bob", "send", "@alice", "one @two https://a.example")
stage.tacit("bob", "send", "+team", "to all")
stage.tacit("alice", "fetch", "-q")
number = stage.tacit("alice", "read", "@bob", "--json", "--last", "1").objects[0]["id"]
stage.tacit("alice", "send", "@bob", "two", "--reply-to", number, "--offline", expect=75)
stage.tacit("alice", "send", "notes", "a note", "--expires", "7d")
stage.tacit("alice", "profile", "create", "work")
stage.tacit("alice", "address", "create")
stage.tacit("alice", "read", "--cursor", "bot", "-q")
relay.stop()
place = stage.place("alice")
for name in (CHAT, AGENT):
    database = sqlite3.connect(place / name)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
FILES = {name: (place / name).read_bytes() for name in (CHAT, AGENT)}

COMMANDS = [
    "list --json", "list contacts --json", "list groups", "list messages --plain", "list requests", "list invitations", "list outbox --json",
    "read --json --last 50", "read @bob --utc", "read +team", "read notes", "read --cursor bot --peek --plain", "read --search one",
    "message search two", "message show m1 --json", "contact show @bob --json", "contact verify @bob", "group show +team --json", "group members +team",
    "group link +team", "profile list --json", "profile show", "address show --json", "status --json", "status --check", "cursor list", "server list",
    "file list", "call list", "db check", "db info --json", "doctor --json", "export --format html -- out.html", "export -- out.zip",
    "export --format official -- official.zip", "export --format official --dry-run x.zip", "export --format txt -- out.txt", "export --format jsonl -- out.jsonl",
    "send @bob x --offline --timeout 1s", "send +team x --offline --timeout 1s", "message mark @bob", "message edit m1 x --offline", "message delete m1",
    "fetch --offline --timeout 1s", "contact rename @bob b", "contact clear @bob --yes", "group leave +team --offline --yes", "message purge --older-than 1s --yes",
]  # fmt: skip


def columns(content):
    """The columns of tables with rows, and those of indexes without rows are left out."""
    database = sqlite3.connect(":memory:")
    # Without a journal of its own: there is no file beside it.
    database.deserialize(content[:18] + b"\1\1" + content[20:])
    found = []
    for (table,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"):
        if database.execute(f"SELECT 1 FROM {table}").fetchone():
            found += [(table, row[1]) for row in database.execute(f"PRAGMA table_info({table})")]
    return found


PLACES = [(name, *column) for name, content in FILES.items() for column in columns(content)]
TEXTS = ["", "x", "../../../etc/passwd", "/etc/passwd", "{", "[]", "{}", '{"type":"text","text":7}', "\u202e\n\x1b]0;x\x07", "a" * 100_000, "[" * 50_000, "\x00",
         "rcv_new", "-1", "9" * 400, "simplex:/contact#/?v=2"]  # fmt: skip


def value():
    return chance.choice(
        [None, -1, 0, 1, 2**31, 2**63 - 1, -(2**63), 1e308, float("nan"), b"", bytes(32), chance.randbytes(chance.randrange(80)), bytes(100_000),
         chance.choice(TEXTS), chance.choice(TEXTS)])  # fmt: skip


def limited():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def ends_well(person, words, changes):
    start = time.monotonic()
    ended = stage.start(person, *words, preexec_fn=limited).ended()
    seconds = time.monotonic() - start
    assert ended.code < 128 and ended.code != 70, (SEED, words, changes, ended.code, ended.out[-500:], ended.err[-3000:])
    assert seconds < TIMEOUT, (SEED, words, changes, seconds)
    for character in ended.out + ended.err:
        assert character in "\n\t" or character.isprintable() or ord(character) > 0x9F, (SEED, words, changes, character)
    return ended.code


end, count, codes, refused = time.monotonic() + SECONDS, 0, {}, 0
(stage.folder / "outside").write_text("stays")
while time.monotonic() < end:
    person = "victim"
    shutil.rmtree(stage.place(person), ignore_errors=True)
    shutil.copytree(place, stage.place(person), ignore=shutil.ignore_patterns("*.sock", "lock", "*-wal", "*-shm"))
    changes = []
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        name, table, column = chance.choice(PLACES)
        new = value()
        database = sqlite3.connect(stage.place(person) / name)
        database.execute("PRAGMA ignore_check_constraints=ON")
        rows = "" if chance.random() < 0.5 else " WHERE rowid = (SELECT min(rowid) FROM %s)" % table
        try:
            with database:
                database.execute(f"UPDATE {table} SET {column} = ?{rows}", [new])
            changes.append((name, table, column, repr(new)[:60], rows))
        except sqlite3.Error:
            pass
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
    if not changes:
        continue
    with zipfile.ZipFile("hostile.zip", "w") as archive:
        for name in (CHAT, AGENT):
            archive.write(stage.place(person) / name, name)
        archive.writestr("simplex_v1_files/", "")
    refused += ends_well("nobody", ["import", "--dry-run", "hostile.zip", "--json"], changes) == 65
    for line in chance.sample(COMMANDS, 6):
        code = ends_well(person, shlex.split(line), changes)
        codes[code] = codes.get(code, 0) + 1
    for name in ("out.html", "out.zip", "official.zip", "out.txt", "out.jsonl"):
        (stage.folder / name).unlink(missing_ok=True)
    assert (stage.folder / "outside").read_text() == "stays"
    count += 1
print(f"{count} stores, {refused} refused by import, {sum(codes.values())} commands with the codes {dict(sorted(codes.items()))}")
