"""Nothing of a used store can be read on the disk without its key."""

import json
from pathlib import Path

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "robert")
texts = [f"the gold is under the {tree} tree" for tree in ("oak", "elm", "ash")]
for text in texts:
    stage.tacit("alice", "send", "@robert", text)
stage.tacit("robert", "fetch", "-q")
stage.tacit("robert", "send", "@alice", "understood and digging")
stage.tacit("alice", "fetch", "-q")
link = stage.tacit("alice", "address", "create").out.split()[-1]
stage.tacit("alice", "profile", "create", "Persephone")

# Everything changes its place once: a compact store, one in clear and back, a backup, an upgrade, another key.
stage.tacit("alice", "db", "compact")
stage.tacit("alice", "db", "rekey", "--new-key-file", "second.key")
key = ["--key-file", "second.key"]
stage.tacit("alice", "db", "backup", str(stage.place("alice") / "backup"), *key)
stage.tacit("alice", "db", "upgrade", *key)

# A process that is killed while it writes leaves its log behind.
holder = stage.start("alice", "connect", "--wait", "connected", "--timeout", "60s", *key)
invitation = holder.line()
log = stage.place("alice") / "simplex_v1_chat.db-wal"
assert log.stat().st_size > 0
holder.process.kill()
holder.ended()

first, second = (Path(path).read_text().strip() for path in ("alice/key", "second.key"))
servers = json.loads(stage.tacit("alice", "status", "--json", *key).out)["servers"]
secrets = [*texts, "understood and digging", "alice", "robert", "Persephone", relay.address, *servers, link, invitation]
secrets += [link.split("#")[-1], invitation.split("#")[-1], "CREATE TABLE", "contacts", first, second]


def forms(text):
    """The bytes in which a text may lie on a disk."""
    return {text.encode(), text.encode("utf-16-le"), text.encode("utf-16-be"), text.upper().encode()}


def search(folder, names):
    found = []
    for path in sorted(folder.rglob("*")):
        # The keys lie beside this store because everything is in one folder here; the lock names a process.
        if path.is_file() and path.name not in ("key", "lock"):
            contents = path.read_bytes()
            found += [(path.name, text) for text in names for form in forms(text) if form in contents]
    return found


assert search(stage.place("alice"), secrets) == [], search(stage.place("alice"), secrets)
# The search would find them.
stage.tacit("alice", "db", "decrypt", "--yes", *key)
clear = {text for _, text in search(stage.place("alice"), secrets)}
assert {*texts, "alice", "robert", "Persephone", "CREATE TABLE"} <= clear, clear
# And no copy in clear is left behind.
stage.tacit("alice", "db", "encrypt", "--new-key-file", "third.key")
left = search(stage.place("alice"), secrets)
assert left == [], left
assert relay.stop().code == 0
