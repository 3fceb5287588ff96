"""A line that names its contact goes to that contact and to no other, and words for the session go to nobody by mistake."""
# limit: 120

from support.seat import TAB, UP, control
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
for name in ("carol", "eve"):
    stage.person(name, relay)
    stage.connect("alice", name)
stage.tacit("alice", "contact", "rename", "@carol", "Ann Lee")


def texts(person):
    stage.tacit(person, "fetch")
    return [item["text"] for item in stage.tacit(person, "read", "@alice", "--json").objects]


alice = stage.sit("alice", "repl", "--fresh")
alice.until("alice:/ >")

# In the list of chats: a text is sent, and that is said behind the mark of notices; a name alone opens the chat.
alice.enter("@bob hello there")
alice.until("-!- message 1 sent to '@bob'")
alice.until("alice:/ >")
stage.until_fetched("bob", "hello there")
alice.enter("@bob")
alice.until("alice:/bob >")
alice.until("you │ hello there")

# In another chat too, and the draft there stays what it is.
alice.enter("@Ann Lee  'tis for you, isn't it?")
alice.until("sent to '@Ann Lee'")
stage.until_fetched("carol", "'tis for you, isn't it?")
assert alice.line.rstrip() == "alice:/bob >", alice.screen.text
alice.enter('@"Ann Lee" in quotes')
stage.until_fetched("carol", "in quotes")
alice.enter("/msg Ann Lee by command, 'quoted")
stage.until_fetched("carol", "by command, 'quoted")
alice.enter("/msg @bob @carol is a name")
alice.until("you │ @carol is a name")
alice.enter("@bob to who is here")
alice.until("you │ to who is here")
alice.enter("/msg bob")
alice.until("/msg NAME TEXT")
assert texts("bob") == ["hello there", "@carol is a name", "to who is here"], texts("bob")

# A name that is mistyped sends nothing to who is on the screen, unless that is meant.
alice.type(control("l"))
alice.enter("@bbo a secret")
alice.until("Send the line to '@bob' as it is? [y/N]")
alice.enter("n")
alice.until("nothing was sent")
alice.until("> @bbo a secret")
alice.enter("")
alice.until("Send the line to '@bob' as it is? [y/N]")
alice.enter("and what was typed on")
# What is for others does not stand beside it: Enter would send both.
alice.until("the up arrow restores the unsent text")
alice.until(lambda: alice.line.rstrip() == "alice:/bob > and what was typed on", "the line")
alice.type(UP)
alice.until(lambda: alice.line.rstrip() == "alice:/bob > @bbo a secret", "the line before")
alice.type(control("u"))
alice.enter("@home with the cat")
alice.until("Send the line to '@bob' as it is? [y/N]")
alice.enter("y")
alice.until("you │ @home with the cat")
alice.enter("@ 5pm?")
alice.until("you │ @ 5pm?")
assert texts("bob")[3:] == ["@home with the cat", "@ 5pm?"], texts("bob")

# A block in a chat is a message, whatever it begins with.
alice.paste("@Ann Lee said:\nhello")
alice.enter("")
alice.until("│ @Ann Lee said:")
assert texts("bob")[5:] == ["@Ann Lee said:\nhello"]

# Who takes a name that begins as that of another gets nothing by it.
stage.tacit("alice", "contact", "rename", "@eve", "bob I")
alice.type(control("l"))
alice.enter("@bob I love you")
alice.until("1  '@bob': I love you")
alice.until("2  '@bob I': love you")
alice.until("1-2, or Enter to send nothing:")
alice.enter("")
alice.until("nothing was sent")
alice.until("> @bob I love you")
alice.enter("")
alice.until("1-2, or Enter to send nothing:")
alice.enter("1")
alice.until("you │ I love you")
assert texts("eve") == [], texts("eve")
# The name as a whole only opens the chat.
alice.enter("@bob I")
alice.until("alice:/bob I >")
alice.enter("@bob")
alice.until("alice:/bob >")

# Words for the session ask before they are sent, and say what is meant.
for word, advice in (
    ("quit", "/quit leaves"),
    ("exit", "/quit leaves"),
    ("back", "/back goes back"),
    ("help", "/help shows"),
    ("?", "/help shows"),
    ("q", "/quit leaves"),
):
    alice.type(control("l"))
    alice.enter(word)
    alice.until(f"Send '{word}' to '@bob'? [y/N]")
    assert advice in alice.screen.text, alice.screen.text
    alice.enter("")
    alice.until("nothing was sent")
before = texts("bob")
assert not {"quit", "exit", "back", "help", "?", "q"} & set(before), before
alice.enter("help")
alice.until("Send 'help' to '@bob'? [y/N]")
alice.enter("y")
alice.until("you │ help")
stage.until_fetched("bob", "help")
# What is no answer is not lost, and a command is one.
alice.type(control("l"))
alice.enter("quit")
alice.until("Send 'quit' to '@bob'? [y/N]")
alice.enter("this was typed too fast")
alice.until(lambda: alice.line.rstrip() == "alice:/bob > this was typed too fast", "the line")
alice.type(control("u"))
# Who types on before anything was asked sends nothing either.
alice.type("quit\rafter it\r")
alice.until("'quit' was not sent")
alice.until("you │ after it")
alice.type("quit\rn\r")
alice.until("'n' was not sent")
alice.enter("back")
alice.until("Send 'back' to '@bob'? [y/N]")
alice.enter("/home")
alice.until("alice:/ >")
assert texts("bob")[len(before) :] == ["help", "after it"]

# In lists the words are commands.
alice.type(control("l"))
alice.enter("?")
alice.until("help, ? [COMMAND]")
alice.enter("@nobody at all")
alice.until("unknown contact '@nobody'")
alice.until(lambda: alice.line.rstrip() == "alice:/ > @nobody at all", "the line")
alice.type(control("u"))
alice.enter("@ann lee hello")
alice.until("unknown contact '@ann'")
alice.type(control("u"))
# Several lines are sent to a contact only when that is meant.
alice.paste("@bob one\ntwo")
alice.enter("")
alice.until("Send 2 lines to '@bob'? [y/N]")
alice.enter("n")
alice.until("nothing was sent")
alice.until("two")
alice.enter("")
alice.until("Send 2 lines to '@bob'? [y/N]")
alice.enter("y")
stage.until_fetched("bob", "one\ntwo")
alice.enter("@notes buy milk")
alice.until("kept in '@notes'")

# Tab completes names where they open a chat.
alice.type("bo" + TAB)
alice.until(lambda: alice.line.rstrip() == "alice:/ > bob", "the name")
alice.type(TAB)
alice.until("bob I")
alice.type(control("u") + "@An" + TAB)
alice.until(lambda: alice.line.rstrip() == "alice:/ > @Ann Lee", "the name")
alice.type("by its name")
alice.enter("")
stage.until_fetched("carol", "by its name")
alice.type("An" + TAB)
alice.until('> "Ann Lee"')
alice.enter("")
alice.until("alice:/Ann Lee >")
alice.type("@bo" + TAB)
alice.until(lambda: alice.line.rstrip() == "alice:/Ann Lee > @bob", "the name")
alice.type(control("u") + "/msg Ann L" + TAB)
alice.until('> /msg "Ann Lee"')
alice.enter("and so")
stage.until_fetched("carol", "and so")
alice.type("/open bob" + TAB + " I" + TAB)
alice.until('> /open "bob I"')
alice.enter("")
alice.until("alice:/bob I >")

# A name that is a word of the session does not take its place, and can still be reached.
stage.tacit("alice", "contact", "rename", "@Ann Lee", "quit")
alice.enter("/home")
alice.until("alice:/ >")
alice.enter("@quit you are called so")
alice.until("sent to '@quit'")
stage.until_fetched("carol", "you are called so")
alice.enter("help")
alice.until("help, ? [COMMAND]")
alice.enter("@quit")
alice.until("alice:/quit >")
alice.enter("@bob I")
alice.until("alice:/bob I >")

# What could not be sent is in the line again.
stage.tacit("eve", "contact", "delete", "@alice", "--yes")
alice.until("deleted")
alice.enter("/home")
alice.until("alice:/ >")
alice.enter('@"bob I" are you there?')
alice.until("has ended")
alice.until(lambda: alice.line.rstrip() == 'alice:/ > @"bob I" are you there?', "the line")
alice.type(control("u"))
alice.enter("q")
assert alice.ended() == 0
