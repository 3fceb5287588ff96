"""Records dumps of a store with chat schemas from 18 on: the one of schema 17, in which alice joins people in groups. Older
ones of them are the newest one after its last steps were taken back.

    TACIT=$PWD/.build/debug/tacit Tests/Scripts/run --in Tests/Fixtures/Stores record.py

She has a group with a link, a member by invitation, one by link and one that waits for a moderator; messages with mentions,
an answer, an edit, reactions, one that was moderated, one to the moderators and one in the outbox; a group that she left, and
an invitation.
"""
# limit: 180

import json
import os
import sqlite3
from pathlib import Path

from support.process import wait_until
from support.stage import Stage

DUMPS = Path(os.environ["TACIT_REPOSITORY"]) / "Tests/Fixtures/Stores"
stage = Stage()
folder = stage.place("alice")
folder.mkdir(mode=0o700)
for name, dump in (("chat", "chat-17"), ("agent", "agent-9")):
    database = sqlite3.connect(folder / f"simplex_v1_{name}.db")
    database.executescript((DUMPS / f"{dump}.sql").read_text())
    database.close()
    (folder / f"simplex_v1_{name}.db").chmod(0o600)


def objects(person, *words):
    return stage.tacit(person, *words, "--json").objects


def settle(condition, what, *names):
    """Everybody fetches until a condition holds. The relay of the old store is gone."""

    def is_so():
        for name in names or ("alice", "dave", "erin", "fred"):
            assert stage.shell(name, "tacit fetch -qq --timeout 3s").code in (0, 69, 75), name
        return condition()

    wait_until(is_so, what)


def state(person, member, group="+team"):
    return {each["name"]: each["state"] for each in objects(person, "group", "members", group, "--all")}.get(member)


def texts(person):
    return {each["text"]: each["id"] for each in objects(person, "read", "+team", "--last", "100")}


relay = stage.relay().start()
for server in objects("alice", "server", "list"):
    if server["address"].startswith("smp"):
        stage.tacit("alice", "server", "disable", server["address"])
stage.tacit("alice", "server", "add", relay.address)
for name in ("dave", "erin", "fred"):
    stage.person(name, relay)
link = stage.tacit("alice", "connect").out.strip()
stage.tacit("dave", "connect", link)
settle(lambda: any(each["name"] == "dave" and each["state"] == "connected" for each in objects("alice", "list", "contacts")), "dave", "alice", "dave")

stage.tacit("alice", "group", "create", "team", "--description", "people who work")
stage.tacit("alice", "group", "invite", "+team", "@dave", "--role", "moderator", "--wait", "queued")
settle(lambda: "team" in stage.tacit("dave", "group", "list").out, "an invitation", "alice", "dave")
stage.tacit("dave", "group", "join", "+team", "--wait", "queued")
settle(lambda: state("alice", "dave") == state("dave", "alice") == "connected", "dave", "alice", "dave")
link = stage.tacit("alice", "group", "link", "+team", "--create").out.strip()
stage.tacit("erin", "connect", link)
settle(lambda: state("alice", "erin") == state("dave", "erin") == "connected", "erin", "alice", "dave", "erin")

stage.tacit("alice", "send", "+team", "hello @dave and @erin", "--wait", "queued")
settle(lambda: all("hello @dave and @erin" in texts(name) for name in ("dave", "erin")), "a message")
stage.tacit("dave", "send", "+team", "yes, @alice?", "--reply-to", texts("dave")["hello @dave and @erin"], "--wait", "queued")
stage.tacit("erin", "message", "react", texts("erin")["hello @dave and @erin"], "👍", "--wait", "queued")
stage.tacit("erin", "send", "+team", "not nice", "--wait", "queued")
stage.tacit("erin", "send", "+team", "to moderators", "--support", "--wait", "queued")
settle(lambda: "yes, @alice?" in texts("alice") and "not nice" in texts("dave"), "answers")
stage.tacit("dave", "message", "edit", texts("dave")["yes, @alice?"], "yes, @alice!", "--wait", "queued")
stage.tacit("dave", "group", "moderate", texts("dave")["not nice"], "--yes", "--wait", "queued")
settle(lambda: any(each.get("removal") == "moderated" for each in objects("alice", "read", "+team")), "a moderation")

# Somebody waits for a moderator.
stage.tacit("alice", "group", "set", "+team", "--review", "on", "--wait", "queued")
stage.tacit("fred", "connect", link)
settle(lambda: "fred" in {each["name"] for each in objects("alice", "group", "members", "+team")}, "fred waits")

# A group that alice left, and one to which she is invited.
for name in ("old", "new"):
    stage.tacit("dave", "group", "create", name)
    stage.tacit("dave", "group", "invite", f"+{name}", "@alice", "--wait", "queued")
settle(lambda: {"old", "new"} <= {each["name"] for each in objects("alice", "group", "list")}, "invitations", "alice", "dave")
stage.tacit("alice", "group", "join", "+old", "--wait", "queued")
settle(lambda: state("dave", "alice", "+old") == "connected", "alice in the group", "alice", "dave")
stage.tacit("alice", "group", "leave", "+old", "--yes", "--wait", "queued")
stage.tacit("alice", "send", "+team", "for the outbox", "--wait", "queued")

database = sqlite3.connect(folder / "simplex_v1_chat.db")
number = database.execute("SELECT max(number) FROM migrations").fetchone()[0]
assert not database.execute("PRAGMA foreign_key_check").fetchall()
for table in ("group_members", "introductions", "group_links", "group_messages", "group_deliveries", "member_reactions", "member_messages"):
    print(table, database.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
database.close()
database = sqlite3.connect(folder / "simplex_v1_chat.db", isolation_level=None)
while True:
    (DUMPS / f"chat-{number}.sql").write_text("\n".join(database.iterdump()) + "\n")
    print(f"recorded chat-{number}.sql")
    if number == 18:
        break
    down = database.execute("SELECT down FROM migrations WHERE number = ?", (number,)).fetchone()[0]
    database.executescript(f"BEGIN; {down}; DELETE FROM migrations WHERE number = {number}; COMMIT;")
    number -= 1
database.close()
