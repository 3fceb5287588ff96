"""A session comes back to where it was left: profile, chat and draft; to the list, with a line about it, if that chat is gone."""
# limit: 120

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tacit("alice", "profile", "create", "work")
stage.tacit("alice", "profile", "use", "work")
for name in ("carol", "dave"):
    stage.person(name, relay)
    stage.connect("alice", name)
stage.tacit("alice", "profile", "use", "alice")

alice = stage.sit("alice", "repl", "--fresh")
alice.until("alice:/ >")
alice.enter("switch")
alice.until("Enter to go back:")
alice.enter("work")
alice.until("work:/ >")
alice.enter("carol")
alice.until("work:/carol >")
alice.type("half a sen")
alice.until("half a sen")
alice.signal(15)
alice.ended()

alice = stage.sit("alice", "repl")
alice.until("work:/carol > half a sen")
alice.type("tence")
alice.enter("")
alice.until("│ half a sentence")
stage.until_fetched("carol", "half a sentence")
alice.enter("/quit")
assert alice.ended() == 0

# Meanwhile another terminal removes the contact.
stage.tacit("alice", "contact", "delete", "@carol", "--yes")
alice = stage.sit("alice", "repl")
alice.until("the contact of the last session no longer exists")
alice.until("work:/ >")
assert "── chats" in alice.screen.text and "dave" in alice.screen.text, alice.screen.text
alice.enter("quit")
assert alice.ended() == 0

# A contact that another terminal removes while its chat is on the screen is said to be gone.
alice = stage.sit("alice", "repl", "--at", "/dave")
alice.until("work:/dave >")
stage.tacit("alice", "contact", "delete", "@dave", "--yes")
alice.until("the contact was deleted; /back returns")
alice.enter("/show")
alice.until("the subject of this screen was deleted; /back returns")
alice.enter("/back")
alice.until("work:/ >")
alice.enter("quit")
assert alice.ended() == 0

# --fresh begins at the top of the profile that is open, and --at where one says.
alice = stage.sit("alice", "repl", "--fresh")
alice.until("work:/ >")
alice.enter("/open /settings/net")
alice.until("/settings/net >")
alice.enter("quit")
assert alice.ended() == 0
alice = stage.sit("alice", "repl")
alice.until("work:/settings/net >")
alice.enter("quit")
assert alice.ended() == 0
