"""With receipts off nothing leaves that tells a contact, a member or their relay that a message came or was read.

Alice and bob have a relay each: what bob sends to alice goes to the relay of alice, which counts it.
"""

# limit: 500

import json
import shutil
import time

from support.process import wait_until
from support.stage import FileRelay, Stage

stage = Stage()
# Without a relay in between, which remembers for a while that another one could not be reached.
stage.environment["TACIT_SMP_PROXY"] = "never"
relays = {name: FileRelay(stage, f"relay-{name}").start() for name in ("alice", "bob", "cat")}
for name, relay in relays.items():
    stage.person(name, relay)
    stage.tacit(name, "server", "add", relay.files)
stage.connect("alice", "bob")
stage.connect("alice", "cat")
stage.connect("bob", "cat")
stage.tacit("alice", "group", "create", "team")
for name in ("bob", "cat"):
    stage.tacit("alice", "group", "invite", "+team", f"@{name}")
    stage.tacit(name, "fetch")
    stage.tacit(name, "group", "join", "+team")


def settle():
    for _ in range(4):
        for name in relays:
            stage.tacit(name, "fetch")


settle()
(stage.folder / "note.txt").write_text("a file")
photo = stage.folder / "photo.jpg"
shutil.copy(f"{stage.environment['TACIT_REPOSITORY']}/Tests/Vectors/pictures/turned-1.jpg", photo)


def waiting(name):
    """The messages that wait at the relay of a person: nobody has fetched them."""
    return json.loads(stage.tacit(None, "relay", "status", str(relays[name].folder), "--json").out)["messages"]


def quiet(who, what):
    """Has a person receive and read all, and look at it in every way: no message waits for the others afterwards."""
    before = {name: waiting(name) for name in relays if name != who}
    stage.tacit(who, "fetch")
    chats = {item["chat"] for item in stage.tacit(who, "read", "--json").objects}
    assert chats, what
    stage.tacit(who, "read", "--last", "100", "--json")
    stage.tacit(who, "fetch")
    stage.tacit(who, "outbox", "flush")
    running = stage.start(who, "watch", "--timeout", "2s", "--json")
    assert running.ended().code in (0, 1, 75), what
    assert stage.tacit(who, "list", "outbox", "--json").out == "", what
    after = {name: waiting(name) for name in relays if name != who}
    assert before == after, (what, before, after)


def everything(target):
    """Alice sends one of each kind."""
    def send(*words):
        return stage.tacit("alice", "send", target, *words, "--json").objects[0]["id"]

    first = send("hello")
    stage.tacit("alice", "message", "edit", first, "hello again")
    stage.tacit("alice", "message", "react", first, "👍")
    send("a picture", "--attach", str(photo))
    send("a file", "--attach", "note.txt")
    stage.tacit("alice", "message", "delete", first, "--everywhere")
    send("last")


# The control: with receipts on, they leave.
stage.tacit("alice", "send", "@bob", "with receipts")
before = waiting("alice")
stage.tacit("bob", "fetch")
assert waiting("alice") > before, "no receipt was sent"
settle()

for setting, words in (
    ("profile", ["profile", "set", "--receipts", "off", "--group-receipts", "off"]),
    ("contact", ["contact", "set", "@alice", "--receipts", "off"]),
):
    stage.tacit("bob", *words)
    everything("@alice".replace("alice", "bob"))
    quiet("bob", f"{setting}: a contact")
    states = {item["state"] for item in stage.tacit("alice", "read", "@bob", "--json", "--last", "100").objects if item["text"] == "last"}
    assert "delivered" not in states, states
    if setting == "profile":
        everything("+team")
        quiet("bob", "a group")
        stage.tacit("bob", "profile", "set", "--receipts", "on")
    else:
        stage.tacit("bob", "contact", "set", "@alice", "--receipts", "default")

# A receipt that waits does not leave when receipts are turned off meanwhile. One is in the outbox, encrypted, and leaves: without it
# the contact would see a gap.
for words in (["contact", "set", "@alice", "--receipts", "off"], ["profile", "set", "--receipts", "off"]):
    settle()
    relays["alice"].kill()
    for text in ("in the outbox", "before it was off"):
        stage.tacit("alice", "send", "@bob", text)
        stage.shell("bob", "tacit fetch --timeout 5s")
    stage.tacit("bob", *words)
    relays["alice"].start()
    wait_until(lambda: stage.shell("bob", "tacit send @alice 'now' --wait sent").code == 0, "the relay is reached again")
    for _ in range(3):
        stage.tacit("bob", "fetch")
    stage.tacit("alice", "fetch")
    items = stage.tacit("alice", "read", "@bob", "--json", "--last", "3").objects
    states = [item["state"] for item in items if item["text"].startswith("before")]
    assert states == ["sent"], (words, states)
    stage.tacit("bob", "contact", "set", "@alice", "--receipts", "default")
    stage.tacit("bob", "profile", "set", "--receipts", "on")
