"""What people type in a session as they read it: names, codes, advice, places; and what they see of messages."""
# limit: 120

from support.seat import TAB, control
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.person("carol", relay)
stage.connect("alice", "carol")
stage.tacit("alice", "contact", "rename", "@carol", "a/b c")

# Text is UTF-8, whatever the locale is.
for name in ("LC_ALL", "LC_CTYPE", "LANG"):
    alice = stage.sit("alice", "repl", "--at", "/bob", env={"LANG": None, "LC_ALL": None, name: "C"})
    alice.until("alice:/bob >")
    for word in (f"Über {name}", f"漢字 {name}"):
        alice.enter(word)
        alice.until(f"you │ {word}")
    alice.enter(f"/reply 1 ä {name}")
    alice.until(f"│ ä {name}")
    alice.type(control("d"))
    assert alice.ended() == 0

# A place can be typed as the prompt shows it, and names without quotes.
alice = stage.sit("alice", "repl", "--fresh")
alice.until("alice:/ >")
alice.enter(r"cd /a\/b c")
alice.until(r"alice:/a\/b c >")
alice.enter("/home")
alice.until("alice:/ >")
alice.enter("open notes")
alice.until("alice:/notes >")
alice.enter("to myself")
alice.until("│ to myself")
alice.enter("/home")
alice.until("alice:/ >")
alice.enter("list")
alice.until("notes")
assert "connecting" not in alice.screen.text, alice.screen.text
alice.type("open b" + TAB)
alice.until("> open bob")
alice.enter("")
alice.until("alice:/bob >")
alice.type("/open b" + TAB)
alice.until("/open bob")
alice.type(control("u") + "/cd /contacts/bo" + TAB)
alice.until("/cd /contacts/bob")
alice.type(control("u"))

# The code of a contact, in groups as it is shown.
code = stage.tacit("bob", "contact", "verify", "@alice").out.strip()
alice.enter("/info")
alice.until("alice:/bob/info >")
alice.enter("verify reset")
alice.until("not a security code")
alice.enter("verify " + code[:-1] + ("1" if code[-1] != "1" else "2"))
alice.until("the security codes differ")
alice.enter(f"verify {code}")
alice.until("verified @bob")
alice.enter("rename Bob B.")
alice.until("alice:/Bob B./info >")
alice.enter("rename bob")
alice.until("alice:/bob/info >")

# Advice can be typed as it stands, and is none that goes to the contact.
alice.enter("back")
alice.until("alice:/bob >")
alice.enter("/contact block @nobody")
alice.until("try: /list contacts")
alice.enter("/tacit contact show @bob")
alice.until("> contact show @bob")
alice.enter("/export -")
alice.until("cannot write an archive to a terminal")

# What messages are.
alice.enter("/send @bob 'for a while' --expires 1h")
alice.until("(disappears)")
stage.tacit("alice", "send", "@bob", "first line\nsecond line")
alice.until("second line")
number = stage.tacit("alice", "read", "@bob", "--last", "1", "--json").objects[0]["id"][1:]
alice.enter(f"/reply {number} an answer")
alice.until("> first line second line")
alice.enter(f"/forward {number} bob")
alice.until("(forwarded)")
alice.enter(f"/delete {number}")
alice.until("for both? [y/N]")
alice.enter("y")
alice.until(f"deleted {number}")
alice.enter(f"/delete {number}")
alice.until("here? [y/N]")
alice.enter("n")

# A number leads there, however long what stands around it is.
stage.tacit("bob", "fetch")
for number in range(1, 13):
    stage.tacit("alice", "send", "@bob", f"number {number} is told in\nthree\nlines", "--wait", "queued")
numbers = {
    item["text"].split()[1]: item["id"][1:]
    for item in stage.tacit("alice", "read", "@bob", "--last", "12", "--json").objects
}
for wanted in ("3", "9", "1", "12"):
    alice.type(control("l"))
    alice.enter(f"/goto {numbers[wanted]}")
    alice.until(f"│ number {wanted} is told in")

# What waits for its relay, and what does not any more.
alice.enter("/end")
relay.kill()
alice.enter("one")
alice.enter("two")
alice.until("stays in the outbox until its relay is reachable")
relay.start()
alice.until("the queued messages were sent")
assert alice.line.rstrip() == "alice:/bob >", alice.screen.text

# What is typed faster than it is carried out belongs to where it leads.
alice.enter("/open a/b c")
alice.enter("for carol")
alice.until("you │ for carol")
alice.enter("/open bob")
alice.type("half a line")
alice.until(lambda: alice.line.rstrip() == "alice:/bob > half a line", "a line for bob")
alice.enter(control("u") + "/home")
alice.until("alice:/ >")
alice.enter("open bob")
alice.until("alice:/bob >")
alice.look(0.3)
assert alice.line.rstrip() == "alice:/bob >", alice.screen.text
alice.type(control("d"))
assert alice.ended() == 0

# Who works offline knows it.
alice = stage.sit("alice", "--offline", "repl", "--at", "/bob")
alice.until("alice:/bob >")
alice.look(4)
assert "reachable" not in alice.screen.text and "retrying" not in alice.screen.text, alice.screen.text
stage.tacit("alice", "contact", "delete", "@bob", "--keep-messages", "--yes")
alice.enter("/show")
alice.until("nothing can be sent: you deleted the contact")
alice.type(control("d"))
assert alice.ended() == 0
