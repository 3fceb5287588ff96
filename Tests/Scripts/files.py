"""Files: sent to a contact, received, continued after kill -9, saved, cancelled, purged, and sent by a link."""
# limit: 180

import hashlib
import json
import os
import signal
import subprocess

from support.process import wait_until
from support.stage import FileRelay, Stage

stage = Stage()


relay = FileRelay(stage).start()
for name in "alice", "bob":
    stage.person(name, relay)
    assert "files" not in stage.tacit(name, "server", "list", "--json").out
    stage.tacit(name, "server", "add", relay.files)
stage.connect("alice", "bob")


def make(name, size):
    """A file of random bytes, and its digest."""
    data = os.urandom(size)
    (stage.folder / name).write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def files(person):
    return [json.loads(line) for line in stage.tacit(person, "file", "list", "--json").out.splitlines()]


def shown(person, file):
    return json.loads(stage.tacit(person, "file", "show", file, "--json").out)


# What cannot be sent is said before anything is.
(stage.folder / "folder").mkdir()
stage.play(r'''
    alice$ tacit send @bob hello --attach folder
    ! tacit: cannot send to '@bob': '/stage/folder' is a folder
    !   why: only files can be sent
    !   try: tar czf folder.tar.gz FOLDER    pack the folder into a file
    [66]
''')
stage.tacit("alice", "send", "@bob", "--attach", "none.txt", expect=66)
stage.tacit("alice", "send", "@bob", expect=64)
assert files("alice") == []

# One with a caption, and two in one command.
whole = make("plan.pdf", 300_000)
sent = json.loads(stage.tacit("alice", "send", "@bob", "the plan", "--attach", "plan.pdf", "--json").out)
assert sent["state"] == "sent"
assert [each["state"] for each in files("alice")] == ["sent"]
make("a.txt", 10), make("b.txt", 20)
assert len(stage.tacit("alice", "send", "@bob", "--attach", "a.txt", "--attach", "b.txt", "--json").out.splitlines()) == 2
stage.tacit("bob", "fetch")
offers = {each["name"]: each for each in files("bob")}
assert {each["state"] for each in offers.values()} == {"offered"} and len(offers) == 3
assert offers["plan.pdf"]["size"] == 300_000 and offers["plan.pdf"]["chat"] == "@alice"
messages = [json.loads(line) for line in stage.tacit("bob", "read", "@alice", "--json").out.splitlines()]
assert [each.get("text") for each in messages if each.get("file")] == ["the plan", "", ""]

# Received, also where the sender is away, and under another name where the first is taken.
file = offers["plan.pdf"]["id"]
got = json.loads(stage.tacit("bob", "file", "receive", file, "--json").out)
assert got["state"] == "ready" and digest(stage.place("bob") / "files/plan.pdf") == whole
(stage.folder / "in").mkdir()
(stage.folder / "in/a.txt").write_text("mine")
stage.tacit("bob", "file", "receive", offers["a.txt"]["id"], "--to", "in")
assert (stage.folder / "in/a.txt").read_text() == "mine"
assert (stage.folder / "in/a_1.txt").read_bytes() == (stage.folder / "a.txt").read_bytes()
stage.tacit("bob", "file", "receive", offers["b.txt"]["id"], "--encrypt")
assert (stage.place("bob") / "files/b.txt").stat().st_size == 20 + 16

# Saved: to a path, to a pipe, decrypted, never over another file.
stage.tacit("bob", "file", "save", file, "--to", "in")
assert digest(stage.folder / "in/plan.pdf") == whole
stage.tacit("bob", "file", "save", file, "--to", "in", expect=73)
stage.tacit("bob", "file", "save", file, "--to", "in", "--force")
assert stage.shell("bob", f"tacit file save {offers['b.txt']['id']} --to - > copy").code == 0
assert (stage.folder / "copy").read_bytes() == (stage.folder / "b.txt").read_bytes()
stage.tacit("bob", "file", "save", "f99", "--to", "in", expect=67)

# A transfer that is killed continues where it ended, on both sides.
large = make("large.bin", 24_000_000)
for attempt in range(2):
    process = stage.start("alice", "send", "@bob", "--attach", "large.bin") if attempt == 0 else stage.start("alice", "fetch")
    wait_until(lambda: any(each["state"] in ("sending", "sent") for each in files("alice") if each["name"] == "large.bin"), "upload")
    process.signal(signal.SIGKILL)
    process.ended()
wait_until(
    lambda: stage.shell("alice", "tacit fetch -qq").code == 0 and files("alice")[0]["state"] == "sent", "the rest is sent"
)
wait_until(
    lambda: stage.shell("bob", "tacit fetch -qq").code == 0 and files("bob")[0]["name"] == "large.bin", "it is offered"
)
file = files("bob")[0]["id"]
for _ in range(3):
    process = stage.start("bob", "file", "receive", file)
    wait_until(lambda: shown("bob", file)["state"] in ("receiving", "ready"), "download")
    process.signal(signal.SIGKILL)
    process.ended()
stage.tacit("bob", "file", "receive", file)
assert digest(stage.place("bob") / "files/large.bin") == large
names = sorted(path.name for path in (stage.place("bob") / "files").iterdir())
assert names == ["b.txt", "large.bin", "plan.pdf"], names
assert list((stage.place("bob") / "transfers").iterdir()) == []

# Withdrawn by the sender.
make("secret.txt", 1000)
stage.tacit("alice", "send", "@bob", "--attach", "secret.txt")
stage.tacit("bob", "fetch")
file = files("bob")[0]["id"]
stage.tacit("alice", "file", "cancel", files("alice")[0]["id"])
stage.tacit("alice", "fetch")
stage.tacit("bob", "fetch")
assert shown("bob", file)["state"] == "cancelled"
stage.tacit("bob", "file", "receive", file, expect=69)
assert "the file was not received" in stage.tacit("bob", "file", "save", file, "--to", "copy", expect=69).err

# Both relays are tested.
tested = stage.tacit("alice", "server", "test").lines
assert tested == [f"passed {address.rsplit('@', 1)[1]}" for address in (relay.address, relay.files)], tested

# By a link.
digest_of_link = make("backup.tar", 500_000)
report = json.loads(stage.tacit("alice", "file", "send", "backup.tar", "--json").out)
assert report["state"] == "sent" and len(report["links"]) == 4
got = json.loads(stage.tacit("bob", "file", "get", report["links"][0], "--to", "in", "--json").out)
assert got["name"] == "backup.tar" and digest(stage.folder / "in/backup.tar") == digest_of_link
# A slash at the end means a folder, also one that does not exist.
assert not (stage.folder / "new").exists()
got = json.loads(stage.tacit("bob", "file", "get", report["links"][1], "--to", "new/", "--json").out)
assert got["name"] == "backup.tar" and got["path"].endswith("/new/backup.tar"), got
assert digest(stage.folder / "new/backup.tar") == digest_of_link
stage.tacit("bob", "file", "get", "simplex:/file#/?desc=x", expect=65)

# Accepted without asking.
stage.tacit("bob", "file", "auto-accept", "all")
make("auto.txt", 50)
stage.tacit("alice", "send", "@bob", "--attach", "auto.txt")
stage.tacit("bob", "fetch")
assert files("bob")[0]["state"] == "ready"

# A deleted message takes its file along, and purging removes old copies.
assert (stage.place("bob") / "files/auto.txt").exists()
stage.tacit("bob", "message", "delete", files("bob")[0]["message"])
assert not (stage.place("bob") / "files/auto.txt").exists()
stage.tacit("bob", "file", "purge", "--older-than", "1ms", "--yes")
assert not (stage.place("bob") / "files/plan.pdf").exists()
assert (stage.folder / "in/plan.pdf").exists()

relay.stop()
