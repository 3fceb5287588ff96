"""Archives made to harm: each is refused with 65 in a short time, leaves the store as it is, and nothing outside of it.

`Tests/Scripts/hostile-archives.py` has those that are refused because of their form. Here are those that would cost time or
memory, headers that ask for work, and random damage, for TACIT_SECONDS.
"""

# limit: 2000

import hashlib
import io
import os
import random
import resource
import struct
import time
import zipfile
import zlib
from pathlib import Path

from support.stage import Stage
from support.zips import MAXIMUM, Entry, archive, deflated

SECONDS = float(os.environ.get("TACIT_SECONDS", "20"))
SEED = int(os.environ.get("TACIT_SEED", "0")) or random.randrange(1 << 32)
print(f"TACIT_SEED={SEED}", flush=True)
chance = random.Random(SEED)

CHAT, AGENT, FOLDER = "simplex_v1_chat.db", "simplex_v1_agent.db", "simplex_v1_files/"
# What an import of such an archive may take, in seconds and in bytes of memory: our own archives take a small part of it.
TIMEOUT, MEMORY = 12, 1 << 30

stage = Stage()
relay = stage.relay().start()
passphrase = stage.folder / "passphrase"
passphrase.write_text("correct horse battery staple\n")
passphrase.chmod(0o600)
stage.tacit("alice", "init", "--name", "alice", "--server", relay.address, "--key-file", str(passphrase))
stage.person("bob", relay, "--no-encryption")
for person, options in (("alice", ["--key-file", str(passphrase)]), ("bob", [])):
    stage.tacit(person, "export", f"{person}.zip", *options)
sealed = zipfile.ZipFile("alice.zip")
sealed_chat, sealed_agent = sealed.read(CHAT), sealed.read(AGENT)
plain = zipfile.ZipFile("bob.zip")
chat, agent = plain.read(CHAT), plain.read(AGENT)
GOOD = Path("bob.zip").read_bytes()


def contents(folder):
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.name.endswith(("-shm", "-wal")):
            found[str(path.relative_to(folder))] = path.read_bytes() if path.is_file() else None
    return found


def limited():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


slowest = 0


def judge(name, content, person="bob", codes=(65,), words=("--dry-run",)):
    """Imports an archive; returns how it ended."""
    global slowest
    options = ["--key-file", str(passphrase)] if person == "alice" else []
    (stage.folder / "hostile.zip").write_bytes(content)
    start = time.monotonic()
    running = stage.start(person, "import", *words, "hostile.zip", "--json", *options, preexec_fn=limited)
    ended = running.ended()
    seconds = time.monotonic() - start
    slowest = max(slowest, seconds)
    assert ended.code in codes, (name, ended.code, ended.out, ended.err)
    assert seconds < TIMEOUT, (name, seconds)
    if ended.code == 65:
        assert ended.error["code"].startswith("archive."), (name, ended.error)
    return ended


# MARK: Headers that ask for work.


def half(chat, slots):
    """One half of the header of an encrypted database, with other slots."""
    # magic 16, version 2, page size 2, salt 32, key check 16, then the slots.
    body = chat[:68] + struct.pack(">IB", 1, len(slots)) + b"".join(slots)
    body = body.ljust(2048 - 32, b"\0")
    return body + hashlib.sha256(body).digest()


def slot(number, passes, memory):
    """A slot for a passphrase: its number, a mark, its kind, the cost, then salt, nonce and box."""
    return struct.pack(">BBBII", number, 0, 1, passes, memory) + os.urandom(16 + 24 + 48)


def with_slots(*costs):
    header = half(sealed_chat, [slot(number, *cost) for number, cost in enumerate(costs, 1)]) * 2
    return archive([Entry(CHAT, header + sealed_chat[4096:]), Entry(AGENT, header + sealed_agent[4096:])])


MIB = 1 << 10
for name, costs in {
    "64 passes over a gibibyte in eight slots": [(64, 1024 * MIB)] * 8,
    "many passes over little": [(0xFFFFFFFF, 8)],
    "as much memory as there is": [(1, 0xFFFFFFFF)],
    "a bit too much in one": [(25, 64 * MIB)],
    "a bit too much together": [(4, 64 * MIB)] * 8,
    "too much memory": [(1, 257 * MIB)],
    "no pass": [(0, 64 * MIB)],
    "nine slots": [(1, 8)] * 9,
    "all slots": [(1, 8)] * 255,
}.items():
    if len(costs) > 20:
        costs = costs[:19]
    judge(name, with_slots(*costs), "alice")
# What the budget allows is worked out, and opens nothing.
assert judge("the most", with_slots(*[(3, 64 * MIB)] * 8), "alice", codes=(77,)).error["code"] == "key.wrong"

# MARK: Bombs.


def bomb(size, depth=9):
    compressor = zlib.compressobj(depth, zlib.DEFLATED, -15)
    return b"".join(compressor.compress(bytes(1 << 20)) for _ in range(size)) + compressor.flush()


packed = bomb(64)
entries = [deflated(CHAT, chat), deflated(AGENT, agent)]
for name, content in {
    "more than it says": archive(entries + [Entry(FOLDER + "a", packed, method=8, crc=0, size=10)]),
    "four gibibytes": archive(entries + [Entry(FOLDER + "a", packed, method=8, crc=0, size=MAXIMUM - 1)]),
    "a database of zeros": archive([Entry(CHAT, packed, method=8, crc=0, size=64 << 20), entries[1]]),
    "overlapping": archive(
        entries + [Entry(FOLDER + "kernel", packed, method=8)]
        + [Entry(f"{FOLDER}{number}", packed, method=8, size=64 << 20, offset=0) for number in range(200)]
    ),
    "twenty thousand names": archive(entries + [Entry(f"{FOLDER}{number}") for number in range(20_000)]),
    "a long name": archive(entries + [Entry(FOLDER + "a" * 60_000)]),
    "long fields": archive(entries + [Entry(f"{FOLDER}{number}", extra=bytes(65_000)) for number in range(200)]),
}.items():
    # Many names and long fields are allowed, and must not make the import slow.
    judge(name, content, codes=(0,) if name in ("twenty thousand names", "long fields") else (65,))

# MARK: Random damage.

before = contents(stage.place("bob")), contents(stage.place("alice"))
outside = {path.name for path in stage.folder.iterdir()}
sealed_whole = Path("alice.zip").read_bytes()
tried = accepted = 0
end = time.monotonic() + SECONDS
while time.monotonic() < end:
    person, whole = chance.choice([("bob", GOOD), ("alice", sealed_whole)])
    damaged = bytearray(whole)
    kind = chance.choice(["cut", "byte", "list", "end", "double", "zeros"])
    place = chance.randrange(len(whole))
    if kind == "cut":
        del damaged[place:]
    elif kind == "byte":
        damaged[place] ^= 1 << chance.randrange(8)
    elif kind == "list":
        # The list of entries stands at the end.
        place = chance.randrange(len(whole) - 400, len(whole))
        damaged[place] = chance.randrange(256)
    elif kind == "end":
        place = chance.randrange(len(whole) - 22, len(whole) - 3)
        damaged[place : place + 4] = struct.pack("<I", chance.choice([0, 1, 0x7FFFFFFF, 0x80000000, MAXIMUM - 1, MAXIMUM]))
    elif kind == "double":
        count = min(chance.randrange(1, 5000), len(whole) - place)
        damaged[place:place] = damaged[place : place + count]
    else:
        count = min(chance.randrange(1, 5000), len(whole) - place)
        damaged[place : place + count] = bytes(count)
    # A bit that nobody reads, as that of a time, may be another.
    ended = judge((kind, place, SEED), bytes(damaged), person, codes=(0, 65), words=chance.choice([("--dry-run",), ("--replace",)])
                  if bytes(damaged) != whole and kind in ("cut", "double") else ("--dry-run",))
    tried += 1
    accepted += ended.code == 0
    if kind in ("cut",):
        assert ended.code == 65, (kind, place, SEED)
assert (contents(stage.place("bob")), contents(stage.place("alice"))) == before
assert {path.name for path in stage.folder.iterdir()} - {"hostile.zip"} == outside - {"hostile.zip"}
for person, options in (("alice", ["--key-file", str(passphrase)]), ("bob", [])):
    assert not any(name.startswith(".staging") for name in os.listdir(stage.place(person)))
    stage.tacit(person, "db", "check", *options)
print(f"{tried} damaged archives, {accepted} of them harmless; the slowest import took {slowest:.1f} s", flush=True)
assert tried
