# limit: 240
"""File relays that work on one, two or three requests of a connection at a time, or answer slowly: a large file reaches them without a
stall, and no chunk twice."""

import os
import time

from support.hostile_relay import BusyRelay
from support.stage import FileRelay, Stage

stage = Stage()
messages = stage.relay("messages").start()
files = FileRelay(stage, "files")
stage.person("alice", messages)
stage.tacit("alice", "server", "add", files.files)
(stage.folder / "large.bin").write_bytes(os.urandom(24_000_000))
for requests, delay in (1, 0), (2, 0), (3, 0), (3, 0.3):
    busy = BusyRelay(files.folder, files.files, requests, delay)
    begun = time.monotonic()
    ended = stage.tacit("alice", "file", "send", "large.bin", "--timeout", "20s")
    assert time.monotonic() - begun < 25, (requests, delay, time.monotonic() - begun)
    assert "delayed" not in ended.err, ended.err
    assert len(busy.stored) == len(set(busy.stored)) >= 6, (requests, delay, len(busy.stored))
    busy.stop()
messages.stop()
