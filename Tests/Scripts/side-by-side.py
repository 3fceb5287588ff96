"""Several commands use one store at the same time."""

import json
import signal

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.tacit("alice", "send", "@bob", "hello")
stage.tacit("bob", "fetch")

# Somebody waits long and holds the right to write.
holder = stage.start("bob", "connect", "--wait", "connected", "--timeout", "60s")
holder.line()
stage.play(r'''
    bob$ tacit send @alice hi --lock-timeout 200ms
    ! tacit: cannot send to '@alice': the store is in use
    !   why: pid PID (tacit connect) has held it since YYYY-MM-DD hh:mm and did not end within 0.2 s
    !   try: tacit status                         show the process
    !   try: tacit --lock-timeout 60s send ...    wait longer
    [75]
    bob$ tacit send @alice hi --lock-timeout 0s --json
    ! {"v":1,"type":"error","code":"store.busy","exit":75,"message":"cannot send to '@alice': the store is in use","why":"pid PID (tacit connect) has held it since YYYY-MM-DD hh:mm","try":["tacit status","tacit --lock-timeout 60s send ..."],"details":{"pid":PID,"command":"connect","started_at":"YYYY-MM-DDThh:mm:ss.sssZ","since":"YYYY-MM-DDThh:mm:ss.sssZ"}}
    [75]
    bob$ tacit send @alice hi --lock-timeout 1500ms -qq
    [75]
    bob$ tacit fetch --lock-timeout 0s -q
    ! tacit: cannot fetch: the store is in use
    !   why: pid PID (tacit connect) has held it since YYYY-MM-DD hh:mm
    !   try: tacit status                          show the process
    !   try: tacit --lock-timeout 60s fetch ...    wait longer
    [75]
    bob$ tacit fetch --if-free
    bob$ tacit fetch --if-free -v
    ! another process is receiving
    bob$ tacit fetch --if-free --json
    bob$ tacit read --mark --lock-timeout 0s -qq
    [75]
    bob$ tacit profile create work --lock-timeout 0s -qq
    [75]
    bob$ tacit api '/read @alice' --lock-timeout 0s -qq
    [75]
''')

# Who only reads does not wait, and sees who writes.
stage.play(r'''
    bob$ tacit list
    ID  CHAT    UNREAD  LAST
    c1  @alice       1  YYYY-MM-DD hh:mm  hello
    i2                  YYYY-MM-DD hh:mm  invitation (waiting)
    bob$ tacit read
    YYYY-MM-DD hh:mm  @alice  │ hello
    bob$ tacit profile list
       ID  NAME  UNREAD  FULL NAME
    *  p1  bob        1
    bob$ tacit api /users >/dev/null
    bob$ tacit status
    store     /stage/bob
    profile   bob
    contacts  1
    unread    1
    outbox    0
    relay     127.0.0.1:PORT
    writer    pid PID, tacit connect
    bob$ tacit status --json
    {"v":1,"type":"status","store":"/stage/bob","profile":"bob","profile_id":"p1","profiles":1,"contacts":1,"unread":1,"outbox":0,"files":0,"files_size":0,"servers":["smp://FINGERPRINT@127.0.0.1:PORT"],"lock":{"pid":PID,"command":"connect","started_at":"YYYY-MM-DDThh:mm:ss.sssZ","since":"YYYY-MM-DDThh:mm:ss.sssZ"},"encrypted":true,"problems":[]}
''')
error = stage.tacit("bob", "send", "@alice", "hi", "--lock-timeout", "0s", "--json", expect=75).error
assert error["details"]["pid"] == holder.pid and error["details"]["command"] == "connect", error
assert stage.tacit("bob", "status", "--json").objects[0]["lock"]["pid"] == holder.pid

# A holder that is killed leaves nothing behind.
holder.signal(signal.SIGKILL)
assert holder.ended().code == 128 + signal.SIGKILL
stage.play(r'''
    bob$ tacit send @alice hi --lock-timeout 0s
    sent @alice m2
    bob$ tacit status
    store     /stage/bob
    profile   bob
    contacts  1
    unread    1
    outbox    0
    relay     127.0.0.1:PORT
    writer    none
''')

# Writers that come at once go one after the other, and nothing is lost.
texts = [f"message {number}" for number in range(8)]
writers = [stage.start("bob", "send", "@alice", text, "--json") for text in texts]
for writer in writers:
    ended = writer.ended()
    assert ended.code == 0 and json.loads(ended.out)["state"] == "sent", ended.err
readers = [stage.start("alice", *words) for words in (["fetch", "-q"], ["fetch", "-q"], ["list"], ["status"], ["read"])]
for reader in readers:
    ended = reader.ended()
    assert ended.code == 0, ended.err
received = [message["text"] for message in stage.tacit("alice", "read", "@bob", "--json").objects]
assert sorted(received) == sorted(["hello", "hi", *texts]), received

# The relay does not mind either.
assert relay.stop().code == 0
