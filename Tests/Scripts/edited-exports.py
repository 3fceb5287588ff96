"""A number that no program wrote, in any column of the databases, ends an export for the official apps with an archive, or with
the error of a damaged store."""

# limit: 600

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor

from support.stage import Stage

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
stage.tacit("bob", "send", "@alice", "one")
stage.tacit("bob", "send", "+team", "to all")
stage.tacit("alice", "fetch", "-q")
stage.tacit("alice", "send", "notes", "a note", "--expires", "7d")
stage.tacit("alice", "address", "create")
stage.tacit("alice", "profile", "create", "work")
relay.kill()

VALUES = (0, -1, 2**63 - 1)
place = stage.place("alice")


def columns(database):
    tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
    for table in tables:
        if database.execute(f"SELECT 1 FROM {table}").fetchone():
            yield from ((table, row[1]) for row in database.execute(f"PRAGMA table_info({table})") if row[2] == "INTEGER")


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
    """The code of the export, and its error; nothing for a value that the schema refuses."""
    name, table, column, value = edit
    person = f"edited-{number}"
    shutil.copytree(place, stage.place(person), ignore=shutil.ignore_patterns("*.sock", "lock", "*-wal", "*-shm"))
    database = sqlite3.connect(stage.place(person) / name)
    try:
        with database:
            database.execute(f"UPDATE {table} SET {column} = ?", (value,))
    except sqlite3.IntegrityError:
        return None
    finally:
        database.close()
    try:
        ended = stage.start(person, "export", "--format", "official", "--dry-run", "x.zip", "--json").ended()
    except AssertionError as error:
        return None, f"{name} {table}.{column} = {value}: {error}"
    shutil.rmtree(stage.place(person))
    return ended.code, f"{name} {table}.{column} = {value}: {ended.code} {ended.err[-300:]}"


with ThreadPoolExecutor(2) as threads:
    all_edits = list(edits())
    ends = [end for end in threads.map(attempt, range(len(all_edits)), all_edits) if end]
assert len(ends) > 150, len(ends)
others = "\n".join(text for code, text in ends if code not in (0, 65, 74))
assert not others, others
assert {code for code, _ in ends} >= {0, 74}, "some are refused"
