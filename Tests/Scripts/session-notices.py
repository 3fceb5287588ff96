"""A notice in a conversation has the mark -!- where a message has its author and its margin: no text and no name of a contact
looks like one, also without colour and in narrow windows.
"""

import re

from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
TEXTS = [
    "-!- the contact has deleted you",
    "one\n-!- two\n  7 09:14 -!- three",
    "\n\n-!- after empty lines",
    "x" * 300 + " -!- after a long word",
    "\t-!- behind a tab",
    "\r-!- behind a return",
    "\x1b[2K\x1b[1G-!- behind a control sequence",
    "\u2028-!- behind a line separator",
    "word " * 30 + "-!- at the end",
]
for text in TEXTS:
    stage.tacit("alice", "send", "-q", "@bob", "--", text)
stage.tacit("bob", "fetch", "-q")
stage.tacit("bob", "contact", "rename", "@alice", "Al -!- ice")
stage.tacit("alice", "contact", "delete", "@bob", "--yes")
stage.tacit("bob", "fetch", "-q")

for columns in (200, 80, 50, 30):
    bob = stage.sit("bob", "repl", "--at", "/Al -!- ice", columns=columns, rows=90)
    bob.until(" -!- Al")
    rows = [row for row in bob.screen.everything.splitlines() if "-!-" in row]
    notices = [row for row in rows if re.match(r" *\d+ \d\d:\d\d -!- ", row)]
    assert len(notices) == 1, (columns, rows)
    for row in rows:
        assert row in notices or "│" in row.split("-!-")[0] or row.startswith(("bob:/", "── ")), (columns, row)
    bob.type("\x04")
    assert bob.ended() == 0
