"""Guarantee 3: no message is lost between the network and a script; it may come twice."""

# limit: 120

import json
import os
import signal
import time

from support.process import TIMEOUT, wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tacit("alice", "fetch")


def send(*texts):
    for text in texts:
        stage.tacit("alice", "send", "@bob", text)
    stage.tacit("bob", "fetch", "-q")


def read(*words, expect=0):
    return [m["text"] for m in stage.tacit("bob", "read", "--json", *words, expect=expect).objects]


def place(name):
    return {c["name"]: c.get("id") for c in stage.tacit("bob", "cursor", "list", "--json").objects}.get(name)


# What is printed by fetch is not consumed by it: nobody needs to listen.
send("one", "two")
assert read() == read() == ["one", "two"]

# A cursor goes on where it stopped.
assert read("--cursor", "bot", "--peek") == ["one", "two"]
assert read("--cursor", "bot") == ["one", "two"]
assert read("--cursor", "bot") == []
send("three")
assert read("--cursor", "bot", "--peek") == ["three"]
assert read("--cursor", "other") == ["one", "two", "three"]

# A reader that is gone, and a disk that is full, move nothing.
reading, writing = os.pipe()
os.close(reading)
ended = stage.start("bob", "read", "--cursor", "bot", stdout=writing).ended()
os.close(writing)
assert (ended.code, ended.err) == (128 + signal.SIGPIPE, ""), ended.err
assert stage.shell("bob", "tacit read --cursor bot > /dev/full").code == 74
assert place("bot") == "m2"
assert read("--cursor", "bot") == ["three"]

# Where the reader ends in the middle, what it did not take comes again.
for number in range(4):
    stage.tacit("alice", "send", "@bob", f"long {number}\n" + "x" * 13000 if number else "long 0", "--wait", "queued")
    for _ in range(20):
        stage.tacit("alice", "send", "@bob", "y" * 13000, "--wait", "queued")
stage.tacit("alice", "fetch", "-q")
stage.tacit("bob", "fetch", "-q")
before = place("bot")
assert stage.shell("bob", "tacit read --cursor bot --json | head -n 1 > /dev/null").code == 0
assert place("bot") == before, "the reader took one line of eighty"
assert len(read("--cursor", "bot")) == 84

# The program is run for each message, once it has worked; what it did not do comes again, and in order.
send("a", "b", "c")
(stage.place("bob") / "log").write_text("")
program = 'text=$(jq -r .text); test "$text" != b || test -e ok || exit 3; echo "$text" >> "$TACIT_DIR/log"'
stage.values["program"] = program
stage.play(r'''
    bob$ tacit read --cursor bot --exec "$program"
    ! tacit: cannot read: the program failed for message m89
    !   why: the program ended with exit code 3; the cursor stays before the message
    !   try: tacit cursor commit bot m89    skip the message and continue
    [75]
    bob$ cat "$TACIT_DIR/log"
    a
    bob$ touch ok; tacit read --cursor bot --exec "$program"; cat "$TACIT_DIR/log"
    a
    b
    c
    bob$ tacit read --cursor bot --exec "$program"
    bob$ tacit read --cursor bot --exec 'no-such-program'
''')

# It has the message on its standard input and may use the store, also to answer.
send("question")
stage.tacit("bob", "read", "--cursor", "bot", "--exec",
            'test "$(jq -r .id)" = "$TACIT_ID" && tacit send "id:$TACIT_CHAT_ID" answer -q')
stage.tacit("alice", "fetch", "-q")
assert stage.tacit("alice", "read", "-n", "1", "--json").objects[0]["text"] == "answer"
# Its own answer is behind the cursor, and was not given to it in the same run.
assert [m["direction"] for m in stage.tacit("bob", "read", "--cursor", "bot", "--json").objects] == ["out"]

# Killed while the program runs: the message comes again.
send("twice")
running = stage.start("bob", "read", "--cursor", "bot", "--exec", 'cat > "$TACIT_DIR/begun"; sleep 60')
wait_until(lambda: (stage.place("bob") / "begun").exists(), "the program begins", running.process)
os.kill(running.pid, signal.SIGKILL)
running.ended_code = running.process.wait(TIMEOUT)
assert read("--cursor", "bot", "--peek") == ["twice"]
assert json.loads((stage.place("bob") / "begun").read_text() or "{}").get("text") in (None, "twice")

# Left to a later step, which never moves back.
assert read("--cursor", "bot", "--hold") == ["twice"]
assert read("--cursor", "held", "--hold")[-1] == "twice"
held = place("held")
assert held is None, held
stage.play(r'''
    bob$ tacit cursor commit held m2 -q && tacit cursor commit held m1
    moved held m2, 91 waiting
    bob$ tacit cursor commit nobody m1
    ! tacit: cannot move the cursor 'nobody': unknown cursor 'nobody'
    !   try: tacit cursor list    show the list
    [67]
    bob$ tacit cursor commit held m999
    ! tacit: cannot move the cursor 'held': unknown message m999
    [67]
    bob$ tacit cursor reset held --to end
    moved held m93, 0 waiting
    bob$ tacit cursor reset held --to m90
    moved held m90, 3 waiting
    bob$ tacit cursor list
    NAME   AT   WAITING  CHAT  MOVED
    bot    m92        1  all   YYYY-MM-DD hh:mm
    held   m90        3  all   YYYY-MM-DD hh:mm
    other  m3        90  all   YYYY-MM-DD hh:mm
    bob$ tacit cursor delete other
    deleted other m3, 90 waiting
''')

# What would skip messages is refused.
stage.play(r'''
    bob$ tacit read @alice --cursor bot
    ! tacit: cannot read '@alice': the cursor 'bot' belongs to another conversation, or to all
    !   why: in another conversation it would skip messages
    !   try: tacit cursor list    show its conversation
    !   try: --cursor OTHER       use another cursor
    [64]
    bob$ tacit read --cursor bot --unread
    ! tacit: '--cursor' prints all messages after the cursor and cannot be combined with filters
    !   try: tacit cursor reset NAME --to ID    start at another message
    [64]
    bob$ tacit read --exec true
    ! tacit: '--exec', '--hold' and '--peek' need '--cursor'
    !   try: tacit read --cursor NAME ...
    [64]
''')

# A fetch that is killed loses nothing: a message is acknowledged when it is on disk.
for number in range(60):
    stage.tacit("alice", "send", "@bob", f"storm {number}", "--wait", "queued")
stage.tacit("alice", "fetch", "-q")
for attempt in range(8):
    running = stage.start("bob", "fetch", "-q")
    time.sleep(0.01 * attempt)
    running.signal(signal.SIGKILL)
    running.process.wait(TIMEOUT)
stage.tacit("bob", "fetch", "-q")
assert [t for t in read("--cursor", "bot") if t.startswith("storm")] == [f"storm {n}" for n in range(60)]

# Neither does a watch that is killed, nor one whose reader goes.
watching = stage.start("bob", "watch", "--json")
stage.tacit("alice", "send", "@bob", "watched")
assert json.loads(watching.line())["text"] == "watched"
watching.signal(signal.SIGKILL)
watching.process.wait(TIMEOUT)
assert read("--cursor", "bot") == ["watched"]
