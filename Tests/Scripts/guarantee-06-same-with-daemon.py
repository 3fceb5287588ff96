"""Guarantee 6: with a daemon, or a watch, every command does and says what it did without."""

# limit: 120

import json
import signal

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tacit("alice", "send", "@bob", "before")
stage.tacit("bob", "fetch", "-q")

stage.play(r'''
    bob$ tacit daemon status
    ! tacit: cannot find a daemon: no daemon is running for this store
    !   try: tacit daemon run &    start a daemon
    [1]
    bob$ tacit daemon stop
    ! no daemon is running
    bob$ tacit daemon reload -qq
    ! tacit: cannot reload the daemon: no daemon is running for this store
    !   try: tacit daemon run &    start a daemon
    [1]
''')


def started(person):
    daemon = stage.start(person, "daemon", "run")
    assert daemon.error_line().startswith("accepting commands at "), daemon
    return daemon


daemon = started("bob")
status = stage.tacit("bob", "daemon", "status", "--json").objects[0]
assert (status["state"], status["pid"], status["command"]) == ("running", daemon.pid, "daemon run"), status
assert stage.tacit("bob", "status", "--json").objects[0]["lock"]["pid"] == daemon.pid

# What is written goes through the daemon and looks as ever; what is only read does not need it.
stage.play(r'''
    bob$ tacit send @alice 'through the daemon'
    sent @alice m2
    bob$ echo 'from a pipe' | tacit send @alice -
    sent @alice m3
    bob$ tacit send @alice hi --json --wait sent
    {"v":1,"type":"send","id":"m4","chat":"@alice","chat_id":"c1","state":"sent","created_at":"YYYY-MM-DDThh:mm:ss.sssZ","at":"YYYY-MM-DDThh:mm:ss.sssZ"}
    bob$ tacit send @eve hi
    ! tacit: cannot send to '@eve': unknown contact 'eve'
    !   try: tacit list contacts    show the list
    [67]
    bob$ tacit send @alice ''
    ! tacit: cannot send to '@alice': the text is empty
    !   try: tacit send TARGET 'some words'
    !   try: some-program | tacit send TARGET -    read the text from standard input
    [64]
    bob$ TACIT_SEND_WAIT=queued tacit send @alice 'as the environment says' -q
    bob$ tacit fetch --if-free
    bob$ tacit contact rename @alice carol
    renamed @carol (c1)
    bob$ tacit contact rename @carol alice -q
    bob$ tacit contact delete @alice
    ! tacit: cannot delete '@alice': not confirmed
    !   try: tacit contact delete '@alice' --yes
    [64]
    bob$ tacit message mark m1
    bob$ tacit read --cursor bot --plain --fields text
    before
    through the daemon
    from a pipe
    hi
    as the environment says
    bob$ tacit read --cursor bot
    bob$ tacit db rekey --new-key-file key
    ! tacit: cannot change the key: the store is in use
    !   why: pid PID (tacit daemon run) has held it since YYYY-MM-DD hh:mm
    !   try: tacit status         show the process
    !   try: tacit daemon stop    stop the process that has the store open
    [75]
''')
stage.tacit("alice", "fetch", "-q")
texts = [item["text"] for item in stage.tacit("alice", "read", "--json").objects]
assert texts == ["before", "through the daemon", "from a pipe", "hi", "as the environment says"], texts

# What comes is there without a fetch; fetch says when all is there.
stage.tacit("alice", "send", "@bob", "to the daemon")
fetched = stage.tacit("bob", "fetch", "--json").objects[-1]
assert fetched["type"] == "fetch", fetched
assert stage.tacit("bob", "read", "--json", "--last", "1").objects[0]["text"] == "to the daemon"

# A watch shows what the daemon receives, and the daemon stays when it ends.
watching = stage.start("bob", "watch", "--json")
stage.tacit("bob", "send", "@alice", "seen by the watch", "--wait", "delivered", "--timeout", "1s", expect=75)
stage.tacit("alice", "send", "@bob", "into the watch")
while "into the watch" not in watching.line():
    pass
watching.signal(signal.SIGTERM)
watching.ended()

# Whoever waits for a receipt does not end the sessions of the daemon.
waiting = stage.start("bob", "send", "@alice", "wait for it", "--wait", "delivered", "--timeout", "30s")
while "wait for it" not in stage.tacit("alice", "fetch").out:
    pass
assert waiting.ended().code == 0
stage.tacit("alice", "send", "@bob", "still there")
watching = stage.start("bob", "watch", "--json", "--timeout", "30s")
stage.tacit("alice", "send", "@bob", "and there")
while "and there" not in watching.line():
    pass
watching.signal(signal.SIGKILL)
watching.ended()

# A relay that was away is found again.
relay.crash()
stage.tacit("bob", "send", "@alice", "after the crash", "--timeout", "30s")

# It reads its settings anew, and goes on.
assert stage.tacit("bob", "daemon", "reload", "--json").objects[0]["state"] == "reloading"
assert daemon.error_line() == "reloading the configuration"
assert daemon.error_line().startswith("accepting commands at ")
stage.tacit("bob", "send", "@alice", "after the reload")
daemon.signal(signal.SIGHUP)
assert daemon.error_line() == "reloading the configuration"
assert daemon.error_line().startswith("accepting commands at ")

# It ends in order, and everything works without it.
stopped = stage.tacit("bob", "daemon", "stop", "--json").objects[0]
assert (stopped["state"], stopped["pid"]) == ("stopped", daemon.pid), stopped
assert daemon.ended().code == 0
stage.tacit("bob", "send", "@alice", "without it")
daemon = started("bob")
daemon.signal(signal.SIGTERM)
assert daemon.ended().code == 0

# One that was killed leaves nothing behind that is in the way.
daemon = started("bob")
daemon.signal(signal.SIGKILL)
daemon.ended()
stage.tacit("bob", "send", "@alice", "after a kill", "--lock-timeout", "0s")

# A service manager learns when it is ready.
import socket

manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(str(stage.folder / "manager"))
manager.settimeout(20)
daemon = stage.start("bob", "daemon", "run", "-q", env={"NOTIFY_SOCKET": str(stage.folder / "manager")})
assert manager.recv(100).splitlines()[0] == b"READY=1"
stage.tacit("bob", "daemon", "stop", "-q")
assert manager.recv(100).splitlines()[0] == b"STOPPING=1"
assert daemon.ended().code == 0

# A watch takes commands just as well.
watching = stage.start("bob", "watch", "--json")
stage.tacit("alice", "send", "@bob", "hello watch")
while "hello watch" not in watching.line():
    pass
stage.play(r'''
    bob$ tacit send @alice 'through the watch' -q
    bob$ tacit daemon stop
    stopped: pid PID (tacit watch) since YYYY-MM-DD hh:mm
''')
assert watching.ended().code == 0
stage.tacit("alice", "fetch", "-q")
assert stage.tacit("alice", "read", "--json", "--last", "1").objects[0]["text"] == "through the watch"
