"""A relay for files without a reserve on a full disk: uploads are refused, nothing that is stored gets lost, and uploads are accepted
again when there is space."""

# limit: 120

import os
import re
import shutil
import subprocess

from support.files import Chunk, FileClient
from support.mounts import own_mounts
from support.stage import Stage

own_mounts()
if not shutil.which("openssl"):
    print("skipped: uploads (the program openssl signs commands)")
    raise SystemExit

stage = Stage()
disk = stage.folder / "disk"
disk.mkdir()
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "none", str(disk)], check=True)
words = ["--host", "127.0.0.1", "--listen", "127.0.0.1", "--port", "0", "--xftp-port", "0"]
_, address = stage.tacit(None, "relay", "init", "disk/relay", *words).out.split()
conf = disk / "relay/relay.conf"
conf.write_text(re.sub(r"(?m)^reserve_megabytes = \d+$", "reserve_megabytes = 0", conf.read_text()))
SIZE = 1 << 20


def start():
    running = stage.start(None, "relay", "start", "disk/relay")
    assert [running.line(), running.line()][1] == address
    return running


def is_stored(chunk, client):
    answer, size = chunk.download(client)
    return answer.startswith(b"FILE ") and size == len(chunk.data) + 16


running = start()
client = FileClient(address)
chunks = [Chunk(stage.folder, os.urandom(SIZE)).announce(client) for _ in range(20)]
answers = [chunk.upload(client) for chunk in chunks]
stored = [chunk for chunk, answer in zip(chunks, answers) if answer == b"OK"]
assert 5 < len(stored) < 16 and set(answers) == {b"OK", b"ERR QUOTA"}, answers
assert len(list((disk / "relay/files").iterdir())) == len(stored)
assert all(is_stored(chunk, client) for chunk in stored)

# Not even the database can grow.
with open(disk / "filler", "ab", buffering=0) as file:
    try:
        while file.write(b"x" * 4096):
            pass
    except OSError:
        pass
for _ in range(3):
    late = Chunk(stage.folder, b"x" * 65536)
    try:
        late.announce(client)
    except AssertionError as refused:
        assert "ERR QUOTA" in str(refused), refused
    else:
        assert late.upload(client) == b"ERR QUOTA"
assert all(is_stored(chunk, client) for chunk in stored)

# Space again.
(disk / "filler").unlink()
late = chunks[-1]
assert stored[0].delete(client) == b"OK" and stored[1].delete(client) == b"OK"
assert late.upload(client) == b"OK"
running.signal(9)
running.ended()
running = start()
client = FileClient(address)
assert all(is_stored(chunk, client) for chunk in [*stored[2:], late])
running.signal(15)
assert running.ended().code == 0
