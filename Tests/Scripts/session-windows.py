"""What a session shows of profiles that are hidden or not there, of a store that was destroyed elsewhere, and of its own past."""
# limit: 120

from support.seat import control
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tell("bob", "alice", (f"number {number} of many" for number in range(1, 41)))

# The place in a long conversation outlives any number of ends.
alice = stage.sit("alice", "repl", "--at", "/bob", rows=16)
alice.until("number 40 of many")
alice.enter("/goto 8")
alice.until("│ number 8 of many")
alice.until("/end shows the newest")
for _ in range(3):
    alice.type(control("d"))
    assert alice.ended() == 0
    alice = stage.sit("alice", rows=16)
    alice.until("│ number 8 of many")
    assert "number 40" not in alice.screen.text
alice.type(control("d"))
assert alice.ended() == 0

# Nobody types in another profile than the one that was named.
alice = stage.sit("alice", "--profile", "wrok", "repl")
alice.until("unknown profile 'wrok'")
assert alice.ended() == 67
assert "number" not in alice.screen.everything

# A profile is hidden in the session, which asks for the password; no window shows it then.
stage.tacit("alice", "profile", "create", "work")
stage.tacit("alice", "profile", "use", "alice")
(stage.folder / "password").write_text("open sesame\n")
first = stage.sit("alice", "--profile", "work", "repl")
first.until("work:/ >")
second = stage.sit("alice", "--profile", "work", "repl")
second.until("work:/ >")
second.type("half a line")
second.until("work:/ > half a line")
stage.tacit("alice", "profile", "use", "alice")
first.enter("profile hide work")
for question, answer in [
    ("Password of the profile:", "open sesame"),
    ("Repeat the password:", "open barley"),
    ("Password of the profile:", "open sesame"),
    ("Repeat the password:", "open sesame"),
]:
    first.until(lambda: first.line.rstrip() == question, question)
    first.enter(answer)
first.until("alice:/ >")
second.until("alice:/ >")
assert "work:" not in first.screen.text and "work" not in second.screen.text, second.screen.text
assert "half a line" not in second.screen.text
first.type(control("d"))
assert first.ended() == 0
second.until("this session receives now")
second.type(control("d"))
assert second.ended() == 0
assert stage.shell("alice", "tacit --profile work repl </dev/null >/dev/null").code == 0
piped = "printf 'profile show\\n' | tacit --profile work --profile-password-fd 3 repl --json 3<password"
assert '"name":"work"' in stage.shell("alice", piped).out

# The store is destroyed in one window: the other knows nothing of what was there, and asks for the passcode.
(stage.folder / "end").write_text("burn\n")
assert stage.shell("alice", "tacit passcode set --idle 1h --passcode-fd 3 3<password").code == 0
assert stage.shell("alice", "tacit passcode self-destruct --passcode-fd 3 --new-passcode-fd 4 3<password 4<end").code == 0
first = stage.sit("alice", "repl", "--at", "/bob")
first.until("Passcode:")
first.enter("open sesame")
first.until("alice:/bob >")
second = stage.sit("alice", "repl", "--at", "/bob")
second.until("Passcode:")
second.enter("open sesame")
second.until("alice:/bob >")
second.type("half a line of the old store")
second.until("> half a line of the old store")
first.enter("/lock")
first.until("Passcode:")
first.enter("burn")
first.until(":/ >")
assert "bob" not in first.screen.text and "contact" not in first.screen.text.replace("contacts", ""), first.screen.text
second.gone("half a line")
second.until("Passcode:")
second.enter("burn")
second.until(":/ >")
assert not any(word in second.screen.text for word in ("bob", "half", "last session", "anew", "receives")), second.screen.text
