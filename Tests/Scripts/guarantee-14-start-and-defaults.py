"""Guarantee 14: a start that costs little, a default profile, and a configuration file.

How long a start takes is measured by `make bench`; here it is counted what it asks of the disk, where strace is installed.
"""

import re
import shutil
import signal
import subprocess

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
conf = stage.place("alice") / "tacit.conf"

# The active profile is the default; another one is used without making it the active one.
stage.play(r'''
    alice$ tacit profile create work -q && tacit profile list --plain --fields name,active
    alice	true
    work	false
    alice$ tacit status --plain --fields profile; TACIT_PROFILE=work tacit status --plain --fields profile
    alice
    work
    alice$ tacit config set global.profile work -q; tacit status --plain --fields profile
    work
    alice$ TACIT_PROFILE=alice tacit status --plain --fields profile; tacit status --profile alice --plain --fields profile
    alice
    alice
    alice$ tacit profile list --plain --fields name,active; tacit config unset global.profile -q
    alice	true
    work	false
''')

# Every option has a default of one's own: for one command, for all, by the environment, on the line; the nearest wins.
stage.play(r'''
    alice$ tacit config set send.wait queued -q; tacit config set global.output json -q; tacit send @bob hi | sed 's/.*"state":"\([a-z]*\)".*/\1/'
    queued
    alice$ TACIT_SEND_WAIT=sent tacit send @bob hi | sed 's/.*"state":"\([a-z]*\)".*/\1/'
    sent
    alice$ TACIT_SEND_WAIT=sent tacit send @bob hi --wait queued --plain --fields state
    queued
    alice$ tacit config set send.output plain -q; tacit config set send.fields id,state -q; tacit send @bob hi
    m4	queued
    alice$ tacit status | cut -c 8-22
    "type":"status"
''')

# Without a connection what is sent waits.
conf.write_text("[global]\noffline = yes\n")
stage.play(r'''
    alice$ tacit send @bob late --plain --fields state
    queued
    ! tacit: cannot send to '@bob': --offline is set
    !   why: the message is in the outbox and will be sent by the next fetch
    !   try: tacit fetch    try again
    [75]
''')
assert stage.tacit("alice", "net", "test", expect=75)
conf.unlink()
stage.tacit("alice", "fetch", "-q")
assert stage.tacit("alice", "status", "--plain", "--fields", "outbox").out == "0\n"

# A process that keeps the store open is connected: it does not send what must not be sent, and reads the same files.
daemon = stage.start("alice", "daemon", "run")
wait_until(lambda: '"command":"daemon' in stage.tacit("alice", "status", "--json").out, "the daemon")
assert "is online" in stage.tacit("alice", "send", "@bob", "x", "--offline", expect=75).err
assert stage.tacit("alice", "status", "--plain", "--fields", "outbox").out == "0\n"
conf.write_text("[alias]\ns = send\n[send]\nfields = state\n")
assert stage.tacit("alice", "s", "@bob", "x").out == "sent\n"
conf.unlink()
daemon.signal(signal.SIGTERM)
daemon.ended()
stage.tacit("bob", "fetch", "-q")

# What is said of a run, and where.
log = stage.folder / "log"
stage.tacit("bob", "fetch", "-q", "--log-file", str(log))
text = log.read_text()
assert re.search(r"^\d{4}-\d\d-\d\dT[\d:.]+Z \d+ fetch: connected to 127\.0\.0\.1:\d+$", text, re.MULTILINE), text
assert log.stat().st_mode & 0o777 == 0o600
stage.tacit("alice", "send", "@bob", "a secret")
ended = stage.tacit("bob", "fetch", "-q", "-vv", env={"TACIT_LOG": str(log)})
text = log.read_text().removeprefix(text)
assert "store: opened" in text and "chat: new: m" in text and ended.err == "", (text, ended.err)
assert "alice" not in re.sub(r"/\S+", "", text) and "secret" not in text, text
stage.tacit("alice", "send", "@bob", "a secret")
ended = stage.tacit("bob", "fetch", "-q", "-vv", "--no-scrub")
assert "warning: the log contains names" in ended.err and "of c1 '@alice'" in ended.err, ended.err
assert "secret" not in ended.err
stage.play(r'''
    bob$ tacit status --log-file nowhere/log
    ! tacit: cannot begin: cannot write the log
    !   why: 'nowhere/log': no such file or directory
    [74]
    bob$ tacit db check --progress json --json 2>steps; head -c 56 steps | cut -c 8-
    {"v":1,"type":"db-check","ok":true,"findings":[]}
    "type":"progress","command":"db check","message":
    bob$ tacit db check --progress json --json 2>&1 >/dev/null | wc -l | awk '{ print ($1 > 0) }'
    1
    bob$ tacit db check --progress never
    the store is undamaged
''')

# One attempt to open each file, and one read of that which is there.
if shutil.which("strace"):
    (stage.place("bob") / "tacit.conf").write_text("[global]\nutc = yes\n")
    trace = stage.folder / "trace"
    words = ["strace", "-o", str(trace), "-e", "trace=openat,open", stage.program, "version"]
    if subprocess.run(words, env=stage._environment("bob", None), capture_output=True).returncode == 0:
        opened = re.findall(r'"([^"]*tacit\.conf)"', trace.read_text())
        assert opened == [str(stage.place("bob") / "tacit.conf"), "/etc/tacit/tacit.conf"], opened
else:
    print("skipped: what a start opens, because strace is not installed")
