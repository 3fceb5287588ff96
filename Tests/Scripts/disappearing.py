"""Messages that disappear: each side removes its copy when its time is over, and nobody is promised what the other does not do."""

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
stage.tacit("alice", "fetch")


def messages(person):
    return {each["text"]: each for each in stage.tacit(person, "read", "--json").objects}


# The time of an own message runs from when the relay has it, that of a received one from when it is read.
report = stage.tacit("alice", "send", "@bob", "for an hour", "--expires", "1h", "--json").objects[0]
assert report["ttl_ms"] == 3_600_000 and report["state"] == "sent" and report["expires_at"] > report["at"], report
stage.tacit("bob", "fetch", "-q")
received = messages("bob")["for an hour"]
assert received["ttl_ms"] == 3_600_000 and "expires_at" not in received, received
stage.tacit("bob", "message", "mark", received["id"])
assert "expires_at" in messages("bob")["for an hour"]
stage.play(r"""
    bob$ tacit read
    YYYY-MM-DD hh:mm  @alice (disappears)  │ for an hour
""")

# What waits in the outbox does not disappear from there.
relay.kill()
report = stage.tacit("alice", "send", "@bob", "late", "--expires", "1s", "--wait", "queued", "--json").objects[0]
assert "expires_at" not in report and report["ttl_ms"] == 1000, report
time.sleep(1.2)
assert [each["text"] for each in stage.tacit("alice", "outbox", "--json").objects] == ["late"]
relay.start()
stage.tacit("alice", "fetch", "-q")


def gone(person, text):
    # Whatever writes to the store removes what is due.
    stage.tacit(person, "cursor", "reset", "any", "-q")
    return text not in messages(person)


wait_until(lambda: gone("alice", "late"), "the own copy is removed")
stage.tacit("bob", "fetch", "-q")
assert not gone("bob", "late"), "nobody has read it yet"
stage.tacit("bob", "message", "mark", "@alice")
wait_until(lambda: gone("bob", "late"), "the received copy is removed")
assert list(messages("alice")) == list(messages("bob")) == ["for an hour"]
assert stage.tacit("bob", "list", "--json").objects[0]["unread"] == 0

# While a receiver runs, it happens by itself, and is told.
watching = stage.start("alice", "watch", "--json")
wait_until(lambda: str(watching.pid) in (stage.place("alice") / "lock").read_text(), "the lock", watching.process)
stage.tacit("bob", "send", "@alice", "hello", "-q")
while '"hello"' not in watching.line():
    pass
watching.signal(15)
watching.ended()
stage.tacit("alice", "send", "@bob", "short", "--expires", "1s", "-q")
ended = stage.tacit("alice", "watch", "--timeout", "2s", "--json")
assert [each["event"] for each in ended.objects if each["type"] == "event"] == ["message.expired"], ended.out
assert "short" not in messages("alice")

# Nobody is told that a message disappears where it would not: the contact's profile says so.
with sqlite3.connect(stage.place("alice") / "simplex_v1_chat.db") as database:
    profile = '{"displayName":"carol","fullName":"","preferences":{"timedMessages":{"allow":"no"}}}'
    database.execute("UPDATE contacts SET profile = ? WHERE name = 'carol'", [profile])
database.close()
stage.play(r"""
    alice$ tacit send @carol x --expires 1h
    ! tacit: cannot send to '@carol': disappearing messages to '@carol' are not allowed
    !   why: the contact's profile forbids it, or does not know yet that yours allows it
    [69]
    alice$ tacit send @carol x
    sent @carol m5
""")
assert "ttl_ms" not in messages("alice")["x"]
stage.play(r"""
    alice$ tacit send @bob x --expires 100ms
    ! tacit: the value of '--expires' cannot be '100ms'
    !   why: expected whole seconds up to 36500d, such as 90s, 12h or 30d, or 'off'
    [64]
    alice$ tacit send @bob x --expires 1500ms
    ! tacit: the value of '--expires' cannot be '1500ms'
    !   why: expected whole seconds up to 36500d, such as 90s, 12h or 30d, or 'off'
    [64]
    alice$ tacit send @bob x --expires 36501d
    ! tacit: the value of '--expires' cannot be '36501d'
    !   why: expected whole seconds up to 36500d, such as 90s, 12h or 30d, or 'off'
    [64]
    alice$ tacit send @bob x --expires 100000000000d
    ! tacit: the value of '--expires' cannot be '100000000000d'
    !   why: expected whole seconds up to 36500d, such as 90s, 12h or 30d, or 'off'
    [64]
    alice$ tacit send @bob x --expires soon
    ! tacit: the value of '--expires' cannot be 'soon'
    !   why: expected whole seconds up to 36500d, such as 90s, 12h or 30d, or 'off'
    [64]
""")

# A cursor, live: what came before and what comes, each once, with a program for each.
stage.tacit("bob", "send", "@alice", "before", "-q")
stage.tacit("alice", "fetch", "-q")
stage.tacit("alice", "cursor", "reset", "live", "--to", "m1", "-q")
program = 'jq -r .text >> "$TACIT_DIR/seen"'
watching = stage.start("alice", "watch", "--cursor", "live", "--exec", program)
seen = stage.place("alice") / "seen"
wait_until(lambda: seen.exists() and "before" in seen.read_text(), "what came before", watching.process)
for text in ("one", "two", "three"):
    stage.tacit("bob", "send", "@alice", text, "-q")
wait_until(lambda: "three" in seen.read_text(), "what comes", watching.process)


def behind(name):
    return next(each["waiting"] for each in stage.tacit("alice", "cursor", "list", "--json").objects if each["name"] == name)


wait_until(lambda: behind("live") == 0, "the cursor behind everything", watching.process)
watching.signal(15)
assert watching.ended().code == 143
assert seen.read_text().split("\n")[-5:] == ["before", "one", "two", "three", ""], seen.read_text()
stage.play(r"""
    alice$ tacit read --cursor live
    bob$ tacit send @alice bad -q
    alice$ tacit watch --cursor live --exec 'exit 3' --timeout 10s -q
    ! tacit: cannot watch: the program failed for message m10
    !   why: the program ended with exit code 3; the cursor stays before the message
    !   try: tacit cursor commit live m10    skip the message and continue
    [75]
    alice$ tacit watch --cursor live --timeout 1s -q --plain --fields text
    bad
    alice$ tacit watch --cursor live --timeout 1s -q --plain --fields text
    alice$ tacit watch --exec true
    ! tacit: '--exec' needs '--cursor'
    !   try: tacit watch --cursor NAME --exec ...
    [64]
""")

# The longest time, and one in other units.
for length, milliseconds in (("36500d", 36500 * 86_400_000), ("60000ms", 60_000)):
    report = stage.tacit("alice", "send", "@bob", "odd times", "--expires", length, "--json").objects[0]
    assert report["ttl_ms"] == milliseconds, report
