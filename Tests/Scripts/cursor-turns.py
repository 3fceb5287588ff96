"""Several runs of a bot at once, as of a cron job that takes longer than the time to the next: each message once."""

from support.process import wait_until
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
stage.tell("bob", "alice", (f"number {number}" for number in range(6)))
log = stage.folder / "log"
program = f"sleep 0.1; cat >>{log}"
running = [stage.start("alice", "read", "--cursor", "a bot/é", "--exec", program) for _ in range(4)]
for each in running:
    ended = each.ended()
    assert ended.code == 0, ended.err
texts = [line.split('"text":"')[1].split('"')[0] for line in log.read_text().splitlines()]
assert texts == [f"number {number}" for number in range(6)], texts

# Nobody waits longer than they want to.
stage.tacit("bob", "send", "@alice", "one more")
stage.tacit("alice", "fetch")
first = stage.start("alice", "read", "--cursor", "a bot/é", "--exec", f"echo begun >{stage.folder}/begun; sleep 3")
wait_until((stage.folder / "begun").exists, "the first run")
ended = stage.start("alice", "read", "--cursor", "a bot/é", "--exec", "true", "--lock-timeout", "100ms").ended()
assert ended.code == 75 and "another command is running programs for the cursor" in ended.err, ended.err
assert stage.tacit("alice", "read", "--cursor", "other", "--exec", "true").code == 0
assert first.ended().code == 0
