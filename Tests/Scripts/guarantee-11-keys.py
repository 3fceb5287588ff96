"""Guarantee 11: secrets rest encrypted, the key comes in decent ways, and nobody else gets to see it."""

# limit: 120

import os
import re
import signal
import stat
from pathlib import Path

from support.process import open_files, wait_until
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
SECRET = "a passphrase that stands nowhere else 7c1f"
SAID = "what was said stands nowhere in clear 91ab"


def file(name, text, mode=0o600):
    path = stage.folder / name
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return str(path)


words = file("words.txt", SECRET + "\n")
file("credentials/tacit.key", SECRET)
stage.person("bob", relay)
stage.tacit("alice", "init", "--name", "alice", "--server", relay.address, "--key-file", words)
own = {"TACIT_KEY_FILE": words}
link = stage.tacit("alice", "connect", env=own).out.strip()
stage.tacit("bob", "connect", link)
for person, env in (("alice", own), ("bob", None), ("alice", own)):
    stage.tacit(person, "fetch", env=env)
stage.tacit("alice", "send", "@bob", SAID, env=own)

# Encrypted unless somebody spells out that it must not be: nothing of it stands in any file.
for person in ("alice", "bob"):
    stage.tacit("bob", "fetch")
    for path in stage.place(person).rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        assert not any(text.encode() in content for text in (SECRET, SAID, "alice", relay.address)), path
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path

# Each way to hand over the key, with and without an option. The first that is given counts.
GIVEN = [
    ("tacit list -q --key-file words.txt", {}),
    ("tacit list -q --key-fd 5 5< words.txt", {}),
    ("tacit list -q --key-fd 0 < words.txt", {}),
    ("tacit list -q --key-command 'cat words.txt'", {}),
    ("tacit list -q", {"TACIT_KEY_FILE": words}),
    ("tacit list -q 6< words.txt", {"TACIT_KEY_FD": "6"}),
    ("tacit list -q", {"TACIT_KEY_COMMAND": "cat words.txt"}),
    ("tacit list -q", {"CREDENTIALS_DIRECTORY": str(stage.folder / "credentials")}),
    ("tacit list -q", {"TACIT_KEY": SECRET}),
]
for line, env in GIVEN:
    assert stage.shell("alice", line, env=env).code == 0, (line, env)
    wrong = {**env, **({"TACIT_KEY_COMMAND": "echo wrong"} if "TACIT_KEY_FILE" in env else {})}
    assert stage.shell("alice", line, env=wrong).code == 0, (line, wrong)

# There is no way to write it on the command line, where every user of the machine reads it.
for option in ("--key", "--passphrase", "--password"):
    assert stage.tacit("alice", "list", option, SECRET, expect=64).out == ""
assert not re.search(r"--(key|passphrase) ", stage.tacit(None, "--help").out)

# Files that others may read are refused, whoever names them.
file("open.txt", SECRET, 0o644)
file("group.txt", SECRET, 0o640)
for name in ("open.txt", "group.txt"):
    for line, env in ((f"tacit list --key-file {name}", {}), ("tacit list", {"TACIT_KEY_FILE": name})):
        ended = stage.shell("alice", line, env=env)
        assert ended.code == 77 and "other users can read" in ended.err and SECRET not in ended.err, ended.err


def descendants(pid):
    """The processes that a process has started, and those that they have."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [int(child) for child in children] + [each for child in children for each in descendants(child)]


def traces(pid):
    """Whatever other processes of the same user see of one: its words, and its environment."""
    found = b""
    for name in ("cmdline", "environ"):
        try:
            found += Path(f"/proc/{pid}/{name}").read_bytes()
        except OSError:
            pass
    return found


# While it runs, and in the programs that it starts, there is no trace of the key: the programs write down what they see
# of themselves and of the one that started them.
look = 'cat /proc/$$/environ /proc/$$/cmdline /proc/$PPID/environ /proc/$PPID/cmdline >> seen; env >> seen; cat words.txt'
for env, options in (({"TACIT_KEY": SECRET}, ["--key-command", look]), ({"TACIT_KEY": SECRET, "TACIT_KEY_COMMAND": look}, [])):
    stage.tacit("alice", "list", *options, env=env)
program = 'cat /proc/$$/environ /proc/$$/cmdline >> seen; env >> seen; cat > /dev/null'
for env in ({"TACIT_KEY": SECRET}, own, {"TACIT_KEY_COMMAND": "cat words.txt"}):
    stage.tacit("alice", "read", "--cursor", "look", "--peek", "--exec", program, env=env)
seen = (stage.folder / "seen").read_bytes()
assert b"PATH=" in seen and SECRET.encode() not in seen, "a child was given the key"

for env, streams in (({"TACIT_KEY": SECRET}, {}), (own, {})):
    watching = stage.start("alice", "watch", "-q", env=env, **streams)
    wait_until(lambda: str(watching.pid) in (stage.place("alice") / "lock").read_text(), "the lock", watching.process)
    for pid in [watching.pid, *descendants(watching.pid)]:
        assert traces(pid) and SECRET.encode() not in traces(pid), f"/proc/{pid} shows the key"
    # It is not dumped with the memory when something goes wrong.
    limits = Path(f"/proc/{watching.pid}/limits").read_text()
    assert re.search(r"Max core file size +0 +0 ", limits), limits
    # It leaves no descriptor of the key file open behind it.
    names = open_files(watching.pid)
    assert words not in names, names
    watching.signal(signal.SIGTERM)
    assert watching.ended().code == 143

# Nothing that is printed or logged holds it, however loud.
for options in (["-vv"], ["-vv", "--json"]):
    for command in (["status"], ["db", "info"], ["fetch"]):
        ended = stage.tacit("alice", *command, *options, env=own)
        assert SECRET not in ended.out + ended.err

# The keyring of the kernel keeps it for as long as it was told to, where there is one.
kept = stage.start("alice", "unlock", "--for", "2s", env=own).ended()
if kept.code == 71:
    print("skipped: the keyring of this kernel cannot be used")
else:
    assert kept.code == 0, kept.err
    stage.tacit("alice", "list")
    stage.tacit("alice", "lock")
    assert "no key was given" in stage.tacit("alice", "list", expect=77).err
    stage.tacit("alice", "unlock", "--for", "1s", env=own)
    wait_until(lambda: stage.start("alice", "list").ended().code == 77, "the end of the second")

# A wrong key opens nothing and spoils nothing; it is told from damage.
assert stage.tacit("alice", "list", "--json", expect=77, env={"TACIT_KEY": "wrong"}).error["code"] == "key.wrong"
assert stage.tacit("alice", "read", "--json", env=own).objects[-1]["text"] == SAID
