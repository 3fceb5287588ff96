"""Guarantee 8: the JSON is stable, has a version, and is described. Whatever a command prints is as `tacit schema` says."""

# limit: 120

import json

from support import schema
from support.process import report, wait_until
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.values["relay"] = relay.address
second = stage.relay("second").start()
seen = {}


def run(person, *words, expect=0, **options):
    """Runs a command with --json, and checks each line of what it prints, on both streams."""
    ended = stage.tacit(person, *words, "--json", expect=expect, **options)
    lines = ended.lines + [line for line in ended.err.splitlines() if line.startswith("{")]
    objects = [report(line) for line in lines]
    for each in objects:
        schema.check(each, f"tacit {' '.join(words)}: {each}")
        seen.setdefault(each["type"], set()).add(words[0])
    if expect not in (0, 1):
        assert objects and objects[-1]["type"] == "error" and objects[-1]["exit"] == expect, (words, ended.err)
    return objects


# From the first command to the last, what two people type in their lives.
for person in ("alice", "bob"):
    run(person, "init", "--name", person, "--server", relay.address, "--no-encryption")
run("alice", "status")
run("alice", "status", "--check")
link = run("alice", "connect", "--as", "robert")[0]["link"]
run("alice", "invitation", "list")
run("alice", "invitation", "show", "i1")
run("alice", "list")
run("bob", "connect", link, "--dry-run")
run("bob", "connect", link)
run("alice", "fetch")
run("bob", "fetch")
run("alice", "fetch")
run("alice", "address", "create")
run("alice", "address", "show")
run("alice", "address", "auto-accept", "on")
run("alice", "address", "auto-accept", "off")
run("carol", "init", "--name", "carol", "--server", relay.address, "--new-key-file", "carol.key")
stage.values["TACIT_KEY_FILE"] = "carol.key"
run("carol", "connect", run("alice", "address", "show")[0]["link"])
run("alice", "fetch")
run("alice", "list", "requests")
run("alice", "accept", "--all")
run("carol", "fetch")
run("alice", "fetch")
run("carol", "fetch")

sent = run("alice", "send", "@robert", "hello", "--once", "key")[0]
run("alice", "send", "@robert", "hello", "--once", "key")
run("alice", "send", "@robert", "again", "--dry-run")
run("alice", "send", "@robert", "--to", "@carol", "both", "--wait", "queued")
run("alice", "outbox")
run("alice", "outbox", "drop", "m3")
run("alice", "outbox", "flush")
run("bob", "fetch")
run("bob", "read")
run("bob", "read", "--cursor", "bot")
run("bob", "cursor", "list")
run("bob", "cursor", "reset", "bot")
run("bob", "cursor", "commit", "bot", "m1")
run("bob", "cursor", "delete", "bot")
run("bob", "send", "@alice", "answer", "--reply-to", "m1")
run("bob", "message", "react", "m1", "👍")
run("bob", "message", "show", "m1")
run("bob", "message", "search", "hello")
run("bob", "message", "mark", "@alice")
mine = run("bob", "send", "@alice", "typo")[0]["id"]
run("bob", "message", "edit", mine, "type")
run("bob", "message", "wait", mine, "--for", "sent")
run("bob", "message", "delete", mine, "--everywhere")
run("alice", "fetch")
run("alice", "message", "forward", "m1", "@carol")
run("alice", "read", "@robert", "--last", "50")
run("alice", "list", "messages")

for words in (["list", "contacts"], ["contact", "show", "@robert"], ["contact", "verify", "@robert"],
              ["contact", "mute", "@robert"], ["contact", "unmute", "@robert"], ["contact", "block", "@robert"],
              ["contact", "unblock", "@robert"], ["contact", "rename", "@robert", "bob"],
              ["contact", "resync", "@bob", "--force"], ["contact", "rotate", "@bob"],
              ["open", "@bob"], ["profile", "list"], ["profile", "show"], ["profile", "create", "work"],
              ["profile", "set", "--bio", "words"], ["profile", "use", "alice"], ["profile", "mute", "work"],
              ["profile", "unmute", "work"], ["profile", "delete", "work", "--yes"],
              ["server", "list"], ["server", "add", second.address], ["server", "test"],
              ["server", "disable", second.address], ["server", "enable", second.address],
              ["server", "remove", second.address], ["net", "status"], ["net", "test"], ["net", "proxy"], ["list"],
              ["db", "info"], ["db", "check"], ["db", "compact"], ["db", "backup", "copies"], ["db", "upgrade"],
              ["export", "whole.zip"], ["export", "history.txt", "--format", "txt"], ["import", "whole.zip", "--dry-run"],
              ["db", "encrypt", "--new-key-file", "a.key"], ["version"], ["lock"]):
    # What a step further on may need or refuse is not the question here; what is printed is.
    ended = stage.start("alice", *words, "--json", env={"TACIT_KEY_FILE": None} if "encrypt" in words else None).ended()
    assert ended.code in (0, 64, 69, 75), (words, ended.code, ended.err)
    for line in ended.lines + [line for line in ended.err.splitlines() if line.startswith("{")]:
        value = report(line)
        seen.setdefault(value["type"], set()).add(words[0])

# What comes by itself.
watching = stage.start("carol", "watch", "--json")
wait_until(lambda: str(watching.pid) in (stage.place("carol") / "lock").read_text(), "the lock", watching.process)
stage.tacit("alice", "send", "@carol", "live", "-q", env={"TACIT_KEY_FILE": "a.key"})
while True:
    value = report(watching.line())
    schema.check(value, value)
    if value["type"] == "message" and value.get("text") == "live":
        break
watching.signal(15)
watching.ended()

# What is refused says so in the same form.
for words, code in ((["send", "@nobody", "x"], 67), (["list", "--key-file", "nothing"], 66), (["connect", "x"], 65)):
    run("carol", *words, expect=code)
run("nobody", "list", expect=78)

# Most types were seen, so that their schemas are more than paper; the others are printed in tests of their own.
SEEN = """address change chat connection contact cursor db-backup db-check db-compact db-encrypt db-info db-upgrade error event
    export fetch history import init invitation lock message net-status profile proxy request send server
    server-test status version""".split()
assert set(SEEN) <= set(seen), f"nothing of these types was printed: {set(SEEN) - set(seen)}"
assert set(seen) <= set(schema.schemas())

# A version that is not spoken is refused before anything is done, on every command and by the variable as well.
before = stage.tacit("bob", "read", "--json").out
for words in (["send", "@alice", "x"], ["read", "--mark"], ["list"], ["status"], ["version"], ["profile", "create", "new"]):
    for version in ("0", "2", "99"):
        ended = stage.tacit("bob", *words, "--format-version", version, "--json", expect=64)
        assert ended.error["code"] in ("format.unsupported", "usage.value") and not ended.out, ended.err
ended = stage.tacit("bob", "list", "--json", expect=64, env={"TACIT_FORMAT_VERSION": "2"})
assert ended.error["code"] == "format.unsupported", ended.err
assert stage.tacit("bob", "read", "--json", "--format-version", "1").out == before

# Nothing is null, and every object begins with its version and its type; report() has looked at each. Numbers of a later
# version may be added: readers are told to ignore what they do not know.
page = stage.tacit(None, "help", "formats").out
assert "v" in page and "ignore" in page.lower(), page
assert json.loads(stage.tacit(None, "schema", "message").out)["properties"]["v"]["const"] == 1
