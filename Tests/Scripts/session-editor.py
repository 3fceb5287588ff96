"""/edit: the person's own editor has the terminal, and nothing that happens meanwhile is lost or disturbs it."""
# limit: 120

import os
import signal
from pathlib import Path

from support.process import wait_until
from support.seat import control
from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")

# An editor that shows what it was given, and ends when it is told to. It writes then what it is told to.
editor = stage.folder / "editor"
editor.write_text("""#!/bin/sh
echo "EDITING $(cat "$1") IN $1"
until [ -e done ]; do sleep 0.05; done
cat done >"$1"
rm done
[ ! -s "$1" ] || exit 0
exit 1
""")
editor.chmod(0o700)
environment = {"VISUAL": None, "EDITOR": str(editor)}


def folders():
    """Where editors have their texts."""
    places = {os.environ.get("XDG_RUNTIME_DIR", "/dev/shm"), "/dev/shm"}
    return {path for place in places for path in Path(place).glob("tacit-edit-*")}


def edit(person):
    """Opens the editor with an empty line, on an empty screen."""
    person.type(control("u") + control("l"))
    person.gone("EDITING")
    person.enter("/edit")
    person.until("EDITING")


def save(text):
    (stage.folder / "written").write_text(text)
    (stage.folder / "written").rename(stage.folder / "done")


# It begins with what is typed, and several lines come back as one message.
alice = stage.sit("alice", "repl", "--at", "/bob", env=environment)
alice.until("alice:/bob >")
edit(alice)
assert "IN /" in alice.screen.text, alice.screen.text
place = alice.screen.text.split(" IN ")[1].split()[0]
assert not place.startswith(str(stage.folder)), place

# What comes meanwhile does not disturb the editor, and is there afterwards.
before = alice.screen.text
stage.tacit("bob", "send", "@alice", "are you writing?")
wait_until(lambda: "are you writing?" in stage.tacit("alice", "read", "@bob").out, "the message")
alice.look(0.5)
assert alice.screen.text == before, alice.screen.text
save("first line\nsecond line\n")
alice.until("bob │ are you writing?")
alice.until("> first line")
alice.until("second line")
alice.enter("")
stage.until_fetched("bob", "first line\nsecond line")

# An editor that fails changes nothing.
edit(alice)
alice.until("EDITING  IN")
save("")
alice.until("could not be used")

# Who ends the session meanwhile waits until what is written there is kept.
edit(alice)
stop = stage.start("alice", "daemon", "stop")
alice.look(0.5)
assert alice.status is None
save("written while somebody ended the session\n")
alice.until("another command has ended the session")
assert alice.ended() == 0
assert stop.ended().code == 0

# So does a signal, and the end of another process that had the store open.
alice = stage.sit("alice", env=environment)
alice.until("alice:/bob > written while somebody ended the session")
edit(alice)
alice.signal(signal.SIGTERM)
alice.look(0.5)
save("written before the end\n")
assert alice.ended() == -signal.SIGTERM

daemon = stage.start("alice", "daemon", "run")
assert daemon.error_line().startswith("accepting commands at ")
alice = stage.sit("alice", env=environment)
alice.until("alice:/bob > written before the end")
edit(alice)
daemon.signal(signal.SIGKILL)
daemon.ended()
alice.look(0.5)
save("written beside nobody\n")
alice.until("this session receives now")
alice.until("alice:/bob > written beside nobody")
alice.enter("")
alice.until("you │ written beside nobody")
stage.until_fetched("bob", "written beside nobody")

# An editor that goes with its terminal has said nothing against what was saved.
edit(alice)
text = open(alice.screen.text.split(" IN ")[-1].split()[0], "w")
text.write("saved, and then the terminal was closed\n")
text.close()
# A terminal that goes tells all that have it.
for name in os.listdir("/proc"):
    try:
        if int(open(f"/proc/{name}/stat").read().rsplit(")")[-1].split()[1]) == alice.pid:
            os.kill(int(name), signal.SIGHUP)
    except (OSError, ValueError, IndexError):
        pass
alice.signal(signal.SIGHUP)
assert alice.ended() == -signal.SIGHUP
alice = stage.sit("alice", env=environment)
alice.until("alice:/bob > saved, and then the terminal was closed")
alice.type(control("u"))

# Nothing of what was written is left in the clear where a session was killed.
place = folders()
edit(alice)
left = folders() - place
assert len(left) == 1, left
alice.kill()
save("")
alice = stage.sit("alice", env=environment)
alice.until("alice:/bob >")
wait_until(lambda: not folders() & left, "the end of what the editor had")
alice.type(control("d"))
assert alice.ended() == 0
