"""Files that are received without asking: by kind and size, by configuration and by command; the hook that is told; and the space
that files take."""
# limit: 180

import os
import signal
import stat

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob", files=True)
CONF = stage.place("bob") / "tacit.conf"


def send(name, size):
    (stage.folder / name).write_bytes(os.urandom(size))
    stage.tacit("alice", "send", "@bob", "--attach", name)


def state(name):
    return next((file["state"] for file in stage.tacit("bob", "file", "list", "--json").objects if file["name"] == name), None)


def accepted(*words):
    report = stage.tacit("bob", "file", "auto-accept", *words, "--json").objects[0]
    return {kind: report.get(kind) for kind in ("image", "voice", "video", "file")}


# By kind and size, in the store.
assert accepted() == {"image": None, "voice": None, "video": None, "file": None}
assert accepted("small", "--file", "1K") == {"image": 522240, "voice": 522240, "video": 1047552, "file": 1024}
assert accepted("--video", "none", "--image", "all")["video"] is None
assert accepted()["image"] == 2**63 - 1 and accepted()["file"] == 1024
stage.tacit("bob", "file", "auto-accept", "--file", "much", expect=64)
send("little", 1024), send("much", 1025)
stage.tacit("bob", "fetch")
assert (state("little"), state("much")) == ("ready", "offered")

# In the configuration, which replaces that of the store.
stage.tacit("bob", "config", "set", "file.accept", "none")
stage.tacit("bob", "config", "set", "file.accept_file", "2K")
assert accepted() == {"image": None, "voice": None, "video": None, "file": 2048}
send("two", 2048), send("three", 3000)
stage.tacit("bob", "fetch")
assert (state("two"), state("three")) == ("ready", "offered")
stage.play(r'''
    bob$ tacit file auto-accept all
    ! tacit: cannot set which files are accepted: tacit.conf says which files are accepted
    !   try: tacit config list --origin        show the settings and their sources
    !   try: tacit config unset file.accept    use the setting of the store
    [78]
''')
stage.tacit("bob", "config", "set", "file.accept_file", "lots", expect=64)

# By command, which replaces both.
send("four", 4000)
stage.tacit("bob", "fetch", "--files", "all")
assert state("four") == "ready"
send("five", 10)
stage.tacit("bob", "fetch", "--files", "none")
assert state("five") == "offered"
stage.tacit("bob", "fetch", "--files", "some", expect=64)

# The daemon honours the configuration, and a fetch beside it its own option.
daemon = stage.start("bob", "daemon", "run")
wait_until(lambda: stage.shell("bob", "tacit daemon status -q").code == 0, "the daemon")
send("six", 100), send("seven", 5000)
wait_until(lambda: state("six") == "ready" and state("seven") == "offered", "files by the daemon")
daemon.signal(signal.SIGTERM)
daemon.ended()
daemon = stage.start("bob", "daemon", "run", "--files", "all")
wait_until(lambda: stage.shell("bob", "tacit daemon status -q").code == 0, "the daemon")
send("eight", 5000)
wait_until(lambda: state("eight") == "ready", "a file by the daemon")
daemon.signal(signal.SIGTERM)
daemon.ended()
watch = stage.start("bob", "watch", "--files", "all")
send("nine", 5000)
wait_until(lambda: state("nine") == "ready", "a file by watch")
watch.signal(signal.SIGTERM)
out = watch.ended().out
assert "sent a file, which was received" in out and "nine, 5.0 kB, ready" in out, out

# A hook is told, with an id that commands take.
folder = stage.place("bob") / "hooks"
folder.mkdir(mode=0o700)
hook = folder / "on-file"
hook.write_text('#!/bin/sh\ncat >> "$TACIT_DIR/told"\nexec tacit file save "$TACIT_ID" --to "$TACIT_DIR/saved-$TACIT_EVENT"\n')
hook.chmod(0o755)
send("ten", 1000)
stage.tacit("bob", "fetch")
saved = stage.place("bob") / "saved-file"
wait_until(saved.exists, "the copy of the hook")
assert saved.read_bytes() == (stage.folder / "ten").read_bytes()
told = (stage.place("bob") / "told").read_text()
assert '"event":"file.received"' in told and '"file":{"id":"f' in told and '"name":"ten"' in told, told
hook.unlink()

# The space.
size = sum(path.stat().st_size for path in (stage.place("bob") / "files").iterdir())
assert size > 18_000
assert stage.tacit("bob", "status", "--json").objects[0]["files_size"] == size
assert stage.tacit("bob", "db", "info", "--json").objects[0]["files_size"] == size
assert "files       " in stage.tacit("bob", "status").out
# Both relays are named.
assert stage.tacit("bob", "status", "--json").objects[0]["file_servers"] == [relay.files]
lines = [line.split("  ", 1)[0] for line in stage.tacit("bob", "status").lines]
assert lines.index("file relay") == lines.index("relay") + 1, lines
purged = stage.tacit("bob", "file", "purge", "--older-than", "1ms", "--dry-run", "--json").objects
assert {file["name"] for file in purged} == {"little", "two", "four", "six", "eight", "nine", "ten"}
stage.tacit("bob", "file", "purge", "--older-than", "90d", "--yes")
assert stage.tacit("bob", "status", "--json").objects[0]["files_size"] == size
stage.tacit("bob", "file", "purge", "--older-than", "1ms", "--yes")
assert stage.tacit("bob", "status", "--json").objects[0]["files_size"] == 0
assert stage.tacit("bob", "read", "@alice", "--json", "--last", "50").out.count('"file"') >= 11

# A declined offer is aborted, in the answer and on the list, and can still be received.
send("eleven", 1000)
stage.tacit("bob", "fetch", "--files", "none")
assert state("eleven") == "offered"
file = next(each["id"] for each in stage.tacit("bob", "file", "list", "--json").objects if each["name"] == "eleven")
assert stage.tacit("bob", "file", "cancel", file).out.startswith(f"aborted 'eleven' {file} (")
stage.tacit("bob", "fetch", "--files", "all")
assert state("eleven") == "aborted"
# The path of a file in a folder has one slash, however that was named.
got = stage.tacit("bob", "file", "receive", file, "--to", "have/", "--json").objects[0]
assert got["state"] == "ready" and got["path"] == str(stage.folder / "have/eleven"), got

relay.stop()
