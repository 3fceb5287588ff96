"""What is wrong is found, with something to paste that helps."""

import shlex
import shutil

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")


def checks(person="alice", *words, env=None, expect=0):
    """The states by the names of checks, and what may help."""
    given = {"SHELL": "/bin/sh", **(env or {})}
    found = stage.tacit(person, "doctor", "--json", *words, env=given, expect=expect).objects
    assert expect == any(check["state"] == "failure" for check in found), found
    return {check["check"]: check["state"] for check in found}, [line for check in found for line in check["try"]]


WELL = ["config", "folders", "hooks", "clock", "memory", "proxy", "terminal", "disk", "writer", "key", "store", "profile", "relays", "outbox", "contacts"]
assert checks() == ({name: "ok" for name in WELL}, [])
assert checks("alice", "--online")[0]["relay"] == "ok"
stage.tacit("alice", "status", "--check")

# No store, no home.
assert checks("nobody", expect=1)[0]["store"] == "failure"
assert checks("nobody", env={"TACIT_DIR": None, "HOME": "relative"}, expect=1)[0]["folders"] == "failure"

# The shell.
states, tries = checks(env={"SHELL": "/usr/bin/fish"})
if states["completion"] == "warning":
    stage.shell("alice", tries[0])
    assert checks(env={"SHELL": "/usr/bin/fish"})[0]["completion"] == "ok"

# The configuration, the proxy, folders.
conf = stage.place("alice") / "tacit.conf"
conf.write_text("[send]\nwiat = sent\n")
states, tries = checks(expect=1)
assert states["config"] == "failure" and "tacit config check" in tries
conf.write_text("[alias]\nsend = read\n")
assert checks()[0]["config"] == "warning"
conf.write_text("[global]\ncolor = perhaps\n")
assert checks(expect=1)[0]["config"] == "failure"
conf.unlink()
assert checks(env={"TACIT_REQUIRE_PROXY": "yes"}, expect=1)[0]["proxy"] == "failure"
assert checks(env={"TACIT_PROXY": "nonsense"}, expect=1)[0]["proxy"] == "failure"
stage.place("alice").chmod(0o755)
states, tries = checks()
assert states["folders"] == "warning"
stage.shell("alice", tries[0])
assert checks()[0]["folders"] == "ok"
stage.place("alice").chmod(0o722)
assert checks(expect=1)[0]["folders"] == "failure"
stage.place("alice").chmod(0o700)

# Hooks that are not run, and files that are none.
def hooks():
    ended = stage.start("alice", "doctor", "--json", env={"SHELL": "/bin/sh"}).ended()
    return [check for check in ended.objects if check["check"] == "hooks"]


folder = stage.place("alice") / "hooks"
folder.mkdir(mode=0o700)
hook = folder / "on-message"
hook.write_text("#!/bin/sh\n")
for mode, words in ((0o600, "it is not executable"), (0o722, "other users can write to it")):
    hook.chmod(mode)
    states, tries = checks(expect=1)
    assert states["hooks"] == "failure", states
    assert hooks()[0]["message"] == f"on-message is not run: {words}", hooks()
    for line in tries:
        stage.shell("alice", line)
    assert checks()[0]["hooks"] == "ok", hooks()
folder.chmod(0o770)
states, tries = checks(expect=1)
assert states["hooks"] == "failure" and tries == [f"chmod go-w {folder}"], tries
stage.shell("alice", tries[0])
assert hooks() == [{"v": 1, "type": "doctor", "check": "hooks", "state": "ok", "message": "on-message", "try": []}]
hook.unlink()
for name, line in (("on-mesage", "mv -n"), ("on-message.sh", "mv -n"), ("notes.txt", "tacit help hooks"), ("a\tb'c", "tacit help hooks")):
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(0o700)
    states, tries = checks()
    assert states["hooks"] == "warning" and tries[0].startswith(line), (states, tries)
    if line == "mv -n":
        stage.shell("alice", tries[0])
        assert hook.exists() and checks()[0]["hooks"] == "ok"
        hook.unlink()
    else:
        (folder / name).unlink()
(folder / "lib").mkdir()
(folder / ".on-message.swp").write_text("")
assert checks()[0]["hooks"] == "ok"

# What hook list says of them.
(folder / "on-mesage").write_text("")
(folder / "\x1b[31mred").write_text("")
hook.write_text("")
hook.chmod(0o600)
found = {entry["hook"]: entry for entry in stage.tacit("alice", "hook", "list", "--json").objects}
assert len(found) == 9 and "lib" not in found, found
assert (found["on-mesage"]["state"], found["on-mesage"]["reason"]) == ("unknown", "no hook has this name; did you mean on-message?")
assert found["\x1b[31mred"]["state"] == "unknown" and found["on-message"]["reason"] == "it is not executable"
assert found["on-error"]["state"] == "missing" and found["on-mesage"]["path"] == str(folder / "on-mesage")
text = stage.tacit("alice", "hook", "list").out
assert "on-mesage" in text and "\x1b" not in text, text
shutil.rmtree(folder)

# A full disk is a failure, and nearly none is a warning.
FULL = """
mount -t tmpfs -o size=3m,mode=700 tmpfs "$1" || exit
TACIT_DIR="$1" tacit init --no-encryption -q
TACIT_DIR="$1" tacit doctor --json
echo "--- $?"
dd if=/dev/zero of="$1/filler" bs=64k 2>/dev/null || true
code=0
TACIT_DIR="$1" tacit doctor --json || code=$?
echo "--- $code"
"""
(stage.folder / "small").mkdir()
ended = stage.shell("alice", f"unshare -rm true && unshare -rm sh -c {shlex.quote(FULL)} sh {stage.folder}/small")
if "---" in ended.out:
    before, after = ended.out.split("---")[:2]
    assert '"check":"disk","state":"warning"' in before, ended.out + ended.err
    assert '"check":"disk","state":"failure","message":"the disk is full' in after, ended.out + ended.err
    assert ended.out.split("--- ")[2].startswith("1"), ended.out
else:
    print("skipped: a full disk, which needs a file system of its own: " + ended.err.strip())

# Who writes.
holder = stage.start("alice", "connect", "--wait", "connected", "--timeout", "60s")
holder.line()
found = stage.tacit("alice", "doctor", "--json").objects
assert f"pid {holder.pid}, tacit connect" in next(check for check in found if check["check"] == "writer")["message"]
holder.signal(15)
holder.ended()

# What status --check finds.
relay.kill()
stage.tacit("alice", "send", "@bob", "late", expect=75)
stage.tacit("alice", "status", "--check", expect=1)
states, tries = checks(expect=1)
assert states["outbox"] == "failure" and "tacit fetch" in tries
assert checks("alice", "--online", expect=1)[0]["relay"] == "failure"
assert checks("alice", "--online", "--offline", expect=1)[0]["relay"] == "failure"
relay.start()
stage.shell("alice", "tacit fetch -q")
assert checks() == ({name: "ok" for name in WELL}, [])
stage.tacit("empty", "init", "--no-encryption")
stage.tacit("empty", "status", "--check", expect=1)
states, tries = checks("empty", expect=1)
assert (states["profile"], states["key"]) == ("failure", "warning") and "tacit db encrypt" in tries
stage.tacit("empty", "profile", "create", "empty")
stage.tacit("empty", "status", "--check", expect=1)
assert checks("empty", expect=1)[0]["relays"] == "failure"

# The key.
(stage.place("alice") / "key").chmod(0o644)
states, tries = checks(expect=1)
assert states["key"] == "failure" and f"chmod 600 {stage.place('alice') / 'key'}" in tries
stage.shell("alice", next(line for line in tries if line.startswith("chmod")))
assert checks()[0]["key"] == "ok"
(stage.place("alice") / "key").rename(stage.folder / "key")
assert checks(expect=1)[0]["key"] == "failure"

# For people.
screen = stage.shell("bob", "SHELL=/bin/sh tacit doctor").out.splitlines()
assert len(screen) == len(WELL) and all(line.startswith("ok       ") for line in screen), screen
assert stage.tacit("bob", "doctor", "--plain", "--fields", "state", env={"SHELL": "/bin/sh"}).lines == ["ok"] * len(WELL)
