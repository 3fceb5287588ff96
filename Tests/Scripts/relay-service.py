"""A service manager is told when a relay accepts connections, and when it ends."""

import os
import re
import signal
import socket

from support.process import TIMEOUT
from support.stage import Stage

stage = Stage()
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
relay = stage.relay()


def told(name):
    """What a manager is told that listens at a socket of this name."""
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind("\0" + name[1:] if name.startswith("@") else name)
    manager.settimeout(TIMEOUT)
    running = stage.start(None, "relay", "start", str(relay.folder), env={"NOTIFY_SOCKET": name})
    assert manager.recv(100) == b"READY=1"
    # Whoever is told so can connect.
    place = relay.address.rsplit("@", 1)[1]
    host, port = place.rsplit(":", 1)
    socket.create_connection((host, int(port)), TIMEOUT).close()
    running.signal(signal.SIGTERM)
    assert manager.recv(100) == b"STOPPING=1"
    ended = running.ended()
    # The connection that was closed may have been counted as a failed handshake before the end.
    lines = [line for line in ended.err.splitlines() if not line.endswith("info: failed handshakes: 1")]
    assert ended.code == 0 and len(lines) == 2, ended.err
    assert re.fullmatch(TIME + r" info: tacit \S+ listens on port \d+ of 127.0.0.1, pid \d+", lines[0]), lines
    assert re.fullmatch(TIME + r" info: stopped by SIGTERM after \d+ s", lines[1]), lines


told(str(stage.folder / "notify"))
told(f"@tacit-test-{os.getpid()}")

# In the journal a line begins with its priority, and the time is that of the journal.
with open(stage.folder / "journal", "w") as journal:
    state = os.fstat(journal.fileno())
    stream = {"JOURNAL_STREAM": f"{state.st_dev}:{state.st_ino}"}
    running = stage.start(None, "relay", "start", str(relay.folder), env=stream, stderr=journal)
    assert running.line() == relay.address
    running.signal(signal.SIGTERM)
    assert running.ended().code == 0
lines = (stage.folder / "journal").read_text().splitlines()
assert len(lines) == 2 and all(re.match(r"<6>(tacit \S+ listens|stopped by) ", line) for line in lines), lines
# Another stream of that name is none.
running = stage.start(None, "relay", "start", str(relay.folder), env={"JOURNAL_STREAM": "1:2"})
assert running.line() == relay.address
running.signal(signal.SIGTERM)
assert re.match(TIME, running.ended().err)

# A manager that is gone is no reason not to serve.
running = stage.start(None, "relay", "start", str(relay.folder), env={"NOTIFY_SOCKET": str(stage.folder / "nobody")})
assert running.line() == relay.address
running.signal(signal.SIGTERM)
assert running.ended().code == 0
