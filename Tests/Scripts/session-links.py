"""Links, and what notifications name, lead to the right place of a session, wherever they come from."""
# limit: 120

import os

from support.seat import control
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
for name in ("carol", "dave", "eve"):
    stage.person(name, relay)
stage.connect("alice", "carol")
address = stage.tacit("bob", "address", "create").out.strip()
stage.tacit("bob", "address", "auto-accept", "on")


def opens(*words, expect=0):
    return stage.tacit("alice", "open", *words, "--json", expect=expect).objects


# Without a session, it is done where it is typed.
stage.tacit("bob", "send", "@alice", "hello from bob")
stage.tacit("alice", "fetch")
assert opens("chat:c1")[0]["text"] == "hello from bob"
assert opens("chat:c1", "--dry-run")[0]["name"] == "bob"
assert opens("chat:c99", expect=67) == []

# A typed link is planned first, and followed if that is wanted; brackets around it do not matter.
alice = stage.sit("alice", "repl", "--fresh")
alice.until("alice:/ (1) >")
link = stage.tacit("dave", "connect").out.strip()
alice.enter(f"<{link}>")
alice.until("one-time invitation")
alice.until("Connect? [y/N]")
alice.enter("n")
alice.until("nothing was done")
alice.enter(link)
alice.until("Connect? [y/N]")
alice.enter("y")
alice.until("the contact must fetch now")
stage.tacit("dave", "fetch")
alice.until("@dave")

# In a conversation it may be meant as a message.
alice.enter("open bob")
alice.until("alice:/bob >")
alice.enter(link)
alice.until("[c/s]")
alice.enter("s")
stage.until_fetched("bob", link)
alice.enter("/home")
alice.until("alice:/ >")

# From another terminal: a line above the prompt, and there it is. Who is typing is led there when the line is empty.
assert opens("@carol") == [{"v": 1, "type": "visit", "place": "chat:c2", "chat": "@carol", "chat_id": "c2", "state": "shown"}]
alice.until("another terminal opens 'carol'")
alice.until("alice:/carol >")
alice.type("half a sen")
alice.until("> half a sen")
opens("chat:c1")
alice.until("another terminal opens 'bob': it is shown when the line is empty")
alice.type("tence")
alice.until("alice:/carol > half a sentence")
opens("id:m1")
alice.until("another terminal opens message 1: it is shown when the line is empty")
alice.enter("")
alice.until("you │ half a sentence")
alice.until("hello from bob")
alice.until(lambda: alice.line.rstrip() == "alice:/bob >", "an empty line")
opens("contact:c2")
alice.until("security code")
alice.until("alice:/carol/info >")
alice.enter("chat")
alice.until(lambda: alice.line.rstrip() == "alice:/carol >", "an empty line")

# What is not there is said where it was typed.
assert opens("chat:c99", expect=67) == []
assert opens("@nobody", expect=67) == []
assert stage.tacit("alice", "open", "@bob", "--here", "--json").objects[-1]["text"] == link

# A link from another terminal is planned too, and one of somebody known leads to the conversation.
link = stage.tacit("eve", "connect").out.strip()
assert opens(link)[0]["state"] == "shown"
alice.until("another terminal opens a link")
alice.until("Connect? [y/N]")
alice.enter("y")
alice.until("the contact must fetch now")
stage.tacit("eve", "fetch")
alice.until("@eve")
alice.enter("/quit")
assert alice.ended() == 0

# What belongs to another profile is shown in that.
stage.tacit("alice", "profile", "create", "work", "--use")
alice = stage.sit("alice", "repl", "--fresh")
alice.until("work:/ >")
opens("chat:c1")
alice.until("alice:/bob >")
alice.enter("/quit")
assert alice.ended() == 0
alice = stage.sit("alice", "repl", "--at", "chat:c2")
alice.until("alice:/carol >")
alice.enter("/quit")
assert alice.ended() == 0

# While it is locked nothing is seen of where it is going to go.
reader, writer = os.pipe()
os.write(writer, b"open sesame\n")
os.close(writer)
ended = stage.start("alice", "passcode", "set", "--passcode-fd", str(reader), pass_fds=[reader]).ended()
assert ended.code == 0, ended.err
alice = stage.sit("alice")
alice.until("Passcode:")
assert opens("@bob")[0]["state"] == "kept"
assert opens(link)[0]["state"] == "kept"
alice.look(0.2)
assert "bob" not in alice.screen.everything and "terminal" not in alice.screen.everything
alice.enter("open sesame")
alice.until("── bob")
alice.until("you are already connected")
alice.until("alice:/eve >")
alice.enter("/lock")
alice.until("Passcode:")
assert opens("@carol")[0]["state"] == "kept"
alice.enter("open sesame")
alice.until("alice:/carol >")
alice.enter("/quit")
assert alice.ended() == 0

# So it is at the first steps.
frank = stage.sit("frank", env={"HOME": str(stage.folder)})
frank.until("1 or 2? [1]")
frank.enter("2")
frank.until("step 2 of 4")
assert stage.tacit("frank", "open", address, "--json").objects[0]["state"] == "kept"
frank.enter("frank")
frank.until("1 to 4?")
frank.enter("4")
frank.until(lambda: frank.line.rstrip() == "Address:", "Address:")
frank.enter(relay.address)
frank.until("1 to 3?")
frank.enter("3")
frank.until("contact address")
frank.until("Connect? [y/N]")
frank.enter("y")
frank.until("the relay has accepted the request")
stage.tacit("bob", "fetch")
frank.until("@bob")
frank.enter("quit")
assert frank.ended() == 0

# Beside a daemon the session is told by it. The daemon does what it always did when there is none.
running = stage.start("bob", "daemon", "run")
assert running.error_line().startswith("accepting commands at "), running
assert stage.tacit("bob", "open", "@alice", "--json").objects[0]["type"] == "message"
bob = stage.sit("bob", "repl", "--fresh")
bob.until("── chats")
bob.until("bob:/")
assert stage.tacit("bob", "open", "@alice", "--json").objects[0]["state"] == "told"
bob.until("bob:/alice >")
bob.enter("/home")
bob.until("── chats")
stage.tacit("bob", "profile", "set", "--home", "@alice")
bob.until("bob:/alice >")
link = stage.tacit("dave", "connect").out.strip()
bob.enter("/open " + link)
bob.until("Connect? [y/N]")
bob.enter("y")
bob.until("the contact must fetch now")
bob.enter("/quit")
assert bob.ended() == 0
assert stage.tacit("bob", "open", "@alice", "--json").objects[0]["type"] == "message"
stage.tacit("bob", "daemon", "stop")
assert running.ended().code == 0

# So do the first steps.
stage.tacit("gina", "init")
running = stage.start("gina", "daemon", "run")
assert running.error_line().startswith("accepting commands at "), running
gina = stage.sit("gina")
gina.until(lambda: gina.line.rstrip() == "Name:", "Name:")
gina.enter("gina")
gina.until("1 to 4?")
gina.enter("1")
gina.until("Accept them?")
gina.enter("y")
gina.until("1 to 3?")
gina.enter("1")
gina.until("starting the daemon")
gina.until("1 or 2? [1]")
gina.enter("2")
gina.until("gina:/ >")
gina.enter("quit")
assert gina.ended() == 0
assert stage.tacit("gina", "status", "--json").objects[0]["onboarding"] == "complete"
stage.tacit("gina", "daemon", "stop")
assert running.ended().code == 0
