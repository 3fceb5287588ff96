"""Where nothing can be written, what is there can still be read."""

import os
import shutil
import subprocess

from support.process import TIMEOUT
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
stage.tacit("bob", "send", "@alice", "still here")
stage.tacit("alice", "fetch")
READING = (
    ["read"], ["list"], ["status"], ["message", "search", "still"], ["db", "check"], ["list", "contacts", "--json"],
    ["export", "-", "--format", "txt"],
)  # fmt: skip

# No room on the disk, plain and encrypted.
stage.tacit("bob", "fetch")
for person in ("alice", "bob"):
    for words in READING:
        ended = stage.shell(person, "ulimit -f 1; tacit " + " ".join(words))
        assert ended.code == 0, (person, words, ended.out, ended.err)
ended = stage.shell("alice", "ulimit -f 1; tacit read")
assert "still here" in ended.out, ended

# A store on a medium that cannot be written. Root may write everywhere: it reads as somebody else then.
place = stage.folder / "medium"
shutil.copytree(stage.place("alice"), place)
who = {"user": "nobody"} if os.geteuid() == 0 else {}
os.chmod(stage.folder, 0o755)
for path in [*place.rglob("*"), place]:
    if who:
        shutil.chown(path, "nobody")
    path.chmod(0o500 if path.is_dir() else 0o400)


def read(*words):
    environment = stage._environment("alice", {"TACIT_DIR": str(place), "HOME": str(place)})
    return subprocess.run(
        [stage.program, *words], env=environment, cwd="/", capture_output=True, text=True, timeout=TIMEOUT, **who)


for words in READING:
    ended = read(*words)
    assert ended.returncode == 0, (words, ended)
assert "still here" in read("read").stdout
ended = read("send", "@bob", "hi")
assert ended.returncode != 0 and "sent" not in ended.stdout, ended
place.chmod(0o700)
