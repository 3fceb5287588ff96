# limit: 120
"""A store moves to another place, and the other side notices nothing. What is refused, and what is left of it: nothing."""

import os
import pty
import signal
import subprocess
import time
import zipfile
from pathlib import Path

from support.process import TIMEOUT, wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
files = stage.place("alice") / "files"
files.mkdir()
photo = os.urandom(300_000)
(files / "photo.jpg").write_bytes(photo)
(files / "größe.txt").write_text("grüße\n" * 1000)


def names(folder=stage.folder):
    return sorted(path.name for path in folder.iterdir())


def staging(name):
    """What an import or export works in."""
    return [entry for entry in os.listdir(stage.place(name)) if entry.startswith(".staging")]


def new_place(name):
    """A folder with nothing but the key of the store that moves."""
    stage.place(name).mkdir(mode=0o700)
    key = stage.place(name) / "key"
    key.write_bytes((stage.place("alice") / "key").read_bytes())
    key.chmod(0o600)


# From a to an empty b, and on.
stage.tacit("alice", "send", "@bob", "before the move")
stage.tacit("bob", "fetch")
exported = stage.tacit("alice", "export", "--freeze", "move.zip", "--json").objects[0]
assert exported["files"] == 2 and exported["frozen"] and exported["size"] == Path("move.zip").stat().st_size
assert Path("move.zip").stat().st_mode & 0o777 == 0o600
with zipfile.ZipFile("move.zip") as archive:
    assert archive.testzip() is None
    assert archive.read("simplex_v1_files/photo.jpg") == photo
    expected = ["simplex_v1_agent.db", "simplex_v1_chat.db", "simplex_v1_files/größe.txt", "simplex_v1_files/photo.jpg"]
    assert sorted(archive.namelist()) == expected

new_place("carol")
checked = stage.tacit("carol", "import", "--dry-run", "move.zip", "--json").objects[0]
assert checked["state"] == "dry-run" and names(stage.place("carol")) == ["key"]
found = [checked[name] for name in ("profiles", "contacts", "chats", "messages", "files")]
assert found == [1, 1, 1, 1, 2], found

stage.tacit("bob", "send", "@alice", "while it moves")
report = stage.tacit("carol", "import", "move.zip", "--json")
assert report.objects[0]["messages"] == 1 and "backup" not in report.objects[0]
assert "use only this store" in report.err
assert (stage.place("carol") / "files/photo.jpg").read_bytes() == photo

stage.play(r'''
    carol$ tacit fetch
    YYYY-MM-DD hh:mm  @bob  │ while it moves
    ! 1 new message
    carol$ tacit send @bob 'after the move'
    sent @bob m3
    bob$ tacit fetch
    YYYY-MM-DD hh:mm  @alice  │ after the move
    ! 1 new message
    carol$ tacit db check -q
    alice$ tacit send @bob 'from the old place'
    ! tacit: cannot send to '@bob': the store is frozen
    !   why: it was exported at YYYY-MM-DD hh:mm to be moved; if both are used, conversations break
    !   try: tacit db thaw    only if the archive is not in use
    [69]
    alice$ tacit fetch --json 2>&1 | grep -c store.frozen
    1
    alice$ tacit read --last 1
    YYYY-MM-DD hh:mm  to @bob  │ before the move
    alice$ tacit read --mark 2>&1 | head -1
    tacit: cannot read: the store is frozen
    alice$ tacit read --cursor c 2>&1 | head -1
    tacit: cannot read: the store is frozen
    alice$ tacit read --cursor c --exec 'echo run' 2>&1 | head -1
    tacit: cannot read: the store is frozen
    alice$ tacit read --cursor c --peek --plain --fields text | tail -1
    before the move
    alice$ tacit status --check --plain --fields frozen,problems
    true	store.frozen
    [1]
    alice$ tacit db thaw
    the store is active; do not use the archive
    alice$ tacit db thaw --json
    {"v":1,"type":"thaw","frozen_before":false}
''')

# How the archive and the store that is there are related.
back = stage.tacit("carol", "export", "--freeze", "-q", "back.zip")
assert stage.tacit("alice", "import", "--dry-run", "back.zip", "--json").objects[0]["relation"] == "newer"
assert stage.tacit("carol", "import", "--dry-run", "move.zip", "--json").objects[0]["relation"] == "older"
key = {"TACIT_KEY_FILE": str(stage.place("alice") / "key")}
other = stage.tacit("bob", "import", "--dry-run", "move.zip", "--json", env=key).objects[0]
assert other["relation"] == "none"
replaced = stage.tacit("alice", "import", "--replace", "back.zip", "--json").objects[0]
kept = Path(replaced["backup"])
assert names(kept)[0] == "files" and (kept / "files/photo.jpg").read_bytes() == photo
stage.values["OLD"] = str(kept)
stage.play(r'''
    alice$ tacit send @bob 'back again'
    sent @bob m4
    bob$ tacit fetch
    YYYY-MM-DD hh:mm  @alice  │ back again
    ! 1 new message
    alice$ TACIT_KEY_FILE=alice/key TACIT_DIR="$OLD" tacit read --last 1
    YYYY-MM-DD hh:mm  to @bob  │ before the move
''')

# What is refused before anything is done.
before = names()
stage.play(r'''
    alice$ tacit export move.zip
    ! tacit: cannot export to 'move.zip': the file exists already
    !   why: path: 'move.zip'
    !   try: tacit export --force move.zip    replace the file
    [73]
    alice$ tacit export --force /dev/null
    ! tacit: cannot export to '/dev/null': not a regular file
    !   why: path: '/dev/null'
    !   try: tacit export - > FILE    write to any file that the shell opens
    [73]
    alice$ tacit export --force alice/../alice/simplex_v1_chat.db
    ! tacit: cannot export to 'alice/../alice/simplex_v1_chat.db': the file is part of the store
    [73]
    alice$ tacit export nowhere/x.zip
    ! tacit: cannot export to 'nowhere/x.zip': cannot create the file
    !   why: 'nowhere/x.zip': no such file or directory
    [73]
    alice$ tacit export --target @bob x.zip
    ! tacit: '--target' needs '--format'
    !   why: an archive always contains the whole store
    !   try: --format html    export the readable history
    [64]
    alice$ tacit export --freeze --format txt x.txt
    ! tacit: '--format' and '--freeze' cannot be combined
    [64]
    alice$ tacit import missing.zip
    ! tacit: cannot import 'missing.zip': cannot read the archive
    !   why: 'missing.zip': no such file or directory
    [66]
    alice$ tacit import bin
    ! tacit: cannot import 'bin': it is a folder
    !   why: an archive is a file
    [66]
    alice$ tacit import move.zip
    ! tacit: cannot import 'move.zip': the store exists already
    !   why: only an empty store is replaced without --replace
    !   try: tacit import --replace FILE                 replace the store and keep a backup
    !   try: TACIT_DIR=/some/folder tacit import FILE    create another store
    [73]
    alice$ tacit export -q - | head -c 100 | wc -c
    100
    alice$ sh -c 'ulimit -f 1500; trap "" XFSZ; tacit export -q big.zip'
    ! tacit: cannot export to 'big.zip': file too large
    !   why: cannot write the file: file too large
    [74]
''')
assert names() == before, names()

# A terminal cannot show an archive.
controller, terminal = pty.openpty()
ended = stage.start("alice", "export", "-", stdout=terminal).ended()
assert ended.code == 64 and "cannot write an archive to a terminal" in ended.err, ended.err
os.close(terminal)
os.close(controller)

# Through a pipe, from one store to another.
new_place("dora")
stage.values["THERE"] = str(stage.place("dora"))
piped = stage.shell("alice", 'tacit export -q - | TACIT_DIR="$THERE" tacit import -q -')
assert piped.code == 0, piped.err
assert stage.tacit("dora", "read", "--json").out == stage.tacit("alice", "read", "--json").out

# Files that cannot be in the archive are warnings.
(files / "link").symlink_to("/etc/passwd")
(files / "tab\there").write_text("x")
os.mkfifo(files / "pipe")
warned = stage.tacit("alice", "export", "warned.zip", "--json").objects[0]
assert [warning["file"] for warning in warned["warnings"]] == ["link", "pipe", "tab\there"], warned
assert warned["files"] == 2

# Whoever is interrupted leaves nothing behind.
with open(files / "large", "wb") as large:
    large.truncate(1 << 29)
before = names()
marks = stage.tacit("alice", "status", "--json").objects[0]["exported_at"]
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
    running = stage.start("alice", "export", "large.zip")
    wait_until(lambda: staging("alice"), "a start", running.process)
    time.sleep(0.2)
    running.signal(number)
    assert running.ended().code == 128 + number
    assert names() == before, names()
    assert number == signal.SIGKILL or not staging("alice")
assert stage.tacit("alice", "status", "--json").objects[0]["exported_at"] >= marks
new_place("emma")
with open("large.zip", "wb") as stream:
    stage.start("alice", "export", "-", stdout=stream).ended()
# What was killed is tidied up by the next.
assert not staging("alice")
for number in (signal.SIGINT, signal.SIGKILL):
    running = stage.start("emma", "import", "large.zip")
    wait_until(lambda: staging("emma"), "a start", running.process)
    running.signal(number)
    assert running.ended().code == 128 + number
    assert stage.tacit("emma", "status", expect=78)
    left = [name for name in os.listdir(stage.place("emma")) if name not in ("lock", "key")]
    assert number == signal.SIGKILL or left == [], left
(files / "large").unlink()
stage.tacit("emma", "import", "warned.zip")
assert not staging("emma")
