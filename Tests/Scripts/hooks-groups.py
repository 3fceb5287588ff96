"""What hooks are told of groups: on their standard input, and in the environment."""
# limit: 120

import json
import os

from support.process import wait_until
from support.stage import FileRelay, Stage

stage = Stage()
relay = FileRelay(stage).start()
for name in "alice", "bob", "cath":
    stage.person(name, relay)
    stage.tacit(name, "server", "add", relay.files)
for name in "bob", "cath":
    stage.connect("alice", name)
log = stage.folder / "log"
log.touch()
for name in "alice", "bob", "cath":
    folder = stage.tacit(name, "hook", "path").out.strip()
    os.makedirs(folder, exist_ok=True, mode=0o700)
    for hook in "on-message", "on-request", "on-connected", "on-file", "pre-send":
        with open(f"{folder}/{hook}", "w") as file:
            file.write(f'#!/bin/sh\nprintf "%s\\t" {name} {hook} "$TACIT_ID" "$TACIT_CHAT_ID" >>{log}\ncat >>{log}\n')
        os.chmod(f"{folder}/{hook}", 0o700)


def calls(person, hook):
    """The calls of a hook since the last look: the two ids, and the event."""
    fields = [line.split("\t") for line in log.read_text().splitlines()]
    return [(one, two, json.loads(event)) for name, called, one, two, event in fields if (name, called) == (person, hook)]


stage.tacit("alice", "group", "create", "team")
stage.tacit("alice", "group", "invite", "+team", "@bob", "@cath")


def members(person):
    reports = stage.tacit(person, "group", "members", "+team", "--json").objects
    return {report["name"]: report["id"] for report in reports if report["state"] in ("connected", "complete")}


def connected():
    for name in "alice", "bob", "cath":
        stage.shell(name, "tacit fetch -qq --timeout 5s")
        if name != "alice":
            stage.shell(name, "tacit group join +team -q")
    return len(members("alice")) == 3 and len(members("bob")) == 3


wait_until(connected, "the members")
[(one, two, event)] = calls("bob", "on-request")
assert (one, two, event["event"], event["chat"]) == ("g1", "g1", "group.invited", "+team"), event
[(one, two, event)] = calls("bob", "on-connected")
assert (one, two, event["event"], event["member_name"]) == ("g1", "g1", "group.joined", "alice"), event
# A new member is named by its id.
joined = {event["member_name"]: (one, two) for one, two, event in calls("alice", "on-connected")}
known = members("alice")
assert joined == {name: (known[name], "g1") for name in ("bob", "cath")}, (joined, known)
report = stage.tacit("alice", "group", "member", f"id:{joined['bob'][0]}", "--json").objects[0]
assert report["name"] == "bob", report

stage.tacit("alice", "send", "+team", "hi @bob")
for name in "bob", "cath":
    stage.tacit(name, "fetch")
[(one, two, event)] = calls("bob", "on-message")
assert two == "g1" and event["id"] == one and event["mentions_you"] and event["member_name"] == "alice", event
assert event["member_id"] == members("bob")["alice"] and event["member"] == "+team/@alice", event
assert "mentions_you" not in calls("cath", "on-message")[0][2]
# A message to the moderators is marked before it is sent, and when it is received.
stage.tacit("cath", "send", "+team", "help", "--support")
drafts = [(event["text"], event.get("to_moderators")) for _, _, event in calls("cath", "pre-send")]
assert drafts == [("help", True)], drafts
assert [event.get("to_moderators") for _, _, event in calls("alice", "pre-send")] == [None]
stage.tacit("alice", "fetch")
[(_, _, event)] = calls("alice", "on-message")
assert event["text"] == "help" and event["support_id"] == known["cath"] == event["member_id"], event
# An edit of it too.
stage.tacit("cath", "message", "edit", stage.tacit("cath", "read", "+team", "--support", "--json").objects[-1]["id"], "help!")
assert [event.get("to_moderators") for _, _, event in calls("cath", "pre-send")] == [True, True]
# A report goes to the moderators.
message = calls("bob", "on-message")[0][2]["id"]
stage.tacit("bob", "group", "report", message, "--reason", "spam")
assert [event.get("to_moderators") for _, _, event in calls("bob", "pre-send")] == [True]

(stage.folder / "notes.txt").write_text("notes")
stage.tacit("cath", "send", "+team", "notes", "--attach", "notes.txt")
stage.tacit("bob", "fetch")
stage.tacit("bob", "file", "receive", stage.tacit("bob", "file", "list", "--json").objects[0]["id"])
[(one, two, event)] = calls("bob", "on-file")
assert two == "g1" and event["file"]["id"] == one and event["chat"] == "+team", event
