"""Guarantee 1: a command returns at the right time, neither before the relay has the message nor after a guess."""

import time

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tacit("alice", "fetch")


def texts(person):
    return [message["text"] for message in stage.tacit(person, "read", "--json").objects]


# sent: the relay has it. It survives the relay's end at once, and nothing more of the sender is needed.
report = stage.tacit("alice", "send", "@bob", "is it there?", "--json").objects[0]
assert report["state"] == "sent", report
relay.crash()
stage.tacit("bob", "fetch", "-q")
assert texts("bob") == ["is it there?"]

# queued: on disk and nothing else. No relay is asked, so that none needs to be there.
relay.kill()
begin = time.monotonic()
report = stage.tacit("alice", "send", "@bob", "later", "--wait", "queued", "--json").objects[0]
assert report["state"] == "queued" and time.monotonic() - begin < 5, report
assert stage.tacit("alice", "outbox", "list", "--json").objects[0]["id"] == report["id"]

# Not in time: 75, and the message stays; it is not sent twice by whoever waits for it.
stage.play(r'''
    alice$ tacit send @bob 'no relay' --timeout 2s
    queued @bob m3
    ! tacit: cannot send to '@bob': the relay is unreachable
    !   why: connection refused
    !        the message is in the outbox and will be sent by the next fetch
    !   try: tacit fetch    try again
    [75]
    alice$ tacit message wait m3 --for sent --timeout 1s
    queued @bob m3
    ! tacit: cannot wait for the message: the relay is unreachable
    !   why: connection refused
    !        the message is in the outbox and will be sent by the next fetch
    !   try: tacit fetch    try again
    [75]
    alice$ tacit status --check
    [1]
'''.replace("alice$ tacit status --check", "alice$ tacit status --check -q"))
relay.start()
stage.play(r'''
    alice$ tacit message wait m3 --for sent
    sent @bob m3
    alice$ tacit outbox
''')
stage.tacit("bob", "fetch", "-q")
stage.play(r'''
    bob$ tacit message wait m1
    ! tacit: cannot wait for the message 'm1': the message was received, not sent
    !   try: tacit list outbox    list queued messages
    [64]
    bob$ tacit message wait m99
    ! tacit: cannot wait for the message 'm99': unknown message m99
    [67]
''')
assert texts("bob") == ["is it there?", "later", "no relay"]

# delivered: not before the contact has fetched, and then at once.
waiting = stage.start("alice", "send", "@bob", "and now?", "--wait", "delivered", "--timeout", "15s", "--json")
deadline = time.monotonic() + 15
while "and now?" not in texts("bob"):
    assert waiting.process.poll() is None, "it did not wait for the receipt"
    assert time.monotonic() < deadline
    stage.tacit("bob", "fetch", "-q")
ended = waiting.ended()
assert ended.code == 0 and ended.objects[-1]["state"] == "delivered", ended.out
assert time.monotonic() < deadline, "the receipt was waited for longer than it took"
stage.play(r'''
    alice$ tacit send @bob 'nobody fetches' --wait delivered --timeout 1s
    sent @bob m5
    ! tacit: cannot send to '@bob': the contact has not confirmed the message in time
    !   why: the relay has the message; the contact is offline or sends no receipts
    [75]
''')

# A try again is safe: the same key sends once, however often and whatever became of it.
relay.kill()
first = stage.tacit("alice", "send", "@bob", "disk 91%", "--once", "disk", "--json", expect=75).objects[0]
again = stage.tacit("alice", "send", "@bob", "disk 91%", "--once", "disk", "--json", expect=75).objects[0]
relay.start()
third = stage.tacit("alice", "send", "@bob", "disk 91%", "--once", "disk", "--json").objects[0]
fourth = stage.tacit("alice", "send", "@bob", "disk 91%", "--once", "disk", "--json").objects[0]
assert "duplicate" not in first and first["state"] == "queued", first
assert again == {**first, "duplicate": True}, again
assert third["id"] == fourth["id"] == first["id"] and third["state"] == "sent" and fourth["duplicate"], (third, fourth)
stage.tacit("bob", "fetch", "-q")
assert texts("bob").count("disk 91%") == 1

# A change is told too, or the code says that it is not.
relay.kill()
stage.play(r'''
    alice$ tacit message edit m6 'disk 92%'
    edited m6 @bob (queued)
    ! tacit: cannot tell @bob: the relay is unreachable
    !   why: connection refused
    !        the change is stored here; the next fetch sends it to the contact
    !   try: tacit fetch    try again
    [75]
''')
relay.start()
stage.play(r'''
    alice$ tacit outbox flush
    alice$ tacit message react m6 👍 --wait queued
    reacted m6 👍 @bob (queued)
    alice$ tacit fetch -q
''')
stage.tacit("bob", "fetch", "-q")
assert texts("bob")[-1] == "disk 92%"
