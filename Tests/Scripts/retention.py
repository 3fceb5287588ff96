"""Messages are removed here when somebody says so, or when they are older than their chat keeps them: from the files too, and
never from the outbox.
"""

# limit: 120

import sqlite3
import time

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
for name in ("alice", "bob", "carol"):
    stage.person(name, relay, "--no-encryption")
stage.connect("alice", "bob")
stage.connect("alice", "carol")
stage.tacit("alice", "fetch", "-q")
DAY = 86_400_000


def texts(person, *words):
    return [m["text"] for m in stage.tacit(person, "read", "--json", "--last", "100", *words).objects]


def age(person, days):
    """Makes all messages that are there older."""
    with sqlite3.connect(stage.place(person) / "simplex_v1_chat.db") as database:
        database.execute("UPDATE items SET created_at = created_at - ?, time = time - ?", [days * DAY, days * DAY])
    database.close()


def bytes_of(person):
    return b"".join(path.read_bytes() for path in stage.place(person).iterdir() if path.name.startswith("simplex_v1"))


def contact(name):
    return stage.tacit("alice", "contact", "show", f"@{name}", "--json").objects[0]


# Clearing asks first, leaves the outbox and the contact, and nothing of the rest in the files.
stage.tell("bob", "alice", ["SECRET-one", "SECRET-two"])
stage.tacit("alice", "send", "@bob", "SECRET-own", "-q")
stage.tacit("alice", "send", "@carol", "other", "-q")
relay.kill()
stage.tacit("alice", "send", "@bob", "waiting", "--wait", "queued", "-q")
assert b"SECRET-own" in bytes_of("alice")
stage.play(r"""
    alice$ tacit contact clear @bob
    ! tacit: cannot clear '@bob': not confirmed
    !   try: tacit contact clear @bob --yes
    [64]
    alice$ tacit contact clear @bob --yes
    removed 3 messages of @bob
    alice$ tacit contact clear @bob --yes --json
    {"v":1,"type":"purge","chat":"@bob","chat_id":"c1","removed":0}
    alice$ tacit contact clear @nobody --yes
    ! tacit: cannot clear '@nobody': unknown contact 'nobody'
    !   try: tacit list contacts    show the list
    [67]
""")
assert texts("alice") == ["other", "waiting"] and b"SECRET" not in bytes_of("alice")
assert contact("bob")["unread"] == 0 and contact("bob")["state"] == "connected"
relay.start()
stage.tacit("alice", "fetch", "-q")
stage.tacit("bob", "fetch", "-q")
assert texts("bob")[-1] == "waiting"

# Purging by age, in one chat or in all, and counting first.
age("alice", 40)
stage.tell("bob", "alice", ["new"])
stage.tacit("alice", "send", "notes", "a note", "-q")
stage.play(r"""
    alice$ tacit message purge --older-than 30d @bob
    ! tacit: cannot purge messages: not confirmed
    !   try: tacit message purge --older-than 30d @bob --yes
    [64]
    alice$ tacit message purge --older-than 30d --dry-run --plain
    @bob	1
    @carol	1
    alice$ tacit message purge --older-than 30d @bob --yes
    removed 1 message of @bob from before YYYY-MM-DD hh:mm
    alice$ tacit message purge --older-than 50d --yes
    removed 0 messages from before YYYY-MM-DD hh:mm
    alice$ tacit message purge --yes
    ! tacit: 'tacit message purge' needs '--older-than'
    !   try: tacit message purge --older-than 90d --dry-run
    [64]
""")
assert texts("alice") == ["other", "new", "a note"]
report = stage.tacit("alice", "message", "purge", "--older-than", "30d", "--yes", "--json").objects[0]
assert (report["chat"], report["removed"]) == ("@carol", 1) and report["before_at"] and "dry_run" not in report, report
assert texts("alice") == ["new", "a note"]

# Retention of the profile, and another one for a chat. What waits in the outbox stays, however old it is.
stage.tacit("alice", "send", "@carol", "to carol", "-q")
relay.kill()
stage.tacit("alice", "send", "@bob", "waits", "--wait", "queued", "-q")
age("alice", 10)
stage.tacit("alice", "contact", "set", "@carol", "--retention", "off", "-q")
stage.play(r"""
    alice$ tacit profile set --retention 7d
    changed alice (p1)
    alice$ tacit profile set --retention 7d
    unchanged alice (p1)
    alice$ tacit profile show --plain --fields retention_ms
    604800000
    alice$ tacit contact show @carol --plain --fields retention_ms
    0
    alice$ tacit profile set --retention 100ms
    ! tacit: the value of '--retention' cannot be '100ms'
    !   why: expected whole seconds up to 36500d, such as 90s, 12h or 30d, or 'off'
    [64]
    alice$ tacit contact set @carol
    ! tacit: 'tacit contact set' needs an option
    !   try: tacit contact set @NAME --retention 30d
    !   try: tacit contact set -h
    [64]
""")
# Notes are nowhere else: they stay unless they are named.
assert texts("alice") == ["a note", "to carol", "waits"], texts("alice")
report = stage.tacit("alice", "message", "purge", "notes", "--older-than", "5d", "--yes", "--json").objects[0]
assert (report["chat"], report["removed"]) == ("notes", 1), report
relay.start()
stage.tacit("alice", "fetch", "-q")
stage.tacit("bob", "fetch", "-q")
assert texts("bob")[-1] == "waits" and texts("alice") == ["to carol"]
stage.play(r"""
    alice$ tacit contact set @carol --retention default
    changed @carol (c2)
    alice$ tacit contact show @carol --json | jq .retention_ms
    null
""")
assert texts("alice") == []

# Who only reads has it removed too, and a message that comes late counts from when it came.
stage.tacit("bob", "send", "@alice", "late", "-q")
with sqlite3.connect(stage.place("alice") / "simplex_v1_chat.db") as database:
    database.execute("UPDATE profiles SET retention = 1")
database.close()
stage.tacit("alice", "fetch", "-q")
time.sleep(1.1)
wait_until(lambda: texts("alice") == [], "the removal of a message")

# It happens by itself while a receiver runs, which tells of it; the file beside the database forgets too.
watching = stage.start("alice", "watch", "--json")
wait_until(lambda: str(watching.pid) in (stage.place("alice") / "lock").read_text(), "the lock", watching.process)
stage.tacit("bob", "send", "@alice", "SECRET-live", "-q")
while '"message.expired"' not in watching.line():
    pass
assert texts("alice") == []
wait_until(lambda: b"SECRET-live" not in bytes_of("alice"), "the end of it in the files")
# The setting beside a running receiver.
stage.tacit("alice", "profile", "set", "--retention", "off", "-q")
stage.tacit("bob", "send", "@alice", "stays", "-q")
wait_until(lambda: texts("alice") == ["stays"], "the message")
stage.tacit("alice", "contact", "clear", "@bob", "--yes", "-q")
assert texts("alice") == []
stage.tacit("bob", "send", "@alice", "again", "-q")
wait_until(lambda: texts("alice") == ["again"], "the message")
assert stage.tacit("alice", "message", "purge", "--older-than", "0s", "--yes", "--json").objects[0]["removed"] == 1
watching.signal(15)
watching.ended()

# The default of a contact is the time of messages that name none.
stage.tacit("alice", "contact", "set", "@bob", "--expires", "1h", "-q")
assert contact("bob")["expires_ms"] == 3_600_000


def sent(*words):
    return stage.tacit("alice", "send", "@bob", "x", "--json", *words).objects[0]


assert sent()["ttl_ms"] == 3_600_000
assert sent("--expires", "2h")["ttl_ms"] == 7_200_000
assert "ttl_ms" not in sent("--expires", "off")
stage.tacit("bob", "fetch", "-q")
assert [m.get("ttl_ms") for m in stage.tacit("bob", "read", "-n", "3", "--json").objects] == [3_600_000, 7_200_000, None]
stage.tacit("alice", "message", "forward", sent("--expires", "off")["id"], "@bob", "-q")
assert stage.tacit("alice", "read", "-n", "1", "--json").objects[0]["ttl_ms"] == 3_600_000
stage.tacit("alice", "contact", "set", "@bob", "--expires", "off", "-q")
assert "expires_ms" not in contact("bob") and "ttl_ms" not in sent()

# It needs both sides.
stage.tacit("alice", "contact", "set", "@carol", "--expires", "1h", "-q")
with sqlite3.connect(stage.place("alice") / "simplex_v1_chat.db") as database:
    profile = '{"displayName":"carol","fullName":"","preferences":{"timedMessages":{"allow":"no"}}}'
    database.execute("UPDATE contacts SET profile = ? WHERE name = 'carol'", [profile])
database.close()
ended = stage.tacit("alice", "send", "@carol", "y", "--json")
assert "ttl_ms" not in ended.objects[0] and "does not disappear: the contact does not allow it" in ended.err, ended.err
assert stage.tacit("alice", "contact", "set", "@carol", "--expires", "1h", expect=69)

# As the official core has it.
assert '"cmdOk"' in stage.tacit("alice", "api", "/_ttl 1 86400").out
assert '"chatItemTTL":86400' in stage.tacit("alice", "api", "/_ttl 1").out
assert '"cmdOk"' in stage.tacit("alice", "api", "/_ttl 1 @1 none").out
assert contact("bob")["retention_ms"] == 0
assert '"cmdOk"' in stage.tacit("alice", "api", "/ttl none").out
assert "retention_ms" not in stage.tacit("alice", "profile", "show", "--json").objects[0]
