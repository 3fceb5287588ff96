"""What is wrong is found, with something to paste that helps."""

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")


def checks(person="alice", *words, env=None, expect=0):
    """The states by the names of checks, and what may help."""
    given = {"SHELL": "/bin/sh", **(env or {})}
    found = stage.tacit(person, "doctor", "--json", *words, env=given, expect=expect).objects
    assert expect == any(check["state"] == "failure" for check in found), found
    return {check["check"]: check["state"] for check in found}, [line for check in found for line in check["try"]]


WELL = ["config", "folders", "clock", "memory", "proxy", "terminal", "disk", "writer", "key", "store", "profile", "relays", "outbox", "contacts"]
assert checks() == ({name: "ok" for name in WELL}, [])
assert checks("alice", "--online")[0]["relay"] == "ok"
stage.tacit("alice", "status", "--check")

# No store, no home.
assert checks("nobody", expect=1)[0]["store"] == "failure"
assert checks("nobody", env={"TACIT_DIR": None, "HOME": None}, expect=1)[0]["folders"] == "failure"

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
