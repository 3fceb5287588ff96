"""A profile that is there for one person opens with the conversation with that person, and goes back to a list."""
# limit: 90

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.person("carol", relay)
stage.connect("alice", "carol")


def home(word, expect=0):
    return stage.tacit("alice", "profile", "set", "--home", word, "--json", expect=expect)


# What is chosen must be there.
assert "home" not in stage.tacit("alice", "profile", "show", "--json").objects[0]
home("@eve", expect=67)
home("@", expect=64)
assert home("@bob").objects[0]["home"] == "c1"
assert home("@bob").objects[0]["home"] == "c1"

# The session begins in the conversation, and says so in front of what is typed: it is sent.
alice = stage.sit("alice", "repl", "--fresh")
alice.until("── bob")
alice.until("alice:/bob >")
assert "── chats" not in alice.screen.everything
alice.enter("hello from home")
stage.until_fetched("bob", "hello from home")

# Others are opened from there, and home leads back.
alice.enter("/open carol")
alice.until("alice:/carol >")
alice.enter("/home")
alice.until("alice:/bob >")
alice.enter("/settings")
alice.until("alice:/settings >")
alice.enter("/back")
alice.until("alice:/bob >")

# Another terminal makes it a list: who reads the conversation goes on reading it, above the list.
alice.type("half a sen")
alice.until("> half a sen")
assert "home" not in home("chats").objects[0]
stage.tacit("bob", "send", "@alice", "still here?")
alice.until("still here?")
assert alice.line.rstrip() == "alice:/bob > half a sen", alice.screen.text
alice.type("\x15")
alice.enter("/back")
alice.until("── chats")
alice.until("alice:/ >")

# And a conversation: who looks at the list sees it now.
home("@carol")
alice.until("alice:/carol >")
alice.enter("quick")
stage.until_fetched("carol", "quick")

# Without the contact there is a list again.
stage.tacit("alice", "contact", "delete", "@carol", "--yes")
alice.until("no longer exists")
alice.until("alice:/ >")
alice.enter("profile set --home bob")
alice.until("alice:/bob >")
alice.enter("/quit")
assert alice.ended() == 0

# The next session comes back to it; if it is a list by then, the conversation is above that.
alice = stage.sit("alice")
alice.until("alice:/bob >")
alice.enter("/quit")
assert alice.ended() == 0
home("chats")
alice = stage.sit("alice")
alice.until("alice:/bob >")
alice.enter("/back")
alice.until("── chats")
alice.enter("quit")
assert alice.ended() == 0

# Another profile has its own.
stage.tacit("alice", "profile", "create", "work", "--use")
home("@bob", expect=67)
