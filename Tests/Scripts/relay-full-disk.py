"""A relay whose disk is nearly full: new queues and messages are refused, waiting messages can be received and deleted, its log, status
and metrics say so, and it goes on when there is space."""

# limit: 120

import os
import re
import subprocess

from support.mounts import own_mounts
from support.process import wait_until
from support.stage import Stage

own_mounts()

stage = Stage()
disk = stage.folder / "disk"
disk.mkdir()
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "none", str(disk)], check=True)
RESERVE = 8
relay = stage.relay("disk/relay")
conf = stage.folder / "disk/relay/relay.conf"
conf.write_text(re.sub(r"(?m)^reserve_megabytes = \d+$", f"reserve_megabytes = {RESERVE}", conf.read_text()))
metrics = stage.folder / "relay.prom"
log = open(stage.folder / "relay.log", "w")
relay.running = stage.start(None, "relay", "start", str(relay.folder), "--metrics", str(metrics), stderr=log)
assert relay.running.line() == relay.address


def logged(text):
    return text in (stage.folder / "relay.log").read_text()


def measured(name):
    found = re.search(rf"(?m)^{re.escape(name)} (\d+)$", metrics.read_text())
    return found and int(found[1])


def status(code):
    return stage.tacit(None, "relay", "status", str(relay.folder), "--check", "--json", expect=code).objects[0]


def fill(free):
    """Leaves so many bytes of the disk free."""
    state = os.statvfs(disk)
    with open(disk / "filler", "ab") as file:
        file.write(b"x" * max(0, state.f_bavail * state.f_frsize - free))


for name in ("alice", "bob", "carol"):
    stage.person(name, relay)
stage.connect("alice", "bob")
stage.connect("alice", "carol")
for text in ("one", "two"):
    stage.tacit("alice", "send", "@bob", text)
state = status(0)
assert state["problems"] == [] and state["disk_reserve"] == RESERVE << 20 and state["disk_free"] > RESERVE << 20, state

# Below the reserve.
fill(RESERVE * 700_000)
ended = stage.tacit("alice", "send", "@bob", "three", expect=75)
assert ended.out.startswith("queued"), ended.out
stage.tacit("alice", "connect", "--timeout", "5s", "--json", expect=75)
wait_until(lambda: logged("warning: the disk is nearly full: "), "a line of the log")
assert re.search(rf"nearly full: \d+ MB free, reserve {RESERVE} MB; new queues and messages are refused", (stage.folder / "relay.log").read_text())
state = status(1)
assert state["problems"] == ["disk"] and state["state"] == "running" and state["disk_free"] < RESERVE << 20, state
text = stage.tacit(None, "relay", "status", str(relay.folder)).out
assert re.search(rf"(?m)^disk     \d+ MB free, reserve {RESERVE} MB$", text), text
assert "new queues and messages are refused" in text, text
wait_until(lambda: measured("tacit_relay_short_of_space") == 1, "the metrics")
assert measured("tacit_relay_refused_for_space_total") >= 2, metrics.read_text()
# SUB and ACK: what waits is received, and does not come again.
stage.tacit("bob", "fetch")
assert [item["text"] for item in stage.tacit("bob", "read", "@alice", "--json").objects] == ["one", "two"]
assert '"text":"one"' not in stage.tacit("bob", "fetch", "--json").out
# DEL.
queues = status(1)["queues"]
stage.tacit("carol", "contact", "delete", "@alice", "--yes")
wait_until(lambda: stage.tacit("carol", "fetch") and status(1)["queues"] < queues, "the queues are gone")

# Space again.
(disk / "filler").unlink()
wait_until(lambda: logged("info: the disk has space again: "), "a line of the log")
assert status(0)["problems"] == []
wait_until(lambda: measured("tacit_relay_short_of_space") == 0, "the metrics")
stage.tacit("alice", "outbox", "flush")
stage.until_fetched("bob", "three")
stage.tacit("alice", "connect")

# A disk without a single free byte, which no reserve foretold: reading goes on, and the relay comes back.
stage.tacit("alice", "send", "@bob", "four")
fill(0)
stage.tacit("alice", "send", "@bob", "five", expect=75)
assert status(1)["problems"] == ["disk"]
(disk / "filler").unlink()
stage.tacit("alice", "outbox", "flush")
stage.until_fetched("bob", "five")
assert [item["text"] for item in stage.tacit("bob", "read", "@alice", "--json").objects] == ["one", "two", "three", "four", "five"]
assert relay.stop().code == 0
assert not metrics.exists()
counted = (stage.folder / "disk/relay/relay.stats").read_text()
assert re.search(r"(?m)^failed_turns = 0$", counted), counted
lines = (stage.folder / "relay.log").read_text().splitlines()
assert all(re.match(r"\S+Z (info|warning): ", line) for line in lines), lines
