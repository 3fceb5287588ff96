"""The process that has the store open is killed while it is asked for something: every command ends with 75."""

import fcntl
import json
import os
import socket
import threading

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tacit("alice", "send", "@bob", "to be marked")
stage.tacit("bob", "fetch", "-q")
place = stage.place("bob")

# It holds the lock, shows that it takes requests, and hears nothing from then on: what is sent to it fails.
lock = open(place / "lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
path = str(stage.folder / "control.sock")
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen(16)
note = {"pid": os.getpid(), "command": "daemon run", "since": "2026-01-01T00:00:00.000Z", "socket": path}
lock.write(json.dumps(note) + "\n")
lock.flush()


def answer():
    while True:
        connection, _ = listener.accept()
        connection.makefile().readline()
        connection.shutdown(socket.SHUT_RD)
        connection.sendall(b'{"tacit":"0.1.0","core":1}\n')
        connection.close()


threading.Thread(target=answer, daemon=True).start()
for words in (
    ["read", "--mark"], ["read", "--cursor", "c"], ["cursor", "delete", "c"], ["send", "@alice", "hi"],
    ["watch", "--cursor", "c", "--timeout", "1s"], ["daemon", "reload"], ["contact", "mute", "@alice"],
):  # fmt: skip
    error = stage.tacit("bob", *words, "--lock-timeout", "1s", "--json", expect=75).error
    assert error["code"] in ("store.holder-ended", "store.busy"), (words, error)

# When it is gone, nothing was marked and nothing was sent.
lock.close()
stage.tacit("bob", "fetch", "-q")
assert [item["text"] for item in stage.tacit("bob", "read", "--unread", "--json").objects] == ["to be marked"]
assert stage.tacit("bob", "outbox", "list", "--json").out == ""
