"""A passcode is set, changed and taken away in the session itself, in every window, also beside a daemon."""
# limit: 120

import signal

from support.process import wait_until
from support.seat import control
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
stage.tacit("bob", "send", "@alice", "a secret word")
stage.tacit("alice", "fetch")


def asked(person, question, answer):
    person.until(lambda: person.line.rstrip() == question, question)
    person.enter(answer)


alice = stage.sit("alice", "repl", "--at", "/bob")
alice.until("a secret word")
second = stage.sit("alice", "repl", "--at", "/bob")
second.until("a secret word")

# What is typed wrongly changes nothing, and nothing of it is seen, sent or remembered.
alice.type("half a sentence")
alice.type(control("u") + "/passcode set\r")
asked(alice, "New passcode:", "xyz")
alice.until("the passcode is too short")
asked(alice, "New passcode:", "open sesame")
asked(alice, "Repeat the passcode:", "open barley")
alice.until("the two passcodes differ")
alice.until(lambda: alice.line.startswith("New passcode:"), "question")
alice.type(control("z"))
wait_until(lambda: open(f"/proc/{alice.pid}/stat").read().split()[2] == "T", "a stopped process")
alice.until(lambda: not alice.line.startswith("New passcode:"), "end of the question")
alice.signal(signal.SIGCONT)
alice.until(lambda: alice.line.startswith("New passcode:"), "question")
alice.type(control("c"))
alice.until("the prompt was left empty")
alice.enter("/lock")
alice.until("no passcode is set; 'passcode set' sets one")

# It is there for both windows at once: each has a page of its own now, and hides it.
alice.enter("/passcode set --grace 1h")
asked(alice, "New passcode:", "open sesame")
asked(alice, "Repeat the passcode:", "open sesame")
alice.until("no new text stays in the terminal")
second.until("no new text stays in the terminal")
second.enter("/lock")
second.until("Passcode:")
second.gone("a secret word")
assert "a secret word" in alice.screen.text
asked(second, "Passcode:", "open sesame")
second.until("a secret word")

# Changed in the one, it is another one for the other.
second.enter("/passcode change")
asked(second, "Passcode:", "open barley")
asked(second, "New passcode:", "whatever")
asked(second, "Repeat the passcode:", "whatever")
second.until("wrong passcode")
second.enter("/passcode change")
asked(second, "Passcode:", "open sesame")
asked(second, "New passcode:", "open maize")
asked(second, "Repeat the passcode:", "open maize")
second.until("sessions ask for the passcode at the start")
alice.enter("/lock")
asked(alice, "Passcode:", "open sesame")
alice.until("Wrong")
asked(alice, "Passcode:", "open maize")
alice.until("a secret word")

for seat in (second, alice):
    seat.type(control("d"))
    assert seat.ended() == 0
alice = stage.sit("alice")
asked(alice, "Passcode:", "open maize")
alice.until("a secret word")
second = stage.sit("alice")
asked(second, "Passcode:", "open maize")
second.until("a secret word")

# The one that destroys everything is typed in the second window: the first ends, and nothing of it is left to be read.
second.enter("/passcode self-destruct")
asked(second, "Passcode:", "open maize")
asked(second, "Self-destruct passcode:", "0000")
asked(second, "Repeat the passcode:", "0000")
second.until("a self-destruct passcode is set")
second.enter("/lock")
asked(second, "Passcode:", "0000")
alice.until("another command has ended the session")
assert alice.ended() == 0
assert "secret word" not in alice.screen.everything and not alice.screen.is_other_page, alice.screen.everything
second.until(":/ >")
assert "secret word" not in second.screen.everything
second.type(control("d"))
assert second.ended() == 0
stage.tacit("alice", "read", "@bob", expect=67)

# Beside a daemon it is set in the session too; anywhere else it cannot be.
running = stage.start("bob", "daemon", "run")
assert running.error_line().startswith("accepting commands at ")
bob = stage.sit("bob")
bob.until("bob:/ >")
bob.enter("passcode set")
asked(bob, "New passcode:", "open sesame")
asked(bob, "Repeat the passcode:", "open sesame")
bob.until("no new text stays in the terminal")
bob.enter("lock")
bob.until("Passcode:")

# What another terminal opens meanwhile is kept, also when the daemon ends.
assert stage.tacit("bob", "open", "@alice", "--json").objects[0]["state"] == "told"
running.signal(signal.SIGTERM)
running.ended()
wait_until(lambda: "repl" in stage.shell("bob", "tacit daemon status --json").out, "successor")
asked(bob, "Passcode:", "open sesame")
bob.until("bob:/alice >")
bob.enter("/home")
bob.until("bob:/ >")
bob.enter("passcode off")
asked(bob, "Passcode:", "open sesame")
bob.until("the passcode is off")
bob.enter("lock")
bob.until("no passcode is set; 'passcode set' sets one")
bob.type(control("d"))
assert bob.ended() == 0
