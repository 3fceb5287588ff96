"""Who calls is shown above the prompt of every screen, until the call is declined or time is up.

No program of the stage can call: what a call leaves in the store is put there.
"""
# limit: 120

import base64
import json
import re
import sqlite3
import time

from support.seat import control
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.person("alice", relay, "--no-encryption")
for name in ("bob", "carol"):
    stage.person(name, relay)
    stage.connect("alice", name)


def calls(name, media, seconds=0, since=0):
    """Somebody calls alice, so many seconds ago."""
    record = {"media": media, "state": "pending", "duration": seconds}
    record["call"] = base64.urlsafe_b64encode(f"{name}{time.time()}".encode()).decode().rstrip("=")
    database = sqlite3.connect(stage.place("alice") / "simplex_v1_chat.db")
    with database:
        (chat,) = database.execute(
            "SELECT chat_id FROM chats JOIN contacts USING (contact_id) WHERE contacts.name = ?", [name]).fetchone()
        now = int((time.time() - since) * 1000)
        item = database.execute(
            "INSERT INTO items (chat_id, direction, kind, content, status, time, created_at)"
            " VALUES (?, 'received', 'call', ?, 'rcv_new', ?, ?)", [chat, json.dumps(record), now, now]).lastrowid
        database.execute("UPDATE chats SET last_item_id = ?, unread_count = unread_count + 1 WHERE chat_id = ?", [item, chat])
        known = database.execute("SELECT value FROM session_values WHERE key = 'calls'").fetchone()
        text = ",".join(([known[0]] if known else []) + [str(item)])
        database.execute("INSERT OR REPLACE INTO session_values (key, value) VALUES ('calls', ?)", [text])
    database.close()


# It is there on every screen and in the list, and stays where it is while something is typed.
alice = stage.sit("alice")
alice.until("alice:/ >")
calls("bob", "audio")
alice.enter("show")
alice.until("bob is calling (audio): /decline")
alice.until(lambda: any(re.match(r"2  bob    \(1\)  \d\d:\d\d  is calling$", line) for line in alice.screen.lines), "who calls in the list")
row = alice.screen.row
assert alice.screen.lines[row - 1].startswith("bob is calling"), alice.screen.text
alice.enter("settings")
alice.until("settings")
assert alice.screen.lines[alice.screen.row - 1].startswith("bob is calling"), alice.screen.text
alice.enter("open carol")
alice.until("alice:/carol")
calls("carol", "video")
alice.type("half a sentence")
alice.until("> half a sentence")
stage.tacit("carol", "send", "@alice", "did you see me calling?")
alice.until("│ did you see me calling?")
assert alice.screen.lines[alice.screen.row - 1].startswith("bob is calling"), alice.screen.text
alice.type(control("u"))

# Declined, one after the other.
alice.enter("/show")
alice.until("bob is calling (audio, and 1 more)")
# Typed without its slash, an answer is not sent to the contact on the screen.
for word in ("decline", "accept"):
    alice.enter(word)
    alice.until("/decline declines the call, and a session")
    alice.until(f"Send '{word}' to '@carol'? [y/N]")
    alice.enter("")
    alice.until("nothing was sent")
alice.enter("/decline")
alice.until("declined the call from bob")
alice.until("carol is calling (video): /decline")
alice.enter("/decline")
alice.until("you declined carol's video call")
alice.gone("carol is calling")
alice.enter("/decline")
alice.until("no calls")

# Who declines in another window has it declined here, too; who is muted is not shown.
calls("bob", "audio")
alice.enter("/show")
alice.until("bob is calling (audio)")
stage.tacit("alice", "call", "reject", "@bob")
alice.gone("bob is calling")
stage.tacit("alice", "contact", "mute", "@bob")
calls("bob", "audio")
alice.enter("/show")
alice.until("alice:/carol")
alice.look(0.3)
assert "bob is calling" not in alice.screen.text
stage.tacit("alice", "contact", "unmute", "@bob")
alice.enter("/show")
alice.until("bob is calling (audio)")
alice.type(control("d"))
assert alice.ended() == 0

# Nobody waits for ever: by itself it becomes a missed call. The next session shows who still waits.
stage.tacit("alice", "call", "reject", "@bob")
calls("bob", "audio", since=176)
alice = stage.sit("alice", "repl", "--at", "/bob", columns=40)
alice.until("bob is calling (audio)")
alice.gone("bob is calling")
alice.until("you missed bob's")
assert "audio call" in alice.screen.text
assert "you missed bob's audio call" in stage.tacit("alice", "read", "@bob").out
alice.type(control("d"))
assert alice.ended() == 0
