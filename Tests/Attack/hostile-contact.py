"""A contact that breaks every rule through a real ratchet: the store stays whole and small, and honest messages arrive."""

# limit: 400

import os
import signal
import time

from support.attacker import Attacker
from support.process import wait_until
from support.stage import Stage

SECONDS = int(os.environ.get("TACIT_SECONDS", 0))
ROUNDS = max(1, SECONDS // 20)
# How many of each; the last form loses the ratchet.
FORMS = [
    ("skip", 20), ("duplicates", 8), ("hashes", 16), ("json", 100), ("agent", 30), ("receipts", 10), ("envelopes", 20),
    ("flood", 150),
]
MEGABYTE = 1 << 20

stage = Stage()
relay = stage.connected("alice", "bob")
link = stage.tacit("alice", "connect").out.strip()


def resident(pid):
    """The memory of a process, in bytes."""
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    return 0


def size():
    return sum(path.stat().st_size for path in stage.place("alice").glob("simplex_v1_*"))


def bounded():
    """The agent's database, which does not grow with what a contact sends: keys, hashes and answers are limited."""
    return (stage.place("alice") / "simplex_v1_agent.db").stat().st_size


def texts():
    return {item.get("text") for item in stage.tacit("alice", "read", "@bob", "--last", "1000", "--json").objects}


words = [word for _ in range(ROUNDS) for form, count in FORMS for word in (form, str(count))] + ["keys", "5"]
with Attacker("contact", str(stage.folder / "mallory"), relay.address, link, *words) as mallory:
    assert mallory.line() == "joined"
    stage.tacit("alice", "fetch")
    assert mallory.line() == "connected"
    with open(stage.folder / "events", "wb") as events:
        watch = stage.start("alice", "watch", stdout=events)
        sent, most, start = [], 0, time.monotonic()
        expected = [f"{form} {count}" for _ in range(ROUNDS) for form, count in FORMS] + ["keys 5"]
        for number, line in enumerate(expected):
            assert mallory.line() == line
            sent.append(f"honest {number}")
            stage.tacit("bob", "send", "@alice", sent[-1])
            most = max(most, resident(watch.pid))
        wait_until(lambda: set(sent) <= texts(), "the honest messages", watch.process)
        assert watch.process.poll() is None
        watch.signal(signal.SIGTERM)
        ended = watch.ended()
        assert ended.code in (0, 143), (ended.code, ended.err)
print(f"{time.monotonic() - start:.0f} s, {most // MEGABYTE} MiB of memory, {size() / MEGABYTE:.1f} MiB of store")
assert most < 160 * MEGABYTE and size() < (16 + 4 * ROUNDS) * MEGABYTE, (most, size())

# Nothing was set aside, everything can be shown, and the next program opens the store.
print(f"{bounded() / MEGABYTE:.1f} MiB of agent")
assert bounded() < (1 if ROUNDS == 1 else 3) * MEGABYTE, bounded()
checked = stage.tacit("alice", "db", "check", "--json").objects[0]
assert checked["ok"] and checked["findings"] == [], checked
for command in (
    ["status"], ["list"], ["list", "messages"], ["read", "@mallory", "--last", "1000"],
    ["read", "@mallory", "--last", "1000", "--json"], ["contact", "show", "@mallory"], ["export", "-", "--format", "jsonl"],
    ["export", "-", "--format", "html"], ["fetch"],
):
    ended = stage.shell("alice", "tacit " + " ".join(command) + " >output 2>errors")
    output = (stage.folder / "output").read_bytes()
    assert ended.code in (0, 75), (command, ended.code, (stage.folder / "errors").read_text())
    # A terminal is told nothing that a contact wrote.
    if "html" not in command:
        assert b"\x1b" not in output and b"\0" not in output and "\u202e".encode() not in output, command
stage.tacit("bob", "send", "@alice", "an end")
stage.until_fetched("alice", "an end")

# A blocked contact leaves nothing behind.
stage.tacit("alice", "contact", "block", "@mallory")
stage.tacit("alice", "contact", "delete", "@mallory", "--yes")
stage.tacit("alice", "db", "check")
