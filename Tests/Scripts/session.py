"""A session on a terminal: screens, what comes in meanwhile, and the place to come back to."""
# limit: 120

from support.seat import ALT_ENTER, TAB, UP, control
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.person("carol", relay)
stage.connect("alice", "carol")


def says(person, text):
    stage.tacit(person, "send", "@alice", text)


# It opens at the chats, says how many are unread elsewhere, and goes where a number or a name says.
says("bob", "hello from bob")
alice = stage.sit("alice")
alice.until("alice:/ (1) >")
# The list is drawn anew in its place, and each number stays where it is.
alice.until("hello from bob")
names = [line.split()[1] for line in alice.screen.lines if line[:1].isdigit()]
stage.tacit("carol", "send", "@alice", "and from carol")
alice.type("op")
alice.until("and from carol")
assert [line.split()[1] for line in alice.screen.lines if line[:1].isdigit()] == names, alice.screen.text
assert alice.screen.text.count("── chats") == 1 and alice.line.endswith("> op"), alice.screen.text
alice.type(control("u"))
alice.enter("show")
alice.until(lambda: alice.screen.text.count("── chats") == 2, "another list")
alice.enter("carol")
alice.until("alice:/carol")
alice.enter("/home")
alice.until("alice:/ (1) >")
alice.enter("bob")
alice.until("── bob")
alice.until("alice:/bob >")

# What is typed is sent, and shown.
alice.enter("hi bob, how are you?")
alice.until("you │ hi bob, how are you?")
stage.until_fetched("bob", "hi bob, how are you?")

# What comes in goes above the line that is being typed, also if that has several rows and wide characters; what comes to
# other chats only counts.
long = "日本語 and 😀 and a line that is longer than the screen is wide, so that it has several rows: " + "x" * 60
says("carol", "are you there?")
alice.until("alice:/bob (1) >")
alice.type(long)
alice.until("x" * 12)
alice.until(lambda: alice.screen.lines[alice.screen.row].endswith("x"), "the end of the line")
before = alice.screen.lines[alice.screen.row], alice.screen.column
says("bob", "one more thing")
alice.until("bob │ one more thing")
alice.until("alice:/bob (1) > 日本語")
assert (alice.screen.lines[alice.screen.row], alice.screen.column) == before, alice.screen.text
assert "are you there?" not in alice.screen.text
alice.type(control("u"))
alice.gone("日本語")

# A pasted block is one message, and so is what Alt-Enter parts.
alice.paste("first line\r\nsecond line\r\n")
alice.until("second line")
assert "you │ first line" not in alice.screen.text
alice.type(ALT_ENTER + "third")
alice.enter("")
alice.until("│ third")
stage.until_fetched("bob", "first line\nsecond line\nthird")

# Ctrl-C empties the line.
alice.type("not meant")
alice.until("not meant")
alice.type(control("c"))
alice.gone("not meant")

# Commands begin with a slash, are completed, and remembered; messages are not.
alice.type("/con" + TAB)
alice.until("> /con")
alice.type("tact sh" + TAB)
alice.until("> /contact show")
alice.enter("@bob")
alice.until("connected")
alice.type(UP)
alice.until("> /contact show @bob")
alice.type(control("u"))

# By number: an answer, a change, an emoji, an end.
alice.enter("/reply 1 I am fine")
alice.until("> hello from bob")
alice.enter("mistaek")
alice.until("│ mistaek")
number = next(line.split()[0] for line in alice.screen.lines if "mistaek" in line)
alice.enter(f"/edit {number} mistake")
alice.until("(edited)")
alice.enter("/react 1 heart")
alice.until("❤")
alice.enter(f"/delete {number}")
alice.until("for both? [y/N]")
alice.enter("n")
alice.until("nothing was deleted")
assert "[y/N]" not in alice.screen.text, alice.screen.text
alice.enter(f"/delete {number}")
alice.until("for both? [y/N]")
alice.enter("y")
alice.until(f"deleted {number}")

# Another terminal uses the same store meanwhile.
assert "bob" in stage.tacit("alice", "list", "contacts").out
stage.tacit("alice", "send", "@carol", "from another terminal")
stage.until_fetched("carol", "from another terminal")

# The next session comes back to the same place, with what was typed and not sent.
alice.enter("/home")
alice.until("alice:/")
alice.enter("open carol")
alice.until("── carol")
alice.type("half a sen")
alice.until("> half a sen")
alice.type(control("a") + control("k"))
alice.gone("half a sen")
alice.type("half a sentence")
alice.until("> half a sentence")
alice.signal(15)
assert alice.ended() == -15
alice = stage.sit("alice")
alice.until("── carol")
alice.until("alice:/carol > half a sentence")
alice.type(control("c"))
alice.type(control("d"))
assert alice.ended() == 0

# What is gone meanwhile is not come back to.
stage.tacit("alice", "contact", "delete", "@carol", "--yes")
alice = stage.sit("alice")
alice.until("the contact of the last session no longer exists")
alice.until("alice:/ >")
alice.enter("quit")
assert alice.ended() == 0

# Where to begin can be said.
alice = stage.sit("alice", "repl", "--at", "/settings/net")
alice.until("settings: net")
alice.enter("..")
alice.until("appearance")
alice.enter("home")
alice.until("── chats")
alice.enter("cd /contacts/bob")
alice.until("alice:/bob >")
alice.enter("/no-such-command")
alice.until("no-such-command")
alice.enter("/info")
alice.until("security code")
alice.enter("back")
alice.until("alice:/bob >")
alice.type(control("d"))
assert alice.ended() == 0
alice = stage.sit("alice", "repl", "--fresh")
alice.until("── chats")
alice.type(control("c") + control("c"))
assert alice.ended() == 0
