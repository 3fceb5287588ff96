"""A relay that accepts connections and says nothing, or hangs up, or needs a password: no wait is without an end."""

import re
import signal
import socket
import threading
import time

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
address = relay.address
port = int(address.rsplit(":", 1)[1])
relay.kill()

with socket.create_server(("127.0.0.1", port)):
    start = time.monotonic()
    stage.play(r'''
        alice$ tacit send @bob hi --timeout 300ms
        queued @bob m1
        ! tacit: cannot send to '@bob': the relay has not accepted the message in time
        !   why: the message is in the outbox and will be sent by the next fetch
        !   try: tacit fetch    try again
        [75]
        alice$ TACIT_TIMEOUT=300ms tacit send @bob ho -q
        ! tacit: cannot send to '@bob': the relay has not accepted the message in time
        !   why: the message is in the outbox and will be sent by the next fetch
        !   try: tacit fetch    try again
        [75]
        alice$ tacit fetch --timeout 300ms
        ! no new messages, 2 in the outbox
        ! tacit: cannot fetch everything: the time limit was reached
        !   why: received messages are stored
        !   try: tacit fetch --timeout 5m    allow more time
        [75]
        alice$ tacit fetch --timeout 300ms --json
        {"v":1,"type":"fetch","received":0,"sent":0,"waiting":2,"complete":false}
        ! {"v":1,"type":"error","code":"fetch.timeout","exit":75,"message":"cannot fetch everything: the time limit was reached","why":"received messages are stored","try":["tacit fetch --timeout 5m"]}
        [75]
    ''')
    assert time.monotonic() - start < 10
    for words in (["send", "@bob", "interrupted", "--timeout", "60s"], ["fetch"]):
        waiting = stage.start("alice", *words)
        wait_until(lambda: "lock" in stage.tacit("alice", "status", "--json").objects[0], "the lock", waiting.process)
        waiting.signal(signal.SIGINT)
        assert waiting.ended().code == 128 + signal.SIGINT

with socket.create_server(("127.0.0.1", port)) as server:

    def hang_up():
        while True:
            try:
                server.accept()[0].close()
            except OSError:
                return

    threading.Thread(target=hang_up, daemon=True).start()
    # The system tells it in one of two ways.
    words = r"the relay closed the connection|connection reset by peer"
    for _ in range(5):
        ended = stage.tacit("alice", "send", "@bob", "hey", "--timeout", "5s", expect=75)
        assert ended.out.startswith("queued") and re.search(words, ended.err), ended.err
        ended = stage.tacit("alice", "connect", expect=75)
        assert re.search(words, ended.err), ended.err
    server.shutdown(socket.SHUT_RDWR)

relay.start()
stage.play(r'''
    alice$ tacit fetch -q
    bob$ tacit fetch --jitter 10ms --plain --fields text | grep -v interrupted
    hi
    ho
    hey
    hey
    hey
    hey
    hey
    bob$ tacit connect --wait connected --timeout 200ms
    LINK
    the invitation is unused (i2)
    ! give this link to one person; then: tacit fetch
    ! tacit: cannot connect: the contact has not answered in time
    !   why: the request is stored; the next fetch continues it
    !   try: tacit fetch    continue
    [75]
    bob$ tacit connect --wait connected --timeout 0s --json
    ! {"v":1,"type":"error","code":"relay.timeout","exit":75,"message":"cannot connect: the relay did not answer in time","why":"relay: 127.0.0.1:PORT","try":[],"details":{"relay":"127.0.0.1:PORT"}}
    [75]
''')

# A relay for those who know the password.
(stage.folder / "password").write_text("secret\nignored\n")
private = stage.tacit(None, "relay", "init", "private", "--host", "127.0.0.1", "--port", "0", "--password-file", "password")
with_password = private.out.strip()
assert ":secret@" in with_password
running = stage.start(None, "relay", "start", "private")
assert running.line() == with_password.replace(":secret", "")
stage.person("carol", with_password)
stage.person("dave", with_password.replace(":secret", ""))
stage.person("erin", with_password.replace(":secret", ":wrong"))
stage.play(r'''
    carol$ tacit connect -q
    LINK
    carol$ tacit status
    store     /stage/carol
    profile   carol
    contacts  0
    unread    0
    outbox    0
    relay     127.0.0.1:PORT
    writer    none
    dave$ tacit connect
    ! tacit: cannot create an invitation: the relay rejected the request
    !   why: relay: 127.0.0.1:PORT
    !        the queue is deleted, or the relay needs a password to create one
    [69]
    erin$ tacit connect
    ! tacit: cannot create an invitation: the relay rejected the request
    !   why: relay: 127.0.0.1:PORT
    !        the queue is deleted, or the relay needs a password to create one
    [69]
''')
