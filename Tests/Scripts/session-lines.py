"""What a line means in a session: blocks are messages, numbers are things of the list, and what is mistyped does nothing."""
# limit: 120

from support.seat import control
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tell("bob", "alice", (f"number {number} of many" for number in range(1, 61)))
stage.person("carol", relay)


def bobs():
    stage.tacit("bob", "fetch")
    return [item["text"] for item in stage.tacit("bob", "read", "@alice", "--json").objects]


# Where to begin is said as everywhere else.
alice = stage.sit("alice", "repl", "--at", "@bob", rows=20)
alice.until("alice:/bob >")

# A pasted block is a message, whatever it begins with; a typed one may be a command whose text has several lines.
blocks = ["/quit\nthis was the rest", "/* a remark */\nint main() {}", "/etc/passwd\n/etc/shadow"]
for block in blocks:
    alice.paste(block)
    alice.enter("")
    alice.until("│ " + block.split("\n")[1])
alice.paste("/reply 1 two\nlines")
alice.enter("")
alice.until("│ > number 1 of many")
assert bobs()[-4:] == blocks + ["two\nlines"]

# A word that takes nothing does nothing when something stands behind it.
alice.enter("/quit smoking")
alice.until("'quit' takes no arguments")
alice.enter("/etc/passwd")
alice.until("unknown contact '/etc/passwd'")
alice.enter("/settings/net")
alice.until("alice:/settings/net >")
alice.enter("back")
alice.until("alice:/bob >")

# Help knows the words of the session.
alice.enter("/help react")
alice.until("/react NUMBER EMOJI")
alice.enter("/help /edit")
alice.until("/edit [NUMBER TEXT]")
alice.enter("/help send")
alice.until("This command writes to the store")

# What is found is not all that there is, and what was said before it is shown too.
alice.type(control("l"))
alice.enter("/search of many")
alice.until("number 60 of many")
alice.until("--in @bob shows all")
alice.type(control("l"))
alice.enter("/goto 30")
alice.until("number 30 of many")
assert "number 28 of many" in alice.screen.text and "number 32 of many" in alice.screen.text, alice.screen.text
alice.enter("/end")
alice.until("│ lines")

# A message that waits says so, once.
relay.stop()
alice.enter("nobody is there")
alice.until("stays in the outbox until its relay is reachable")
relay.start()
stage.until_fetched("bob", "nobody is there")

# In lists several lines are nothing, and stay where they can be changed.
alice.enter("/home")
alice.until("alice:/ >")
alice.paste("bob\ncarol")
alice.enter("")
alice.until("a command has one line")
alice.until("carol")
alice.type(control("u"))
alice.type("\x1b[H" + control("k") + control("c"))
alice.enter("simplex:/invitation#/?v=2-7&smp=smp%3A%2F%2Fcut")
alice.until("invalid link")

# A link that was broken by a program for mail is one.
link = stage.tacit("carol", "connect", "--json").objects[0]["link"]
alice.paste(link[:60] + "\n" + link[60:])
alice.enter("")
alice.until("Connect? [y/N]")
alice.enter("n")
alice.until("nothing was done")

# Requests are chosen by number or name.
address = stage.tacit("alice", "address", "create", "--json").objects[0]["link"]
for name in ("dave", "carol"):
    if name != "carol":
        stage.person(name, relay)
    stage.tacit(name, "connect", address)
alice.until("@carol sent a contact request")
alice.enter("requests")
alice.until("accept NAME, reject NAME")
alice.enter("carol")
alice.until("Accept @carol, or reject it? [a/r]")
alice.enter("r")
alice.until("rejected")
alice.enter("accept 1")
alice.until("the contact must fetch now")
stage.tacit("dave", "fetch")
alice.until("dave is connected")

# Who deletes what is on the screen is asked by name, and is back where they came from.
alice.enter("open @dave")
alice.until("alice:/dave >")
alice.enter("/info")
alice.until("alice:/dave/info >")
alice.enter("delete")
alice.until("Delete '@dave'")
alice.enter("y")
alice.until("No contact requests")
alice.until("alice:/requests >")

# Home is home, also from where there is none.
alice.enter("open /profiles")
alice.until("── profiles")
alice.enter("home")
alice.until("alice:/ >")
alice.type(control("d"))
assert alice.ended() == 0

# A profile that is named is the one to begin in; from a pipe it is the one of all commands, as the form of what they print is.
stage.tacit("alice", "profile", "create", "work")
alice = stage.sit("alice", "--profile", "alice", "repl")
alice.until("alice:/ >")
alice.type(control("d"))
assert alice.ended() == 0
shown = stage.tacit("alice", "--profile", "work", "repl", "--json", stdin="profile show\nprofile show alice\n").objects
assert [report["name"] for report in shown] == ["work", "alice"], shown
failed = stage.tacit("alice", "repl", "--json", stdin="read @nobody\n", expect=67)
assert '"code":"contact.unknown"' in failed.err, failed.err
