"""Sheets lie over a screen, take one line, and leave the place as it was."""
# limit: 120

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")

# The first session of a store tells no news: there is nothing that somebody knew before.
alice = stage.sit("alice", "repl", "--fresh")
alice.until("alice:/ >")
alice.enter("new")
alice.until("── new chat")
alice.until("1-6, or Enter to go back:")
alice.enter("")
alice.until("alice:/ >")
alice.enter("new")
alice.until("1-6, or Enter to go back:")
alice.enter("9")
alice.until("unknown choice '9'")
alice.enter("new")
alice.until("1-6, or Enter to go back:")
alice.enter("invite")
alice.until("give this link to one person")
alice.until("alice:/ >")

# Notes are a conversation like the others.
alice.enter("new")
alice.until("1-6, or Enter to go back:")
alice.enter("6")
alice.until("alice:/notes >")
alice.enter("buy milk")
alice.until("buy milk")
alice.enter("/info")
alice.until("They are never sent")
alice.enter("1")
alice.until("alice:/notes >")
alice.enter("/delete 1")
alice.until("Delete message 1 here? [y/N]")
alice.enter("n")
alice.until("nothing was deleted")
assert "cannot be sent" not in alice.screen.text
alice.enter("/home")
alice.until("you: buy milk")

# A new profile is gone to; what is typed behind a question is one word, whatever is in it.
alice.enter("switch")
alice.until("── profiles")
alice.until("1-2, or Enter to go back:")
alice.enter("2")
alice.until("Name:")
alice.enter("at work")
alice.until("at work (p2)")
alice.until("at work:/ >")
alice.until("No chats yet")
assert [profile["name"] for profile in stage.tacit("alice", "list", "profiles", "--json").objects if profile["active"]] == ["at work"]
# What cannot be made leaves the place as it is.
alice.enter("switch")
alice.until("1-3, or Enter to go back:")
alice.enter("new")
alice.until("Name:")
alice.enter("alice")
alice.until("cannot create the profile")
alice.enter("switch")
alice.until("1-3, or Enter to go back:")
alice.enter("alice")
alice.until("alice:/ >")
alice.enter("switch")
alice.until("1-3, or Enter to go back:")
alice.enter("at work")
alice.until("at work:/ >")

# An export beside everything.
alice.enter("transfer")
alice.until("1-3, or Enter to go back:")
alice.enter("archive")
alice.until("New file:")
alice.enter("my copy.zip")
alice.until("exported the store")
assert (stage.folder / "my copy.zip").exists()
alice.enter("news")
alice.until("what is new in")
alice.until("Enter to continue:")
alice.enter("")
alice.enter("quit")
assert alice.ended() == 0

# Whoever comes back with a newer program is told once.
assert stage.tacit("alice", "api", '/_session show seen-version').out.count("0.")
for isNew in (True, False):
    if isNew:
        stage.tacit("alice", "api", '/_session set seen-version "0.0.1"')
    alice = stage.sit("alice", "repl")
    if isNew:
        alice.until("Enter to continue:")
        alice.enter("")
    alice.until("at work:/ >")
    assert isNew == ("what is new in" in alice.screen.text), alice.screen.text
    alice.enter("quit")
    assert alice.ended() == 0
