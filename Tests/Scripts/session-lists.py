"""The list of chats has the time of the last message and how much is unread, and empty lists say so and what can be done."""
# limit: 120

import re

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.person("carol", relay)
stage.connect("alice", "carol")
stage.person("dave", relay)
stage.tell("bob", "alice", ["one", "two"])

# The time of today, and how many are unread; words where there is room. What is too long is the name or the words.
for columns, row in (
    # Names come first where there is hardly any room.
    (20, r"1  bob    \(2\)"),
    (40, r"1  bob    \(2\)  \d\d:\d\d"),
    (80, r"1  bob    \(2\)  \d\d:\d\d  two"),
    (200, r"1  bob    \(2\)  \d\d:\d\d  two"),
):
    alice = stage.sit("alice", "repl", "--fresh", columns=columns)
    alice.until("carol")
    alice.until("(2) >")
    rows = [line for line in alice.screen.lines if re.match(r"\d  ", line)]
    assert re.fullmatch(row, rows[0]), rows
    assert rows[1] == "2  carol", rows
    # The row is drawn anew in its place.
    stage.tacit("bob", "send", "@alice", "two")
    alice.until("(3) >")
    alice.until(lambda: any(re.match(r"1  bob    \(3\)", line) for line in alice.screen.lines), "three unread")
    alice.enter("q")
    assert alice.ended() == 0
    stage.tacit("alice", "message", "mark", "@bob")
    stage.tell("bob", "alice", ["one", "two"])

# A row has no line breaks; for programs they are escaped.
stage.tell("bob", "alice", ["first\nsecond"])
alice = stage.sit("alice", "repl", "--fresh")
alice.until("first second")
alice.enter("q")
assert alice.ended() == 0
assert "first\\nsecond" in stage.tacit("alice", "list", "chats").out

# Empty lists.
dave = stage.sit("dave", "repl", "--fresh")
dave.until("No chats yet. Type new to create an invitation")
dave.until("dave:/ >")
for line, words in (
    ("requests", "No contact requests."),
    ("open /address", "No address yet."),
    ("list", "No chats yet."),
    ("list contacts", "No contacts yet."),
    ("contact list", "No contacts yet."),
    ("list messages", "No messages yet."),
    ("list requests", "No contact requests."),
    ("list invitations", "No open invitations. Type connect"),
    ("invitation list", "No open invitations. Type connect"),
    ("outbox list", "The outbox is empty"),
    ("read", "No messages to show."),
    ("message search cat", "No messages found."),
    ("call list", "No calls are waiting."),
    ("cursor list", "No read cursors."),
):
    dave.enter("clear")
    dave.until(lambda: len(dave.screen.text.split("\n")) == 1, "an empty screen")
    dave.enter(line)
    dave.until(words)
# What programs read stays empty.
dave.enter("clear")
dave.enter("list contacts --json")
dave.enter("@notes")
dave.until("No notes yet.")
assert "No contacts yet" not in dave.screen.text
dave.enter("/search cat")
dave.until("No messages with 'cat' in this chat.")
dave.enter("/quit")
assert dave.ended() == 0
alice = stage.sit("alice", "repl", "--at", "@carol")
alice.until("No messages yet. Type a text, and Enter sends it.")
alice.enter("/q")
assert alice.ended() == 0
