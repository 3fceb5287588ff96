"""A message of a group that waits for some members counts as waiting: in fetch, in the outbox, and in status --check."""
# limit: 120

from support.process import wait_until
from support.stage import Stage

stage = Stage()
near, far = stage.relay("near").start(), stage.relay("far", "127.0.0.2").start()
for name, relay in (("ann", near), ("ben", near), ("cat", far)):
    stage.person(name, relay)
for name in ("ben", "cat"):
    stage.connect("ann", name)
stage.tacit("ann", "group", "create", "team")
stage.tacit("ann", "group", "invite", "+team", "@ben", "@cat")
for name in ("ben", "cat"):
    stage.tacit(name, "fetch")
    stage.tacit(name, "group", "join", "+team")


def is_complete():
    for name in ("ann", "ben", "cat"):
        stage.tacit(name, "fetch")
    members = stage.tacit("ann", "group", "members", "+team", "--json").objects
    return len([m for m in members if m["state"] in ("connected", "complete")]) == 3


wait_until(is_complete, "all are connected")
assert stage.tacit("ann", "status", "--check").code == 0
far.kill()
assert stage.tacit("ann", "send", "+team", "hello", "--json").objects[0]["partly"] == "sent"
report = stage.tacit("ann", "fetch", "--json", "--require-sent", expect=75).objects[-1]
assert report["waiting"] == 1 and not report["complete"], report
(queued,) = stage.tacit("ann", "outbox", "list", "--json").objects
assert queued["text"] == "hello", queued
status = stage.tacit("ann", "status", "--check", "--json", expect=1).objects[0]
assert status["outbox"] == 1 and status["problems"] == ["outbox.waiting"], status
far.start()
# The relay in between keeps the error of the other one for 30 seconds.
wait_until(
    lambda: stage.shell("ann", "tacit fetch -q --require-sent").code == 0, "all members have the message", seconds=75)
report = stage.tacit("ann", "fetch", "--json", "--require-sent").objects[-1]
assert report["waiting"] == 0 and report["complete"], report
assert stage.tacit("ann", "outbox", "list", "--json").objects == []
stage.tacit("ann", "status", "--check")
