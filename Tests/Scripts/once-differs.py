"""The same key with another text sends nothing, and says that the texts differ."""

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.play(r'''
    alice$ tacit send @bob 'disk 91%' --once disk
    sent @bob m1
    alice$ tacit send @bob 'disk 91%' --once disk
    sent @bob m1 (before)
    alice$ tacit send @bob 'disk 95%' --once disk
    sent @bob m1 (before, differs)
    ! tacit: warning: not sent to '@bob': the key of '--once' was used with another text, m1
    alice$ tacit send @bob 'disk 95%' --once disk --wait queued
    sent @bob m1 (before, differs)
    ! tacit: warning: not sent to '@bob': the key of '--once' was used with another text, m1
    alice$ tacit send @bob 'disk 95%' --once disk -q
    ! tacit: warning: not sent to '@bob': the key of '--once' was used with another text, m1
    alice$ tacit send @bob 'disk 95%' --once disk --plain --fields id,duplicate,differs
    m1	true	true
    ! tacit: warning: not sent to '@bob': the key of '--once' was used with another text, m1
    alice$ tacit send notes 'disk 95%' --once disk
    kept in notes m2
''')
same = stage.tacit("alice", "send", "@bob", "disk 91%", "--once", "disk", "--json").objects[0]
other = stage.tacit("alice", "send", "@bob", "disk 95%", "--once", "disk", "--json").objects[0]
assert other == {**same, "differs": True} and "differs" not in same, (same, other)

# While it waits in the outbox, too. Only some of several targets may know the key.
relay.kill()
stage.tacit("alice", "send", "@bob", "one", "--once", "late", "--wait", "queued")
waiting = stage.tacit("alice", "send", "@bob", "two", "--once", "late", "--json", "--timeout", "1s", expect=75)
assert waiting.objects[0]["differs"] and waiting.objects[0]["state"] == "queued", waiting.out
both = stage.tacit("alice", "send", "@bob", "--to", "notes", "two", "--once", "late", "--wait", "queued", "--json").objects
assert ["differs" in line for line in both] == [True, False], both
relay.start()
stage.tacit("alice", "fetch", "-q")
stage.tacit("bob", "fetch", "-q")
texts = [line["text"] for line in stage.tacit("bob", "read", "--json").objects]
assert texts == ["disk 91%", "one"], texts

# What was changed or removed since says nothing of the text that was sent.
stage.tacit("alice", "message", "edit", "m1", "disk 93%")
edited = stage.tacit("alice", "send", "@bob", "disk 91%", "--once", "disk", "--json").objects[0]
assert edited["duplicate"] and "differs" not in edited, edited
stage.tacit("alice", "message", "delete", "m1")
gone = stage.tacit("alice", "send", "@bob", "other", "--once", "disk", "--json").objects[0]
assert gone["state"] == "removed" and "differs" not in gone, gone
