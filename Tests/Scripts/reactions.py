# limit: 120
"""Reactions name who gave them: in JSON, in events, in the text of a message, and in a chat of two."""

import json

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.person("cath", relay)
stage.connect("alice", "cath")
people = ["alice", "bob", "cath"]


def reports(person, *words, expect=0):
    return stage.tacit(person, *words, "--json", expect=expect).objects


def settle(condition, what):
    def is_so():
        for name in people:
            stage.tacit(name, "fetch", "-qq")
        return condition()

    wait_until(is_so, what)


stage.tacit("alice", "group", "create", "team")
stage.tacit("alice", "group", "invite", "+team", "@bob", "@cath")
for name in ("bob", "cath"):
    stage.tacit(name, "fetch")
    stage.tacit(name, "group", "join", "+team")
settle(
    lambda: all(
        [each["state"] for each in reports(name, "group", "members", "+team")].count("connected") == 3 for name in people
    ),
    "three members")

stage.tacit("alice", "send", "+team", "lunch?")
settle(
    lambda: all(any(each.get("text") == "lunch?" for each in reports(name, "read", "+team")) for name in ("bob", "cath")),
    "the message at bob and cath")
watch = stage.start("alice", "watch", "--json")
assert "watching" in watch.error_line()
for name, emoji in (("bob", "👍"), ("cath", "👍"), ("cath", "❤")):
    stage.tacit(name, "message", "react", "last", emoji, "--in", "+team")
events = []
while len(events) < 3:
    event = json.loads(watch.line())
    if event.get("event") == "reaction.added":
        events.append((event["member"], event["reaction"]))
assert set(events) == {("+team/@bob", "👍"), ("+team/@cath", "👍"), ("+team/@cath", "❤")}, events
watch.signal(15)
watch.ended()
message = reports("alice", "read", "+team")[-1]
given = [(each["member"], each["member_name"], each["member_id"][0], each["reaction"]) for each in message["reactions"]]
assert len(given) == 3 and set(given) == {
    ("+team/@bob", "bob", "u", "👍"), ("+team/@cath", "cath", "u", "👍"), ("+team/@cath", "cath", "u", "❤")
}, given
shown = stage.tacit("alice", "read", "+team").out
assert "👍 2 ❤" in shown or "❤ 👍 2" in shown, shown
shown = stage.tacit("alice", "message", "show", message["id"]).out
assert "👍 bob, cath" in shown and "❤ cath" in shown, shown
# An own reaction, and one in a chat of two.
stage.tacit("alice", "message", "react", message["id"], "👍")
assert "👍 3" in stage.tacit("alice", "read", "+team").out
assert "👍 you, bob, cath" in stage.tacit("alice", "message", "show", message["id"]).out
stage.tacit("alice", "send", "@bob", "hi bob")
stage.tacit("bob", "fetch")
stage.tacit("bob", "message", "react", "last", "👍", "--in", "@alice")
wait_until(
    lambda: stage.tacit("alice", "fetch", "-q") and "reactions" in reports("alice", "read", "@bob")[-1], "a reaction of bob")
message = reports("alice", "read", "@bob")[-1]
assert message["reactions"] == [{"reaction": "👍", "direction": "in"}], message
assert "👍 bob" in stage.tacit("alice", "message", "show", message["id"]).out
