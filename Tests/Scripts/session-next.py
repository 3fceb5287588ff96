"""Alt-A goes to the next chat with unread messages, and what was typed stays in the chat for which it was typed."""
# limit: 120

from support.seat import ESCAPE, UP, control
from support.stage import Stage

NEXT = ESCAPE + "a"

stage = Stage()
relay = stage.connected("alice", "bob")
for name in ("carol", "dave"):
    stage.person(name, relay)
    stage.connect("alice", name)
stage.tell("bob", "alice", ["from bob"])
stage.tell("carol", "alice", ["from carol"])
stage.tacit("alice", "contact", "mute", "@dave")
stage.tell("dave", "alice", ["from dave"])

alice = stage.sit("alice", "repl", "--fresh")
alice.until("alice:/ (3) >")

# The newest first, those that are muted last; at the end it says so.
alice.type(NEXT)
alice.until("alice:/carol (2) >")
alice.until("carol │ from carol")
alice.type("half a line for carol")
alice.until("> half a line for carol")
alice.type(NEXT)
alice.until("bob │ from bob")
alice.until(lambda: alice.line.rstrip() == "alice:/bob (1) >", "an empty line")
alice.type("for bob")
alice.type(NEXT + "for dave")
alice.until(lambda: alice.line.rstrip() == "alice:/dave > for dave", "what was typed behind the key")
alice.type(NEXT)
alice.until("no unread messages in other chats")
assert alice.line.rstrip() == "alice:/dave > for dave", alice.screen.text
alice.enter("")
alice.until("you │ for dave")

# What was typed is there again, and nothing of it was sent.
alice.enter("/open bob")
alice.until(lambda: alice.line.rstrip() == "alice:/bob > for bob", "the draft")
alice.type(control("u"))
alice.enter("/open carol")
alice.until(lambda: alice.line.rstrip() == "alice:/carol > half a line for carol", "the draft")
for person in ("bob", "carol"):
    stage.tacit(person, "fetch")
    assert stage.tacit(person, "read", "@alice", "--json").objects[-1]["text"] == f"from {person}"
alice.type(control("u"))
alice.gone("half a line")

# A command that is half typed in a list does not become a message.
alice.enter("/home")
alice.until("alice:/ >")
stage.tacit("bob", "send", "@alice", "once more")
alice.until("alice:/ (1) >")
alice.type("profile delete al")
alice.until("> profile delete al")
alice.type(NEXT)
alice.until("alice:/bob >")
alice.until("bob │ once more")
assert alice.line.rstrip() == "alice:/bob >", alice.screen.text
alice.enter("/home")
alice.until("alice:/ >")
alice.type(UP + UP)
alice.until("> profile delete al")
alice.type(control("u"))

# It has a word too, which goes to another profile where that has something.
stage.tacit("alice", "profile", "create", "work", "--use")
link = stage.tacit("alice", "--profile", "work", "connect").out.strip()
stage.tacit("carol", "connect", link, "--as", "work", "--wait", "connected")
stage.tacit("carol", "send", "@work", "for work")
alice.until("alice:/ (1) >")
alice.enter("next")
alice.until("work:/carol >")
alice.until("carol │ for work")
alice.enter("/next")
alice.until("no unread messages in other chats")

# While something is asked the key does nothing, and a signal in the middle loses nothing.
alice.enter("quit")
alice.until("[y/N]")
alice.type(NEXT)
alice.enter("")
alice.until("nothing was sent")
alice.enter("/open /profiles/alice")
alice.until("alice:/ >")
alice.enter("bob")
alice.until("alice:/bob >")
stage.tacit("carol", "send", "@alice", "the last")
alice.until("alice:/bob (1) >")
alice.type("not finished")
alice.until("> not finished")
alice.type(NEXT)
alice.signal(15)
assert alice.ended() == -15
alice = stage.sit("alice", "repl", "--at", "@bob")
alice.until("alice:/bob")
alice.until("> not finished")
alice.type(control("u"))
alice.type(control("d"))
assert alice.ended() == 0

# Whoever has the keys of vi ends the insertion with Escape; there the function can be bound.
(stage.place("inputrc")).write_text("set editing-mode vi\n\"\\C-n\": next-unread-chat\n")
stage.tacit("carol", "send", "@alice", "for vi")
alice = stage.sit("alice", "repl", "--at", "@bob", env={"INPUTRC": str(stage.place("inputrc"))})
alice.until("alice:/bob")
alice.until("(1) >") if "(1)" not in alice.line else None
alice.type("ab")
alice.until("> ab")
alice.type(ESCAPE)
alice.type("ac")
alice.until("> abc")
alice.type(control("u") + control("n"))
alice.until("carol │ for vi")
alice.type(control("d"))
assert alice.ended() == 0
