# limit: 120
"""Guarantee 13: a program of mine runs when something happens, is told of everything at least once, and can veto what is sent."""

import json
import signal
import stat
import time

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tacit("alice", "fetch", "-q")


def hook(person, name, script, mode=0o755):
    folder = stage.place(person) / "hooks"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / name
    path.unlink(missing_ok=True)
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(mode)


def told(person, name="told"):
    """What hooks wrote down that were told of something."""
    path = stage.place(person) / name
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def forget(person, name="told"):
    (stage.place(person) / name).unlink(missing_ok=True)


def listed(person, name):
    return next(h for h in stage.tacit(person, "hook", "list", "--json").objects if h["hook"] == name)


LISTEN = 'cat >> "$TACIT_DIR/told"\n'

# A hook takes only so long, and what it has started ends with it. That takes half a minute, in the meantime:
hook("alice", "on-error", 'sleep 300 & echo $! > "$TACIT_DIR/sleeper"; trap "" TERM; wait; sleep 300\n')
slow = stage.start("alice", "hook", "test", "on-error", "--json")
began = time.monotonic()

# What a hook is told is what watch prints, and what is in the environment are ids.
hook("bob", "on-message", LISTEN + 'env > "$TACIT_DIR/environment"; tr "\\0" " " < /proc/$$/cmdline > "$TACIT_DIR/arguments"\n')
watching = stage.start("bob", "watch", "--json")
stage.tacit("alice", "send", "@bob", "a secret; with 'quotes' and\na second line")
line = json.loads(watching.line())
wait_until(lambda: told("bob") and listed("bob", "on-message")["waiting"] == 0, "the hook")
watching.signal(signal.SIGTERM)
watching.ended()
assert told("bob") == [line], told("bob")
assert line["type"] == "message" and line["text"].endswith("second line")
environment = dict(
    v.split("=", 1) for v in (stage.place("bob") / "environment").read_text().splitlines() if v.startswith("TACIT_")
)
assert environment["TACIT_EVENT"] == "message" and environment["TACIT_ID"] == line["id"]
assert environment["TACIT_CHAT_ID"] == line["chat_id"] and environment["TACIT_PROFILE"] == "id:p1"
for name in ("environment", "arguments"):
    text = (stage.place("bob") / name).read_text()
    assert "secret" not in text and "alice" not in text, text
forget("bob")

# A command that ends waits for the hook. The key does not go on to it; what it writes is no result.
key = (stage.place("bob") / "key").read_text().strip()
hook("bob", "on-message", LISTEN + 'env > "$TACIT_DIR/environment"; echo noise\n')
stage.tacit("alice", "send", "@bob", "one")
stage.tacit("alice", "send", "@bob", "two")
ended = stage.tacit("bob", "fetch", "--json", env={"TACIT_KEY": key})
assert [o.get("text") for o in ended.objects if o["type"] == "message"] == ["one", "two"] and "noise" in ended.err
assert [m["text"] for m in told("bob")] == ["one", "two"]
text = (stage.place("bob") / "environment").read_text()
assert "TACIT_KEY=" not in text and key not in text
forget("bob")

# A hook may use tacit while it runs: the store is free.
hook("bob", "on-message", 'test "$(tacit read --last 1 --plain --fields text)" = ping && tacit send "id:$TACIT_CHAT_ID" pong\n')
stage.tacit("alice", "send", "@bob", "ping")
ended = stage.tacit("bob", "fetch", "-q")
stage.tacit("alice", "fetch", "-q")
assert stage.tacit("alice", "read", "--last", "1", "--plain", "--fields", "text").out == "pong\n"

# The same while another process has the store open, which carries out what the hook asks for.
running = stage.start("bob", "daemon", "run", "-q")
wait_until(lambda: stage.shell("bob", "tacit daemon status -q --json").code == 0, "the daemon")
stage.tacit("alice", "send", "@bob", "ping")
wait_until(
    lambda: stage.tacit("bob", "read", "--last", "1", "--plain", "--fields", "text").out == "pong\n", "the answer"
)
wait_until(lambda: listed("bob", "on-message")["waiting"] == 0, "the end of the hook")
running.signal(signal.SIGTERM)
ended = running.ended()
assert ended.code == 0 and ended.err.startswith("sent @alice"), ended.err
stage.tacit("alice", "fetch", "-q")

# A failure loses nothing and ends nothing. The same is told three times more, by later commands too, and no more then.
hook("bob", "on-message", LISTEN + "exit 3\n")
stage.tacit("alice", "send", "@bob", "hard")
for attempt in range(1, 7):
    ended = stage.tacit("bob", "fetch", "--json", *(["--idle", "0s"] if attempt > 1 else []))
    state = listed("bob", "on-message")
    assert len(told("bob")) == min(attempt, 4), (attempt, told("bob"))
    assert (state["waiting"], state["failed"]) == ((1, 0) if attempt < 4 else (0, 1)), state
    assert "exit code 3" in state["problem"]
assert {m["text"] for m in told("bob")} == {"hard"} and state["ids"] == [told("bob")[0]["id"]]
assert stage.tacit("bob", "read", "--last", "1", "--plain", "--fields", "text").out == "hard\n"
forget("bob")

# Whatever is killed, the next command tells again.
hook("bob", "on-message", LISTEN + "kill -9 $PPID\n")
stage.tacit("alice", "send", "@bob", "again")
assert stage.start("bob", "fetch", "-q").ended().code == 128 + signal.SIGKILL
hook("bob", "on-message", LISTEN)
stage.tacit("bob", "fetch", "-q")
assert [m["text"] for m in told("bob")] == ["again", "again"]
stage.tacit("bob", "fetch", "-q")
assert len(told("bob")) == 2 and listed("bob", "on-message")["waiting"] == 0
forget("bob")

# One at a time, in order, whoever makes the calls.
hook("bob", "on-message", 'mkdir "$TACIT_DIR/busy" || exit 1\n' + LISTEN + 'sleep 0.1; rmdir "$TACIT_DIR/busy"\n')
for number in range(6):
    stage.tacit("alice", "send", "@bob", f"{number}", "--wait", "queued")
stage.tacit("alice", "fetch", "-q")
runs = [stage.start("bob", "fetch", "-q") for _ in range(3)]
for run in runs:
    ended = run.ended()
    assert (ended.code, ended.err) == (0, ""), ended.err
assert [m["text"] for m in told("bob")] == list("012345"), told("bob")
forget("bob")

# One that others could have put there is not run, and that is said. Without a hook nothing is written down.
for path, mode in ((stage.place("bob") / "hooks/on-message", 0o757), (stage.place("bob") / "hooks", 0o770)):
    before = stat.S_IMODE(path.stat().st_mode)
    path.chmod(mode)
    stage.tacit("alice", "send", "@bob", "for nobody")
    ended = stage.tacit("bob", "fetch", "-q")
    assert "tacit: warning: the hook on-message is ignored: other users can write to it" in ended.err, ended.err
    assert listed("bob", "on-message")["state"] == "ignored" and listed("bob", "on-message")["waiting"] == 0
    path.chmod(before)
stage.tacit("bob", "fetch", "-q")
assert told("bob") == []
hook("bob", "on-message", LISTEN, mode=0o644)
assert listed("bob", "on-message")["reason"] == "it is not executable"
(stage.place("bob") / "hooks/on-message").unlink()

# The other occasions.
for name in ("on-receipt", "on-request", "on-connected", "on-error"):
    for person in ("alice", "bob"):
        if (person, name) != ("alice", "on-error"):
            hook(person, name, 'cat >> "$TACIT_DIR/told-$TACIT_EVENT"\n')
sent = stage.tacit("alice", "send", "@bob", "with a receipt", "--json").objects[0]
stage.tacit("bob", "fetch", "-q")
stage.tacit("alice", "fetch", "-q")
receipt = told("alice", "told-receipt")[-1]
assert (receipt["type"], receipt["id"], receipt["state"]) == ("send", sent["id"], "delivered"), receipt
address = stage.tacit("bob", "address", "create").out.strip()
stage.person("carol", relay)
stage.tacit("carol", "connect", address)
stage.tacit("bob", "fetch", "-q")
(request,) = told("bob", "told-request")
assert (request["event"], request["name"]) == ("request.received", "carol"), request
stage.tacit("bob", "accept", "carol")
stage.tacit("carol", "fetch", "-q")
stage.tacit("bob", "fetch", "-q")
(connected,) = told("bob", "told-connected")
assert (connected["event"], connected["chat"]) == ("contact.connected", "@carol"), connected
stage.tacit("carol", "contact", "delete", "@bob", "--yes", "--quietly")
stage.tacit("bob", "send", "@carol", "gone", "--json", expect=69)
error = told("bob", "told-error")[-1]
assert (error["type"], error["state"], error["reason"]) == ("send", "failed", "refused"), error

# Nothing is sent that the hook does not agree with, in whatever way, and nothing is stored.
hook("alice", "pre-send", 'cat > "$TACIT_DIR/draft"; ! grep -q confidential "$TACIT_DIR/draft"\n')
before = stage.tacit("alice", "read", "--json").out
stage.play(r'''
    alice$ tacit send @bob 'this is confidential'
    ! tacit: cannot send to '@bob': the hook pre-send rejected the message
    !   why: the hook ended with exit code 1; nothing was sent or stored
    !   try: tacit hook list    list the hooks
    [77]
''')
assert stage.tacit("alice", "send", "@bob", "confidential", "--json", expect=77).error["code"] == "hook.veto"
stage.tacit("alice", "message", "edit", sent["id"], "confidential", expect=77)
assert json.loads((stage.place("alice") / "draft").read_text())["edits"] == sent["id"]
assert stage.tacit("alice", "read", "--json").out == before
assert stage.tacit("alice", "outbox", "list", "--json").out == ""
stage.tacit("alice", "send", "@bob", "harmless")
draft = json.loads((stage.place("alice") / "draft").read_text())
assert draft == {"v": 1, "type": "draft", "chat": "@bob", "chat_id": sent["chat_id"], "text": "harmless"}, draft

# Before there is anything to be told of, a hook can be tried.
stage.play(r'''
    dave$ tacit hook test on-message
    ! tacit: cannot run the hook on-message: the hook does not exist
    !   why: there is no file /stage/dave/hooks/on-message
    !   try: tacit help hooks    show how to write a hook
    [67]
    dave$ mkdir -p "$(tacit hook path)"; printf '#!/bin/sh\nread -r line; test -n "$line" && exit 7\n' > dave/hooks/on-message
    dave$ chmod 777 dave/hooks/on-message; tacit hook test on-message
    ! tacit: cannot run the hook on-message: the hook is ignored: other users can write to it
    !   why: path: /stage/dave/hooks/on-message
    !   try: chmod go-w /stage/dave/hooks/on-message
    [77]
    dave$ chmod go-w /stage/dave/hooks /stage/dave/hooks/on-message
    [1]
    dave$ chmod go-w dave/hooks/on-message; tacit hook test on-message
    on-message ended with exit code 7
    [1]
'''.replace("    dave$ chmod go-w /stage/dave/hooks /stage/dave/hooks/on-message\n    [1]\n", ""))

# The one that took so long.
slow.process.wait(60)
ended = slow.ended()
assert time.monotonic() - began >= 30
assert ended.code == 1, ended.err
assert ended.objects == [
    {"v": 1, "type": "hook-test", "hook": "on-error", "ok": False, "problem": "ran for more than 30 s and was killed"}
]
sleeper = int((stage.place("alice") / "sleeper").read_text())


def is_gone():
    try:
        return open(f"/proc/{sleeper}/stat").read().split(") ")[1][0] == "Z"
    except FileNotFoundError:
        return True


wait_until(is_gone, "the end of what the hook has started")
