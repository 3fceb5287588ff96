"""Files travel in the archive of a store: copies, offers that were not accepted yet, and transfers that were not complete. Status and
db info say how much room they take. And through a proxy, behind which relays do not learn an address."""

# limit: 120

import hashlib
import json
import os
import signal

from support.process import wait_until
from support.socks import SocksProxy
from support.stage import FileRelay, Stage

stage = Stage()
relay = stage.connected("alice", "bob", files=True)


def make(name, size):
    data = os.urandom(size)
    (stage.folder / name).write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def files(person):
    return {each["name"]: each for each in (json.loads(line) for line in stage.tacit(person, "file", "list", "--json").out.splitlines())}


def status(person):
    report = stage.tacit(person, "status", "--json").objects[0]
    return report["files"], report["files_size"]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


# One that is here, one that is encrypted here, one that was offered, and one that is on its way in each direction.
digests = {name: make(name, size) for name, size in (("here.bin", 70_000), ("hidden.bin", 1000), ("offered.bin", 500), ("coming.bin", 9_000_000))}
for name in digests:
    stage.tacit("alice", "send", "@bob", "--attach", name)
stage.tacit("bob", "fetch")
assert status("bob") == (0, 0)
stage.tacit("bob", "file", "receive", files("bob")["here.bin"]["id"])
stage.tacit("bob", "file", "receive", files("bob")["hidden.bin"]["id"], "--encrypt")
assert status("bob") == (2, 70_000 + 1016)
assert "files       2, 71.0 kB" in stage.tacit("bob", "status").out or "2, 71.0 kB" in stage.tacit("bob", "status").out
info = stage.tacit("bob", "db", "info", "--json").objects[0]
assert (info["files"], info["files_size"], info["transfers_size"]) == (2, 71_016, 0), info

running = stage.start("bob", "file", "receive", files("bob")["coming.bin"]["id"])
wait_until(lambda: files("bob")["coming.bin"]["state"] in ("receiving", "ready"), "the download has begun")
running.signal(signal.SIGKILL)
running.ended()
digests["going.bin"] = make("bob/files/going.bin", 9_000_000)
running = stage.start("bob", "send", "@alice", "--attach", "bob/files/going.bin")
wait_until(lambda: files("bob").get("going.bin", {}).get("state") in ("sending", "sent"), "the upload has begun")
running.signal(signal.SIGKILL)
running.ended()
# An archive names files in its own folder only: another upload fails, and is sent again by its user.
make("outside.bin", 1000)
stage.tacit("bob", "send", "@alice", "--attach", "outside.bin", "--wait", "queued", "--offline")

exported = stage.tacit("bob", "export", "--freeze", "move.zip", "--json").objects[0]
place = stage.place("carol")
place.mkdir(mode=0o700)
(place / "key").write_bytes((stage.place("bob") / "key").read_bytes())
(place / "key").chmod(0o600)
stage.tacit("carol", "import", "move.zip")
assert files("carol")["outside.bin"]["state"] == "failed", files("carol")["outside.bin"]
assert "path" not in files("carol")["outside.bin"], files("carol")["outside.bin"]
assert digest(place / "files/here.bin") == digests["here.bin"]
stage.tacit("carol", "file", "save", files("carol")["hidden.bin"]["id"], "--to", "saved.bin")
assert digest(stage.folder / "saved.bin") == digests["hidden.bin"]

# Behind a proxy. The relay is not in the list, and still needs no approval.
proxy = SocksProxy()
stage.tacit("carol", "server", "remove", relay.files)
second = FileRelay(stage, "second").start()
stage.tacit("carol", "server", "add", second.files)
behind = {"TACIT_PROXY": proxy.url}
for name in "offered.bin", "coming.bin":
    stage.tacit("carol", "file", "receive", files("carol")[name]["id"], env=behind)
    assert digest(place / "files" / name) == digests[name], name
assert proxy.targets and set(proxy.targets) == {"127.0.0.1"}, proxy.targets
seen = len(proxy.targets)
wait_until(
    lambda: stage.tacit("carol", "fetch", "-qq", env=behind) and files("carol")["going.bin"]["state"] == "sent", "the rest is sent"
)
assert len(proxy.targets) > seen
stage.tacit("alice", "fetch")
stage.tacit("alice", "file", "receive", files("alice")["going.bin"]["id"], "--approve-relays")
assert digest(stage.place("alice") / "files/going.bin") == digests["going.bin"]
assert list((place / "transfers").iterdir()) == []
second.stop()
relay.stop()
