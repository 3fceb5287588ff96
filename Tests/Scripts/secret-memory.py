"""What opens a store is not left in the memory of the process, and the keys are in memory that is never swapped."""

import fcntl
import os
import re
import subprocess

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
# The number of the call write(2).
WRITE = {"x86_64": 1}.get(os.uname().machine, 64)
MARKER = "correct-horse-battery-staple-marker-7391"
passphrase = stage.folder / "passphrase"
passphrase.write_text(MARKER + "\n")
passphrase.chmod(0o600)
stage.tacit("alice", "init", "--name", "alice", "--server", relay.address, "--key-file", str(passphrase))
stage.person("bob", relay)


def mappings(pid):
    """The places of memory that can be read and written, and how much of each is locked, in KiB."""
    found = []
    for line in open(f"/proc/{pid}/smaps"):
        head = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S{4})", line)
        if head:
            found.append([int(head[1], 16), int(head[2], 16), head[3], 0, ""])
        elif line.startswith("Locked:"):
            found[-1][3] = int(line.split()[1])
        elif line.startswith("VmFlags:"):
            found[-1][4] = line
    return found


def places(pid, needle):
    """The mappings in which something stands, once for each time."""
    found = []
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for mapping in mappings(pid):
            start, end, mode, *_ = mapping
            if not mode.startswith("rw"):
                continue
            memory.seek(start)
            try:
                content = memory.read(end - start)
            except OSError:
                continue
            found += [mapping] * content.count(needle)
    return found


def check(pid, what, most=0):
    found = places(pid, MARKER.encode())
    assert len(found) <= most and all("lo" in flags for *_, flags in found), (what, len(found), found)
    locked = [flags for *_, kib, flags in mappings(pid) if kib]
    assert locked and all(" dd" in flags for flags in locked), (what, locked)


def held_at_output(*words, most=0, **options):
    """A command that cannot write its result, because its output is full: it has done everything else."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.write(writer, bytes(4096))
    running = stage.start("alice", *words, stdout=writer, **options)
    os.close(writer)

    wait_until(lambda: is_writing(running.pid), "the output", running.process)
    check(running.pid, words, most)
    os.close(reader)
    running.process.kill()
    running.process.wait()


def is_writing(pid):
    """Whether the process waits in a call that writes to its output."""
    call = open(f"/proc/{pid}/syscall").read().split()
    return call[:2] == [str(WRITE), "0x1"]


if os.geteuid() != 0:
    print("skipped: the memory of a process, which only root may read")
    raise SystemExit

# A file, a descriptor, a program, and the environment.
sources = [
    (["--key-file", str(passphrase)], {}),
    (["--key-command", f"cat '{passphrase}'"], {}),
    # It is kept once, in locked memory, for a session that asks for it again.
    ([], {"env": {"TACIT_KEY": MARKER}, "most": 1}),
]
for words, options in sources:
    for command in (["db", "info"], ["status"]):
        held_at_output(*command, *words, **options)
with open(passphrase) as file:
    held_at_output("status", "--key-fd", "0", stdin=file)

# One that goes on for long.
daemon = stage.start("alice", "daemon", "run", "--key-file", str(passphrase))
assert daemon.error_line().startswith("accepting commands at ")
check(daemon.pid, "daemon")
stage.tacit("alice", "fetch", "--key-file", str(passphrase))
check(daemon.pid, "daemon after a command")
daemon.signal(15)
assert daemon.ended().code == 0

# Without a right to lock memory nothing fails, and doctor says so.
limited = "ulimit -l 0; setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock tacit doctor --json --key-file passphrase"
if subprocess.run(["setpriv", "--version"], capture_output=True).returncode == 0:
    ended = stage.shell("alice", f"SHELL=/bin/sh; {limited}")
    memory = next(found for found in ended.objects if found["check"] == "memory")
    assert memory["state"] == "warning" and "ulimit -l 8192" in memory["try"], memory
else:
    print("skipped: a process that may lock no memory, for which setpriv is needed")
