"""Disks without room: while a file is received, decrypted or encrypted, and at the relay. It is said at once, nothing gets lost, and
the transfer continues when there is room."""

# limit: 180

import hashlib
import json
import os
import re
import subprocess
import time

from support.mounts import own_mounts
from support.process import wait_until
from support.stage import FileRelay, Stage

own_mounts()
stage = Stage()
MB = 1 << 20


def disk(name, size):
    """A small disk of its own."""
    place = stage.folder / name
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "none", str(place)], check=True)
    return place


def fill(place, left):
    """Fills a disk up to some free bytes, whoever writes there too."""
    with open(place / "filler", "wb") as file:
        size = 0
        while (free := (status := os.statvfs(place)).f_bavail * status.f_frsize) > left:
            try:
                os.posix_fallocate(file.fileno(), 0, size := size + min(free - left, MB))
            except OSError:
                size -= min(free - left, MB)


def make(name, size):
    data = os.urandom(size)
    (stage.folder / name).write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def files(person):
    return [json.loads(line) for line in stage.tacit(person, "file", "list", "--json").out.splitlines()]


def digest(name):
    return hashlib.sha256((stage.place("bob") / "files" / name).read_bytes()).hexdigest()


relay = FileRelay(stage).start()
homes = {name: disk(name, "40m") for name in ("alice", "bob")}
for name in "alice", "bob":
    stage.person(name, relay)
    stage.tacit(name, "server", "add", relay.files)
stage.connect("alice", "bob")

# Room for nothing, and then for the chunks but not for the file that is made of them.
whole = make("plan.bin", 6_000_000)
stage.tacit("alice", "send", "@bob", "--attach", "plan.bin")
stage.tacit("bob", "fetch")
file = files("bob")[0]["id"]
for left in 3 * MB, 10 * MB:
    fill(homes["bob"], left)
    began = time.monotonic()
    ended = stage.tacit("bob", "file", "receive", file, expect=74)
    assert time.monotonic() - began < 20, "it was not said at once"
    assert "the disk is full" in ended.err and "tacit fetch" in ended.err, ended.err
    assert files("bob")[0]["state"] == "delayed" and "disk is full" in files("bob")[0]["reason"]
    assert not (homes["bob"] / "files/plan.bin").exists()
    # Messages still come.
    stage.tacit("alice", "send", "@bob", f"{left} bytes left")
    fetched = stage.tacit("bob", "fetch")
    assert f"{left} bytes left" in fetched.out
    (homes["bob"] / "filler").unlink()
assert [path.name for path in (homes["bob"] / "transfers").iterdir()] != [], "the chunks are kept"
stage.tacit("bob", "file", "receive", file)
assert digest("plan.bin") == whole and list((homes["bob"] / "transfers").iterdir()) == []

# Somebody else needs the room while the chunks come.
whole = make("other.bin", 9_000_000)
stage.tacit("alice", "send", "@bob", "--attach", "other.bin")
stage.tacit("bob", "fetch")
file = files("bob")[0]["id"]
running = stage.start("bob", "file", "receive", file)
wait_until(lambda: files("bob")[0]["state"] in ("receiving", "ready"), "the download has begun")
fill(homes["bob"], 0)
assert running.ended().code in (0, 74)
(homes["bob"] / "filler").unlink()
stage.tacit("bob", "fetch")
stage.tacit("bob", "file", "receive", file)
assert digest("other.bin") == whole

# No room to encrypt what is sent: the message goes, and the file follows it.
whole = make("sent.bin", 5_000_000)
fill(homes["alice"], 3 * MB)
ended = stage.tacit("alice", "send", "@bob", "--attach", "sent.bin", expect=74)
assert "the disk is full" in ended.err, ended.err
assert files("alice")[0]["state"] == "delayed" and list((homes["alice"] / "transfers").iterdir()) == []
stage.tacit("bob", "fetch")
assert files("bob")[0]["state"] == "offered"
(homes["alice"] / "filler").unlink()
stage.tacit("alice", "fetch")
assert files("alice")[0]["state"] == "sent"
stage.tacit("bob", "fetch")
stage.tacit("bob", "file", "receive", files("bob")[0]["id"])
assert digest("sent.bin") == whole
ended = stage.tacit("alice", "file", "send", "sent.bin", "--json")

# A relay without room.
small = disk("small", "10m")
words = ["--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0", "--xftp-port", "0"]
_, address = stage.tacit(None, "relay", "init", "small/relay", *words).out.split()
conf = small / "relay/relay.conf"
conf.write_text(re.sub(r"(?m)^reserve_megabytes = \d+$", "reserve_megabytes = 0", conf.read_text()))
second = stage.start(None, "relay", "start", "small/relay")
assert [second.line(), second.line()][1] == address
stage.tacit("alice", "server", "remove", relay.files)
stage.tacit("alice", "server", "add", address)
first = json.loads(stage.tacit("alice", "send", "@bob", "--attach", "plan.bin", "--json").out)
whole = make("late.bin", 5_000_000)
began = time.monotonic()
ended = stage.tacit("alice", "send", "@bob", "--attach", "late.bin", expect=75)
assert "the file relays are full" in ended.err and time.monotonic() - began < 30, ended.err
assert files("alice")[0]["state"] == "delayed"
ended = stage.tacit("alice", "fetch")
assert files("alice")[0]["state"] == "delayed"
# The file of a message that is deleted for all makes room.
stage.tacit("alice", "message", "delete", first["id"], "--everywhere")
stage.tacit("alice", "fetch")
wait_until(
    lambda: stage.shell("alice", "tacit fetch -qq").code == 0 and files("alice")[0]["state"] == "sent", "the rest is sent"
)
stage.tacit("bob", "fetch")
stage.tacit("bob", "file", "receive", files("bob")[0]["id"], "--approve-relays")
assert digest("late.bin") == whole
second.signal(15)
assert second.ended().code == 0
relay.stop()
