"""A session beside a daemon, which has the store open, and beside another session; and when these end."""
# limit: 180

import signal

from support.process import wait_until
from support.seat import TAB, UP, control
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")


def daemon():
    running = stage.start("alice", "daemon", "run")
    assert running.error_line().startswith("accepting commands at "), running
    return running


# It looks and works as if there were no daemon.
running = daemon()
stage.tacit("bob", "send", "@alice", "hello from bob")
alice = stage.sit("alice")
alice.until("alice:/ (1) >")
alice.enter("show")
alice.until("hello from bob")
alice.enter("bob")
alice.until("alice:/bob >")
alice.enter("hi bob")
alice.until("you │ hi bob")
stage.until_fetched("bob", "hi bob")

# What comes in is shown, and is read; the line that is being typed stays.
alice.type("half a sentence")
stage.tacit("bob", "send", "@alice", "one more thing")
alice.until("bob │ one more thing")
alice.until("alice:/bob > half a sentence")
alice.type(control("u"))
alice.gone("half a sentence")
wait_until(lambda: stage.tacit("alice", "list", "chats", "--json").objects[0]["unread"] == 0, "what was read")

# What is done to messages, and what fails.
alice.enter("/react 1 heart")
alice.until("❤")
alice.enter("/edit 1 no")
alice.until("m1 was not sent by you")
alice.enter("/reply 1 I am fine")
alice.until("> hello from bob")
alice.type("/contact sh" + TAB)
alice.until("> /contact show")
alice.enter("@bob")
alice.until("connected")
alice.enter("/contact mute @bob")
alice.until("mute")
alice.enter("/contact delete @bob")
alice.until("[y/N]")
alice.enter("n")
alice.enter("/info")
alice.until("security code")
alice.enter("back")
alice.until("alice:/bob >")

# A second window, beside the first.
second = stage.sit("alice")
second.until("alice:/bob >")
stage.tacit("bob", "send", "@alice", "for both windows")
alice.until("for both windows")
second.until("for both windows")
second.enter("from the second window")
second.until("you │ from the second window")
alice.until("you │ from the second window")
stage.until_fetched("bob", "from the second window")

# What commands and the other window do to messages is seen in both, once.
def rows(seat, text):
    return sum(text in row for row in seat.screen.past + seat.screen.lines)


sent = stage.tacit("alice", "send", "@bob", "from a command", "--json").objects[0]["id"]
for seat in (alice, second):
    seat.until("you │ from a command")
    assert rows(seat, "│ from a command") == 1, seat.screen.lines
    assert rows(seat, "│ from the second window") == 1, seat.screen.lines
stage.tacit("alice", "message", "edit", sent, "from an edited command")
for seat in (alice, second):
    seat.until("you (edited) │ from an edited command")
number = sent.removeprefix("m")
alice.enter(f"/react {number} rocket")
for seat in (alice, second):
    seat.until("🚀")
stage.tacit("alice", "message", "delete", sent)
for seat in (alice, second):
    seat.until(f"message {number} was deleted")
second.enter("/home")
second.until("alice:/ >")
alice.enter("/home")
alice.until("alice:/ >")
stage.tacit("bob", "send", "@alice", "unread in both")
second.until("alice:/ (1) >")
alice.until("alice:/ (1) >")
stage.tacit("alice", "message", "mark", "@bob")
second.until("alice:/ >")
alice.until("alice:/ >")
stage.tacit("bob", "send", "@alice", "read in one")
second.until("alice:/ (1) >")
alice.enter("bob")
alice.until("alice:/bob >")
second.until("alice:/ >")
stage.tacit("alice", "send", "@bob", "seen in the list")
second.until("you: seen in the list")
alice.until("you │ seen in the list")
second.enter("bob")
second.until("alice:/bob >")
second.type(control("d"))
assert second.ended() == 0

# The daemon is started anew: the session goes on beside the new one, and nothing that was typed is lost.
alice.type("kept")
alice.until("> kept")
running.signal(signal.SIGTERM)
running.ended()
running = daemon()
alice.until("tacit daemon run was restarted")
alice.until("alice:/bob > kept")
alice.enter(" and sent")
alice.until("you │ kept and sent")
stage.until_fetched("bob", "kept and sent")

# It ends for good, however suddenly: the session receives itself.
alice.type("kept again")
alice.until("> kept again")
running.signal(signal.SIGKILL)
running.ended()
alice.until("tacit daemon run has ended; this session receives now")
alice.until("alice:/bob > kept again")
stage.tacit("bob", "send", "@alice", "to the session itself")
alice.until("bob │ to the session itself")
alice.enter("")
alice.until("you │ kept again")
stage.until_fetched("bob", "kept again")
assert stage.tacit("alice", "daemon", "status", "--json").objects[0]["command"] == "repl"

# Another session is beside it now, and goes on when it ends. The place and what was typed there are its own.
second = stage.sit("alice", "repl", "--fresh")
second.until("alice:/ >")
second.type("open b")
second.until("> open b")
alice.type(control("d"))
assert alice.ended() == 0
second.until("tacit repl has ended; this session receives now")
second.until("alice:/ > open b")
second.enter("ob")
second.until("alice:/bob >")
stage.tacit("bob", "send", "@alice", "to whoever is left")
second.until("bob │ to whoever is left")
second.enter("quit")
second.enter("/quit")
assert second.ended() == 0

# The next session comes back to where the last one was.
running = daemon()
alice = stage.sit("alice")
alice.until("alice:/bob >")
alice.type("a draft")
alice.until("> a draft")
alice.signal(15)
assert alice.ended() == -15
alice = stage.sit("alice")
alice.until("alice:/bob > a draft")
alice.type(control("u") + control("d"))
assert alice.ended() == 0

# Commands from a pipe work beside it too.
piped = stage.tacit("alice", "repl", stdin="send @bob from-a-pipe --wait queued\nlist contacts\n")
assert "bob" in piped.out, piped.out
stage.until_fetched("bob", "from-a-pipe")
running.signal(signal.SIGTERM)
running.ended()

# The gate is the same; what opened it is not asked for again when the daemon is started anew, nor is the store's key.
(stage.folder / "code").write_text("open sesame\n")
(stage.folder / "end").write_text("burn\n")
assert stage.shell("alice", "tacit passcode set --idle 1h --passcode-fd 3 3<code").code == 0
assert stage.shell("alice", "tacit passcode self-destruct --passcode-fd 3 --new-passcode-fd 4 3<code 4<end").code == 0
running = daemon()
alice = stage.sit("alice")
alice.until("Passcode:")
alice.enter("open barley")
alice.until("Wrong")
alice.enter("open sesame")
alice.until("to whoever is left")
alice.type("kept")
alice.until("> kept")
running.signal(signal.SIGTERM)
running.ended()
running = daemon()
alice.until("was restarted")
alice.until("alice:/bob > kept")
assert "Passcode" not in alice.screen.text
alice.enter("")
alice.until("you │ kept")
alice.enter("/lock")
alice.until("Passcode:")
running.signal(signal.SIGTERM)
running.ended()
running = daemon()
stage.tacit("bob", "send", "@alice", "unseen")
wait_until(lambda: "unseen" in stage.tacit("alice", "list").out, "unseen")
alice.look(0.5)
assert "kept" not in alice.screen.text and "unseen" not in alice.screen.everything, alice.screen.everything

# The second passcode destroys what the daemon had, too.
alice.enter("burn")
alice.until("No chats yet")
alice.type(UP)
alice.look(0.2)
assert "bob" not in alice.screen.text, alice.screen.text
assert running.ended().code == 0
assert "bob" not in stage.tacit("alice", "list", "contacts").out
alice.type(control("u") + control("d"))
assert alice.ended() == 0
