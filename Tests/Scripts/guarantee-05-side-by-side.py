"""Guarantee 5: several commands at a time. Readers never wait; a writer waits as long as it may, and then says for whom."""

# limit: 120

import os
import select
import signal
import subprocess
import time

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tacit("alice", "send", "@bob", "hello")
stage.tacit("bob", "fetch", "-q")

# While one receives, everybody may read, at once.
watching = stage.start("bob", "watch", "--json")
stage.tacit("alice", "send", "@bob", "into the watch")
assert "into the watch" in watching.line()
for words in (["read"], ["list"], ["status"], ["cursor", "list"], ["outbox"], ["contact", "show", "@alice"],
              ["message", "show", "m1"], ["read", "--cursor", "c", "--peek"]):
    begin = time.monotonic()
    stage.tacit("bob", *words)
    assert time.monotonic() - begin < 5, words
assert stage.tacit("bob", "read", "--json").objects[-1]["text"] == "into the watch"

# An archive is the store of one moment, whoever writes to it meanwhile.
sending = [stage.start("alice", "send", "@bob", f"while it is copied {number}", "-q") for number in range(8)]
stage.tacit("bob", "export", "copy.zip", "-q", "--lock-timeout", "0s")
for process in sending:
    assert process.ended().code == 0
stage.place("copy").mkdir(mode=0o700)
key = {"TACIT_KEY_FILE": str(stage.place("bob") / "key")}
checked = stage.tacit("copy", "import", "--dry-run", "copy.zip", "--json", env=key).objects[0]
assert 2 <= checked["messages"] <= 10, checked
assert not [path for path in stage.place("bob").iterdir() if path.name.startswith(".staging")]
refused = stage.tacit("bob", "export", "--freeze", "copy2.zip", "--json", expect=75).error
assert refused["code"] == "store.shared" and not (stage.folder / "copy2.zip").exists(), refused

# Who writes meanwhile is served by it.
stage.tacit("bob", "send", "@alice", "beside the watch", "--lock-timeout", "0s")
stage.tacit("bob", "read", "--cursor", "beside", "--lock-timeout", "0s")
assert not stage.tacit("bob", "read", "--cursor", "beside").out
watching.signal(signal.SIGTERM)
assert watching.ended().code == 128 + signal.SIGTERM

# Who writes waits for a command that does one thing only, and is told for whom; nothing is printed before, so that nothing is
# done twice.
holder = stage.start("bob", "connect", "--wait", "connected", "--timeout", "60s")
holder.line()
stage.play(r'''
    bob$ tacit send @alice hi --lock-timeout 100ms
    ! tacit: cannot send to '@alice': the store is in use
    !   why: pid PID (tacit connect) has held it since YYYY-MM-DD hh:mm and did not end within 0.1 s
    !   try: tacit status                         show the process
    !   try: tacit --lock-timeout 60s send ...    wait longer
    [75]
    bob$ tacit read --cursor c --lock-timeout 0s -qq
    [75]
    bob$ tacit read --mark --lock-timeout 0s -qq
    [75]
    bob$ tacit fetch --if-free
''')
error = stage.tacit("bob", "send", "@alice", "hi", "--lock-timeout", "0s", "--json", expect=75).error
assert error["code"] == "store.busy" and error["details"]["pid"] == holder.pid, error
holder.signal(signal.SIGTERM)
holder.ended()
watching = stage.start("bob", "watch", "--json")
stage.tacit("alice", "send", "@bob", "once more")
while "once more" not in watching.line():
    pass

# It ends when it is told to, with the code of the signal, and the lock ends with it, however it ends.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
    watching.signal(number)
    assert watching.ended().code == 128 + number
    stage.tacit("bob", "send", "@alice", f"after {number}", "--lock-timeout", "0s", "--wait", "queued")
    watching = stage.start("bob", "watch", "--json")
    stage.tacit("alice", "send", "@bob", f"again {number}")
    while f"again {number}" not in watching.line():
        pass
watching.signal(signal.SIGTERM)
watching.ended()

# A watch whose reader stands still holds up nobody: not what it receives, nor those whose commands it carries out. What it
# could not say is said when the reader goes on.
reading, writing = os.pipe()
with os.fdopen(writing, "wb") as output:
    watching = stage.start("bob", "watch", "--json", stdout=output)
stage.tacit("alice", "send", "@bob", "the first")
for _ in range(12):
    stage.tacit("alice", "send", "@bob", "w" * 13000, "-q")
wait_until(lambda: len(stage.tacit("bob", "read", "--last", "12", "--search", "wwww", "--json").objects) == 12, "all")
stage.tacit("bob", "send", "@alice", "beside the stalled watch", "--lock-timeout", "2s")
stage.tacit("alice", "send", "@bob", "the last")
with os.fdopen(reading) as stream:
    for line in stream:
        if "the last" in line:
            break
    watching.signal(signal.SIGTERM)
    assert watching.ended().code == 128 + signal.SIGTERM

# So it is with a session that is fed from a pipe.
reading, writing = os.pipe()
with os.fdopen(writing, "wb") as output:
    piped = stage.start("bob", "repl", stdin=subprocess.PIPE, stdout=output)
piped.process.stdin.write(b"read @alice --last 12\nlist contacts\n")
piped.process.stdin.flush()
wait_until(lambda: select.select([reading], [], [], 0)[0], "output that nobody reads")
stage.tacit("bob", "send", "@alice", "beside the stalled session", "--lock-timeout", "2s")
piped.process.stdin.close()
piped.process.stdin = None
with os.fdopen(reading) as stream:
    whole = stream.read()
    assert "alice" in whole.rstrip().split("\n")[-1], whole[-300:]
assert piped.ended().code == 0

# Eight senders at once, beside a watch and without it: every message goes once, and no code but 0 and 75 is seen.


def send_together(name):
    senders = [
        stage.start("bob", "send", "@alice", f"{name} {sender} message {message}", "--lock-timeout", "15s", "-q")
        for message in range(3)
        for sender in range(8)
    ]
    codes = [sender.ended().code for sender in senders]
    assert set(codes) <= {0, 75} and codes.count(0) > 0, codes
    return {f"{name} {index % 8} message {index // 8}" for index, code in enumerate(codes) if code == 0}


watching = stage.start("bob", "watch", "--json")
stage.tacit("alice", "send", "@bob", "for the eight")
while "for the eight" not in watching.line():
    pass
sent = send_together("beside")
assert len(sent) == 24, sent
watching.signal(signal.SIGTERM)
watching.ended()
sent |= send_together("alone")
stage.tacit("bob", "fetch", "-q")
stage.tacit("alice", "fetch", "-q")
received = [m["text"] for m in stage.tacit("alice", "read", "--last", "1000", "--json").objects]
several = [text for text in received if text.startswith(("beside ", "alone "))]
assert len(several) == len(set(several)) and sent <= set(several), (sent, several)

# A slow reader of the output keeps nobody from writing.
for _ in range(30):
    stage.tacit("alice", "send", "@bob", "z" * 13000, "--wait", "queued")
stage.tacit("alice", "fetch", "-q")
stage.tacit("bob", "fetch", "-q")
reading = stage.start("bob", "read", "--cursor", "slow", "--json")
stage.tacit("bob", "send", "@alice", "meanwhile", "--lock-timeout", "2s")
ended = reading.ended()
assert ended.code == 0 and len(ended.lines) > 30, ended.err
