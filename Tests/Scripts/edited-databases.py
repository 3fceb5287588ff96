"""Numbers that no program wrote, in any column of the databases, end a command with a code and never with a crash."""

# limit: 600

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
for name in ("alice", "bob", "carol"):
    stage.person(name, relay, "--no-encryption")
stage.connect("alice", "bob")
stage.tacit("bob", "send", "@alice", "one")
stage.tacit("bob", "send", "@alice", "gone in a day", "--expires", "1d")
stage.tacit("alice", "fetch", "-q")
stage.tacit("alice", "message", "mark", "@bob")
stage.tacit("alice", "send", "@bob", "two", "--reply-to", "m1", "--once", "key")
stage.tacit("alice", "message", "edit", "m3", "three")
stage.tacit("alice", "read", "--cursor", "bot", "-q")
stage.tacit("alice", "send", "notes", "a note", "--expires", "7d")
stage.tacit("alice", "profile", "create", "work")
stage.tacit("carol", "connect", stage.tacit("alice", "address", "create").out.strip())
stage.tacit("alice", "fetch", "-q")
stage.tacit("bob", "send", "@alice", "unread")
stage.tacit("alice", "fetch", "-q")
stage.tacit("alice", "export", "whole.zip", "-q")
relay.kill()
stage.tacit("alice", "send", "@bob", "late", "--timeout", "1s", expect=75)

VALUES = (-1, -(2**63), 2**63 - 1)
READING = ["list --json", "read --json --last 50", "read --utc", "status --json", "list requests", "cursor list", "read --cursor bot --peek --plain",
           "contact show @bob", "outbox list", "db check", "db info --json"]
WRITING = ["send @bob x --timeout 100ms --offline", "message mark @bob", "fetch --timeout 200ms --idle 0s --offline"]
place = stage.place("alice")


def columns(database):
    tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
    for table in tables:
        if not database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]:
            continue
        for row in database.execute(f"PRAGMA table_info({table})"):
            if row[2] == "INTEGER":
                yield table, row[1]


def edits():
    for name in ("simplex_v1_chat.db", "simplex_v1_agent.db"):
        database = sqlite3.connect(place / name)
        found = list(columns(database))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        for table, column in found:
            for value in VALUES:
                yield name, table, column, value


def attempt(number, edit):
    """What ends a command otherwise than with a code."""
    name, table, column, value = edit
    person = f"edited-{number}"
    shutil.copytree(place, stage.place(person), ignore=shutil.ignore_patterns("*.sock", "lock", "*-wal", "*-shm"))
    database = sqlite3.connect(stage.place(person) / name)
    try:
        # Where values must differ only one row gets it.
        try:
            database.execute(f"UPDATE {table} SET {column} = ?", (value,))
        except sqlite3.IntegrityError:
            database.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = (SELECT max({column}) FROM {table})", (value,))
        database.commit()
    except sqlite3.IntegrityError:
        return []
    finally:
        database.close()
    found = []
    for line in READING + WRITING:
        ended = stage.start(person, *line.split()).ended()
        # 70 would be a mistake of the program.
        if ended.code == 70 or ended.code > 128:
            found.append(f"{name} {table}.{column} = {value}: tacit {line}: {ended.code} {ended.err[-300:]}")
    shutil.rmtree(stage.place(person))
    return found


with ThreadPoolExecutor(4) as threads:
    all_edits = list(edits())
    found = [line for lines in threads.map(attempt, range(len(all_edits)), all_edits) for line in lines]
assert len(all_edits) > 200, len(all_edits)
assert not found, "\n".join(found)
