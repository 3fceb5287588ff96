"""Relays that send other bytes than those of a file: whatever they do ends in an error or in another attempt, never in a file
under its name, and the file arrives when they send what they should."""

# limit: 240

import hashlib
import json
import os

from support.hostile_relay import KINDS, HostileRelay
from support.stage import FileRelay, Stage

stage = Stage()
messages = stage.relay("messages").start()
files = FileRelay(stage, "files").start()
for name in "alice", "bob":
    stage.person(name, messages)
    stage.tacit(name, "server", "add", files.files)
stage.connect("alice", "bob")
received = stage.place("bob") / "files"


def shown(file):
    return json.loads(stage.tacit("bob", "file", "show", file, "--json").out)


def offered(name, size=50_000):
    """The id of a file that alice has sent."""
    data = os.urandom(size)
    (stage.folder / name).write_bytes(data)
    stage.tacit("alice", "send", "@bob", "--attach", name)
    stage.tacit("bob", "fetch")
    listed = [json.loads(line) for line in stage.tacit("bob", "file", "list", "--json").out.splitlines()]
    return next(each["id"] for each in listed if each["name"] == name), hashlib.sha256(data).hexdigest()


def nothing_is_there(name):
    assert not received.exists() or name not in [path.name for path in received.iterdir()], name


# A relay that is another program.
offers = {kind: offered(f"{kind.replace(' ', '-')}.bin") for kind in KINDS}
files.stop()
for kind, (file, _) in offers.items():
    hostile = HostileRelay(files.folder, files.files, kind)
    ended = stage.start("bob", "file", "receive", file, "--timeout", "3s").ended()
    assert ended.code in (65, 69, 75), (kind, ended.code, ended.out, ended.err)
    assert ended.err.startswith("tacit: cannot receive "), (kind, ended.err)
    assert hostile.downloads > 0, kind
    assert shown(file)["state"] in ("failed", "delayed", "receiving"), (kind, shown(file))
    nothing_is_there(f"{kind.replace(' ', '-')}.bin")
    hostile.stop()
files.start()
for kind, (file, digest) in offers.items():
    stage.tacit("bob", "file", "receive", file)
    assert hashlib.sha256((received / f"{kind.replace(' ', '-')}.bin").read_bytes()).hexdigest() == digest, kind

# Our own relay, whose chunks somebody changed on its disk.
changes = {
    "changed": lambda data: bytes([data[0] ^ 1]) + data[1:],
    "shortened": lambda data: data[:-1000],
    "lengthened": lambda data: data + bytes(1000),
    "emptied": lambda data: b"",
}
stored = files.folder / "files"
for name, change in changes.items():
    before = set(stored.rglob("*"))
    file, _ = offered(f"{name}.bin")
    chunk, = [path for path in set(stored.rglob("*")) - before if path.is_file()]
    chunk.write_bytes(change(chunk.read_bytes()))
    ended = stage.start("bob", "file", "receive", file, "--timeout", "5s").ended()
    assert ended.code in (65, 69, 75), (name, ended.code, ended.out, ended.err)
    nothing_is_there(f"{name}.bin")

# A file that relays have no longer, before its recipient hears of that.
file, _ = offered("gone.bin")
messages.stop()
sent = [json.loads(line) for line in stage.tacit("alice", "file", "list", "--json").out.splitlines()]
stage.tacit("alice", "file", "cancel", next(each["id"] for each in sent if each["name"] == "gone.bin"))
stage.tacit("alice", "fetch", "--timeout", "5s", expect=75)
ended = stage.tacit("bob", "file", "receive", file, "--timeout", "10s", expect=69)
assert "the file relays no longer have the file" in ended.err, ended.err
nothing_is_there("gone.bin")
files.stop()
