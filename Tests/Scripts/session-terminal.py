"""The bell and the title of a session are settings, off at first; the title is given back, and holds no control character."""
# limit: 120

from support.seat import control
from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.person("carol", relay)
stage.connect("alice", "carol")

# Off at first.
alice = stage.sit("alice", "repl", "--fresh")
alice.until("alice:/ >")
stage.tacit("bob", "send", "@alice", "no bell")
alice.until("alice:/ (1) >")
assert alice.screen.bells == 0 and alice.screen.title == "the shell"

# Both can be switched in the settings, and take effect at once.
alice.enter("settings")
alice.until("alice:/settings (1) >")
alice.enter("appearance")
alice.until("1  bell: off")
alice.enter("1")
alice.until("1  bell: on")
alice.enter("title on")
alice.until("2  title: on")
alice.until(lambda: alice.screen.title == "tacit (1) alice:/settings/appearance", "the title")
assert stage.tacit("alice", "config", "get", "session.bell").out == "yes\n"
assert stage.tacit("alice", "config", "get", "session.title").out == "yes\n"
alice.enter("home")
alice.until("alice:/ (1) >")
alice.until(lambda: alice.screen.title == "tacit (1) alice:/", "the title")

# The bell rings for what comes, not for what is sent, and not for each of many at once.
stage.tacit("bob", "send", "@alice", "a bell")
alice.until(lambda: alice.screen.bells == 1, "the bell")
stage.tell("bob", "alice", (f"number {number}" for number in range(5)))
alice.until("alice:/ (7) >")
alice.enter("@carol hello")
alice.until("sent to '@carol'")
stage.tacit("carol", "fetch")
alice.look(0.3)
assert alice.screen.bells <= 2, alice.screen.bells
# Nor for who is muted.
alice.look(3)
bells = alice.screen.bells
alice.enter("contact mute @carol")
alice.until("muted")
stage.tacit("carol", "send", "@alice", "quietly")
alice.until("(8) >")
alice.look(0.5)
assert alice.screen.bells == bells

# It rings in the chat that is on the screen, too.
alice.enter("bob")
alice.until("alice:/bob (1) >")
alice.until(lambda: alice.screen.title == "tacit (1) alice:/bob", "the title")
alice.look(3)
bells = alice.screen.bells
stage.tacit("bob", "send", "@alice", "to who is here")
alice.until("│ to who is here")
alice.until(lambda: alice.screen.bells == bells + 1, "the bell")

# While the process is stopped, and behind its end, the window has the title that it had.
alice.type(control("z"))
wait_until(lambda: open(f"/proc/{alice.pid}/stat").read().split()[2] == "T", "a stopped process")
alice.until(lambda: alice.screen.title == "the shell", "the former title")
alice.signal(18)
alice.until(lambda: alice.screen.title == "tacit (1) alice:/bob", "the title")

# A name is text in it and no more.
stage.tacit("alice", "contact", "rename", "@bob", "bob ]2;root " + "é" * 36)
alice.until("2;root")
alice.enter("/show")
alice.until(lambda: alice.screen.title.startswith("tacit (1) alice:/bob ]2;root é"), "the new name")
assert len(alice.screen.title) <= 64, alice.screen.title
alice.type(control("d"))
assert alice.ended() == 0
assert alice.screen.title == "the shell" and alice.screen.kept_titles == []

# A terminal without a title gets none, and a hidden session names nothing.
alice = stage.sit("alice", term="linux")
alice.until("(1) >")
assert alice.screen.title == "the shell"
alice.enter("/q")
assert alice.ended() == 0
alice = stage.sit("alice")
alice.until("(1) >")
alice.enter("/passcode set")
alice.until("New passcode")
alice.enter("12345")
alice.until("Repeat the passcode")
alice.enter("12345")
alice.until("no new text stays in the terminal")
alice.enter("/lock")
alice.until("Passcode:")
alice.until(lambda: alice.screen.title == "tacit", "a title that names nothing")
alice.type(control("d"))
assert alice.ended() == 0
assert alice.screen.title == "the shell"
