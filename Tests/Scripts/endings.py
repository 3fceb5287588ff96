"""How commands end when they are not left to finish: by the reader of a pipe, by a signal, by a full disk."""

import os
import signal

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
for number in range(3):
    stage.tacit("alice", "send", "@bob", "line\n" * 1500 + str(number))
stage.tacit("bob", "fetch", "-q")


def without_reader(*words):
    """Runs a command whose output nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    running = stage.start("bob", *words, stdout=writing)
    os.close(writing)
    return running.ended()


# A pipe whose reader has gone ends us quietly, as it ends other programs.
for words in (["read"], ["read", "--json"], ["list"], ["help"], ["send", "-h"], ["version"], ["api", "/users"], ["status"]):
    ended = without_reader(*words)
    assert (ended.code, ended.err) == (128 + signal.SIGPIPE, ""), (words, ended.code, ended.err)
stage.play(r'''
    bob$ tacit read | head -n 1
    YYYY-MM-DD hh:mm  @alice  │ line
''')

# So does it in the middle of a fetch, and what came is there.
stage.tacit("alice", "send", "@bob", "into a closed pipe")
ended = without_reader("fetch")
assert (ended.code, ended.err) == (141, "1 new message\n"), (ended.code, ended.err)
assert stage.tacit("bob", "read", "--last", "1", "--json").objects[0]["text"] == "into a closed pipe"

# What nobody saw is not marked as read.
assert without_reader("read", "--mark").code == 141
assert stage.tacit("bob", "status", "--json").objects[0]["unread"] == 4

# A full disk is an error.
stage.play(r'''
    bob$ tacit list > /dev/full
    ! tacit: cannot print the result: the disk of the output is full
    [74]
    bob$ tacit read --json > /dev/full
    ! {"v":1,"type":"error","code":"output.full","exit":74,"message":"cannot print the result: the disk of the output is full","try":[]}
    [74]
    bob$ tacit help > /dev/full
    ! tacit: cannot print the result: the disk of the output is full
    [74]
    bob$ tacit send -h > /dev/full
    ! tacit: cannot print the result: the disk of the output is full
    [74]
    bob$ tacit version --json > /dev/full
    ! {"v":1,"type":"error","code":"output.full","exit":74,"message":"cannot print the result: the disk of the output is full","try":[]}
    [74]
    bob$ tacit api /users > /dev/full
    ! tacit: cannot print the result: the disk of the output is full
    [74]
    bob$ tacit send @alice 'said anyway' > /dev/full
    ! tacit: cannot print the result: the disk of the output is full
    [74]
    alice$ tacit fetch > /dev/full
    ! 1 new message
    ! tacit: cannot print the result: the disk of the output is full
    [74]
    alice$ tacit read --last 1
    YYYY-MM-DD hh:mm  @bob  │ said anyway
''')

# A signal ends a command that waits, by that signal, and nothing is lost.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    inviting = stage.start("alice", "connect", "--wait", "connected", "--timeout", "60s")
    link = inviting.line()
    inviting.signal(number)
    ended = inviting.ended()
    assert (ended.code, ended.err) == (128 + number, "give this link to one person; then: tacit fetch\n"), ended.err
    name = stage.person(f"guest{number}", relay)
    stage.tacit(name, "connect", link)
    joining = stage.start(name, "connect", link, "--wait", "connected", "--timeout", "60s")
    wait_until(lambda: "lock" in stage.tacit(name, "status", "--json").objects[0], "the lock", joining.process)
    joining.signal(number)
    assert joining.ended().code == 128 + number
    stage.tacit("alice", "fetch")
    stage.tacit(name, "fetch")
    stage.tacit(name, "send", "@alice", f"after {number.name}")
    assert stage.tacit("alice", "fetch", "--json").objects[0]["text"] == f"after {number.name}"

    fetching = stage.start("alice", "fetch", "--idle", "60s", "--json")
    wait_until(lambda: "lock" in stage.tacit("alice", "status", "--json").objects[0], "the lock", fetching.process)
    stage.tacit("bob", "send", "@alice", f"before {number.name}")
    assert f"before {number.name}" in fetching.line()
    fetching.signal(number)
    ended = fetching.ended()
    assert (ended.code, ended.out, ended.err) == (128 + number, "", ""), (ended.code, ended.out, ended.err)
    assert stage.tacit("alice", "fetch", "--json").objects[0]["received"] == 0
    assert stage.tacit("alice", "read", "--last", "1", "--json").objects[0]["text"] == f"before {number.name}"

# Killed without warning at any moment, a receiver loses nothing and repeats nothing.
for count in range(6):
    stage.tacit("bob", "send", "@alice", f"crash {count}")
    fetching = stage.start("alice", "fetch", "--idle", "60s", "--json")
    if count % 2:
        fetching.line()
    else:
        wait_until(lambda: "lock" in stage.tacit("alice", "status", "--json").objects[0], "the lock", fetching.process)
    fetching.signal(signal.SIGKILL)
    fetching.ended()
stage.tacit("alice", "fetch")
texts = [message["text"] for message in stage.tacit("alice", "read", "@bob", "--last", "6", "--json").objects]
assert texts == [f"crash {count}" for count in range(6)], texts

# A relay that is asked to end has done what it should.
for number in (signal.SIGINT, signal.SIGTERM):
    ended = relay.stop(number)
    assert (ended.code, ended.out) == (0, ""), (ended.code, ended.err)
    assert all(" info: " in line for line in ended.err.splitlines()), ended.err
    relay.start()
