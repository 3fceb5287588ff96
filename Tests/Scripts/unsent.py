"""What waits in the outbox and is taken back was never said; what disappears does so on both sides."""

import time

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tacit("alice", "fetch")


def queue(text):
    return stage.tacit("alice", "--offline", "send", "@bob", text, "--wait", "queued", "--json").objects[0]["id"]


def texts(person):
    # The ratchet has counted what was dropped, which the other side sees.
    items = stage.tacit(person, "read", "--json").objects
    return [item["text"] for item in items if item["kind"] == "text"]


# Dropped: neither it nor anything that was said about it goes.
number = queue("a secret")
stage.tacit("alice", "--offline", "message", "edit", number, "another secret", "--wait", "queued")
stage.tacit("alice", "--offline", "message", "react", number, "👍", "--wait", "queued")
stage.tacit("alice", "outbox", "drop", number)
# Taken back for both: as nobody has it yet, it is not sent for that.
number = queue("a third secret")
stage.tacit("alice", "--offline", "message", "edit", number, "a fourth secret", "--wait", "queued")
stage.tacit("alice", "--offline", "message", "delete", number, "--everywhere", "--wait", "queued")
assert stage.tacit("alice", "list", "outbox", "--json").objects == []
number = queue("an open word")
stage.tacit("alice", "--offline", "message", "edit", number, "an open sentence", "--wait", "queued")
stage.tacit("alice", "fetch")
stage.until_fetched("bob", "an open sentence")
assert "secret" not in stage.tacit("bob", "read", "--json").out
assert texts("alice") == texts("bob") == ["an open sentence"], (texts("alice"), texts("bob"))
# What is there is taken back as ever.
stage.tacit("alice", "message", "delete", number, "--everywhere")
stage.tacit("bob", "fetch")
assert any("deleted_at" in item for item in stage.tacit("bob", "read", "--json").objects)

# An edit that waits is not done by asking for it again; it is when the relay has it.
number = stage.tacit("alice", "send", "@bob", "at nine", "--json").objects[0]["id"]
relay.stop()
for _ in range(2):
    ended = stage.tacit("alice", "message", "edit", number, "at ten", "--timeout", "2s", "--json", expect=75)
    assert ended.objects[0]["state"] == "queued", ended.out
relay.start()
again = stage.tacit("alice", "message", "edit", number, "at ten", "--json").objects[0]
assert (again["change"], again["state"]) == ("unchanged", "sent"), again
stage.until_fetched("bob", "at ten")

# Whoever keeps the store open has what disappears removed in time, the sender too.
watch = stage.start("alice", "watch")
stage.tacit("alice", "send", "@bob", "for a moment", "--expires", "1s")
assert "for a moment" in texts("alice")
wait_until(lambda: "for a moment" not in texts("alice"), "the end of a message that disappears")
watch.signal(15)
watch.ended()

# Where nobody does, whoever reads has it removed before.
for words in (["read"], ["list"], ["message", "search", "moment"], ["export", "-", "--format", "txt"]):
    stage.tacit("alice", "send", "@bob", "another moment", "--expires", "1s")
    end = time.monotonic() + 1.1
    wait_until(lambda: time.monotonic() > end, "the end of it")
    seen = stage.tacit("alice", *words)
    assert "another moment" not in seen.out, (words, seen.out)
