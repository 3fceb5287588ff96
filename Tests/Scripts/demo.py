"""The demonstration works, cleans up, and can be continued by hand."""

import re
import signal

from support.process import wait_until
from support.stage import Stage

stage = Stage()
temporary = stage.folder / "temporary"
temporary.mkdir()
env = {"TMPDIR": str(temporary), "TACIT_DIR": None}

shown = stage.tacit(None, "demo", env=env)
assert list(temporary.iterdir()) == []
shown.out = re.sub(r"/tacit-demo-\w{6}", "/demo", shown.out)
stage.compare(r'''
    Start a relay on this machine:
    $ tacit relay init /stage/temporary/demo/relay --host 127.0.0.1 --listen 127.0.0.1 --port 0
    smp://FINGERPRINT@127.0.0.1:PORT
    127.0.0.1 is a private address, so 'proxy_private' is on: the relay forwards to relays there too
    $ tacit relay start /stage/temporary/demo/relay
    smp://FINGERPRINT@127.0.0.1:PORT

    Create a store for alice and one for bob:
    alice$ tacit init --name alice --server smp://FINGERPRINT@127.0.0.1:PORT
    created a store in /stage/temporary/demo/alice with the profile alice
    the key is in /stage/temporary/demo/alice/key; without it the store cannot be read
    bob$ tacit init --name bob --server smp://FINGERPRINT@127.0.0.1:PORT
    created a store in /stage/temporary/demo/bob with the profile bob
    the key is in /stage/temporary/demo/bob/key; without it the store cannot be read

    alice creates a one-time invitation and gives the link to bob:
    alice$ tacit connect
    LINK
    give this link to one person; then: tacit fetch

    bob joins with the link; the two need not be online at the same time:
    bob$ tacit connect 'LINK'
    the relay has accepted the request (i1)
    the contact must fetch now; then: tacit fetch
    alice$ tacit fetch
    @bob is connecting
    @bob is connected
    no new messages
    bob$ tacit fetch
    @alice is connecting
    @alice is connected
    no new messages

    They are connected and exchange messages:
    alice$ tacit send @bob 'héllo 👋'
    sent @bob m1
    bob$ tacit fetch
    YYYY-MM-DD hh:mm  @alice  │ héllo 👋
    1 new message
    bob$ tacit send @alice 'good to hear from you'
    sent @alice m2
    alice$ tacit fetch
    YYYY-MM-DD hh:mm  @bob  │ good to hear from you
    1 new message

    The store keeps the conversation, and prints it for people and for programs:
    alice$ tacit read @bob
    YYYY-MM-DD hh:mm  to @bob  │ héllo 👋
    YYYY-MM-DD hh:mm  @bob  │ good to hear from you
    alice$ tacit read @bob --plain --fields direction,text
    out     héllo 👋
    in      good to hear from you
''', shown)

# Settings of the caller for formats and stores do not change the demonstration.
hindered = {**env, "TACIT_FORMAT": "json", "TACIT_PROFILE": "nobody", "TACIT_DIR": "/nonexistent", "TACIT_SEND_WAIT": "queued"}
stage.tacit(None, "demo", env=hindered)
assert list(temporary.iterdir()) == []

# --keep leaves the stores, and prints the commands that continue.
kept = stage.tacit(None, "demo", "--keep", env=env)
folder, = temporary.iterdir()
commands = kept.lines[-3:]
assert commands == [
    f"tacit relay start {folder}/relay &", f"export TACIT_DIR={folder}/alice", "tacit send @bob 'one more'"
], commands
relay = stage.start(None, "relay", "start", f"{folder}/relay")
relay.line()
done = stage.shell(None, "\n".join(commands[1:]), env=env)
assert (done.code, done.out) == (0, "sent @bob m3\n"), done.err
assert "one more" in stage.tacit(None, "fetch", env={"TACIT_DIR": f"{folder}/bob"}).out
relay.signal(signal.SIGTERM)
assert relay.ended().code == 0

# A signal removes the folder and ends the relay, too.
for number in (signal.SIGINT, signal.SIGTERM):
    empty = stage.folder / f"temporary-{number}"
    empty.mkdir()
    running = stage.start(None, "demo", env={"TMPDIR": str(empty)})
    while not running.line().startswith("smp://"):
        pass
    running.signal(number)
    ended = running.ended()
    assert ended.code == 128 + number, (ended.code, ended.err)
    assert list(empty.iterdir()) == [], list(empty.iterdir())

stage.play(r'''
    nobody$ TMPDIR=/nonexistent tacit demo
    ! tacit: cannot show the demonstration: cannot create its folder
    !   why: '/nonexistent': no such file or directory
    [73]
''')

# So does a closed pipe.
closed = stage.folder / "temporary-closed"
closed.mkdir()
stage.shell(None, "tacit demo | head -n 2", env={"TMPDIR": str(closed)})
wait_until(lambda: list(closed.iterdir()) == [], "the end of the demonstration")
